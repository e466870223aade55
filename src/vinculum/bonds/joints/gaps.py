"""Gaps of a joint: numbers that vanish if the joint allows a relative pose."""

import numpy as np

from vinculum.screws import axial

Gap = tuple[str, object]
"""A name and a number: lengths in meters, turns as sines."""


def shifts(p, axes: str) -> list[Gap]:
    """Offsets of the child's origin along some of the parent's axes."""
    return [(axis, p["xyz".index(axis)]) for axis in axes]


def tilts(R) -> list[Gap]:
    """Leaning of the child's z axis: its components along the parent's x and y."""
    return [("tilt x", R[0, 2]), ("tilt y", R[1, 2])]


def turns(R) -> list[Gap]:
    """The sine of the rotation angle between both frames, times its axis."""
    return list(zip(("turn x", "turn y", "turn z"), axial(R), strict=True))


def upright(R) -> list:
    """Positive where the z axes agree, negative where they are opposed."""
    return [R[2, 2]]


def turn_sides(R) -> list:
    """Positive where the turn is less than a right angle or so, negative at the half turn that `turns` cannot tell."""
    return [np.trace(R)]
