"""Motions that come to singular points of their constraints pass smoothly with a remark, or stop with instant and place."""

import re

import numpy as np
import pytest

import vinculum as vc
from curves import CURVES, Curve
from marks import TAYLOR, needs_heyoka
from vinculum.integrators.watch.singular_positions import SingularWatch

BEYOND = 0.3
INSTANT, PLACE = 3e-5, 3e-4
"""To how much the instant and the place of a stop are right, next to times and lengths of one: at cusps of high order, where the wire is
nearly double long before; 1e-7 is usual."""


def of_bodies(curve: Curve) -> tuple:
    system, n = vc.System("bead"), len(curve.position)
    bead = system.add(vc.MassPoint("bead", mass=1.0))
    system.add(vc.Constraint("wire", [bead], position=lambda b: curve.rows(b.position), realization=vc.DAlembert()))
    q, v = (np.append(x, np.zeros(3 - n)) for x in (curve.position, curve.direction))
    return system, {"bead": vc.At(q, rate=v)}


def of_lagrangian(curve: Curve) -> tuple:
    names = ["x", "y", "z"][: len(curve.position)]
    system = vc.LagrangianSystem(
        "bead", names, lambda v: 0.5 * vc.math.dot(v, v), constraints={"wire": (curve.rows, vc.DAlembert())}
    )
    return system, (curve.position, curve.direction)


KINDS = {"bodies": of_bodies, "lagrangian": of_lagrangian}


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CURVES)
def test_a_singular_point_is_passed_smoothly_or_ends_the_run_with_instant_and_place(name, kind, method):
    curve = CURVES[name]
    system, start = KINDS[kind](curve)
    reached, n = curve.reached, len(curve.position)
    try:
        motion = vc.simulate(system, reached + BEYOND, start, method=method, progress=False)
    except vc.errors.RunError as error:
        motion = error.motion
        told = re.search(r"stopped: at t = ([-\d.e]+) s .*?, at (.*?); from there", str(error)) or re.search(
            r"stopped: at t = ([-\d.e]+) s .*?singular position, (.*?); from there", str(error)
        )
        if told is None:
            pytest.fail(str(error))
        place = [float(x) for x in re.findall(r"= ([-+\d.e]+)", told[2])][:n]
        assert float(told[1]) == pytest.approx(reached, abs=INSTANT)
        np.testing.assert_allclose(place, curve.at(curve.singular), rtol=0, atol=PLACE)
        assert not (curve.passes and method == "taylor"), "stopped where it can pass"
        assert motion.record.pieces.end < reached
    else:
        (said,) = [line for line in motion.log if "passed" in line]
        assert curve.passes and method == "taylor"
        assert float(re.search(r"t = ([-\d.e]+) s", said)[1]) == pytest.approx(reached, abs=1e-8)
        np.testing.assert_allclose(motion.q[-1][:n], curve.after(reached + BEYOND), rtol=0, atol=1e-11)
        np.testing.assert_allclose(np.linalg.norm(motion.v[:, :n], axis=1), 1.0, rtol=0, atol=1e-13)
        line = next(x for x in motion.audit().lines if x.law == "velocities at singular positions")
        assert line.verdict == "holds" and f"passed at t = {reached:.4g}"[:-1] in line.reason
        assert motion.audit().passed, str(motion.audit())
    assert motion.audit().verdict != "failed", str(motion.audit())
    turns = np.linalg.norm(np.diff(motion.v, axis=0), axis=1)
    assert turns.max() < 0.2


def cone(v):
    return v[0] ** 2 + v[1] ** 2 - v[2] ** 2


