"""Given impulses in runs of every kind: what certificates say of them, and of falsified ones."""

import numpy as np
import pytest

import vinculum as vc
from trees import KINDS, random_system

G = 9.81


def struck_rod(force=3.0, at=(0.1, 0.25), **options) -> vc.System:
    """A pendulum that is struck twice, the second time against its velocity."""
    system = vc.System("rod", gravity=(0, 0, -G))
    rod = system.add(vc.RigidBody("rod", mass=2.0, com=(0, 0, -0.5), inertia=np.diag([0.2, 0.2, 0.01])))
    system.add(vc.Revolute("hinge", "ground", rod, axis=(0, 1, 0), damping=0.1, **options))
    system.add(vc.Impulse("hit", rod, vc.Wrench(force=(force, 0, 0), at=(0, 0, -0.7)), at=at))
    system.add(vc.Impulse("brake", "hinge", lambda hinge: -0.05 * hinge.v, at=0.4))
    return system


def broken(certificate) -> set[str]:
    return {line.law for line in certificate.lines if line.verdict == "broken"}


@pytest.mark.parametrize("options", [{}, {"method": "dop853"}, {"method": "rk4", "step": 1e-3}, {"method": "idas"}])
def test_a_struck_motion_passes_and_its_energy_is_the_work_of_the_impulses(options):
    motion = vc.simulate(struck_rod(), until=0.6, start={"hinge": 0.3}, progress=False, **options)
    certificate = motion.audit()
    assert certificate.passed, certificate
    work = sum(motion.bond(name).impulses.work.sum() for name in ("hit", "brake"))
    assert f"{work:.6g} J" in next(line.reason for line in certificate.lines if line.law == "impulses as given")


def test_an_impulse_altered_by_a_hundredth_fails_its_certificate():
    motion = vc.simulate(struck_rod(), until=0.6, start={"hinge": 0.3}, progress=False)
    found = broken(motion.replace(impulses=1.01 * motion.record.atoms.given).audit())
    assert {
        "energy balance",
        "momentum of the system",
        "impulses as given",
        "impulses M [v] = Hᵀ P",
        "weak form equ C = F",
    } <= found
    assert not vc.measures.weak_residual(motion.replace(impulses=1.01 * motion.record.atoms.given), 50).holds
    assert broken(motion.replace(system=struck_rod(force=3.03)).audit()) == {"impulses as given"}
    assert broken(motion.replace(system=struck_rod(at=(0.1,))).audit()) == {"impulses as given"}
    assert broken(motion.replace(system=struck_rod(at=(0.1, 0.2, 0.25))).audit()) == {"impulses as given"}


def test_a_struck_motion_is_stored_with_its_impulses(tmp_path):
    motion = vc.simulate(struck_rod(), until=0.6, start={"hinge": 0.3}, progress=False)
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.record.atoms.given, motion.record.atoms.given)
    np.testing.assert_array_equal(loaded.bond("hit").impulses.wrench, motion.bond("hit").impulses.wrench)
    assert loaded.audit().passed
    streamed = vc.simulate(struck_rod(), until=0.6, start={"hinge": 0.3}, progress=False, out=tmp_path / "other.zarr")
    np.testing.assert_array_equal(streamed.record.atoms.given, motion.record.atoms.given)
    np.testing.assert_array_equal(streamed.q, motion.q)


@pytest.mark.parametrize("seed", range(3))
def test_a_struck_random_tree_passes_and_its_joints_transmit_the_jumps_of_momentum(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 4, [kind for kind in KINDS if kind != "spherical-zxz"])
    for k, name in enumerate(rng.choice(list(system.bodies), 2, replace=False)):
        turns = isinstance(system.bodies[str(name)], vc.RigidBody)
        f, m, at = rng.normal(size=(3, 3)) * np.array([1.0, turns, turns])[:, None]
        system.add(vc.Impulse(f"blow {k}", str(name), vc.Wrench(force=f, moment=m, at=at), at=[0.02, 0.05]))
    motion = vc.simulate(system, until=0.1, progress=False)
    certificate = motion.audit()
    assert certificate.passed, certificate
    here = motion.at([0.05])
    given = sum(motion.bond(f"blow {k}").impulses.wrench[1][:3] for k in range(2))
    roots = [name for name, entry in motion.record.model.layout.joints.items() if entry.parent == "ground"]
    pushed = sum(motion.bond(name).impulses.wrench[1][:3] for name in roots)
    q = np.repeat(here.q, 2, axis=0)
    sides = [
        vc.given_motion(system, [0, 1], q, np.repeat(v, 2, axis=0)).body().momentum[0, :3]
        for v in (here.at(here.time, side="left").v, here.v)
    ]
    np.testing.assert_allclose(sides[1] - sides[0], given + pushed, atol=1e-11 * max(1.0, np.abs(given).max()))


