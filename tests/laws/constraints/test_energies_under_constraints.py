"""Potential efforts under constraints: (22), (23) with any multiples of the rows. O'Reilly and Srinivasa, section 5."""

import numpy as np
import pytest
from scipy.linalg import null_space

import vinculum as vc
from vinculum.screws import exp as turned

m = vc.math
RNG = np.random.default_rng(77)
CY, CC, C = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3, 3)), RNG.normal(size=(2, 3, 3))
ROWS = RNG.normal(size=(4, 3, 2, 3))
BODIES = [vc.RigidBody(name, 1.0, inertia=(1, 1, 1)) for name in "abcd"]


def of_relative_places(y, Y):
    """A function of three relative positions and rotations that has no symmetry."""
    return (m.sin(CY[0] @ y[0]) + m.cos(CY[1] @ y[1]) * (CY[2] @ y[2]) + 0.5 * np.sum(CC[0] * Y[0]) ** 2
            + np.sum(CC[1] * Y[1]) * np.sum(CC[2] * (Y[2] @ Y[0])) + y[0] @ C[0] @ Y[1] @ y[1])  # fmt: skip


def energy(a, b, c, d):
    R = d.rotation.T
    return of_relative_places([R @ (k.position - d.position) for k in (a, b, c)], [R @ k.rotation for k in (a, b, c)])


def plain_energy(x, Q) -> float:
    return float(of_relative_places([Q[3].T @ (x[i] - x[3]) for i in range(3)], [Q[3].T @ Q[i] for i in range(3)]))


def invariant_rows(x, Q) -> np.ndarray:
    """(K, 24): f and g of all four bodies for random constants in the pivot's axes, the pivot's by closure (19)."""
    f, g = (np.einsum("ij,knj->kni", Q[3], ROWS[:, :, part]) for part in (0, 1))
    f_p, g_p = -f.sum(axis=1), -(g + np.cross(x[:3] - x[3], f)).sum(axis=1)
    rows = np.concatenate(
        [np.concatenate([f, f_p[:, None]], axis=1), np.concatenate([g, g_p[:, None]], axis=1)], axis=2
    )
    return rows.reshape(len(ROWS), -1)


@pytest.mark.parametrize("seed", range(5))
def test_any_multiples_of_the_rows_may_be_added_to_the_efforts_of_an_energy(seed):
    """−dU/dt is the power on compatible velocities, whatever μ; off them it is not."""
    rng = np.random.default_rng(seed)
    x, Q = rng.normal(size=(4, 3)), np.array([turned(w) for w in rng.normal(size=(4, 3))])
    forces, moments = vc.potentials.reduce_invariant(vc.Potential("random", BODIES, energy), pivot="d").efforts(x, Q)
    rows = invariant_rows(x, Q)
    efforts = np.concatenate([forces, moments], axis=1).ravel() + rng.normal(size=len(rows)) @ rows
    compatible = null_space(rows)
    assert compatible.shape[1] == 24 - len(rows)
    h = 1e-5
    for z, allowed in ((compatible @ rng.normal(size=compatible.shape[1]), True), (rng.normal(size=24), False)):
        v, w = z.reshape(4, 6)[:, :3], z.reshape(4, 6)[:, 3:]
        ahead, behind = (
            plain_energy(x + s * v, np.array([turned(s * w[i]) @ Q[i] for i in range(4)])) for s in (h, -h)
        )
        missed = abs((ahead - behind) / (2 * h) + efforts @ z) / np.abs(efforts).sum()
        assert (missed < 1e-7) == allowed


def test_rows_leave_rigid_motions_of_everything_free():
    rng = np.random.default_rng(9)
    x, Q = rng.normal(size=(4, 3)), np.array([turned(w) for w in rng.normal(size=(4, 3))])
    shift, turn = rng.normal(size=3), rng.normal(size=3)
    z = np.concatenate([shift + np.cross(turn, x), np.broadcast_to(turn, (4, 3))], axis=1).ravel()
    assert np.abs(invariant_rows(x, Q) @ z).max() < 1e-12
