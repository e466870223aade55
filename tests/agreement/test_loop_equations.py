"""The equations of closed loops, derived in three forms, against the motion that is computed from them."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import bricard, four_bar, rod, windows, windows_start
from vinculum.equations.applied import rates
from vinculum.equations.closures import all_gaps, gap_accelerations, gap_jacobian
from vinculum.kernels import arrays
from vinculum.kernels.evaluate import evaluate_groups
from vinculum.kernels.trace import trace
from vinculum.scalars import directional, jacobian, symbols

CASES = {
    "four-bar": (four_bar(), {"A": vc.At(1.0, rate=2.0)}),
    "bricard": (bricard(), None),
    "windows": (windows(2), windows_start(2, 1.1, 0.7)),
}


def spatial() -> vc.System:
    """A loop through a ball joint, a universal joint and a slider, with quaternions in it."""
    system = vc.System("spatial", gravity=(0, -9.81, 0))
    rod(system, "a", 1.0)
    rod(system, "b", 1.5)
    rod(system, "c", 0.7)
    system.add(vc.Revolute("turn", "ground", "a", axis=(0, 0.6, 0.8), damping=0.1))
    system.add(vc.Spherical("ball", "a", "b", at=(1, 0, 0)))
    system.add(vc.Universal("cross", "b", "c", at=(1.5, 0, 0)))
    system.add(vc.Cylindrical("sleeve", "ground", "c", axis=(1, 0.5, 0), at=(1.0, 1.0, 0.2)))
    return system


@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "telegin"])
@pytest.mark.parametrize("name", list(CASES))
def test_derived_equations_with_multipliers_give_the_accelerations_of_the_run(name, form):
    system, start = CASES[name]
    motion = vc.simulate(system, 0.5, start, grid=7, method="dop853")
    equations = vc.derive(system, form)
    compiled = evaluate_groups(motion.model.tape("motion"), motion.rows(motion.time, motion._states))["v_dot"]
    np.testing.assert_allclose(
        equations.accelerations(motion.q, motion.v), compiled, atol=1e-9 * np.abs(compiled).max()
    )
    closed = equations.closure(motion.q, motion.v)
    assert np.abs(closed["gaps"]).max() < 1e-12
    lam = equations.multipliers(motion.q, motion.v)
    left = np.einsum("bij,bj->bi", equations.mass_matrix(motion.q), compiled) + equations.bias(motion.q, motion.v)
    np.testing.assert_allclose(left, np.einsum("bmn,bm->bn", closed["J"], lam), atol=1e-8 * np.abs(lam).max())


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
    np.testing.assert_allclose(other, one, atol=1e-12 * np.abs(one).max())


def test_a_spatial_loop_of_many_kinds_keeps_the_laws():
    system = spatial()
    motion = vc.simulate(system, 1.0, {"turn": vc.At(0.4, rate=1.0)}, method="dop853")
    assert vc.mobility(system, {"turn": 0.4}).freedoms == 2
    assert motion.audit().passed, str(motion.audit())
    names = vc.first_integrals(system).names
    assert "energy" not in names


def test_closed_loops_are_refused_where_they_cannot_be_honored():
    system = four_bar()
    with pytest.raises(vc.MethodError, match=r"Hamilton's form has no place.*newton-euler"):
        vc.derive(system, "hamilton")
    with pytest.raises(vc.MethodError, match="does not determine the forces"):
        vc.inverse_dynamics(system, np.zeros(3), np.zeros(3), np.zeros(3))
    with pytest.raises(vc.MethodError, match="loops closed by"):
        vc.power_series(system, {"A": 1.0})
    with pytest.raises(vc.MethodError, match="does not keep closed"):
        vc.ensemble(system, 1.0, {"A": np.linspace(0, 1, 4)}, step=1e-3, method="rk4")
    tree = vc.System("one")
    tree.add(vc.RigidBody("b", 1.0, (0, 0, 0), np.eye(3)))
    tree.add(vc.Revolute("r", "ground", "b"))
    with pytest.raises(vc.MethodError, match="no closed loops"):
        vc.derive(tree).multipliers([0.0], [0.0])


def test_the_printed_equations_of_a_loop_hold_its_closure():
    lines = vc.derive(four_bar(), "lagrange").lines()
    assert len(lines) == 5 and all("\\lambda_{1}" in line for line in lines[:3])
    assert not any("lambda" in line or "ddot" in line for line in lines[3:])
