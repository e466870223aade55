"""Physics broken on purpose: certificates of motions with actions must notice."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from vinculum.bodies import kinematics
from vinculum.equations import actions
from vinculum.screws import rotation_derivatives

START = {"B": vc.At((1.0, 0.2, -0.3), rate=(0.1, 0.0, 0.2, 1.0, -2.0, 0.5)), "hinge": vc.At(0.4, rate=0.7)}


def machine() -> vc.System:
    """Two bodies tied by an energy of places and attitudes that also follows a clock, and by a dashpot."""
    system = vc.System("machine", gravity=(0, 0, -9.81))
    A = system.add(vc.RigidBody("A", 1.0, (0.1, 0, 0.2), (0.1, 0.2, 0.15)))
    B = system.add(vc.RigidBody("B", 2.0, (0, 0.1, 0), (0.3, 0.2, 0.25)))
    system.add(vc.Revolute("hinge", "ground", A, axis=(0, 1, 0)))

    def energy(a, b, t):
        d = a.point((0, 0, 1)) - b.point((0.1, 0.2, 0))
        return 2.0 * vc.math.dot(d, d) + (1.0 + 0.3 * vc.math.sin(t)) * (a.rotation.T @ b.rotation)[0, 0]

    system.add(vc.Potential("tie", [A, B], energy))
    system.add(
        vc.Interaction("dashpot", B, A, lambda b, a: vc.Wrench(force=-0.3 * (b.velocity - a.point_velocity((0, 0, 1)))))
    )
    return system


def test_the_machine_itself_passes():
    certificate = vc.simulate(machine(), 1.0, START).audit()
    assert certificate.passed, str(certificate)


def half_a_moment(P, R):
    return 1.0 * rotation_derivatives.axial(P @ R.T)


def no_time_slope(exerted):
    def without(*given):
        does = exerted(*given)
        return actions.Exerted(does.energy, 0.0, does.potential, does.other)

    return without


def scaled(exerted, potential=1.0, other=1.0, only=None):
    def changed(*given):
        does = exerted(*given)
        parts = [
            [(k * f, k * m) if only in (None, i) else (f, m) for i, (f, m) in enumerate(part)]
            for part, k in ((does.potential, potential), (does.other, other))
        ]
        return actions.Exerted(does.energy, does.time_slope, *map(tuple, parts))

    return changed


FAULTS = {
    "half of every moment": (
        "rotation_gradient",
        lambda _: half_a_moment,
        {"Newton's third law", "power of potentials"},
    ),
    "forces of the energy 1 % too large": (
        "exerted_efforts",
        lambda f: scaled(f, potential=1.01),
        {"power of potentials"},
    ),
    "forces of the energy a billionth too large": (
        "exerted_efforts",
        lambda f: scaled(f, potential=1 + 1e-9),
        {"power of potentials"},
    ),
    "one body's share a billionth too large": (
        "exerted_efforts",
        lambda f: scaled(f, 1 + 1e-9, only=1),
        {"Newton's third law"},
    ),
    "one body's share missing": ("exerted_efforts", lambda f: scaled(f, potential=0.0, only=1), {"Newton's third law"}),
    "a dashpot without a partner": ("exerted_efforts", lambda f: scaled(f, other=0.0, only=1), {"Newton's third law"}),
    "what time does forgotten": ("exerted_efforts", no_time_slope, {"energy balance"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault, monkeypatch):
    name, change, noticed = FAULTS[fault]
    original = getattr(actions if hasattr(actions, name) else kinematics, name)
    wrong = change(original)
    for module in ("vinculum.bodies.kinematics", "vinculum.equations.actions",
                   "vinculum.equations.applied", "vinculum.equations.forms.boltzmann_hamel",
                   "vinculum.equations.observables.loads", "vinculum.equations.observables.bond_loads"):  # fmt: skip
        if hasattr(__import__(module, fromlist=["x"]), name):
            monkeypatch.setattr(f"{module}.{name}", wrong)
    found = broken(vc.simulate(machine(), 1.0, START).audit())
    assert noticed <= found, f"{fault}: only {found}"


def test_a_motion_without_the_tie_fails_on_the_machine():
    loose = vc.System("loose", gravity=(0, 0, -9.81))
    for thing in (*machine().bodies.values(), *machine().joints.values()):
        loose.add(thing if not isinstance(thing, vc.Revolute) else vc.Revolute("hinge", "ground", "A", axis=(0, 1, 0)))
    motion = vc.simulate(loose, 1.0, START)
    assert {"energy balance", "momentum of 'A'", "momentum of 'B'"} <= broken(motion.replace(system=machine()).audit())


def test_efforts_and_energies_are_results():
    motion = vc.simulate(machine(), 1.0, START)
    on_a, on_b = (motion.bond("tie").effort(body) for body in ("A", "B"))
    assert np.allclose(on_a[:, :3], -on_b[:, :3], rtol=0, atol=1e-13)
    arm = motion.body("A").position - motion.body("B").position
    assert np.allclose(on_b[:, 3:], -on_a[:, 3:] - np.cross(arm, on_a[:, :3]), rtol=0, atol=1e-12)
    assert np.abs(on_a[:, 3:] + on_b[:, 3:]).max() > 0.1, "moments of a pair are in general not opposite"
    d = motion.body("A").point((0, 0, 1)).position - motion.body("B").point((0.1, 0.2, 0)).position
    turn = np.einsum("tij,tik->tjk", motion.body("A").rotation, motion.body("B").rotation)[:, 0, 0]
    assert np.allclose(
        motion.bond("tie").energy, 2 * (d * d).sum(1) + (1 + 0.3 * np.sin(motion.time)) * turn, rtol=1e-13
    )


@pytest.mark.parametrize("turn", [0.0, 1e-9, 0.7])
def test_a_system_at_rest_in_its_potential_passes(turn):
    """Efforts of an energy at its minimum are round-off alone."""
    system = vc.System("rest")
    A, B = (system.add(vc.RigidBody(name, 1.0, (0.1, 0, 0), (0.1, 0.2, 0.15))) for name in "AB")
    system.add(vc.Potential("tie", [A, B], lambda a, b: 2.0 * (3.0 - np.trace(a.rotation.T @ b.rotation))
                            + vc.math.dot(a.position - b.position, a.position - b.position)))  # fmt: skip
    q = (0.3, 0.2, 0.1, np.cos(turn / 2), *(np.sin(turn / 2) * np.array([0.6, 0.0, 0.8])))
    certificate = vc.simulate(system, 1.0, {"A": q, "B": q}).audit()
    assert certificate.verdict != "failed", str(certificate)


def test_rotors_whose_moments_cancel_pass_and_a_thousandth_more_spin_does_not():
    drone = vc.System("drone", gravity=(0, 0, -9.81))
    frame = drone.add(vc.RigidBody.solid("frame", vc.shapes.Box((0.3, 0.3, 0.1)), mass=1.2))
    for i, p in enumerate([(0.2, 0, 0), (0, 0.2, 0), (-0.2, 0, 0), (0, -0.2, 0)]):
        thrust = lambda f, p=p: vc.Wrench(force=f.rotation[:, 2] * (6.9 - 4 * f.position[2] - 2 * f.velocity[2]), at=p)
        drone.add(vc.Force(f"rotor{i}", frame, thrust))
    motion = vc.simulate(drone, until=5.0, start={"frame": vc.At((0, 0, 0), rate=(1, 0, 0.1, 0.1, 0, 0))})
    assert motion.audit().passed
    faster = motion.v.copy()
    faster[:, 3] *= 1.0 + 1e-3 * motion.time
    assert not motion.replace(v=faster).audit().passed
