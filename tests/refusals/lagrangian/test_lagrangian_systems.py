"""Lagrangian systems: bad input and what is said about it."""

import numpy as np
import pytest

import vinculum as vc


def refused(match, *given, kind=vc.errors.ModelError, **named):
    with pytest.raises(kind, match=match):
        vc.LagrangianSystem(*given, **named)


def point(constraints=None, **named):
    return vc.LagrangianSystem("point", ["x", "y"], lambda v: v @ v / 2, constraints=constraints, **named)


def test_names_and_shapes_are_checked_at_the_door():
    refused("coordinates is 'x'", "p", "x", lambda v: v @ v)
    refused("coordinates is \\[\\]", "p", [], lambda v: 0.0)
    refused("name 'q' of a coordinate is taken", "p", ["q"], lambda v: v @ v)
    refused("'x_dot' of a coordinate is taken", "p", ["x", "x_dot"], lambda v: v @ v)
    refused("has the argument 'w'", "p", ["x"], lambda w: w)
    refused("lagrangian is 3", "p", ["x"], 3)
    refused("returned shape \\(2,\\); return one number", "p", ["x", "y"], lambda v: v)
    refused("returned 'L'", "p", ["x"], lambda v: "L")
    refused("use the functions of vc.math", "p", ["x"], lambda x: np.sin(float(x)), kind=vc.errors.SymbolError)
    refused("failed on symbols.*vc.math", "p", ["x"], lambda x: x.real)
    refused("returned nan", "p", ["x"], lambda v: np.nan)
    refused(
        "dissipation: its function returned shape \\(2,\\); return 1 number",
        "p",
        ["x"],
        lambda v: v @ v,
        lambda v: [v[0], v[0]],
    )


def test_constraints_must_say_how_they_are_kept():
    refused(
        "give a function that vanishes and a realization", "p", ["x", "y"], lambda v: v @ v, None, {"c": lambda q: q[0]}
    )
    refused("give a mapping", "p", ["x", "y"], lambda v: v @ v, None, [lambda q: q[0]])
    refused("named 'a b'", "p", ["x", "y"], lambda v: v @ v, None, {"a b": (lambda q: q[0], vc.DAlembert())})
    refused(
        "does not depend on the coordinates", "p", ["x"], lambda v: v @ v, None, {"c": (lambda t: t, vc.DAlembert())}
    )


def test_realizations_refuse_what_they_do_not_cover():
    def with_constraint(function, realization):
        return {"constraints": {"c": (function, realization)}}

    both = lambda match, function, realization: refused(
        match, "p", ["x", "y"], lambda v: v @ v / 2, **with_constraint(function, realization)
    )
    both("d'Alembert's principle says nothing about constraints on accelerations", lambda a: a[0], vc.DAlembert())
    both("on accelerations, for which a Lagrangian system has vc.Vakonomic", lambda a: a @ a - 1, vc.Chetaev())
    both("linear in the velocities, and this one is not", lambda v: v @ v - 1, vc.DAlembert())
    both("only vc.Vakonomic is defined", lambda j: j[0], vc.Chetaev())
    both("whose multipliers are not free", lambda q: q[0], vc.Vakonomic(multipliers=0.0))
    both("not on positions", lambda v: v[0], vc.Penalty(1e3))


def test_constraints_of_lower_order_than_the_principle_are_refused_with_the_remedy():
    second = lambda a: a @ a / 2
    refused(
        "give its time derivative of order 2",
        "p",
        ["x"],
        second,
        None,
        {"c": (lambda v: v[0], vc.Vakonomic(multipliers=0.0))},
    )
    refused("made for principles of first order", "p", ["x"], second, None, {"c": (lambda q: q[0], vc.DAlembert())})


def test_missing_multipliers_are_asked_for():
    with pytest.raises(vc.errors.ModelError, match="multipliers are not given"):
        vc.Vakonomic()
    system = point({"size": (lambda a: a @ a - 1.0, vc.Vakonomic(multipliers=0.5))})
    with pytest.raises(vc.errors.StartError, match="2 numbers: λ and then its first 1 derivatives"):
        vc.simulate(system, 1.0, ([0, 0], [0, 0], [1, 0]), progress=False)
    two = point({"both": (lambda v: [v[0], v[1]], vc.Vakonomic(multipliers=[0.1, 0.2, 0.3]))})
    with pytest.raises(vc.errors.StartError, match="has 2 rows of order 1"):
        vc.simulate(two, 1.0, ([0, 0], [0, 0]), progress=False)


