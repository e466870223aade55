"""Quadrature rules on unit regions, exact for polynomials up to a stated degree."""

from math import factorial

import numpy as np


def segment(degree: int, low: float = -1.0, high: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Gauss–Legendre points and weights (n,) on an interval."""
    x, w = np.polynomial.legendre.leggauss(degree // 2 + 1)
    half = 0.5 * (high - low)
    return 0.5 * (high + low) + half * x, half * w


def circle(degree: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Equidistant points on the unit circle: cosines, sines and weights (n,)."""
    n = degree + 1
    angle = 2.0 * np.pi * np.arange(n) / n
    return np.cos(angle), np.sin(angle), np.full(n, 2.0 * np.pi / n)


def disc(degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2) and weights (n,) on the unit disc."""
    r, wr = segment(degree + 1, 0.0, 1.0)
    c, s, wc = circle(degree)
    points = np.stack([np.outer(r, c).ravel(), np.outer(r, s).ravel()], axis=1)
    return points, np.outer(wr * r, wc).ravel()


def ball(degree: int, lowest: float = -1.0) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and weights (n,) on the part of the unit ball with polar cosine from ``lowest`` to 1."""
    r, wr = segment(degree + 2, 0.0, 1.0)
    z, wz = segment(degree, lowest, 1.0)
    c, s, wc = circle(degree)
    ring = np.sqrt(1.0 - z * z)
    r, z, ring, turn = (
        np.broadcast_to(a, (len(r), len(z), len(c)))
        for a in (r[:, None, None], z[None, :, None], ring[None, :, None], np.arange(len(c))[None, None, :])
    )
    points = np.stack([r * ring * c[turn], r * ring * s[turn], r * z], axis=-1).reshape(-1, 3)
    weights = (wr * r[:, 0, 0] ** 2)[:, None, None] * wz[None, :, None] * wc[None, None, :]
    return points, weights.ravel()


def prism(base: tuple[np.ndarray, np.ndarray], height: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and weights (n,) on the product of a plane region and a segment."""
    (xy, w), (z, wz) = base, height
    points = np.concatenate([np.repeat(xy, len(z), axis=0), np.tile(z, len(xy))[:, None]], axis=1)
    return points, np.outer(w, wz).ravel()


def simplex_nodes(corners: np.ndarray, sizes: np.ndarray, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and weights (n,) on segments, triangles or tetrahedra with corners (t, d + 1, 3) and sizes (t,)."""
    dimension = corners.shape[1] - 1
    u, wu = segment(degree + dimension - 1, 0.0, 1.0)
    s, w = (np.stack(np.meshgrid(*[a] * dimension, indexing="ij"), -1).reshape(-1, dimension) for a in (u, wu))
    rest = np.cumprod(s, axis=1)
    shares = np.concatenate([np.ones((len(s), 1)), rest], axis=1) - np.concatenate(
        [rest, np.zeros((len(s), 1))], axis=1
    )
    weights = factorial(dimension) * w.prod(1) * np.prod(s ** np.arange(dimension - 1, -1, -1), axis=1)
    points = np.einsum("qk,tki->tqi", shares, corners).reshape(-1, 3)
    return points, (sizes[:, None] * weights).ravel()


def equimomental_points(volume: float, center: np.ndarray, central: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Six points and weights with a volume, a center (3,) and a mean of r rᵀ about it (3, 3): exact up to the degree two."""
    squares, axes = np.linalg.eigh(central)
    arms = (np.sqrt(3.0 * np.maximum(squares, 0.0)) * axes).T
    return center + np.concatenate([arms, -arms]), np.full(6, volume / 6.0)
