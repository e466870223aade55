"""Splitting about a solved part: wrong parts and steps that are too long, and what is said of them."""

import numpy as np
import pytest

import vinculum as vc
from hamiltonians import kepler

h = vc.hamiltonian
STATE = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
ORBIT = ["x", "y", "z"]


def run(solved, **given):
    return h.integrate_perturbed(kepler(), solved, 1.0, *STATE, **({"step": 0.1} | given))


@pytest.mark.parametrize(
    ("solved", "told"),
    [
        (
            [h.Kepler(ORBIT, 2.0, 1.0)],
            r"less its solved parts it depends on p_.*all of the kinetic energy, with the same masses",
        ),
        ([h.Quadratic(["x"], [0.0, 1.0])], "it depends on p_"),
        ([h.Kepler(["x", "y", "w"], 1.0, 1.0)], "there is no coordinate 'w'"),
        ([h.Kepler(ORBIT, 1.0, 1.0), h.Quadratic(["x"], [1.0, 1.0])], "coordinate 'x' is in two solved parts"),
        ([], "give a list of parts"),
        (h.Kepler(ORBIT, 1.0, 1.0), "give a list of parts"),
        ([1.0], "give vc.hamiltonian.Kepler and Quadratic parts"),
    ],
)
def test_wrong_parts_are_named(solved, told):
    with pytest.raises(vc.errors.MethodError, match=told):
        run(solved)


@pytest.mark.parametrize("mass", [1e-24, 1.0, 6e24])
def test_a_wrong_mass_is_refused_in_any_units(mass):
    """Velocities are compared with their own size, and not with one."""
    H = h.Hamiltonian("orbit", ORBIT, lambda q, p: p @ p / (2.0 * mass) - mass / vc.math.norm(q))
    with pytest.raises(vc.errors.MethodError, match="less its solved parts it depends on p_x"):
        h.integrate_perturbed(H, [h.Kepler(ORBIT, 2.0 * mass, mass)], 1.0, [1.0, 0, 0], [0, mass, 0], step=0.1)


def test_a_wrong_mass_of_a_heavy_body_is_seen_beside_a_light_one():
    H = h.Hamiltonian("two", ["x", "y"], lambda p: p[0] ** 2 / 2e24 + p[1] ** 2 / 2.0)
    parts = [h.Quadratic(["x"], [0.0, 2e-24]), h.Quadratic(["y"], [0.0, 1.0])]
    with pytest.raises(vc.errors.MethodError, match="it depends on p_x"):
        h.integrate_perturbed(H, parts, 1.0, [1.0, 0.0], [1e24, 1.0], step=0.1)


def test_momenta_that_matter_only_at_the_size_they_have_are_seen():
    """√(c² p² + c⁴) − c² is p²/2 at small momenta; in the run it is not."""
    c = 1e6
    H = h.Hamiltonian("fast", ORBIT, lambda q, p: c**2 * vc.math.sqrt(1.0 + p @ p / c**2) - 1.0 / vc.math.norm(q))
    with pytest.raises(vc.errors.MethodError, match=r"it depends on p_y .* at the start"):
        h.integrate_perturbed(H, [h.Kepler(ORBIT, 1.0, 1.0)], 1.0, [1.0, 0, 0], [0, 0.9 * c, 0], step=0.1)


def test_wrong_orders_and_constraints_are_refused():
    with pytest.raises(vc.errors.MethodError, match=r"order is \(9, 9, 9\); choose one of \(8, 4, 4\)"):
        run([h.Kepler(ORBIT, 1.0, 1.0)], order=(9, 9, 9))
    bound = h.Hamiltonian("bound", ORBIT, lambda p: p @ p / 2, {"radius": lambda q: q @ q - 1})
    with pytest.raises(vc.errors.MethodError, match="has constraints, which kicks do not keep"):
        h.integrate_perturbed(bound, [h.Kepler(ORBIT, 1.0, 1.0)], 1.0, [1.0, 0, 0], [0, 1.0, 0], step=0.1)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: h.Kepler(["x", "y"], 1.0, 1.0), "give the names of 3 coordinates"),
        (lambda: h.Kepler(["x", "x", "y"], 1.0, 1.0), "each once"),
        (lambda: h.Kepler(ORBIT, -1.0, 1.0), "mass is -1.0; give a number above 0"),
        (lambda: h.Kepler(ORBIT, 1.0, 0.0), "strength is 0.0; give a number above 0"),
        (lambda: h.Quadratic(["x"], [[1.0, 2.0], [0.0, 1.0]]), "must be symmetric and finite, with 2 rows"),
        (lambda: h.Quadratic(["x"], [1.0, 1.0, 1.0]), "with 2 rows for x and their momenta"),
        (lambda: h.Planets("one", {"sun": 1.0}), "map at least two names to masses"),
        (lambda: h.Planets("two", {"sun": 1.0, "center": 1.0}), "which is the mass center"),
        (lambda: h.Planets("two", {"sun": 1.0, "earth": -1.0}), "the mass of 'earth' is -1.0"),
    ],
)
def test_parts_are_checked_when_they_are_made(make, told):
    with pytest.raises(vc.errors.ModelError, match=told):
        make()


def test_states_of_planets_have_a_vector_for_each_body():
    planets = h.Planets("two", {"sun": 1.0, "earth": 1e-6})
    with pytest.raises(vc.errors.StartError, match="give a vector for each of sun, earth"):
        planets.state(np.zeros((3, 3)), np.zeros((3, 3)))
    with pytest.raises(vc.errors.StartError, match="give 6 numbers"):
        planets.bodies(np.zeros(5), np.zeros(6))


def test_a_flyby_that_is_stepped_over_is_told():
    """On a hyperbola the anomaly may change by 5.4 in a step; a step that is longer ends the run."""
    H = kepler()
    with pytest.raises(vc.errors.RunError, match="stopped being finite after t = 0: a step of 1e\\+06 is too long"):
        h.integrate_perturbed(H, [h.Kepler(ORBIT, 1.0, 1.0)], 1e6, [1.0, 0, 0], [0, 2.0, 0], step=1e6)
