"""Contacts of capsules with boxes: where the axis is nearest to the box, or deepest inside it.

Along a line, the squared distance from a box is convex and piecewise quadratic, and the depth inside is piecewise linear.
"""

import numpy as np

from vinculum.collision.contact_frame import add
from vinculum.collision.primitives.boxes import nearest_in_box
from vinculum.compile.kernels import njit
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.shapes import ALONG_A_BOX, ALONG_A_FACE, AT_THE_END, LEVEL, SEGMENT_DONE, SEGMENT_ROUNDS


@njit(nogil=True, cache=True)
def capsule_box(m, i, j, sign, shapes, far, found):
    """Contacts of capsule i with box j at both ends of its axis and where the axis is nearest; ``sign`` −1 writes j as the first body."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    inner = _lowest_along(i, j, shapes)
    enters, leaves = _over_face(inner, i, j, shapes)
    near = AT_THE_END * size[i, 1]
    for place in range(5):
        s = size[i, 1] if place else -size[i, 1]
        if place > 1:
            s = inner if place == 2 else enters if place == 3 else leaves
            if size[i, 1] - abs(s) < near or (place > 2 and abs(s - inner) < near):
                continue
        gap, n0, n1, n2 = _along(s, i, j, shapes)
        gap -= size[i, 0]
        if gap > far:
            continue
        r = size[i, 0] + 0.5 * gap
        p0 = center[i, 0] + s * turn[i, 0, 2] - r * n0
        p1 = center[i, 1] + s * turn[i, 1, 2] - r * n1
        p2 = center[i, 2] + s * turn[i, 2, 2] - r * n2
        if sign > 0.0:
            m = add(m, i, j, (n0, n1, n2), (p0, p1, p2), gap, found)
        else:
            m = add(m, j, i, (-n0, -n1, -n2), (p0, p1, p2), gap, found)
    return m


@njit(nogil=True, cache=True)
def _over_face(s, i, j, shapes):
    """The interval in which the axis of capsule i runs over the face of box j nearest to its point s; (s, s) if it runs over none.

    A capsule that lies across an edge rests there, and its nearest point jumps from one end of the face to the other.
    """
    center, turn, size = shapes.center, shapes.turn, shapes.size
    low, high = -size[i, 1], size[i, 1]
    _gap, n0, n1, n2 = _along(s, i, j, shapes)
    for k in range(3):
        across = n0 * turn[j, 0, k] + n1 * turn[j, 1, k] + n2 * turn[j, 2, k]
        if abs(across) > ALONG_A_FACE:
            continue
        along = middle = 0.0
        for d in range(3):
            along += turn[i, d, 2] * turn[j, d, k]
            middle += (center[i, d] - center[j, d]) * turn[j, d, k]
        if abs(along) < ALONG_A_BOX:
            continue
        a, b = (-size[j, k] - middle) / along, (size[j, k] - middle) / along
        low, high = max(low, min(a, b)), min(high, max(a, b))
    return (low, high) if low < high else (s, s)


@njit(nogil=True, cache=True)
def _along(s, i, j, shapes):
    """Distance and direction from box j to the point s on the axis of capsule i."""
    center, turn = shapes.center, shapes.turn
    p = center[i, 0] + s * turn[i, 0, 2], center[i, 1] + s * turn[i, 1, 2], center[i, 2] + s * turn[i, 2, 2]
    return nearest_in_box(p, j, shapes)


@njit(nogil=True, cache=True, error_model="numpy")
def _lowest_along(i, j, shapes):
    """The parameter, from −half length to half length, at which the axis of capsule i is nearest to box j, or deepest inside it."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    R, a0, a1, a2 = turn[j], turn[i, 0, 2], turn[i, 1, 2], turn[i, 2, 2]
    l = (
        R[0, 0] * x + R[1, 0] * y + R[2, 0] * z,
        R[0, 1] * x + R[1, 1] * y + R[2, 1] * z,
        R[0, 2] * x + R[1, 2] * y + R[2, 2] * z,
    )
    d = (
        R[0, 0] * a0 + R[1, 0] * a1 + R[2, 0] * a2,
        R[0, 1] * a0 + R[1, 1] * a1 + R[2, 1] * a2,
        R[0, 2] * a0 + R[1, 2] * a1 + R[2, 2] * a2,
    )
    h = (size[j, 0], size[j, 1], size[j, 2])
    half = size[i, 1]
    enters, leaves = -half, half
    for k in range(3):
        if abs(d[k]) > NEXT_TO_ZERO:
            s, t = (-h[k] - l[k]) / d[k], (h[k] - l[k]) / d[k]
            enters, leaves = max(enters, min(s, t)), min(leaves, max(s, t))
        elif abs(l[k]) > h[k]:
            enters, leaves = half, -half
    return _deepest(enters, leaves, l, d, h) if enters < leaves else _nearest(half, l, d, h)


@njit(nogil=True, cache=True, error_model="numpy")
def _nearest(half, l, d, h):
    """The s at which the line l + s d, |s| ≤ half, is nearest to a box that it does not hit: Newton's method within shrinking bounds."""
    none = LEVEL * (h[0] + h[1] + h[2])
    low, high, s = -half, half, 0.0
    if _pull(high, l, d, h)[0] <= none:
        return high
    if _pull(low, l, d, h)[0] > none:
        return low
    for _ in range(SEGMENT_ROUNDS):
        slope, bend = _pull(s, l, d, h)
        if slope > none:
            high = s
        else:
            low = s
        new = s - (slope - none) / bend if bend > 0.0 else low
        if not low < new < high:
            new = 0.5 * (low + high)
        moved, s = abs(new - s), new
        if moved <= SEGMENT_DONE * half:
            break
    return s


@njit(nogil=True, cache=True, error_model="numpy")
def _pull(s, l, d, h):
    """First and second derivative along a line of half the squared distance from a box."""
    slope = bend = 0.0
    for k in range(3):
        x = l[k] + s * d[k]
        e = x - min(max(x, -h[k]), h[k])
        slope, bend = slope + e * d[k], bend + (d[k] * d[k] if e != 0.0 else 0.0)
    return slope, bend


@njit(nogil=True, cache=True, error_model="numpy")
def _deepest(low, high, l, d, h):
    """The s at which a line is deepest inside a box: repeated intersection of a descending and an ascending face plane."""
    v, f = _depth(low, l, d, h)
    w, g = _depth(high, l, d, h)
    if f > LEVEL or g <= LEVEL:
        return low if f > LEVEL else high
    s = low
    for _ in range(SEGMENT_ROUNDS):
        s = (v - w + g * high - f * low) / (g - f)
        if not low < s < high:
            break
        value, slope = _depth(s, l, d, h)
        if slope > LEVEL:
            high, w, g = s, value, slope
        else:
            low, v, f = s, value, slope
    return min(max(s, low), high)


@njit(nogil=True, cache=True, error_model="numpy")
def _depth(s, l, d, h):
    """Height of a point of a line over the nearest face of the box that contains it, negative inside, and its slope along the line."""
    value, slope = -np.inf, 0.0
    for k in range(3):
        x = l[k] + s * d[k]
        if abs(x) - h[k] > value:
            value, slope = abs(x) - h[k], d[k] if x >= 0.0 else -d[k]
    return value, slope
