"""Metrics on local coordinates about a place: of rotations by quaternions, and on the surface where holonomic constraints hold."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.errors import MethodError
from vinculum.geometry.sources.kinetic import KineticGraph
from vinculum.scalars import jacobian, parameters, qr_solve, substitute
from vinculum.scalars import math as m
from vinculum.screws import quaternion_product
from vinculum.tolerances.constraints import LOCAL_SURFACE
from vinculum.tolerances.iterations import LOCAL_ROUNDS
from vinculum.tolerances.rank import DEPENDENT_ROWS


def turned_quaternion(about: np.ndarray, r: np.ndarray) -> np.ndarray:
    r"""The unit quaternion (4,) of a rotation near that of ``about`` (4,), over local coordinates r (3,).

    .. math:: p = p_0 \circ \frac{(1, r/2)}{\sqrt{1 + r\cdot r/4}}

    r is twice the Rodrigues vector from there. It vanishes at p₀, where its rate is the angular velocity in the child's axes.
    """
    r = np.asarray(r, dtype=object)
    near = np.array([1.0, *(0.5 * r)], dtype=object) / m.sqrt(1.0 + 0.25 * (r @ r))
    return np.asarray(quaternion_product(about, near), dtype=object)


def on_surface(
    full: KineticGraph, gaps: np.ndarray, place: np.ndarray, where: str, named: Sequence[int] = ()
) -> KineticGraph:
    r"""The metric that ``full`` induces where ``gaps`` vanish, near a ``place`` (n,), on some of its coordinates y.

    .. math:: g_y = P^T g\,P,\qquad P = \frac{\partial(y, z)}{\partial y},\qquad \frac{\partial z}{\partial y} = -C_z^{-1}\,C_y,\qquad
              C(y, z(y)) = 0

    Dependent coordinates z are chosen by pivots in the kinetic metric, and not among those ``named`` if others suffice. They follow by
    Newton's method, written out from the place on. Its k-th iterate has the derivatives of z(y) up to the order 2ᵏ − 1 at the place, and
    all of them where it converges. Elsewhere the chart ends: ``inside`` is not positive. Gołubowska (28)–(31).
    """
    c = np.array([*gaps, None], dtype=object)[:-1]
    C = np.asarray(jacobian(c, full.q), dtype=object)
    J, g = _values_at(full, C, place)
    rows, dependent = _pivots(J / np.sqrt(np.diag(g)), named)
    free = [k for k in range(len(full.q)) if k not in dependent]
    if not free:
        raise MethodError(f"{where} leave no coordinates that move; a metric needs some")
    if not dependent:
        return full
    y, z, c = full.q[free], full.q[dependent], c[rows]
    C = C[rows]
    found = np.array([*place[dependent], None], dtype=object)[:-1]
    for _ in range(LOCAL_ROUNDS):
        found = found - qr_solve(substitute(C[:, dependent], z, found), substitute(c, z, found))
    Cz, Cy, rest = (substitute(x, z, found) for x in (C[:, dependent], C[:, free], c))
    P = np.zeros((len(full.q), len(free)), dtype=object)
    P[free] = np.eye(len(free))
    for k in range(len(free)):
        P[dependent, k] = -1.0 * np.asarray(qr_solve(Cz, Cy[:, k]), dtype=object)
    # the square of the next step, which is smooth, as events of Taylor's method must be
    off = np.asarray(np.atleast_1d(qr_solve(Cz, rest)), dtype=object)
    far = (off * off / (1.0 + found * found)).sum() / LOCAL_SURFACE**2
    made = P.T @ (substitute(full.g, z, found) @ P)
    names = tuple(full.coordinates[k] for k in free)
    return replace(full, coordinates=names, q=y, g=np.asarray(made, dtype=object), inside=1.0 - far)


def _values_at(full: KineticGraph, C: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the gaps (c, n), and g (n, n), at a place."""
    n, known = len(place), parameters(np.append(C, full.g))
    values = [known[name] for name in sorted(known)]
    row = evaluate(trace({"q": full.q}, {"C": C, "g": full.g}, known), np.concatenate([place, values])[None])[0]
    return row[: C.size].reshape(C.shape), row[C.size :].reshape(n, n)


def _pivots(J: np.ndarray, named: Sequence[int]) -> tuple[list[int], list[int]]:
    """Rows that do not depend on others, and as many columns in which these are best solved, without those named if they can be."""
    rows = _independent_columns(J.T)
    if not rows:
        return [], []
    others = [k for k in range(J.shape[1]) if k not in named]
    first = [others[k] for k in _independent_columns(J[rows][:, others])] if others else []
    return rows, first if len(first) == len(rows) else _independent_columns(J[rows])


def _independent_columns(A: np.ndarray) -> list[int]:
    """Numbers of columns that do not depend on each other, chosen by pivots."""
    from scipy.linalg import qr

    found: Any = qr(A, mode="economic", pivoting=True)
    sizes, order = np.abs(np.diag(found[1])), found[2]
    rank = int(np.sum(sizes > DEPENDENT_ROWS * max(sizes.max(initial=0.0), np.finfo(float).tiny)))
    return sorted(int(k) for k in order[:rank])