def test_time_stepping_without_located_impacts_converges_to_the_motion_event_by_event():
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", mass=1.3))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    system.add(vc.Impulse("slap", ball, vc.Wrench(force=(0.3, 0, -2.0)), at=[0.2, 0.61]))
    options = {"until": 0.8, "start": {"ball": (0, 0, 0.3)}, "progress": False, "grid": 81}
    exact = vc.simulate(system, **options)
    assert exact.audit().passed
    errors = []
    for step in (2e-3, 5e-4):
        motion = vc.simulate(system, method="moreau", step=step, impacts="stepped", **options)
        assert motion.audit().passed
        errors.append(np.abs(motion.q - exact.q).mean())
    assert errors[1] < 0.5 * errors[0] < 1e-3


def test_the_invariance_audit_knows_that_a_blow_comes_from_outside():
    report = vc.audit_invariance(struck_rod())
    lines = {line.bond: line for line in report.lines}
    assert lines["hit"].verdict == "external" and "no partner" in lines["hit"].meaning
    assert lines["brake"].verdict == "invariant"


def test_a_model_file_describes_impulses(tmp_path):
    file = tmp_path / "rod.toml"
    file.write_text(
        """
        [system]
        gravity = [0, 0, -9.81]
        [bodies.rod]
        mass = 2
        com = [0, 0, -0.5]
        inertia = [0.2, 0.2, 0.01]
        [joints.hinge]
        kind = "revolute"
        parent = "ground"
        child = "rod"
        axis = [0, 1, 0]
        damping = 0.1
        [impulses.hit]
        body = "rod"
        force = ["3 N s", 0, 0]
        point = [0, 0, "-70 cm"]
        at = ["100 ms", 0.25]
        [impulses.brake]
        joint = "hinge"
        along = "-0.02 N m s"
        at = 0.4
        """
    )
    motion = vc.simulate(vc.read_model(file).system, until=0.6, start={"hinge": 0.3}, progress=False)
    same = vc.simulate(struck_rod(), until=0.6, start={"hinge": 0.3}, progress=False)
    np.testing.assert_allclose(motion.q[motion.time < 0.4], same.q[same.time < 0.4], atol=1e-13)
    np.testing.assert_allclose(motion.bond("brake").impulses.wrench, [[-0.02]])


def test_a_struck_motion_on_a_driven_base_ends_at_an_event():
    system = vc.System("cart", gravity=(0, 0, -G))
    cart = system.add(vc.PrescribedBody("cart", position=lambda t: (0.3 * vc.math.sin(2 * t), 0, 0)))
    rod = system.add(vc.RigidBody("rod", mass=1.0, com=(0, 0, -0.5), inertia=np.diag([0.1, 0.1, 0.01])))
    system.add(vc.Revolute("hinge", cart, rod, axis=(0, 1, 0)))
    system.add(vc.Impulse("tap", rod, vc.Wrench(force=(1, 0, 0), at=(0, 0, -1)), at=0.4))
    event = vc.Event("far", ["hinge"], lambda hinge: hinge.q + 0.3, stop=True)
    motion = vc.simulate(system, until=1.0, events=[event], progress=False)
    assert 0.4 < motion.record.pieces.end < 0.6 and len(motion.record.crossings) == 1
    certificate = motion.audit()
    assert certificate.passed, certificate


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 1e-3}])
def test_a_struck_skate_keeps_its_blade(options):
    system = vc.System("skate")
    skate = system.add(vc.RigidBody("skate", mass=1.0, com=(0.1, 0, 0), inertia=np.diag([0.1, 0.1, 0.2])))
    system.add(vc.Planar("ice", "ground", skate))
    blade = vc.Constraint(
        "blade", [skate], velocity=lambda s: vc.math.dot(s.rotation[:, 1], s.velocity), realization=vc.DAlembert()
    )
    system.add(blade)
    system.add(vc.Impulse("kick", skate, vc.Wrench(force=(0.3, 0.8, 0), at=(0.2, 0.1, 0)), at=0.3))
    start = {"ice": vc.At((0, 0, 0.3), rate=(np.cos(0.3), np.sin(0.3), 0.5))}
    motion = vc.simulate(system, until=0.6, start=start, progress=False, **options)
    assert motion.audit().passed
    here = motion.at([0.3])
    angle, (x, y, turn) = here.q[0, 2], here.v[0] - here.at(here.time, side="left").v[0]
    across = np.array([-np.sin(angle), np.cos(angle)])
    assert abs(across @ [x, y]) < 1e-12
    # momentum of the mass center, which the blade and the kick change
    arm = np.array([np.cos(angle), np.sin(angle)])
    jump = np.array([x, y]) + 0.1 * turn * across
    np.testing.assert_allclose(jump, [0.3, 0.8] + motion.bond("blade").impulses.wrench[0] * across, atol=1e-10)
    assert abs(arm @ across) < 1e-15
