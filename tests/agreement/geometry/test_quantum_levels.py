"""Levels on curves and surfaces with random metrics and potentials, next to pseudospectral matrices written here."""

import numpy as np
import pytest
from scipy.linalg import eigh

import vinculum as vc
from vinculum import math as m

Q = vc.geometry.Quantization
AROUND = (0.0, 2.0 * np.pi, "periodic")
SEEDS = [0, 1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]


class Waves:
    """A sum of random waves, in NumPy and in `vc.math`."""

    def __init__(self, rng, count: int, size: float):
        self.terms = list(zip(rng.integers(1, 4, count).tolist(), rng.uniform(-size, size, count).tolist(),
                              rng.uniform(0, 6, count).tolist(), strict=True))  # fmt: skip

    def __call__(self, x, math=m):
        return sum(a * math.cos(k * x + b) for k, a, b in self.terms)


def fourier(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points around a circle, an odd number, and the matrix that differentiates trigonometric polynomials."""
    j = np.arange(count)
    apart = j[:, None] - j
    with np.errstate(divide="ignore"):
        D = np.where(apart == 0, 0.0, 0.5 * (-1.0) ** apart / np.sin(apart * np.pi / count))
    return 2.0 * np.pi * j / count, D


@pytest.mark.parametrize("seed", SEEDS)
def test_levels_and_packets_on_a_circle(seed):
    rng = np.random.default_rng(seed)
    length, V, mass, hbar = Waves(rng, 2, 0.3), Waves(rng, 3, 2.0), rng.uniform(0.3, 2.0), rng.uniform(0.5, 2.0)
    x, D = fourier(121)
    root = np.sqrt(1.2 + length(x, np))
    K = hbar**2 / (2.0 * mass) * D.T @ np.diag(1.0 / root) @ D + np.diag(root * V(x, np))
    levels, states = eigh(K, np.diag(root))
    metric = vc.geometry.Metric("circle", ["x"], lambda x: [[1.2 + length(x)]])
    ring = Q(metric, {"x": AROUND}, lambda x: V(x), mass=mass, hbar=hbar)
    assert ring.states(6).levels == pytest.approx(levels[:6], abs=1e-9)
    psi, t = (lambda q: np.exp(2.0 * (np.cos(q[:, 0] - 1.0) - 1.0) + 2j * q[:, 0])), 0.7
    first = psi(x[:, None])
    first = first / np.sqrt(np.mean(root * np.abs(first) ** 2) * 2.0 * np.pi)
    later = states @ (np.exp(-1j * levels * t / hbar) * (states.T @ (root * first)))
    packet = ring.evolve(psi, [0.0, t])
    assert np.abs(packet.values(x[:, None])[1]) == pytest.approx(np.abs(later), abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_levels_on_a_torus(seed):
    rng = np.random.default_rng(seed)
    R, r, V, W = rng.uniform(1.6, 3.0), rng.uniform(0.4, 1.0), Waves(rng, 2, 1.0), Waves(rng, 2, 0.5)
    x, D = fourier(27)
    u, w = (a.ravel() for a in np.meshgrid(x, x, indexing="ij"))
    rho, one = R + r * np.cos(u), np.eye(len(x))
    Du, Dw = np.kron(D, one), np.kron(one, D)
    K = 0.5 * (Du.T @ (rho[:, None] / r * Du) + Dw.T @ (r / rho[:, None] * Dw))
    K += np.diag(r * rho * (V(u, np) + W(w, np) + 0.3 * np.cos(u - w)))
    levels = eigh(K, np.diag(r * rho), eigvals_only=True, subset_by_index=[0, 6])
    torus = vc.geometry.Embedding(
        "torus", ["u", "w"], lambda u, w: ((R + r * m.cos(u)) * m.cos(w), (R + r * m.cos(u)) * m.sin(w), r * m.sin(u))
    )
    found = Q(torus, {"u": AROUND, "w": AROUND}, lambda u, w: V(u) + W(w) + 0.3 * m.cos(u - w)).states(7)
    assert found.levels == pytest.approx(levels, abs=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_levels_on_a_surface_of_revolution_like_a_sphere(seed):
    """ρ = sin ϑ (1 + e cos ϑ), z = c cos ϑ; sin^l ϑ times Legendre polynomials for each momentum l about the axis."""
    rng = np.random.default_rng(seed)
    c, e, a, b = rng.uniform(0.6, 1.6), rng.uniform(-0.3, 0.3), *rng.uniform(-2, 2, 2)
    x, w = np.polynomial.legendre.leggauss(80)
    theta, w = 0.5 * np.pi * (x + 1.0), 0.5 * np.pi * w
    s, k = np.sin(theta), np.cos(theta)
    rho, arc = s * (1.0 + e * k), np.hypot(k + e * (k**2 - s**2), c * s)
    levels = []
    for l in range(5):
        bases = [np.polynomial.legendre.Legendre.basis(j) for j in range(22)]
        B = np.array([s**l * one(k) for one in bases])
        dB = np.array([-(s ** (l + 1)) * one.deriv()(k) + l * s ** max(l - 1, 0) * k * one(k) for one in bases])
        K = 0.5 * ((dB * (w * rho / arc)) @ dB.T + l**2 * (B * (w * arc / rho)) @ B.T)
        K += (B * (w * arc * rho * (a * k + b * k**2))) @ B.T
        sizes, U = np.linalg.eigh((B * (w * arc * rho)) @ B.T)
        S = (U / np.sqrt(sizes))[:, sizes > 1e-11 * sizes[-1]]
        levels += (1 if l == 0 else 2) * np.linalg.eigvalsh(S.T @ K @ S)[:8].tolist()
    pear = vc.geometry.Embedding(
        "pear", ["theta", "phi"],
        lambda theta, phi: (m.sin(theta) * (1 + e * m.cos(theta)) * m.cos(phi), m.sin(theta) * (1 + e * m.cos(theta)) * m.sin(phi),
                            c * m.cos(theta)),
    )  # fmt: skip
    found = Q(
        pear, {"theta": (0, np.pi, "poles"), "phi": AROUND}, lambda theta: a * m.cos(theta) + b * m.cos(theta) ** 2
    )
    assert found.states(8).levels == pytest.approx(np.sort(levels)[:8], abs=1e-8)
