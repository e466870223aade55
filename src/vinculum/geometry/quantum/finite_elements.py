"""The operator in finite elements of scikit-fem: biquadratic, on rectangles of the coordinates, or on six faces of a cube where there
are poles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import MethodError
from vinculum.geometry.quantum.ranges import OSCILLATOR, PERIODIC, POLES, WALLS, Range
from vinculum.geometry.quantum.weak_form import Coefficients
from vinculum.tolerances.quantum import ONE_NODE

FACES = np.array([
    [[0, 1, 0], [0, 0, 1], [1, 0, 0]], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
    [[1, 0, 0], [0, 0, 1], [0, -1, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [1, 0, 0], [0, 0, -1]],
], dtype=float)  # fmt: skip
"""The faces of a cube: two directions along each, and the direction out of it."""
APART = 4.0
"""Distance of the faces on the plane of the mesh, each of which is two wide."""


def scikit_fem() -> Any:
    """The module `skfem`; a message where it is not installed."""
    try:
        import skfem
    except ImportError as error:
        raise MethodError(
            "finite elements need the package scikit-fem, which is not installed; install it with `pip install vinculum[elements]`, or use "
            "method='spectral'"
        ) from error
    return skfem


@final
@dataclass(frozen=True, eq=False)
class ElementForm:
    """Matrices of finite elements. ``basis``: that of scikit-fem on the plane of its mesh; ``join`` (all, N): places of the mesh that are
    one place of the manifold have one unknown, and walls have none; ``chart``: from the plane to coordinates, with derivatives, and
    ``plane``: from coordinates to the plane."""

    basis: Any
    join: Any
    chart: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    plane: Callable[[np.ndarray], np.ndarray]
    coefficients: Callable[[np.ndarray], Coefficients]

    @property
    def unknowns(self) -> int:
        return self.join.shape[1]

    @cached_property
    def _pulled_back(self) -> tuple[Coefficients, np.ndarray]:
        """The coefficients on the plane of the mesh, at its quadrature points; the shape (elements, points)."""
        x = np.asarray(self.basis.global_coordinates())
        places, J = self.chart(x.reshape(len(x), -1).T)
        own = self.coefficients(places)
        inverse = np.linalg.inv(J)
        volume = own.volume * np.abs(np.linalg.det(J))
        return Coefficients(volume, inverse @ own.inverse @ np.swapaxes(inverse, 1, 2), own.potential), np.array(
            x.shape[1:]
        )

    @property
    def at_nodes(self) -> Coefficients:
        """The coefficients at the quadrature points."""
        return self._pulled_back[0]

    def matrices(self) -> tuple[Any, Any, Any]:
        """S, M and U, sparse (N, N)."""
        skfem = scikit_fem()
        known, shape = self._pulled_back
        n = known.inverse.shape[1]
        volume, potential = (x.reshape(shape) for x in (known.volume, known.potential))
        flux = np.moveaxis((known.volume[:, None, None] * known.inverse).reshape(*shape, n, n), (2, 3), (0, 1))
        every = range(n)

        def stiffness(u, v, _):
            return sum(flux[i, j] * u.grad[i] * v.grad[j] for i in every for j in every)

        forms = (stiffness, lambda u, v, _: volume * u * v, lambda u, v, _: volume * potential * u * v)
        found = [skfem.BilinearForm(form).assemble(self.basis) for form in forms]
        stiffness, mass, potential = ((self.join.T @ A @ self.join).tocsc() for A in found)
        return stiffness, mass, potential

    def functions(self, q: np.ndarray) -> Any:
        """All functions (B, N) at places (B, n), sparse."""
        return self.basis.probes(self.plane(q).T) @ self.join


def element_form(operator: Any, elements: Sequence[int]) -> ElementForm:
    """Finite elements on the ranges of an operator: ``elements`` along each coordinate, on a sphere around its equator."""
    skfem, spans = scikit_fem(), operator.spans
    if len(spans) > 2 or any(one.kind == OSCILLATOR for one in spans):
        raise MethodError(f"{operator.where}: finite elements serve for curves and surfaces; use method='spectral'")
    if any(one.kind == POLES for one in spans):
        i = [one.kind for one in spans].index(POLES)
        mesh, chart, plane, key = _cube(skfem, spans[i], spans[1 - i], i, max(1, max(elements) // 4))
    else:
        mesh, chart, plane, key = _box(skfem, spans, elements)
    element = skfem.ElementLineP2() if len(spans) == 1 else skfem.ElementQuad2()
    basis = skfem.Basis(mesh, element, intorder=6)
    return ElementForm(
        basis, _join(key(basis.doflocs.T), _on_walls(spans, basis.doflocs.T)), chart, plane, operator.coefficients
    )


def _box(skfem: Any, spans: Sequence[Range], elements: Sequence[int]):
    lines = [np.linspace(one.low, one.high, k + 1) for one, k in zip(spans, elements, strict=True)]
    mesh = skfem.MeshLine(lines[0]) if len(spans) == 1 else skfem.MeshQuad.init_tensor(*lines)

    def chart(x):
        return x, np.broadcast_to(np.eye(len(spans)), (len(x), len(spans), len(spans)))

    def key(x):
        """Numbers that are equal at places that are one place."""
        columns = []
        for one, column in zip(spans, x.T, strict=True):
            part = (column - one.low) / one.length
            turn = 2.0 * np.pi * part
            columns += [np.cos(turn), np.sin(turn)] if one.kind == PERIODIC else [part]
        return np.stack(columns, axis=1)

    return mesh, chart, lambda q: q, key


def _cube(skfem: Any, polar: Range, around: Range, place: int, count: int):
    """Six squares, each with coordinates from −1 to 1 along two directions of a face, by equal angles."""
    line = np.linspace(-1.0, 1.0, count + 1)
    mesh = skfem.MeshQuad.init_tensor(line, line)
    for k in range(1, 6):
        mesh = mesh + skfem.MeshQuad.init_tensor(line + APART * k, line)
    scale = np.array([polar.length / np.pi, around.length / (2.0 * np.pi)])
    low = np.array([polar.low, around.low])
    order = [0, 1] if place == 0 else [1, 0]

    def directions(x):
        """Unit vectors (Q, 3) and their derivatives (Q, 3, 2) by the coordinates of the plane."""
        face = np.clip(np.round(x[:, 0] / APART).astype(int), 0, 5)
        flat = np.stack([x[:, 0] - APART * face, x[:, 1]], axis=1)
        t, slope = np.tan(0.25 * np.pi * flat), 0.25 * np.pi / np.cos(0.25 * np.pi * flat) ** 2
        along, out = FACES[face][:, :2], FACES[face][:, 2]
        p = out + np.einsum("qk,qkd->qd", t, along)
        length = np.linalg.norm(p, axis=1)
        n, dp = p / length[:, None], along.transpose(0, 2, 1) * slope[:, None, :]
        dn = (dp - n[:, :, None] * np.einsum("qd,qdk->qk", n, dp)[:, None, :]) / length[:, None, None]
        return n, dn

    def chart(x):
        n, dn = directions(x)
        ring = np.hypot(n[:, 0], n[:, 1])
        angles = np.stack([np.arctan2(ring, n[:, 2]), np.mod(np.arctan2(n[:, 1], n[:, 0]), 2.0 * np.pi)], axis=1)
        around_axis = (n[:, 0, None] * dn[:, 1] - n[:, 1, None] * dn[:, 0]) / (ring**2)[:, None]
        down = -dn[:, 2] / ring[:, None]
        J = np.stack([down, around_axis], axis=1) * scale[:, None]
        return (low + angles * scale)[:, order], J[:, order]

    def plane(q):
        theta, phi = ((q[:, order] - low) / scale).T
        n = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=1)
        face = np.argmax(n @ FACES[:, 2].T, axis=1)
        ratio = np.einsum("qkd,qd->qk", FACES[face][:, :2], n) / np.einsum("qd,qd->q", FACES[face][:, 2], n)[:, None]
        flat = np.clip(np.arctan(ratio) / (0.25 * np.pi), -1.0, 1.0)
        flat[:, 0] += APART * face
        return flat

    return mesh, chart, plane, lambda x: directions(x)[0]


def _on_walls(spans: Sequence[Range], x: np.ndarray) -> np.ndarray:
    found = np.zeros(len(x), dtype=bool)
    for one, column in zip(spans, x.T, strict=False):
        if one.kind == WALLS:
            found |= np.minimum(column - one.low, one.high - column) <= ONE_NODE * one.length
    return found


def _join(keys: np.ndarray, on_walls: np.ndarray) -> Any:
    """(all, N) with a one where a node of the mesh has an unknown."""
    from scipy.sparse import csr_matrix
    from scipy.spatial import KDTree

    tree = KDTree(keys)
    pairs = tree.query_pairs(ONE_NODE, output_type="ndarray")
    first = np.arange(len(keys))
    if len(pairs):
        from scipy.sparse.csgraph import connected_components

        graph = csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (len(keys), len(keys)))
        first = connected_components(graph, directed=False)[1]
    kept, number = np.unique(first[~on_walls], return_inverse=True)
    rows = np.flatnonzero(~on_walls)
    return csr_matrix((np.ones(len(rows)), (rows, number)), (len(keys), len(kept)))
