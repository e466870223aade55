"""First integrals of systems that are known in full: which there are, their values, and which must not be claimed."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from vinculum.compile.evaluate import evaluate
from vinculum.models.types import model_of
from vinculum.motion.states import tape_rows

DOWN = (0, 0, -9.81)


def names(system, **values) -> set[str]:
    return set(vc.first_integrals(system, values or None).names)


def hinged(axis, gravity=DOWN, **first) -> vc.System:
    """A first hinge with a second, damped one on it."""
    system = vc.System("hinged", gravity=gravity)
    for name in ("one", "two"):
        system.add(vc.RigidBody(name, 1.3, (0.3, 0.1, 0.2), (0.1, 0.2, 0.15)))
    system.add(vc.Revolute("first", "ground", "one", axis=axis, at=(1, 2, 3), **first))
    system.add(vc.Revolute("second", "one", "two", axis=(1, 0, 0.2), at=(0.5, 0, 0), damping=0.1))
    return system


def floating(gravity=DOWN, **bond) -> vc.System:
    system = vc.System("floating", gravity=gravity)
    for i in range(3):
        system.add(vc.RigidBody(f"body{i}", 1.0 + i, (0.1, 0.2 * i, 0.1), (0.1, 0.2, 0.15)))
    system.add(vc.Revolute("hinge", "body0", "body1", axis=(1, 1, 0), at=(0.5, 0, 0), **bond))
    system.add(vc.Spherical("ball", "body0", "body2", at=(0, 0.5, 0)))
    return system


MOMENTA = {"momentum along x", "momentum along y", "momentum along z less its weight's impulse",
           *(f"angular momentum about the mass center along {e}" for e in "xyz"),
           *(f"mass center along {e} less its motion" for e in "xyz")}  # fmt: skip


def test_a_vertical_first_hinge_without_torque_keeps_its_moment():
    """e·G₁ = (M q̇)₁ is constant."""
    system = hinged((0, 0, 1))
    integrals = vc.first_integrals(system)
    assert integrals.names == ("angular momentum about z through (1, 2, 0)",)
    motion = vc.simulate(system, 3.0, {"first": vc.At(0.2, rate=1.0), "second": vc.At(0.7, rate=-2.0)})
    values = integrals[0].along(motion)
    assert np.ptp(values) < 1e-12 * abs(values[0])
    p = evaluate(
        model_of(system.tree()).tape("momenta"), tape_rows(motion.record, motion.time, np.hstack([motion.q, motion.v]))
    )
    assert values == pytest.approx(p[:, 0], abs=1e-12)


@pytest.mark.parametrize(
    "system",
    [
        hinged((0, 0.1, 1)),
        hinged((0, 0, 1), gravity=(0, 1e-6, -9.81)),
        hinged((0, 1, 0), gravity=(0, 0, -1e-12)),
        hinged((0, 0, 1), stiffness=1e-12),
        hinged((0, 0, 1), drive=lambda t: vc.math.exp(-(((t - 50.0) / 0.01) ** 2))),
        hinged((0, 0, 1), drive=lambda q: vc.math.maximum(q - 5.0, 0.0)),
    ],
    ids=[
        "leaning",
        "gravity off by a millionth",
        "weak gravity",
        "weak spring",
        "brief pulse",
        "stop far away",
    ],
)
def test_a_hinge_that_is_not_vertical_or_not_free_keeps_nothing(system):
    assert names(system) == set()


@pytest.mark.parametrize(
    ("bond", "kept"), [({"damping": 1e-3}, "+ 0.001 'first'"), ({"drive": lambda t: 1e-6}, "− 1e-06 t")]
)
def test_a_damped_hinge_and_one_with_a_constant_torque_keep_their_moment_less_its_impulse(bond, kept):
    assert names(hinged((0, 0, 1), **bond)) == {f"angular momentum about z through (1, 2, 0) {kept}"}


def test_a_floating_tree_keeps_energy_momentum_and_moment():
    for gravity in (DOWN, (1.0, 2.0, 3.0)):
        found = names(floating(gravity))
        assert len(found) == 10 and "energy" in found
    assert names(floating((0, 0, 0))) == {"energy", *(n.replace(" less its weight's impulse", "") for n in MOMENTA)}


def test_springs_inside_a_floating_tree_break_nothing():
    assert names(floating(stiffness=3.0)) == {"energy", *MOMENTA}


@pytest.mark.parametrize("bond", [{"damping": 0.1}, {"drive": lambda t: vc.math.sin(t)}, {"drive": lambda q: -q}])
def test_dampers_and_drives_inside_a_floating_tree_cost_the_energy_only(bond):
    assert names(floating(**bond)) == MOMENTA


def test_a_lagrange_top_keeps_energy_vertical_moment_and_spin():
    system = vc.System("top", gravity=DOWN)
    system.add(vc.RigidBody("top", 0.5, com=(0, 0, 0.2), inertia=(0.03, 0.03, 0.01), about="origin"))
    system.add(vc.Spherical("foot", "ground", "top", at=(1, 0, 0)))
    integrals = vc.first_integrals(system)
    assert integrals.names == ("energy", "angular momentum about z through (1, 0, 0)", "p of 'foot.wz'")
    turn, w = Rotation.from_quat([0.1, 0.5, -0.3, 0.8]), np.array([1.0, 2.0, 30.0])
    q = np.roll(turn.as_quat(), 1)
    J = np.diag([0.03, 0.03, 0.01])
    energy = 0.5 * w @ J @ w + 0.5 * 9.81 * turn.apply([0, 0, 0.2])[2]
    values = [one.value(q, w) for one in integrals]
    assert values == pytest.approx([energy, turn.apply(J @ w)[2], 0.01 * 30.0], rel=1e-13)


def test_an_unsymmetric_top_has_no_spin_and_without_gravity_a_whole_moment():
    def top(gravity):
        system = vc.System("top", gravity=gravity)
        system.add(vc.RigidBody("top", 0.5, com=(0, 0, 0.2), inertia=(0.05, 0.045, 0.014), about="origin"))
        system.add(vc.Spherical("foot", "ground", "top", at=(1, 2, 0)))
        return system

    assert names(top(DOWN)) == {"energy", "angular momentum about z through (1, 2, 0)"}
    assert names(top((0, 0, 0))) == {"energy", *(f"angular momentum about {e} through (1, 2, 0)" for e in "xyz")}


def test_a_puck_on_ice_and_a_puck_on_a_wall():
    def puck(gravity):
        system = vc.System("puck", gravity=gravity)
        system.add(vc.RigidBody("puck", 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)))
        system.add(vc.Planar("ice", "ground", "puck"))
        return system

    rest = {"angular momentum about the mass center along z", *(f"mass center along {e} less its motion" for e in "xy")}
    assert names(puck(DOWN)) == {"energy", "momentum along x", "momentum along y", *rest}
    wall = names(puck((0, -9.81, 0)))
    assert wall == {"energy", "momentum along x", "momentum along y less its weight's impulse", *rest}


@pytest.mark.parametrize("slope", [0.0, 1.0])
def test_a_cart_with_a_pendulum_keeps_the_momentum_along_its_rail(slope):
    """P·e − m g·e t, rebuilt from positions of the two bodies."""
    system = vc.System("cart", gravity=DOWN)
    system.add(vc.MassPoint("cart", 2.0))
    system.add(vc.MassPoint("bob", 0.3))
    e = np.array([1.0, 0.0, slope]) / np.hypot(1.0, slope)
    system.add(vc.Prismatic("rail", "ground", "cart", axis=tuple(e)))
    system.add(vc.Revolute("pin", "cart", "bob", axis=(0, 1, 0), to=(0, 0, 1)))
    energy, along, center = vc.first_integrals(system)
    assert energy.name == "energy" and along.name.startswith("momentum along")
    assert ("less" in along.name) == bool(slope)
    x, angle, u, spin, t = 0.4, 0.7, -0.5, 2.0, 1.5
    bob = u * e + spin * np.array([-np.cos(angle), 0.0, np.sin(angle)])
    momentum = 2.0 * u * e + 0.3 * bob
    expected = momentum @ e - 2.3 * np.array(DOWN) @ e * t
    assert along.value([x, angle], [u, spin], t) == pytest.approx(expected, rel=1e-13)
    place = 2.3 * x * e - 0.3 * np.array([np.sin(angle), 0.0, np.cos(angle)])
    fallen = 0.5 * 2.3 * np.array(DOWN) @ e * t**2
    assert center.value([x, angle], [u, spin], t) == pytest.approx((place - momentum * t) @ e + fallen, rel=1e-13)


def test_a_screw_keeps_its_wrench_less_the_impulse_of_the_weight():
    system = vc.System("screw", gravity=DOWN)
    system.add(vc.RigidBody("nut", 2.0, (0.1, 0, 0), (0.1, 0.1, 0.2)))
    system.add(vc.Helical("thread", "ground", "nut", axis=(0, 0, 1), pitch=0.05))
    turn = vc.first_integrals(system)[1]
    weight = 2.0 * 9.81 * 0.05
    mass = 0.2 + 2.0 * 0.01 + 2.0 * 0.05**2
    assert turn.value([0.3], [4.0], 2.0) == pytest.approx(mass * 4.0 + weight * 2.0, rel=1e-13)


def test_a_turntable_carried_along_has_a_spin_of_its_own():
    """A wheel on a swinging arm, turning about its own axis of symmetry: its momentum, not a moment in the world."""
    system = vc.System("wheel", gravity=DOWN)
    system.add(vc.RigidBody("arm", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
    system.add(vc.RigidBody("wheel", 0.7, inertia=(0.02, 0.02, 0.03)))
    system.add(vc.Universal("neck", "ground", "arm"))
    system.add(vc.Revolute("axle", "arm", "wheel", axis=(0, 0, 1), at=(0, 0, -1.0)))
    assert names(system) == {"energy", "p of 'axle'"}


def test_a_ball_turns_steadily_about_all_its_axes():
    """Body-axis spins of a body with equal moments, held off its center: p of wz less the lever times p of vy."""
    system = vc.System("ball", gravity=DOWN)
    system.add(vc.RigidBody("ball", 1.0, (1, 0, 0), (2, 2, 2)))
    found = names(system)
    assert {"p of 'ball.wx'", "p of 'ball.vy' - p of 'ball.wz'", "p of 'ball.vz' + p of 'ball.wy'"} < found
    assert len(found) == 13


@pytest.mark.parametrize(("length", "mass"), [(1e-6, 1e-12), (1e6, 1e15)])
def test_size_does_not_matter(length, mass):
    system = vc.System("pendulum", gravity=DOWN)
    moment = mass * length**2
    system.add(vc.RigidBody("bob", mass, (0.1 * length, 0, length), (moment, 1.2 * moment, 1.3 * moment)))
    system.add(vc.Spherical("ball", "ground", "bob", at=(30 * length, 0, 0)))
    found = vc.first_integrals(system).names
    assert len(found) == 2 and found[0] == "energy" and found[1].startswith("angular momentum about z through")


def test_a_gyroscopic_drive_does_no_work():
    system = vc.System("charge")
    system.add(vc.MassPoint("charge", 1.0))
    system.add(vc.Translation("place", "ground", "charge", drive=lambda v: (2.0 * v[1], -2.0 * v[0], 0.0)))
    assert names(system) == {
        "energy",
        "momentum along z",
        "mass center along z less its motion",
        "momentum along x − 2 'place.y'",
        "momentum along y + 2 'place.x'",
        "angular momentum about z through (0, 0, 0) + 'place.x'² + 'place.y'²",
    }


def test_bodies_that_do_not_touch_keep_their_own():
    system = vc.System("two", gravity=DOWN)
    system.add(vc.MassPoint("stone", 1.0))
    system.add(vc.RigidBody("brake", 1.0, (0.1, 0, 0), (1, 1, 1)))
    system.add(vc.Revolute("axle", "ground", "brake", axis=(0, 1, 0), damping=0.5))
    found = names(system)
    assert "energy of 'stone'" in found and "momentum along z of 'stone' less its weight's impulse" in found
    assert not any("brake" in name for name in found)


def test_what_holds_by_accident_of_a_parameter_is_claimed_for_that_value_only():
    lean, g = vc.parameter("lean", 0.0), vc.parameter("g", 9.81)
    system = vc.System("leaning", gravity=(0, 0, -g))
    system.add(vc.RigidBody("door", 1.0, (0.2, 0, 0), (1, 1, 1)))
    system.add(vc.Revolute("post", "ground", "door", axis=(lean, 0, 1), damping=lean))
    assert names(system) == {"energy", "angular momentum about z through (0, 0, 0)"}
    assert names(system, lean=0.1) == set()
    motion = vc.simulate(system, 1.0, {"post": vc.At(0.3, rate=1.0)}, parameters={"lean": 0.1})
    assert motion.audit().passed
    assert "first integrals" not in [line.law for line in motion.audit().lines]


def test_gravity_may_be_a_parameter():
    g = vc.parameter("g", 9.81)
    system = vc.System("top", gravity=(0, 0, -g))
    system.add(vc.RigidBody("top", 0.5, com=(0, 0.1, 0.2), inertia=(0.2, 0.3, 0.35)))
    system.add(vc.Spherical("foot", "ground", "top"))
    assert names(system) == {"energy", "angular momentum about z through (0, 0, 0)"}
    assert len(names(system, g=0.0)) == 4
    motion = vc.simulate(system, 2.0, {"foot": vc.At((0.8, 0.6, 0, 0), rate=(1, 2, 3))}, parameters={"g": 3.0})
    for one in vc.first_integrals(system, {"g": 3.0}):
        values = one.along(motion)
        assert np.ptp(values) < 1e-12 * np.abs(values).max()
    line = next(line for line in motion.audit().lines if line.law == "first integrals")
    assert line.verdict == "holds" and line.reason.startswith("2 of them")


def test_a_falsified_motion_names_the_integral_that_drifts():
    system = hinged((0, 0, 1))
    motion = vc.simulate(system, 3.0, {"first": vc.At(0.2, rate=1.0), "second": vc.At(0.7, rate=-2.0)})
    turned = motion.replace(v=motion.v * np.linspace(1.0, 1.001, len(motion.time))[:, None])
    line = next(line for line in turned.audit().lines if line.law == "first integrals")
    assert line.verdict == "broken"
    assert "angular momentum about z" in line.detail


def test_the_integrals_travel_with_a_stored_run(tmp_path):
    motion = vc.simulate(hinged((0, 0, 1)), 1.0, {"first": vc.At(0.2, rate=1.0), "second": 0.4})
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr").audit()
    assert loaded.passed
    assert "first integrals" in [line.law for line in loaded.lines]