def test_singular_lagrangians_have_no_hamiltonian_and_no_motion():
    linear = vc.LagrangianSystem("linear", ["x", "y"], lambda q, v: q[0] * v[1] - q @ q)
    with pytest.raises(vc.errors.StartError, match="Hessian ∂²L/∂v∂v is singular"):
        linear.legendre.hamiltonian([1, 0], [0, 1])
    with pytest.raises(vc.errors.StartError, match="Hessian ∂²L/∂v∂v is singular"):
        vc.simulate(linear, 1.0, ([1, 0], [0, 0]), progress=False)
    twice = point({"one": (lambda v: v[0], vc.DAlembert()), "again": (lambda v: 2 * v[0], vc.DAlembert())})
    assert any("'again'" in line for line in vc.simulate(twice, 1.0, ([0, 0], [0, 1]), progress=False).record.log)
    weightless = point({"speed": (lambda v: v @ v - 1.0, vc.Vakonomic(multipliers=-0.5))})
    with pytest.raises(vc.errors.StartError, match="multipliers at which inertia vanishes"):
        vc.simulate(weightless, 1.0, ([0, 0], [0, 1]), progress=False)


def test_the_legendre_transform_of_second_order_is_refused():
    beam = vc.LagrangianSystem("beam", ["y"], lambda y, y_ddot: y_ddot**2 / 2 - y**2 / 2)
    with pytest.raises(vc.errors.MethodError, match="its Lagrangian is of order 2"):
        beam.legendre.momentum([0], [0])
    with pytest.raises(vc.errors.MethodError, match="`total_energy`"):
        vc.simulate(beam, 1.0, ([1.0], [0.0], [0.0], [0.0]), progress=False).energy


def test_a_start_off_its_constraints_is_refused_with_one_on_them():
    system = point({"length": (lambda q: q @ q - 1.0, vc.DAlembert())})
    with pytest.raises(vc.errors.StartError, match=r"breaks the constraint 'length', which is 3.*q = \[1.0, 0.0\]"):
        vc.simulate(system, 1.0, ([2, 0], [0, 1]), progress=False)
    repaired = vc.simulate(system, 1.0, ([2, 0], [0, 1]), repair=True, progress=False)
    assert np.allclose(repaired.q[0], [1, 0]) and "moved to" in repaired.record.log[0]
    with pytest.raises(vc.errors.StartError, match="'length', derivative 1"):
        vc.simulate(system, 1.0, ([1, 0], [1, 1]), progress=False)


def test_starts_of_the_wrong_shape_are_refused():
    system = point()
    with pytest.raises(vc.errors.StartError, match="give 2 numbers, for x, y"):
        vc.simulate(system, 1.0, ([1.0], [0.0, 0.0]), progress=False)
    with pytest.raises(vc.errors.StartError, match="there is no coordinate 'z'"):
        vc.simulate(system, 1.0, {"z": 1.0}, progress=False)
    with pytest.raises(vc.errors.StartError, match="at most 1 derivatives"):
        vc.simulate(system, 1.0, {"x": (1.0, 2.0, 3.0)}, progress=False)
    with pytest.raises(vc.errors.StartError, match=r"give \(q, v\)"):
        vc.simulate(system, 1.0, None, progress=False)
    with pytest.raises(vc.errors.StartError, match="no parameter 'k'"):
        vc.simulate(system, 1.0, ([0, 0], [0, 0]), parameters={"k": 1.0}, progress=False)


def test_methods_and_options_of_bodies_are_refused():
    system = point()
    with pytest.raises(vc.errors.MethodError, match="use auto, taylor or dop853"):
        vc.simulate(system, 1.0, ([0, 0], [1, 0]), method="verlet", progress=False)
    with pytest.raises(vc.errors.MethodError, match="no step="):
        vc.simulate(system, 1.0, ([0, 0], [1, 0]), step=0.1, progress=False)
    motion = vc.simulate(system, 1.0, ([0, 0], [1, 0]), progress=False)
    with pytest.raises(AttributeError, match="has coordinates and no bodies"):
        motion.position
    with pytest.raises(vc.errors.StartError, match="is no constraint"):
        motion.bond("none").multiplier


def test_a_surface_must_give_every_coordinate_as_a_function_of_places():
    with pytest.raises(vc.errors.ModelError, match="return 2 numbers"):
        point().restrict(lambda s: [s, s, s], ["s"])
    with pytest.raises(vc.errors.ModelError, match="function of derivatives"):
        point().restrict(lambda s_dot: [s_dot, s_dot], ["s"])


def test_a_run_into_vanishing_inertia_stops_and_says_so():
    system = vc.LagrangianSystem(
        "up", ["x", "y"], lambda q, v: v @ v / 2 - 9.81 * q[1],
        constraints={"speed": (lambda v: v @ v - 4.0, vc.Vakonomic(multipliers=0.0))},
    )  # fmt: skip
    with pytest.raises(vc.errors.RunError, match="stopped") as caught:
        vc.simulate(system, 5.0, ([0, 0], [0.0, 2.0]), progress=False)  # straight up: (1 + λ')·4 + 9.81 y is constant
    assert caught.value.motion.time[-1] == pytest.approx(2.0 / 9.81, rel=1e-9)
