"""Inertias of links at their origins, and the regrouping that gives the shortest equations."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.scalars import Scalar
from vinculum.screws import Pose, congruence, skew
from vinculum.systems import Link, Tree
from vinculum.tolerances.round_off import TWO_ROUND_OFFS


@final
@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass, first moment (3,) and inertia about the origin (3, 3) of a link, in its axes."""

    mass: Any
    moment: np.ndarray
    about_origin: np.ndarray

    @property
    def second_moment(self) -> np.ndarray:
        """P = ∫ r rᵀ, (3, 3): half the trace of the inertia about the origin, minus it."""
        J = self.about_origin
        half = 0.5 * (J[0, 0] + J[1, 1] + J[2, 2])
        return clean(half * np.eye(3) - J)

    def __add__(self, other: "Inertia") -> "Inertia":
        return Inertia(self.mass + other.mass, self.moment + other.moment, self.about_origin + other.about_origin)

    def transform(self, X: Pose) -> "Inertia":
        """The same inertia seen from the frame in which its own frame has pose X."""
        h, J = X.R @ self.moment, mirror(congruence(X.R, self.about_origin))
        p, h_cross = skew(X.p), skew(h)
        J = mirror(J - p @ h_cross - h_cross @ p - self.mass * (p @ p))
        return Inertia(self.mass, h + self.mass * X.p, J)


def link_inertia(link: Link) -> Inertia:
    """The inertia of a link's own body."""
    c = skew(link.center)
    return Inertia(link.mass, link.mass * link.center, mirror(link.inertia - link.mass * (c @ c)))


def link_inertias(tree: Tree) -> list[Inertia]:
    """The inertia of every link."""
    return [link_inertia(link) for link in tree.links]


def regrouped_inertias(tree: Tree) -> list[Inertia]:
    """Other inertias with the same equations of motion (not the same reactions), with as many zeros as possible.

    Turning about z does nothing to the part of a link that is a thin rod on the axis, so a hinge's parent may carry that
    rod: mass, moment along z and one transverse moment of inertia. Sliding does not turn, so a slider's parent may
    carry its rotational inertia. What a weld carries belongs to its parent altogether. Khalil and Dombre, Modeling,
    Identification and Control of Robots, ch. 9.
    """
    inertias = link_inertias(tree)
    for link in reversed(tree.links):
        own = inertias[link.index]
        given = link.joint.kind.pass_on(own.mass, own.moment, own.about_origin)
        if given is None:
            continue
        kept, passed = (Inertia(*part) for part in given)
        inertias[link.index] = kept
        if link.parent >= 0:
            for X in reversed((*link.before, *link.after)):
                passed = passed.transform(X)
            inertias[link.parent] = inertias[link.parent] + passed
    return inertias


def mirror(A) -> np.ndarray:
    """A symmetric matrix with its lower half taken from the upper, so that both halves are the same nodes."""
    A = np.array(A)
    for i in range(len(A)):
        for j in range(i):
            A[i, j] = A[j, i]
    return A


def clean(A) -> np.ndarray:
    """Numbers that are only the round-off of their neighbours, as exact zeros."""
    if A.dtype == object:
        if any(isinstance(x, Scalar) for x in A.ravel()):
            return A
        A = A.astype(float)
    return np.where(np.abs(A) < TWO_ROUND_OFFS * np.abs(A).max(initial=0.0), 0.0, A)