VELOCITIES = {
    "cone": (cone, (1.0, 0.0, 1.0)),
    "elliptic cone": (lambda v: v[0] ** 2 + 4.0 * v[1] ** 2 - v[2] ** 2, (0.8, 0.0, 0.8)),
    "two planes": (lambda v: v[2] ** 2 - v[0] ** 2, (0.7, 0.0, 0.7)),
}


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", VELOCITIES)
def test_a_cone_of_velocities_that_comes_to_rest_ends_the_run_there(name, kind, method):
    """From rest every direction of the cone is possible."""
    row, v = VELOCITIES[name]
    if kind == "bodies":
        system = vc.System("point", gravity=(0, 0, -9.81))
        point = system.add(vc.MassPoint("p", mass=1.0))
        system.add(vc.Constraint("cone", [point], velocity=lambda p: row(p.velocity), realization=vc.Chetaev()))
        start = {"p": vc.At((0, 0, 0), rate=v)}
    else:
        system = vc.LagrangianSystem("point", ["x", "y", "z"], lambda q, v: 0.5 * vc.math.dot(v, v) - 9.81 * q[2],
                                     constraints={"cone": (row, vc.Chetaev())})  # fmt: skip
        start = ((0, 0, 0), v)
    with pytest.raises(
        vc.errors.RunError,
        match=r"'cone' has no gradient and constrains nothing.*the velocities do not continue uniquely",
    ) as stopped:
        vc.simulate(system, 2.0, start, method=method, progress=False)
    motion = stopped.value.motion
    told = float(re.search(r"stopped: at t = ([\d.e-]+) s", str(stopped.value))[1])
    speed, left = np.linalg.norm(motion.v[:, :3], axis=1), told - motion.time
    assert motion.audit().verdict != "failed", str(motion.audit())
    assert told == pytest.approx(v[2] / (0.5 * 9.81), abs=1e-7)
    np.testing.assert_allclose(speed, np.sqrt(0.5) * 9.81 * left, rtol=0, atol=1e-6)
    assert left[-1] < 0.3 * told


@needs_heyoka
@pytest.mark.parametrize("kind", KINDS)
def test_a_heavy_bead_passes_the_double_point_of_its_wire_again_and_again(kind):
    curve, g, speed = CURVES["lemniscate of Bernoulli"], 2.0, 3.0
    if kind == "bodies":
        system, start = of_bodies(curve)
        system.add(vc.Force("weight", "bead", vc.Wrench(force=(0, -g, 0))))
        start = {"bead": vc.At((1, 0, 0), rate=(0, speed, 0))}
    else:
        system = vc.LagrangianSystem("bead", ["x", "y"], lambda q, v: 0.5 * vc.math.dot(v, v) - g * q[1],
                                     constraints={"wire": (curve.rows, vc.DAlembert())})  # fmt: skip
        start = ((1.0, 0.0), (0.0, speed))
    motion = vc.simulate(system, 12.0, start, method="taylor", progress=False)
    passed = [line for line in motion.log if "passed" in line]
    energy = 0.5 * (motion.v[:, :2] ** 2).sum(axis=1) + g * motion.q[:, 1]
    assert len(passed) == 14
    np.testing.assert_allclose(energy, 0.5 * speed**2, rtol=0, atol=1e-12)
    assert motion.audit().passed, str(motion.audit())


@needs_heyoka
def test_a_double_point_that_is_there_to_round_off_alone_is_passed():
    """0.3² is not 0.09 to the last digit, so that sphere and cylinder do not quite touch."""
    rows = lambda q: [vc.math.dot(q, q) - 0.09, (q[0] - 0.15) ** 2 + q[1] ** 2 - 0.0225]
    at = lambda u: np.array([0.15 + 0.15 * np.cos(u), 0.15 * np.sin(u), 0.3 * np.sin(u / 2)])
    slope = lambda u: np.array([-0.15 * np.sin(u), 0.15 * np.cos(u), 0.15 * np.cos(u / 2)])
    system = vc.System("bead")
    bead = system.add(vc.MassPoint("bead", 1.0))
    system.add(vc.Constraint("wire", [bead], position=lambda b: rows(b.position), realization=vc.DAlembert()))
    motion = vc.simulate(system, 2.0, {"bead": vc.At(at(-1.0), rate=slope(-1.0))}, method="taylor", progress=False)
    assert any("passed a singular position" in line for line in motion.log)
    assert motion.audit().passed, str(motion.audit())


