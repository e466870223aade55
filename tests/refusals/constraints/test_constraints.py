"""Constraints that cannot be, and starts that violate them."""

import numpy as np
import pytest

import vinculum as vc


def point(gravity=9.81) -> tuple[vc.System, vc.MassPoint]:
    system = vc.System("point", gravity=(0, 0, -gravity))
    return system, system.add(vc.MassPoint("p", 1.0))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"position": lambda p: p.position[0]}, "realization is None.*vc.DAlembert"),
        ({"realization": vc.DAlembert()}, "give exactly one function"),
        (
            {"position": lambda p: 0, "velocity": lambda p: 0, "realization": vc.DAlembert()},
            "give exactly one function",
        ),
        ({"position": 3.0, "realization": vc.DAlembert()}, "give a function"),
        ({"position": lambda p: p.position[0], "realization": "DAlembert"}, "choose a realization"),
    ],
)
def test_a_constraint_says_what_it_holds_and_how(given, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        vc.Constraint("c", ["p"], **given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"position": lambda p: p.velocity[0]}, "give velocity= instead"),
        ({"position": lambda p: 1.0}, "always 1 and never zero"),
        ({"position": lambda p: [[p.position[0]]]}, "one number or a row"),
        ({"position": lambda p: 1.0 if p.position[0] > 0 else 2.0}, "vc.math.where"),
        ({"position": lambda p, q: p.position[0]}, "takes 2 bodies"),
        ({"velocity": lambda p: vc.math.dot(p.velocity, p.velocity) - 1.0}, "linear in the velocities.*vc.Chetaev"),
        (
            {"velocity": lambda p: p.velocity[0], "realization": vc.Penalty(1e4)},
            "not on positions.*vc.constraints.ViscousFriction",
        ),
        (
            {"position": lambda p: p.position[0], "realization": vc.constraints.ViscousFriction(1e4)},
            "not on velocities.*vc.Penalty",
        ),
        ({"acceleration": lambda p: p.position[0]}, "depends on no acceleration"),
        ({"acceleration": lambda p: p.acceleration[0]}, "d'Alembert's principle says nothing.*vc.Chetaev.*vc.Servo"),
        ({"velocity": lambda p: p.acceleration[0]}, "give its function as acceleration="),
    ],
)
def test_functions_and_realizations_that_do_not_fit_are_refused(given, message):
    def held() -> None:
        system, p = point()
        system.add(vc.Constraint("c", [p], **{"realization": vc.DAlembert()} | given))
        system.tree()

    with pytest.raises(vc.errors.VinculumError, match=message):
        held()


def test_things_that_are_not_there_are_refused():
    system, _ = point()
    with pytest.raises(vc.errors.ModelError, match="no body or joint 'q'"):
        system.add(vc.Constraint("c", ["q"], position=lambda q: q.position[0], realization=vc.DAlembert()))


@pytest.mark.parametrize(("number", "message"), [(-1.0, "not positive"), (np.nan, "finite"), ("x", "not numeric")])
def test_stiffness_and_friction_are_positive_numbers(number, message):
    for kind in (vc.Penalty, vc.constraints.ViscousFriction):
        with pytest.raises(vc.errors.ModelError, match=message):
            kind(number)


def test_a_start_off_its_constraints_is_refused_with_names_and_residuals_and_repaired_if_asked():
    system, p = point()
    system.add(vc.Constraint("rod", [p, "ground"], realization=vc.DAlembert(),
                             position=lambda p, g: vc.math.norm(p.position - g.position) - 1.0))  # fmt: skip
    with pytest.raises(vc.errors.StartError, match=r"'rod' is violated by 0.414.*repair=True"):
        vc.simulate(system, 1.0, {"p": (1, 0, -1)})
    with pytest.raises(vc.errors.StartError, match=r"'rod' changes at the rate 2.*repair=True"):
        vc.simulate(system, 1.0, {"p": vc.At((0, 0, -1), rate=(1, 0, -2))})
    motion = vc.simulate(system, 1.0, {"p": vc.At((0, 0, -2), rate=(1, 0, -2))}, repair=True)
    assert np.allclose(motion.q[0], [0, 0, -1], rtol=0, atol=1e-13) and np.allclose(
        motion.v[0], [1, 0, 0], rtol=0, atol=1e-13
    )
    assert any("meet the constraints" in line for line in motion.log)


def test_what_cannot_keep_constraints_refuses_them():
    system, p = point()
    system.add(vc.Constraint("rod", [p, "ground"], realization=vc.DAlembert(),
                             position=lambda p, g: vc.math.norm(p.position - g.position) - 1.0))  # fmt: skip
    for refused in (lambda: vc.derive(system, "hamilton"), lambda: vc.power_series(system, {"p": (0, 0, -1)}),
                    lambda: vc.inverse_dynamics(system, np.zeros(3), np.zeros(3), np.zeros(3))):  # fmt: skip
        with pytest.raises(vc.errors.MethodError, match=r"constraints \['rod'\]"):
            refused()


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize(
    "held",
    [
        lambda r: vc.constraints.distance("rod", "p", "ground", r, realization=vc.DAlembert()),
        lambda r: vc.constraints.point_on_surface("rod", "p", lambda x: x @ x - r * r, realization=vc.DAlembert()),
    ],
)
def test_a_start_off_a_small_pendulum_is_refused_and_repaired_as_one_off_a_large_pendulum(size, held):
    """x·x − r² is small wherever r is: at a micrometre half of it is 1e-12."""
    system, _ = point()
    system.add(held(size))
    until = 3 * np.sqrt(size / 9.81)
    for aside in (0.5, 1 + 1e-5):
        with pytest.raises(vc.errors.StartError, match="'rod' is violated"):
            vc.simulate(system, until, {"p": (aside * size, 0, 0)})
        with pytest.raises(vc.errors.StartError, match="'rod' is violated"):
            vc.ensemble(system, until, {"p": (aside * size, 0, 0)})
    motion = vc.simulate(system, until, {"p": (0.5 * size, 0, 0)}, repair=True)
    np.testing.assert_allclose(np.linalg.norm(motion.body("p").position, axis=1), size, rtol=1e-12)
    assert motion.audit().passed
