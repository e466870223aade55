"""Partition of contacts: two groups that share no moving body, and a separator.

Both groups may be swept at once, with the same result as one after the other. This is a coloring with blocks as colors.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.grouped_spheres import group
from vinculum.contact.sparse.packed_spheres import spread
from vinculum.tolerances.contact import CONTACTS_WORTH_GROUPS, CONTACTS_WORTH_SHARING, PARTITION_HALVINGS


@njit(nogil=True, cache=True, error_model="numpy")
def arrange(grouped, who, moving, order, cut):
    """Reorder the contacts of spheres in each part: groups of eight, then the others such that successive ones share no moving body.

    ``grouped``: None for other bodies, whose contacts stay as they are.
    """
    if grouped is None:
        return
    if cut[3] < CONTACTS_WORTH_GROUPS:
        for part in range(3):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            grouped[part] = begin
            spread(who, moving, order, begin, end)
        return
    taken = np.zeros(moving, dtype=np.int64)
    for part in range(3):
        begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
        grouped[part] = group(who, moving, order, begin, end, taken)
        spread(who, moving, order, grouped[part], end)


@njit(nogil=True, cache=True, error_model="numpy")
def divide(contacts, m, x, parts):
    """Write the order of m contacts and of the bodies at x (n, 3) by sides, and where the sides end.

    Contacts that one thread sweeps are one side.
    """
    if m >= CONTACTS_WORTH_SHARING:
        _divide_by_plane(contacts, m, x, parts)
        return
    who, order, people, cut = contacts.who, parts.order, parts.people, parts.cut
    moving = len(people)
    for c in range(m):
        order[c] = c
    for i in range(moving):
        people[i] = i
    cut[0], cut[1], cut[2], cut[3] = m, m, moving, m
    if m >= CONTACTS_WORTH_GROUPS:
        arrange(parts.grouped, who, moving, order, cut)
    else:
        _spread_whole(parts.grouped, who, moving, order, m)


@njit(nogil=True, cache=True, error_model="numpy")
def _spread_whole(grouped, who, moving, order, m):
    # Numba does not compile the branch of an argument that is None.
    if grouped is not None:
        grouped[0], grouped[1], grouped[2] = 0, m, m
        spread(who, moving, order, 0, m)


@njit(nogil=True, cache=True, error_model="numpy")
def _divide_by_plane(contacts, m, x, parts):
    """The same with two sides.

    The plane between the sides is normal to the axis along which contacts extend farthest, with equal numbers of contacts on both sides.
    """
    who, place, order, people, cut = contacts.who, contacts.place, parts.order, parts.people, parts.cut
    moving = len(people)
    cut[3] = m
    axis, widest = 0, -1.0
    low, high = 0.0, 0.0
    for k in range(3):
        first = last = 0.0
        for c in range(m):
            y = place[c, k]
            first, last = (y, y) if c == 0 else (min(first, y), max(last, y))
        if last - first > widest:
            axis, widest, low, high = k, last - first, first, last
    for _ in range(PARTITION_HALVINGS):
        middle, below = 0.5 * (low + high), 0
        for c in range(m):
            below += place[c, axis] < middle
        if 2 * below < m:
            low = middle
        else:
            high = middle
    plane = 0.5 * (low + high)
    part = np.zeros(3, dtype=np.int64)
    for turn in range(2):
        for i in range(moving):
            if (x[i, axis] >= plane) == (turn == 1):
                people[part[0]] = i
                part[0] += 1
        if turn == 0:
            cut[2] = part[0]
    count = 0
    for turn in range(3):
        for c in range(m):
            i, j = who[c, 0], who[c, 1]
            a = 1 if i < moving and x[i, axis] >= plane else 0
            b = 1 if j < moving and x[j, axis] >= plane else 0
            if i >= moving:
                a = b
            elif j >= moving:
                b = a
            if (2 if a != b else a) == turn:
                order[count] = c
                count += 1
        if turn < 2:
            cut[turn] = count
    arrange(parts.grouped, who, moving, order, cut)


@njit(nogil=True, cache=True, error_model="numpy")
def keep_order(grouped, parts):
    """The present order of contacts, and where its parts and groups end."""
    kept = np.empty(7 + parts.cut[3], dtype=np.int64)
    kept[:4], kept[4:7], kept[7:] = parts.cut, 0, parts.order[: parts.cut[3]]
    if grouped is not None:
        kept[4:7] = grouped
    return kept


@njit(nogil=True, cache=True, error_model="numpy")
def restore_order(grouped, parts, kept):
    """Go back to an order that was kept."""
    parts.cut[:], parts.order[: kept[3]] = kept[:4], kept[7:]
    if grouped is not None:
        grouped[:] = kept[4:7]