@needs_heyoka
@pytest.mark.parametrize("kind", KINDS)
def test_a_motion_that_turns_at_a_double_point_is_not_certified(kind, monkeypatch):
    """Round-off keeps an unwatched run on one side of the double point, where it turns as on a hyperbola."""
    system, start = KINDS[kind](CURVES["lemniscate of Bernoulli"])
    with monkeypatch.context() as blind:
        blind.setattr(SingularWatch, "find_encounter", lambda self, steps, J: None)
        motion = vc.simulate(system, 1.3, start, method="dop853", progress=False)
    assert np.linalg.norm(np.diff(motion.v, axis=0), axis=1).max() > 1.0
    (line,) = [x for x in motion.audit().lines if x.law == "velocities at singular positions"]
    assert line.verdict == "broken" and "velocities jump at the singular position at t = 1.015" in line.detail


@needs_heyoka
def test_instants_right_at_a_singular_position_spoil_no_verdict():
    """Of 512 and of 256 instants in equal distances one is the singular one."""
    for until, kind in ((0.5 * 511 / 100, "bodies"), (0.5 * 255 / 100, "lagrangian")):
        system, start = KINDS[kind](CURVES["two lines"])
        motion = vc.simulate(system, until, start, method="taylor", grid=511, progress=False)
        assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("meter", [1e-6, 1.0, 1e6])
def test_a_crank_that_is_far_from_singular_positions_is_seen_to_be(meter, monkeypatch):
    """Its gaps have coefficients that are zero but for round-off, in the first instants and later: they are no arms."""
    crank, rod, system = 0.04 * meter, 0.13 * meter, vc.System("slider-crank")
    angle = lambda t: 20 * np.pi * t + 0.1 * vc.math.sin(20 * np.pi * t)
    shaft = system.add(vc.PrescribedBody("crank", rotation=((0, 0, 1), angle)))
    link = system.add(vc.RigidBody("rod", 0.3, com=(rod / 3, 0, 0), inertia=0.01 * rod**2 * np.ones(3)))
    piston = system.add(vc.RigidBody("piston", 0.2, inertia=0.01 * rod**2 * np.ones(3)))
    system.add(vc.Revolute("pin", shaft, link, at=(crank, 0, 0)))
    system.add(vc.Prismatic("bore", "ground", piston, axis=(1, 0, 0)))
    system.add(vc.Revolute("wrist", link, piston, at=(rod, 0, 0)))
    watches, find = [], SingularWatch.find_encounter
    monkeypatch.setattr(SingularWatch, "find_encounter", lambda self, *seen: watches.append(self) or find(self, *seen))
    motion = vc.simulate(system, 0.1, {"bore": crank + rod}, progress=False)
    states = np.hstack([motion.q, motion.v])
    assert watches[-1].measure_at(states, motion.time).min() > 0.5


@needs_heyoka
def test_forces_that_change_fast_are_no_jump_at_a_double_point():
    """A bead on two wires that cross, slow enough for its push to change while the measure of the crossing grows."""
    system = vc.System("crossing")
    bead = system.add(vc.MassPoint("bead", 1.0))
    rows = lambda b: [b.position[0] * b.position[1], b.position[2]]
    system.add(vc.Constraint("wires", [bead], position=rows, realization=vc.DAlembert()))
    push = lambda b, t: vc.Wrench(force=(0.5 * vc.math.cos(60.0 * t), 0, 0))
    system.add(vc.Force("push", bead, push))
    start = {"bead": vc.At((-0.01, 0.0, 0.0), rate=(0.1, 0.0, 0.0))}
    motion = vc.simulate(system, 0.2, start, method="taylor", progress=False)
    np.testing.assert_allclose(motion.v[:, 0], 0.1 + 0.5 / 60.0 * np.sin(60.0 * motion.time), rtol=0, atol=1e-13)
    (line,) = [x for x in motion.audit().lines if x.law == "velocities at singular positions"]
    assert line.residual < 1e-12
