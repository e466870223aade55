"""Derived equations of constraints that add to the Lagrangian: against SymPy from L + μF, and against the compiled motion."""

import numpy as np
import pytest
import sympy

import vinculum as vc
from trees import random_system
from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations import Equations
from vinculum.models.model_cache import model_for

t = sympy.Symbol("t")
FORMS = ("lagrange", "newton-euler", "telegin")
HINGED = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical-fedorov", "planar", "translation")


def knife_edge(realization) -> vc.System:
    m, J, g = vc.parameter("m", 1.2), vc.parameter("J", 0.7), vc.parameter("g", 3.0)
    system = vc.System("knife edge", gravity=(g, 0, 0))
    blade = system.add(vc.RigidBody("blade", m, inertia=(J, J, J)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, realization=realization))
    return system


def fixed_speed(realization) -> vc.System:
    m, g, c = vc.parameter("m", 1.2), vc.parameter("g", 9.81), vc.parameter("c", 2.0)
    system = vc.System("fixed speed", gravity=(0, 0, -g))
    p = system.add(vc.MassPoint("p", m))
    system.add(
        vc.Constraint(
            "speed", [p], velocity=lambda p: vc.math.dot(p.velocity, p.velocity) - c * c, realization=realization
        )
    )
    return system


def variation(L, F, names: list[str], added) -> list:
    """Euler–Lagrange equations of L + Λ(F) and F = 0, of L(q, q̇) and F(q, q̇), with the symbols that `derive` writes."""
    q = [sympy.Function(name)(t) for name in names]
    v = [x.diff(t) for x in q]
    mu = sympy.Function("mu")(t)
    whole = L(q, v) + added(mu, F(q, v))
    left = [sympy.diff(whole, rate).diff(t) - sympy.diff(whole, x) for x, rate in zip(q, v, strict=True)]
    known = {x.diff(t, 2): sympy.Symbol(f"{name}_ddot", real=True) for x, name in zip(q, names, strict=True)}
    known |= {mu.diff(t): sympy.Symbol("mu_dot", real=True)}
    first = {x.diff(t): sympy.Symbol(f"{name}_dot", real=True) for x, name in zip(q, names, strict=True)}
    own = {x: sympy.Symbol(name, real=True) for x, name in zip(q, names, strict=True)} | {
        mu: sympy.Symbol("mu", real=True)
    }
    return [row.subs(known).subs(first).subs(own) for row in [*left, F(q, v)]]


def same(derived: Equations, expected: list, mu: str) -> bool:
    renamed = {sympy.Symbol(f"{mu}{dot}", real=True): sympy.Symbol(f"mu{dot}", real=True) for dot in ("", "_dot")}
    found = [equation.lhs.subs(renamed) for equation in derived.sympy().equations]
    return len(found) == len(expected) and all(
        sympy.simplify(sympy.expand_trig(a - b)) == 0 or sympy.simplify(sympy.expand_trig(a + b)) == 0
        for a, b in zip(found, expected, strict=True)
    )


m, J, g, c = (sympy.Symbol(name, real=True) for name in ("m", "J", "g", "c"))
KNIFE = (
    lambda q, v: m / 2 * (v[0] ** 2 + v[1] ** 2) + J / 2 * v[2] ** 2 + m * g * q[0],
    lambda q, v: -v[0] * sympy.sin(q[2]) + v[1] * sympy.cos(q[2]),
    ["x_plane", "y_plane", "theta_plane"],
)
SPEED = (
    lambda q, v: m / 2 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) - m * g * q[2],
    lambda q, v: v[0] ** 2 + v[1] ** 2 + v[2] ** 2 - c**2,
    ["x_p", "y_p", "z_p"],
)


@pytest.mark.parametrize("form", FORMS)
def test_a_vakonomic_knife_edge_is_the_variation_of_its_lagrangian(form):
    derived = vc.derive(knife_edge(vc.Vakonomic(multipliers=0.0)), form)
    assert same(derived, variation(*KNIFE, lambda mu, F: mu * F), "mu_edge")
    assert derived.coordinates[-1] == "edge.mu"
    assert r"\dot{\mu}_{\mathrm{edge}} \sin \theta_{\mathrm{plane}}" in derived.latex()


