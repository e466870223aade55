"""Where time stepping hands a motion back, contacts come to rest by impulses that their friction and their weight can give."""

import numpy as np
import pytest

from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.handed_over import slight_impulses

UNRESOLVED = 1e-4


def contacts(J: np.ndarray, u: np.ndarray) -> Contacts:
    n = J.shape[1]
    return Contacts(np.zeros(len(J) // 3), u, J, np.zeros(len(J)), np.eye(n), np.zeros(n))


def test_independent_rows_are_brought_to_rest():
    J, u = np.eye(6), 1e-6 * np.arange(1.0, 7.0)
    P = slight_impulses(contacts(J, u), np.arange(6), np.full(2, UNRESOLVED))
    np.testing.assert_allclose(u + J @ J.T @ P, 0.0, atol=1e-20)


@pytest.mark.parametrize("apart", [1e-3, 3e-5])
def test_tips_of_links_in_line_get_no_impulses_against_each_other(apart):
    """Two tips slip together but for a tiny part of the rows: to stop both of them takes friction without a load."""
    J = np.eye(6)
    J[4] = J[1] + apart * np.eye(6)[4]
    u = np.array([0.0, 0.0, 0.0, 0.0, 2.5e-7, 0.0])
    P = slight_impulses(contacts(J, u), np.array([0, 1, 3, 4]), np.full(2, UNRESOLVED))
    assert np.abs(P).max() < 1e-6
    assert np.abs(u + J @ (J.T @ P)).max() <= 2.5e-7


def test_what_is_not_held_has_no_friction():
    """The normal rows of the first two contacts are nearly dependent: one of them is let go, with its friction."""
    J = np.eye(9)
    J[3] = J[0] + 1e-4 * np.eye(9)[3]
    u = np.array([1e-6, 1e-6, 0.0, 2e-6, 1e-6, 0.0, 0.0, 1e-6, 0.0])
    P = slight_impulses(contacts(J, u), np.array([0, 1, 3, 4, 6, 7]), np.full(3, UNRESOLVED))
    free = [c for c in (0, 1) if not P[3 * c]]
    assert len(free) == 1
    assert P[3 * free[0] + 1] == 0.0
    assert P[7] == -1e-6
