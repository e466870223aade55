"""Energies and forces that a user writes: what they may not return, see or change."""

import functools
import random

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import ModelError, StartError


def square(a, b):
    d = a.position - b.position
    return vc.math.dot(d, d)


def pair(kind=vc.RigidBody) -> tuple[vc.System, list]:
    system = vc.System("pair")
    inertia = {"inertia": (1, 1.2, 1.5)} if kind is vc.RigidBody else {}
    return system, [system.add(kind(name, mass, **inertia)) for name, mass in (("a", 1.0), ("b", 2.0))]


def moved(a, b):
    a.position[2] = 0.0
    return square(a, b)


def doubled(a, b):
    d = a.position
    d *= 2.0
    return vc.math.dot(d, d)


ENERGIES = {
    "text": (lambda a, b: "3", "the energy is '3', which is not a number"),
    "complex": (lambda a, b: np.complex128(2 + 1j), "the energy is .*, which is not a number"),
    "true": (lambda a, b: True, "the energy is a condition, true or false"),
    "comparison": (lambda a, b: square(a, b) < 1.0, "the energy is a condition, true or false.*vc.math.where"),
    "random": (lambda a, b: random.random() * square(a, b), "gives something else each time it is called"),
    "written to": (moved, "read-only"),
    "scaled in place": (doubled, "read-only"),
    "a point of two numbers": (lambda a, b: a.point((1, 2))[0], r"point \(1, 2\) of body 'a' has shape \(2,\)"),
    "a point that is a body": (lambda a, b: a.point(b)[0], "<body 'b'>"),
}


@pytest.mark.parametrize("what", ENERGIES)
def test_an_energy_that_is_no_number_of_its_bodies_is_refused(what):
    energy, message = ENERGIES[what]
    system, bodies = pair()
    with pytest.raises(vc.errors.VinculumError, match=message) as refused:
        system.add(vc.Potential("bond", bodies, energy))
    assert "'bond'" in str(refused.value)


def test_a_counter_in_a_force_is_refused():
    calls = []
    system, (a, _) = pair()
    with pytest.raises(ModelError, match="force 'push': its function gives something else each time"):
        system.add(vc.Force("push", a, lambda x: calls.append(x) or vc.Wrench(force=(len(calls), 0, 0))))


def test_the_ground_alone_is_refused_however_it_is_written():
    for bodies in ("ground", ["ground"]):
        with pytest.raises(ModelError, match="acts on nothing but the ground"):
            vc.Potential("bond", bodies, lambda g: 0.0)


def test_names_that_no_file_could_hold_and_that_of_the_ground_are_refused():
    with pytest.raises(ModelError, match="not a character"):
        vc.MassPoint("x\udc80", 1.0)
    with pytest.raises(ModelError, match="this name is the fixed frame's"):
        vc.Potential("ground", ["a"], lambda a: 0.0)


def test_numbers_that_would_be_hidden_by_what_a_body_shows_are_refused():
    with pytest.raises(ModelError, match="numbers are named 'mass', but a body has a mass of its own"):
        vc.potentials.PairPotential("bond", ["a", "b"], square, numbers={"mass": [10, 20]})


def test_an_energy_of_few_pairs_that_changes_with_their_order_is_refused():
    system, bodies = pair(vc.MassPoint)
    with pytest.raises(ModelError, match=r"J for \('a', 'b'\), .* J for \('b', 'a'\); write it the same"):
        system.add(vc.potentials.PairPotential("bond", bodies, lambda a, b: a.mass * square(a, b)))
    near = vc.potentials.PairPotential(
        "near", bodies, lambda a, b: vc.math.where(square(a, b) < 1e-16, a.mass * (1e-8 - square(a, b)), 0.0)
    )
    with pytest.raises(ModelError, match="are exchanged"):
        system.add(near)


def test_a_refusal_of_a_mass_point_names_the_bond():
    system, bodies = pair(vc.MassPoint)
    with pytest.raises(ModelError, match="torsion spring 'twist': body 'a' is a mass point"):
        system.add(vc.potentials.TorsionSpring("twist", *bodies, 1.0))
    with pytest.raises(ModelError, match="force 'push': body 'a' is a mass point"):
        system.add(vc.Force("push", bodies[0], vc.Wrench(force=(1, 0, 0), at=(0, 1, 0))))


def test_an_energy_that_is_not_finite_at_the_start_is_refused_though_its_forces_are():
    system, bodies = pair(vc.MassPoint)
    system.add(vc.Potential("bond", bodies, lambda a, b: vc.math.log(-1.0 - square(a, b))))
    with pytest.raises(StartError, match="the energy of potential 'bond' is not finite at the start"):
        vc.simulate(system, 1.0, {"a": (1, 0, 0)})


