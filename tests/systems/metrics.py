"""Metrics with known geometry, and random ones."""

import numpy as np

import vinculum as vc
from vinculum import math as m


def sphere(radius=1.0) -> vc.geometry.Metric:
    return vc.geometry.Metric(
        "sphere", ["theta", "phi"], lambda theta: [[radius**2, 0.0], [0.0, radius**2 * m.sin(theta) ** 2]],
        domain=lambda theta: m.sin(theta),
    )  # fmt: skip


def half_plane() -> vc.geometry.Metric:
    return vc.geometry.Metric(
        "half-plane", ["x", "y"], lambda y: [[1.0 / y**2, 0.0], [0.0, 1.0 / y**2]], domain=lambda y: y
    )


def torus(R=2.0, r=0.7) -> vc.geometry.Metric:
    return vc.geometry.Metric(
        "torus", ["theta", "phi"], lambda theta: [[r**2, 0.0], [0.0, (R + r * m.cos(theta)) ** 2]]
    )


def euclidean(names=("x", "y", "z")) -> vc.geometry.Metric:
    return vc.geometry.Metric("space", names, lambda: np.eye(len(names)))


def polar() -> vc.geometry.Metric:
    return euclidean(("x", "y")).restrict(
        lambda r, phi: (r * m.cos(phi), r * m.sin(phi)), ["r", "phi"], "polar", lambda r: r
    )


def schwarzschild(mass=0.3) -> vc.geometry.Metric:
    """Space around a mass, as in the metric of Schwarzschild at one instant."""
    return vc.geometry.Metric(
        "space of Schwarzschild", ["r", "theta", "phi"],
        lambda r, theta: np.diag([1.0 / (1.0 - 2.0 * mass / r), r**2, (r * m.sin(theta)) ** 2]), domain=lambda r: r - 2.0 * mass,
    )  # fmt: skip


def ellipsoid(a=1.0, b=1.4, c=0.7) -> vc.geometry.Metric:
    return euclidean().restrict(
        lambda u, w: (a * m.cos(u) * m.cos(w), b * m.sin(u) * m.cos(w), c * m.sin(w)),
        ["u", "w"],
        "ellipsoid",
        lambda w: m.cos(w),
    )


def random_metric(n: int, seed: int) -> vc.geometry.Metric:
    """A metric E Eᵀ with random smooth frames E, near the identity."""
    rng = np.random.default_rng(seed)
    A, B, C = 0.25 * rng.normal(size=(n, n)), 0.5 * rng.normal(size=(n, n, n)), rng.uniform(0.0, 6.0, (n, n))

    def components(q):
        phase = np.einsum("ijk,k->ij", B, q) + C
        E = np.eye(n) + A * m.sin(phase)
        return E @ E.T

    return vc.geometry.Metric(f"random {n}", [f"x{i}" for i in range(n)], components)


def random_field(shape: tuple[int, ...], n: int, seed: int):
    """A smooth function of q with random numbers, of a shape."""
    rng = np.random.default_rng(seed)
    A, B, C = rng.normal(size=shape), 0.7 * rng.normal(size=(*shape, n)), rng.uniform(0.0, 6.0, shape)

    def field(q):
        return A * m.sin(np.tensordot(B, q, axes=1) + C)

    return field
