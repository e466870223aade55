"""Dampers and drives of joints in steps of blocks in contact: however stiff they are, forces and impulses are found together."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.contact.blocks.inverses import TILE, invert_tile, multiply_tile
from vinculum.integrators.blocks_in_contact.damping import (
    DampedKind,
    add_forces,
    begin_damping,
    damped_blocks,
    multiply,
)
from vinculum.models.tabled import type as tabled_type

LINKS = 12


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def chains(number: int = 3) -> tuple[vc.System, dict]:
    """Chains of capsules that fall on a floor. Their hinges have dampers of many sizes, so that v̇ has rates from 1/s to 1e7/s."""
    system, start, bodies = vc.System("chains", gravity=(0, 0, -9.81)), {}, []
    for k in range(number):
        parent = None
        for i in range(LINKS):
            body = system.add(vc.RigidBody.solid(f"link {k} {i}", vc.shapes.Capsule(0.02, 0.06), mass=0.1))
            bodies.append(body)
            if parent is not None:
                axis = (0, 1, 0) if i % 2 else (1, 0, 0)
                system.add(
                    vc.Revolute(
                        f"hinge {k} {i}",
                        parent,
                        body,
                        axis=axis,
                        at=(0, 0, -0.06),
                        to=(0, 0, 0.06),
                        damping=3e-4 * 3.0**i,
                    )
                )
                start[f"hinge {k} {i}"] = vc.At(0.2 * (-1.0) ** i, rate=0.5)
            else:
                start[body.name] = (0.5 * k, 0.0, 1.4)
            parent = body
    system.add(vc.Contact("floor", bodies, walls=vc.shapes.HalfSpace((0, 0, 1)), impact="inelastic", friction=0.5))
    return system, start


def test_chains_with_stiff_dampers_of_many_sizes_are_certified():
    system, start = chains()
    motion = vc.simulate(system, 0.4, start, method="moreau", step=2e-3, progress=False)
    solver = motion.record.contact_solver
    assert solver.contacts.max() >= 3  # they have met the floor
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    # no step was halved, as steps are whose forces do not converge
    assert not any("two halves" in line for line in motion.record.log)


def test_tiles_of_matrices_are_inverted_and_multiplied():
    rng, n = np.random.default_rng(1), 7
    active = np.array([False, True, True, False, True, False, True])
    A = np.tile(np.eye(n), (TILE, 1, 1))
    A[:, :, active] += 0.1 * rng.normal(size=(TILE, n, active.sum()))
    B = rng.normal(size=(TILE, n, 2))
    tile, made = np.ascontiguousarray(A.reshape(TILE, -1).T), np.empty((2 * n, TILE))
    multiply_tile(n, 2, active, tile, np.ascontiguousarray(B.reshape(TILE, -1).T), made)
    np.testing.assert_allclose(made.T.reshape(TILE, n, 2), A @ B, rtol=0, atol=1e-14)
    assert invert_tile(n, active, tile, 0.0, np.empty((2 * n + 1, TILE))) == -1
    np.testing.assert_allclose(tile.T.reshape(TILE, n, n), np.linalg.inv(A), rtol=0, atol=1e-13)


@pytest.mark.parametrize("skewed", [False, True])
def test_damping_of_blocks_is_that_of_whole_matrices(skewed):
    """``skewed``: pivots that only an exchange of rows can take."""
    rng, n, m, h = np.random.default_rng(2), 4, TILE + 3, 0.1
    A = -rng.uniform(0.0, 50.0, (m, n, 1)) * np.eye(n) + rng.normal(size=(m, n, n))
    if skewed:
        A[5, :2, :2] = 2.0 / h * np.array([[1.0, -1.0], [1.0, 1.0]])  # 1 − ½hA has a zero on its diagonal
    A[3, 0, 0] = np.nan  # no damping
    X = rng.normal(size=(m, n, n))
    M = X @ X.transpose(0, 2, 1) + np.eye(n)
    damped = damped_blocks([DampedKind(np.arange(m * n).reshape(m, n), 5, 2)])
    begin_damping(damped, np.concatenate([np.zeros(5), A.ravel()]), h)
    whole = np.eye(n) - 0.5 * h * np.where(np.isnan(A).any(axis=(1, 2), keepdims=True), 0.0, A)
    x = rng.normal(size=(m, n))
    for matrices, expected in ((damped.factors, whole), (damped.inverses, np.linalg.inv(whole))):
        found = x.ravel().copy()
        multiply(damped, matrices, found)
        np.testing.assert_allclose(found.reshape(m, n), (expected @ x[..., None])[..., 0], rtol=1e-12, atol=1e-12)
    inverse = np.concatenate([np.zeros(2), np.linalg.inv(M).ravel()])
    add_forces(damped, inverse)
    by_columns = inverse[2:].reshape(m, n, n).transpose(0, 2, 1)
    np.testing.assert_allclose(by_columns, np.linalg.inv(whole) @ np.linalg.inv(M), rtol=1e-11, atol=1e-11)
