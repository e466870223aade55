"""Sweeps over groups of eight contacts of spheres against the same sweeps over one contact after the other."""

import numpy as np
import pytest

from vinculum.contact.sparse.arrays import Bodies, ContactProblem, ContactRows, Iterate, Pace, Partition
from vinculum.contact.sparse.grouped_spheres import group, grouped_residual, grouped_sweep, pack_groups
from vinculum.contact.sparse.packed_spheres import aligned_zeros, pack, packed_residual, packed_sweep, room
from vinculum.contact.sparse.sphere_rows import weigh_round

BODIES, CONTACTS = 60, 170


def contacts_of_spheres(mu: float) -> tuple[ContactProblem, Iterate, np.random.Generator]:
    """Contacts of random spheres with each other and with a wall, whose number is that of the spheres."""
    rng = np.random.default_rng(3)
    who = np.array([rng.choice(BODIES + 1, 2, replace=False) for _ in range(CONTACTS)])
    who.sort(axis=1)
    n, s = np.linalg.qr(rng.normal(size=(CONTACTS, 3, 2)))[0].transpose(2, 0, 1)
    frame = np.stack([n, s, np.cross(n, s)], axis=1)
    rows = ContactRows(who, frame, np.empty((CONTACTS, 2)), None, None, None, np.empty((CONTACTS, 2)))
    bodies = Bodies(np.append(rng.uniform(0.5, 2.0, BODIES), 0.0), np.append(rng.uniform(0.5, 2.0, BODIES), 0.0))
    pace = Pace(rng.normal(size=(BODIES, 3)), 0.05)
    problem = ContactProblem(CONTACTS, True, rows, bodies, np.full(CONTACTS, mu), rng.normal(size=CONTACTS), pace)
    radii, gaps = rng.uniform(0.5, 1.0, BODIES + 1), rng.uniform(0.0, 0.01, CONTACTS)
    weigh_round(CONTACTS, rows, gaps, radii, BODIES, bodies)
    V = aligned_zeros((BODIES + 1, 8))
    V[:BODIES, :3], V[:BODIES, 4:7] = rng.normal(size=(2, BODIES, 3))
    return problem, Iterate(np.zeros((CONTACTS, 3)), V), rng


def grouped(problem: ContactProblem) -> tuple[Partition, int]:
    """All contacts in groups, and where these end."""
    order, taken = np.arange(CONTACTS), np.zeros(BODIES, dtype=np.int64)
    end = group(problem.rows.who, BODIES, order, 0, CONTACTS, taken)
    assert not taken.any()
    return Partition(order, np.arange(BODIES), np.array([CONTACTS, CONTACTS, BODIES, CONTACTS]), *room(CONTACTS),
                     np.array([end, end, end])), int(end)  # fmt: skip


def test_contacts_of_a_group_share_no_moving_body():
    problem, _, _ = contacts_of_spheres(0.3)
    parts, end = grouped(problem)
    assert end >= CONTACTS // 2 and end % 8 == 0
    np.testing.assert_array_equal(np.sort(parts.order), np.arange(CONTACTS))
    for first in range(0, end, 8):
        moving = problem.rows.who[parts.order[first : first + 8]].ravel()
        moving = moving[moving < BODIES]
        assert len(np.unique(moving)) == len(moving)


@pytest.mark.parametrize("mu", [0.0, 0.4])
def test_sweeps_and_residuals_of_groups_are_those_of_their_contacts(mu):
    problem, iterate, _ = contacts_of_spheres(mu)
    parts, end = grouped(problem)
    found = []
    for together in (True, False):
        P, V = iterate.P.copy(), aligned_zeros(iterate.V.shape)
        V[:] = iterate.V
        packing, sweep, residual = (
            (pack_groups, grouped_sweep, grouped_residual) if together else (pack, packed_sweep, packed_residual)
        )
        packing(0, end, parts, problem)
        sums = [sweep(0, end, parts.packed, parts.seats, P, V) for _ in range(3)]
        worst = residual(0, end, parts.packed, parts.seats, P, V, problem.blocks.inverse_mass, problem.pace)
        found.append((P, V, sums, worst))
    assert np.count_nonzero(found[0][0][:, 0]) > end // 4
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