@pytest.mark.parametrize("form", FORMS)
def test_a_vakonomic_fixed_speed_is_the_variation_of_its_lagrangian(form):
    derived = vc.derive(fixed_speed(vc.Vakonomic(multipliers=0.0)), form)
    assert same(derived, variation(*SPEED, lambda mu, F: mu * F), "mu_speed")
    assert derived.lines()[0] == (
        r"\left(m + 2 \mu_{\mathrm{speed}}\right) \ddot{x}_{p} + 2 \dot{x}_{p} \dot{\mu}_{\mathrm{speed}} = 0"
    )


def test_added_inertia_is_the_variation_of_its_lagrangian():
    derived = vc.derive(knife_edge(vc.constraints.AddedInertia(3.0)))
    expected = variation(*KNIFE, lambda mu, F: sympy.Rational(3, 2) * F**2)[:-1]
    assert same(derived, expected, "mu_edge")


@pytest.mark.parametrize("is_linear", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_numbers_of_random_trees_are_those_of_the_compiled_motion(seed, is_linear):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 3, HINGED)
    a, b = (system.tree().links[i].body for i in (0, -1))
    k = rng.normal(size=5)

    def velocity(a, b, t):
        first = (
            k[0] * a.velocity[0] + k[1] * b.velocity[2] + k[2] * b.position[1] * b.velocity[1] + 0.2 * vc.math.sin(t)
        )
        return first if is_linear else first + k[3] * b.velocity[0] ** 2 * b.velocity[1] + 0.3

    system.add(vc.Constraint("held", [a, b], velocity=velocity, realization=vc.Vakonomic(multipliers=0.1)))
    model = model_for(system)
    q, v = 0.4 * rng.normal(size=model.nq), rng.normal(size=model.nv)
    values = model.parameter_values(None)
    found = evaluate_groups(model.tape("motion"), np.concatenate([q, v, [0.3], values])[None])
    for form in ("newton-euler", "telegin"):
        derived = vc.derive(system, form)
        assert np.allclose(derived.accelerations(q, v, t=0.3), found["v_dot"][0], rtol=1e-8, atol=1e-9)
        assert np.allclose(derived.closure.multipliers(q, v, t=0.3), found["q_dot"][0, -1:], rtol=1e-8, atol=1e-9)
    derived = vc.derive(system, "lagrange")
    q_dot = found["q_dot"][0, :-1]
    assert np.allclose(derived.closure.multipliers(q, q_dot, t=0.3), found["q_dot"][0, -1:], rtol=1e-8, atol=1e-9)


def test_a_mass_matrix_that_depends_on_velocities_asks_for_them():
    system = vc.System("point")
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(
        vc.Constraint(
            "cubic",
            [p],
            velocity=lambda p: p.velocity[0] ** 3 - p.velocity[1],
            realization=vc.Vakonomic(multipliers=0.5),
        )
    )
    derived = vc.derive(system)
    assert derived.mass_matrix([0, 0, 0, 0.5], [2.0, 8.0, 0.0])[0, 0] == pytest.approx(1.0 + 0.5 * 6 * 2.0)
    with pytest.raises(vc.errors.MethodError, match="depends on the velocities"):
        derived.mass_matrix([0, 0, 0, 0.5])


def test_states_without_inertia_are_refused():
    derived = vc.derive(fixed_speed(vc.Vakonomic(multipliers=0.0)))
    with pytest.raises(vc.errors.RunError, match="multipliers leave some motion without inertia"):
        derived.accelerations([0, 0, 0, -0.6], [2.0, 0, 0])


def test_vakonomic_rows_and_loops_are_written_together():
    system = knife_edge(vc.Vakonomic(multipliers=0.0))
    system.add(
        vc.Constraint("rail", ["plane"], position=lambda p: p.q[1] - 0.1 * p.q[0] ** 2, realization=vc.DAlembert())
    )
    derived = vc.derive(system)
    assert [one.plain for one in derived.graphs.unknowns()[3:]] == ["mu_edge_dot", "lambda_1"]
    model = model_for(system)
    state = np.array([0.2, 0.3, 0.4, 0.1, 1.0, 0.5, 0.6])
    found = evaluate_groups(model.tape("motion"), np.concatenate([state, [0.0], model.parameter_values(None)])[None])
    assert np.allclose(derived.accelerations(state[:4], state[4:]), found["v_dot"][0], atol=1e-11)


def test_derived_equations_become_code(tmp_path):
    source, header = vc.derive(knife_edge(vc.Vakonomic(multipliers=0.0))).code.c99(tmp_path / "edge")
    assert "edge.mu" in header.read_text() and source.stat().st_size > 0