def test_attraction_by_a_prescribed_body_without_mass_is_refused():
    system = vc.System("sky")
    planet = system.add(vc.PrescribedBody("planet", lambda t: (t, 0, 0)))
    moon = system.add(vc.MassPoint("moon", 1.0))
    with pytest.raises(
        ModelError, match="gravitation 'g': body 'planet' has mass 0 and attracts nothing; give it a mass"
    ):
        system.add(vc.potentials.Gravitation("g", [planet, moon]))


AT_A_PIVOT = {
    "Potential": lambda: vc.Potential("bond", ["arm", "ground"], lambda a, g: vc.math.norm(a.position - g.position)),
    "Damper": lambda: vc.Damper("bond", "arm", "ground", 1.0),
    "LennardJones": lambda: vc.potentials.LennardJones("bond", ["arm", "tip"], 1.0, 1.0),
}


@pytest.mark.parametrize("kind", AT_A_PIVOT)
@pytest.mark.parametrize(
    "ask", [lambda s: vc.simulate(s, 1.0), vc.derive, vc.power_series], ids=["run", "derive", "series"]
)
def test_a_bond_without_length_wherever_its_bodies_can_be_is_refused_by_name(kind, ask):
    system = vc.System("hung")
    arm = system.add(vc.RigidBody("arm", 1.0, (0, 0, -1), (1, 1, 1)))
    system.add(vc.Revolute("pivot", "ground", arm, axis=(0, 1, 0)))
    system.add(vc.Weld("weld", arm, system.add(vc.MassPoint("tip", 1.0))))
    system.add(AT_A_PIVOT[kind]())
    with pytest.raises(ModelError, match=f"{kind} 'bond': its energy or force divides by zero in every position"):
        ask(system)


def test_a_reduced_energy_refuses_matrices_that_are_no_rotations_and_a_pivot_that_is_no_body():
    bodies = [vc.MassPoint("a", 1.0), vc.RigidBody("r", 1.0, inertia=(1, 1, 1))]
    bond = vc.Potential("bond", bodies, lambda a, r: vc.math.norm(a.position - r.point((1, 0, 0))))
    with pytest.raises(ModelError, match="not a rotation"):
        vc.potentials.reduce_invariant(bond).efforts([[1, 0, 0], [0, 0, 0]], [2 * np.eye(3)] * 2)
    with pytest.raises(ModelError, match="not finite"):
        vc.potentials.reduce_invariant(bond).efforts([[np.nan, 0, 0], [0, 0, 0]], [np.eye(3)] * 2)
    with pytest.raises(ModelError, match="the pivot '3' is none of its bodies"):
        vc.potentials.reduce_invariant(bond, pivot=3)


@pytest.mark.parametrize(("C", "g", "f"), [("x", [0], 0), (None, None, None), (np.eye(3), np.zeros(3), [0, 1]),
                                           (1j * np.eye(3), np.zeros(3), 0), (np.eye(3), np.zeros(3), np.inf)])  # fmt: skip
def test_a_power_balance_of_what_is_no_number_is_refused(C, g, f):
    with pytest.raises(ModelError, match="power balance"):
        vc.constraints.solve_power_balance(C, g, f)


def test_a_table_asked_at_a_word_refuses_it():
    with pytest.raises(StartError, match=r"table 'ramp' is asked for a value at .*, which is not a number"):
        vc.Table("ramp", [0, 1], [0, 1])("half")


class Timed:
    def __call__(self, a, t, b):
        return t * square(a, b)


def test_the_time_may_stand_anywhere_among_the_bodies():
    found = []
    for energy in (lambda a, b, t: t * square(a, b), lambda t, a, b: t * square(a, b), Timed(),
                   lambda *both, t: t * square(*both), lambda t, *both: t * square(*both)):  # fmt: skip
        system, bodies = pair(vc.MassPoint)
        system.add(vc.Potential("bond", bodies, energy))
        found.append(vc.simulate(system, 1.0, {"a": (1, 0, 0)}, grid=3).q)
    assert all(np.array_equal(q, found[0]) for q in found)


def test_a_time_that_is_settled_stays_so():
    system, bodies = pair(vc.MassPoint)
    system.add(vc.Potential("bond", bodies, functools.partial(lambda a, b, t: t * square(a, b), t=3.0)))
    motion = vc.simulate(system, 0.5, {"a": (1, 0, 0)}, grid=3)
    assert np.allclose(
        motion.bond("bond").energy, 3.0 * ((motion.body("a").position - motion.body("b").position) ** 2).sum(1)
    )
