"""The equations of closed loops, derived in three forms, against the motion that is computed from them."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import bricard, four_bar, rod, windows, windows_start
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.constraints.closures import all_gaps, gap_accelerations, gap_jacobian
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.motion.states import tape_rows
from vinculum.scalars import directional, jacobian, symbols

CASES = {
    "four-bar": (four_bar(), {"A": vc.At(1.0, rate=2.0)}),
    "bricard": (bricard(), None),
    "windows": (windows(2), windows_start(2, 1.1, 0.7)),
}


def spatial(chart="quaternion") -> vc.System:
    """A loop through a ball joint, a universal joint and a slider, with a rotation chart in it."""
    system = vc.System("spatial", gravity=(0, -9.81, 0))
    rod(system, "a", 1.0)
    rod(system, "b", 1.5)
    rod(system, "c", 0.7)
    system.add(vc.Revolute("turn", "ground", "a", axis=(0, 0.6, 0.8), damping=0.1))
    system.add(vc.Spherical("ball", "a", "b", at=(1, 0, 0), chart=chart))
    system.add(vc.Universal("cross", "b", "c", at=(1.5, 0, 0)))
    system.add(vc.Cylindrical("sleeve", "ground", "c", axis=(1, 0.5, 0), at=(1.0, 1.0, 0.2)))
    return system


@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "telegin"])
@pytest.mark.parametrize("name", list(CASES))
def test_derived_equations_with_multipliers_give_the_accelerations_of_the_run(name, form):
    system, start = CASES[name]
    motion = vc.simulate(system, 0.5, start, grid=7, method="dop853")
    equations = vc.derive(system, form)
    compiled = evaluate_groups(
        motion.record.model.tape("motion"), tape_rows(motion.record, motion.time, motion.record._states)
    )["v_dot"]
    np.testing.assert_allclose(
        equations.accelerations(motion.q, motion.v), compiled, rtol=0, atol=1e-9 * np.abs(compiled).max()
    )
    closed = equations.closure.at(motion.q, motion.v)
    assert np.abs(closed["gaps"]).max() < 1e-12
    lam = equations.closure.multipliers(motion.q, motion.v)
    left = np.einsum("bij,bj->bi", equations.mass_matrix(motion.q), compiled) + equations.bias(motion.q, motion.v)
    np.testing.assert_allclose(left, np.einsum("bmn,bm->bn", closed["J"], lam), rtol=0, atol=1e-8 * np.abs(lam).max())


@pytest.mark.parametrize("system", [four_bar(), bricard(), spatial()], ids=lambda s: s.name)
def test_slopes_and_accelerations_of_gaps_are_their_derivatives(system):
    tree = system.tree()
    q, v = symbols("q", tree.nq), symbols("v", tree.nv)
    gaps, q_dot = all_gaps(tree, q), rates(tree, q, v)
    speed = directional(gaps, q, q_dot)
    by_hand = {"J": jacobian(speed, v), "bias": directional(speed, q, q_dot)}
    ours = {"J": gap_jacobian(tree, q), "bias": gap_accelerations(tree, q, v)}
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(8, tree.nq + tree.nv))
    for link in tree.links:
        if link.joint.nq == 4:
            rows[:, link.q] /= np.linalg.norm(rows[:, link.q], axis=1)[:, None]
    one, other = (arrays.evaluate(trace({"q": q, "v": v}, parts), rows) for parts in (by_hand, ours))
    np.testing.assert_allclose(other, one, rtol=0, atol=1e-12 * np.abs(one).max())


def test_a_spatial_loop_of_many_kinds_keeps_the_laws():
    system = spatial()
    motion = vc.simulate(system, 1.0, {"turn": vc.At(0.4, rate=1.0)}, method="dop853")
    assert vc.mobility(system, {"turn": 0.4}).freedoms == 2
    assert motion.audit().passed, str(motion.audit())
    names = vc.first_integrals(system).names
    assert "energy" not in names


def test_closed_loops_are_refused_where_they_cannot_be_honored():
    system = four_bar()
    with pytest.raises(vc.errors.MethodError, match=r"Hamilton's form has no place.*newton-euler"):
        vc.derive(system, "hamilton")
    with pytest.raises(vc.errors.MethodError, match="does not determine how the joints of a loop share"):
        vc.inverse_dynamics(system, np.zeros(3), np.zeros(3), np.zeros(3))
    with pytest.raises(vc.errors.MethodError, match="loops closed by"):
        vc.power_series(system, {"A": 1.0})
    tree = vc.System("one")
    tree.add(vc.RigidBody("b", 1.0, (0, 0, 0), np.eye(3)))
    tree.add(vc.Revolute("r", "ground", "b"))
    with pytest.raises(vc.errors.MethodError, match="no closed loops"):
        vc.derive(tree).closure.multipliers([0.0], [0.0])


def test_the_printed_equations_of_a_loop_hold_its_closure():
    lines = vc.derive(four_bar(), "lagrange").lines()
    assert len(lines) == 5 and all("\\lambda_{1}" in line for line in lines[:3])
    assert not any("lambda" in line or "ddot" in line for line in lines[3:])


@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "telegin"])
def test_the_equations_as_they_are_printed_hold_along_the_motion(form):
    """M v̇ + h of the printed rows vanishes with the accelerations of the run and the multipliers, and so do the gaps."""
    system, start = CASES["four-bar"]
    motion = vc.simulate(system, 0.5, start, grid=7, method="dop853")
    a = evaluate_groups(
        motion.record.model.tape("motion"), tape_rows(motion.record, motion.time, motion.record._states)
    )["v_dot"]
    equations = vc.derive(system, form)
    lam = equations.closure.multipliers(motion.q, motion.v)
    M, h = equations.graphs.bordered_form()
    assert equations.graphs.loops is not None
    unknown = symbols("a", len(a[0]))
    inputs = {
        "q": equations.graphs.state.q,
        "v": equations.graphs.state.v,
        "lam": equations.graphs.loops.lam,
        "a": unknown,
    }
    rows = M @ np.concatenate([unknown, equations.graphs.loops.lam]) + h
    left = arrays.evaluate(trace(inputs, {"left": rows}), np.concatenate([motion.q, motion.v, lam, a], axis=1))
    np.testing.assert_allclose(left, np.zeros_like(left), rtol=0, atol=1e-9 * np.abs(lam).max())


def test_lagranges_form_has_the_multipliers_of_the_others_where_rates_are_not_velocities():
    """Along q + s q̇ the first and second derivatives of the gaps are J q̇ and the bias."""
    system = spatial("xyz")
    motion = vc.simulate(system, 0.5, {"turn": vc.At(0.4, rate=1.0)}, grid=5, method="dop853")
    q = motion.q
    q_dot = evaluate_groups(
        motion.record.model.tape("rates"), tape_rows(motion.record, motion.time, motion.record._states)
    )["q_dot"]
    form, other = vc.derive(system, "lagrange"), vc.derive(system, "telegin")
    lam = other.closure.multipliers(q, motion.v)
    np.testing.assert_allclose(form.closure.multipliers(q, q_dot), lam, rtol=0, atol=1e-11 * np.abs(lam).max())
    here, step = form.closure.at(q, q_dot), 1e-4
    before, after = (form.closure.at(q + k * step * q_dot, q_dot)["gaps"] for k in (-1, 1))
    speed = np.einsum("bmn,bn->bm", here["J"], q_dot)
    np.testing.assert_allclose((after - before) / (2 * step), speed, rtol=0, atol=1e-5)
    np.testing.assert_allclose((after - 2 * here["gaps"] + before) / step**2, here["closing_bias"], rtol=0, atol=1e-4)


def test_hidden_parameters_stay_hidden():
    for system, start in CASES.values():
        assert vc.derive(system).parameters == {}
        assert vc.simulate(system, 0.01, start, grid=2).record.parameters == {}


def test_first_integrals_of_loops_are_those_of_the_whole():
    assert vc.first_integrals(four_bar()).names == ("energy",)
    ring = vc.System("ring")
    for i in range(4):
        rod(ring, f"rod{i}", 1.0)
    for i in range(4):
        ring.add(vc.Revolute(f"hinge{i}", f"rod{i}", f"rod{(i + 1) % 4}", at=(1, 0, 0)))
    names = vc.first_integrals(ring).names
    moments = [f"angular momentum about the mass center along {e}" for e in "xyz"]
    centers = [f"mass center along {e} less its motion" for e in "xyz"]
    assert set(names) == {"energy", *(f"momentum along {e}" for e in "xyz"), *moments, *centers}


def test_reactions_that_are_not_unique_are_the_least_ones():
    """Multipliers of least norm by a pseudo-inverse; the gaps x, y, z are forces across and along the closing hinge's axis."""
    motion = vc.simulate(bricard(), 3.0, grid=13)
    equations = vc.derive(bricard())
    assert equations.closure.gaps[:3] == (("h5", "x"), ("h5", "y"), ("h5", "z"))
    lam = equations.closure.multipliers(motion.q, motion.v)
    force = motion.joint("h5").reaction[:, :3]
    np.testing.assert_allclose(force[:, 0], lam[:, 2], rtol=0, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), np.linalg.norm(lam[:, :3], axis=1), rtol=0, atol=1e-8)
