"""Efforts with a given power in every velocity that constraints allow: O'Reilly and Srinivasa, appendix."""

import numpy as np
import pytest
from scipy.linalg import null_space

import vinculum as vc

RNG = np.random.default_rng(5)


def allowed_velocities(C, g, count=20) -> np.ndarray:
    """Random z (d, count) with C z = g."""
    free = null_space(C)
    return np.linalg.pinv(C) @ g[:, None] + free @ RNG.normal(size=(free.shape[1], count))


@pytest.mark.parametrize("seed", range(5))
def test_all_multipliers_are_free_when_neither_constraints_nor_power_depend_on_time(seed):
    C = np.random.default_rng(seed).normal(size=(3, 12))
    found = vc.constraints.solve_power_balance(C, np.zeros(3), 0.0)
    assert found.status == "free"
    assert found.basis.shape == (3, 3)
    a = found.efforts(RNG.normal(size=3))
    assert np.abs(a @ allowed_velocities(C, np.zeros(3))).max() < 1e-10
    assert "does not determine the efforts" in found.explanation


@pytest.mark.parametrize("seed", range(5))
def test_one_multiplier_is_tied_where_a_constraint_moves(seed):
    """(42): λ₁ = (f − Σ λ_J g^J)/g¹."""
    rng = np.random.default_rng(seed)
    C, g, f = rng.normal(size=(3, 12)), rng.normal(size=3), rng.normal()
    found = vc.constraints.solve_power_balance(C, g, f)
    assert found.status == "tied"
    lam = found.multipliers(rng.normal(size=2))
    assert lam[0] == pytest.approx((f - lam[1:] @ g[1:]) / g[0], abs=1e-12)
    assert found.efforts(lam) @ allowed_velocities(C, g) == pytest.approx(np.full(20, f), abs=1e-10)
    assert found.efforts() @ allowed_velocities(C, g) == pytest.approx(np.full(20, f), abs=1e-10)


def test_no_efforts_have_a_power_that_rest_would_need_too():
    found = vc.constraints.solve_power_balance(RNG.normal(size=(3, 12)), np.zeros(3), 1.0)
    assert found.status == "none"
    assert "no solution" in str(found)
    assert "virtual work" in str(found)
    with pytest.raises(vc.errors.ModelError, match="no solution"):
        found.efforts()


def test_nothing_but_these_efforts_solves_the_balance():
    """An effort with a part outside the rows does work in some allowed velocity."""
    C, g = RNG.normal(size=(3, 12)), RNG.normal(size=3)
    found = vc.constraints.solve_power_balance(C, g, 0.7)
    outside = found.efforts() + null_space(C) @ RNG.normal(size=9)
    assert np.ptp(outside @ allowed_velocities(C, g)) > 1e-2


def test_rows_that_follow_from_others_are_dropped():
    C, g = RNG.normal(size=(2, 6)), RNG.normal(size=2)
    C3, g3 = np.array([C[0], 2 * C[0], C[1], C[0] - C[1]]), np.array([g[0], 2 * g[0], g[1], g[0] - g[1]])
    found = vc.constraints.solve_power_balance(C3, g3, 0.3)
    assert found.rows == (0, 2)
    assert found.efforts() @ allowed_velocities(C, g) == pytest.approx(np.full(20, 0.3), abs=1e-10)


def test_rows_that_contradict_each_other_are_refused():
    C = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0]])
    with pytest.raises(vc.errors.ModelError, match=r"row 1 of C follows from rows \[0\].*6.*g is 5"):
        vc.constraints.solve_power_balance(C, [3.0, 5.0], 0.0)
    with pytest.raises(vc.errors.ModelError, match="row 0 of C follows from no row"):
        vc.constraints.solve_power_balance(np.zeros((1, 3)), [1.0], 0.0)


