"""Hénon and Heiles: order and chaos on a section, energies of symplectic methods, and Lyapunov exponents that pair."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import vinculum as vc

h = vc.hamiltonian
ENERGY, NAME = 1 / 8, "Hénon–Heiles"


def potential(x, y):
    return (x**2 + y**2) / 2 + x**2 * y - y**3 / 3


def system() -> h.Hamiltonian:
    return h.Hamiltonian(NAME, ["x", "y"], lambda p, x, y: p @ p / 2 + potential(x, y))


def draw(q):
    """A point on the surface of the potential, for a view."""
    return [(*q, potential(*q))]


def starts(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random states on the section x = 0 with one energy."""
    y, p_y = np.random.default_rng(2).uniform(-0.5, 0.7, (2, 40 * count))
    square = 2 * ENERGY - y**2 + 2 * y**3 / 3 - p_y**2
    y, p_y, p_x = (x[square > 0][:count] for x in (y, p_y, np.sqrt(np.maximum(square, 0))))
    return np.stack([0 * y, y], axis=1), np.stack([p_x, p_y], axis=1)


def main(folder: Path, count: int = 40, until: float = 3000.0) -> tuple[Any, vc.LagrangianMotion]:
    """The spectra of random starts, and the most chaotic motion for a while."""
    H, (q, p) = system(), starts(count)
    section = h.poincare_section(H, lambda x: x, q, p, until, count=400, tolerance=1e-10)
    grid = np.geomspace(until / 100, until, 40)
    spectrum = h.lyapunov_spectrum(H, until, q, p, grid=grid, tolerance=1e-11)
    largest = spectrum.exponents[:, 0]
    print(f"pairs to {np.abs(spectrum.exponents + spectrum.exponents[:, ::-1]).max():.1e}")

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    axes = figure.subplots(1, 3)
    colors = np.repeat(np.log10(largest), section.time.shape[1])
    dots = axes[0].scatter(section.q[..., 1], section.p[..., 1], s=0.4, c=colors, cmap="viridis")
    figure.colorbar(dots, ax=axes[0], label="log₁₀ of the largest exponent")
    axes[0].set(title=f"section x = 0, H = {ENERGY}", xlabel="y", ylabel="$p_y$")
    for k in range(count):
        axes[1].loglog(
            spectrum.time, np.abs(spectrum.history[k, :, 0]), lw=0.7, color=dots.to_rgba(np.log10(largest[k]))
        )
    axes[1].loglog(spectrum.time, np.log(spectrum.time) / spectrum.time, "k--", lw=1, label="ln t / t")
    axes[1].set(title="largest exponent up to t", xlabel="t")
    axes[1].legend()
    for method, order, step in (("gauss", 4, 0.3), ("gauss", 8, 0.6), ("splitting", 4, 0.3), ("splitting", 8, 0.6)):
        motion = h.integrate(H, until, q[0], p[0], step=step, method=method, order=order, every=20)
        axes[2].semilogy(
            motion.time[1:], np.abs(motion.energy[1:] - motion.energy[0]), lw=0.6, label=f"{method} {order}, h = {step}"
        )
    axes[2].set(title="error of the energy", xlabel="t")
    axes[2].legend(loc="lower right", fontsize=8)
    figure.savefig(folder / "henon_heiles.png", dpi=120)
    moving = vc.LagrangianSystem(NAME, ["x", "y"], lambda q, v, x, y: v @ v / 2 - potential(x, y))
    return spectrum, vc.simulate(moving, 150.0, (q[largest.argmax()], p[largest.argmax()]))


if __name__ == "__main__":
    main(Path.cwd())