def test_multipliers_that_break_the_tie_are_refused():
    found = vc.constraints.solve_power_balance(np.eye(2, 6), [1.0, 0.0], 2.0)
    with pytest.raises(vc.errors.ModelError, match="λ · g is 5 but must be f = 2"):
        found.efforts([5.0, 1.0])
    with pytest.raises(vc.errors.ModelError, match="2 independent rows"):
        found.efforts([5.0])
    with pytest.raises(vc.errors.ModelError, match=r"C \(K, d\)"):
        vc.constraints.solve_power_balance(np.eye(2), [1.0, 2.0, 3.0], 0.0)


def test_without_constraints_only_no_effort_does_no_work():
    found = vc.constraints.solve_power_balance(np.zeros((0, 6)), np.zeros(0), 0.0)
    assert (found.status, found.efforts().tolist()) == ("free", [0.0] * 6)


def rod_row(x, p, p_dot) -> tuple[np.ndarray, np.ndarray]:
    """The row (x − p) · v + c = 0 of a rod to a pivot that moves, and g = −c."""
    return (x - p)[None], np.array([(x - p) @ p_dot])


def test_normality_and_virtual_work_agree_on_a_rod_pendulum_with_a_driven_pivot():
    """(27)–(31): W = ½ k |x − s(t)|² with ∂W/∂t ≠ 0 and one moving row: power ties μ c = ∂W/∂t, virtual work leaves μ free,
    and both give −∂W/∂x + μ a."""
    k, x, p, p_dot = 3.0, np.array([0.3, -0.8, 0.4]), np.array([0.1, 0.2, 0.0]), np.array([0.7, 0.0, 0.4])
    s, s_dot = np.array([1.0, 0.5, -0.2]), np.array([0.0, 0.3, 0.9])
    W_x, W_t = k * (x - s), -k * (x - s) @ s_dot
    C, g = rod_row(x, p, p_dot)
    power = vc.constraints.solve_power_balance(C, g, -W_t)
    mu = power.multipliers()[0]
    assert power.status == "tied"
    assert mu * -g[0] == pytest.approx(W_t)
    F = -W_x + power.efforts()
    z = allowed_velocities(C, g)
    assert (F @ z) == pytest.approx(-(W_x @ z) - W_t)
    virtual = vc.constraints.solve_power_balance(C, np.zeros(1), 0.0)
    assert virtual.status == "free"
    assert -W_x + virtual.efforts([mu]) == pytest.approx(F)
    assert np.abs((F + W_x) @ allowed_velocities(C, np.zeros(1))).max() < 1e-12


def test_power_prescribes_nothing_where_the_energy_moves_but_no_constraint_does_and_virtual_work_does():
    """Section 7.2: a ball and socket at rest and an energy with ∂W/∂t ≠ 0."""
    a1, a2 = np.array([0.5, 0.0, 0.1]), np.array([-0.4, 0.2, 0.0])
    C = np.concatenate([np.concatenate([e, np.cross(a1, e), -e, -np.cross(a2, e)])[None] for e in np.eye(3)])
    assert vc.constraints.solve_power_balance(C, np.zeros(3), -0.8).status == "none"
    virtual = vc.constraints.solve_power_balance(C, np.zeros(3), 0.0)
    lam = RNG.normal(size=3)
    a = virtual.efforts(lam)
    assert a[:3] == pytest.approx(lam)
    assert a[3:6] == pytest.approx(np.cross(a1, lam))
    assert a[6:9] == pytest.approx(-lam)
    assert a[9:] == pytest.approx(-np.cross(a2, lam))
    assert np.abs(a @ allowed_velocities(C, np.zeros(3))).max() < 1e-12


def test_two_hinges_of_one_door_are_ten_rows_of_which_five_are_independent():
    rows = []
    for z in (0.0, 2.0):
        arm = np.array([0.5, 0.0, z])
        rows += [np.concatenate([e, np.cross(arm, e)]) for e in np.eye(3)]
        rows += [np.concatenate([np.zeros(3), e]) for e in np.eye(3)[:2]]
    found = vc.constraints.solve_power_balance(np.array(rows), np.zeros(10), 0.0)
    assert len(found.rows) == 5
