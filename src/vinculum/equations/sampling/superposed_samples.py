"""Random positions and velocities of bodies, and functions of them before and after a superposed rigid motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bodies.kinematics import BodyKinematics
from vinculum.equations.sampling.states import Sampling
from vinculum.screws import exp
from vinculum.systems import FreeViews
from vinculum.tolerances.samples import SAMPLES_OF_A_SCALE

SCALES = (1.0, 0.1, 10.0)
SEED = 20011002
LEVEL, UPRIGHT = np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
"""Vectors in the plane x-y, and across it."""


@final
@dataclass(frozen=True, eq=False)
class Placed:
    """``count`` samples of n bodies: ``x``, ``v``, ``w`` (count, n, 3), ``R`` (count, n, 3, 3) and instants ``t`` (count,).

    A body that deforms is at R A with the ``stretches`` A, and its deformation has the ``rates``, (count, n, 3, 3) each. ``flat``: all
    bodies stay in the x-y plane."""

    x: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray
    t: np.ndarray
    stretches: np.ndarray
    rates: np.ndarray
    flat: bool = False

    def of(self, outputs, free: FreeViews, parameters: Mapping[str, float]) -> np.ndarray:
        """Graphs over the symbols of ``free`` at every sample, (count, *shape)."""
        columns = {id(free.t): self.t}
        for i, ((x, R), (v, w), kind) in enumerate(zip(free.places, free.motions, free.kinematics, strict=True)):
            for letters, numbers in ((x, self.x), (v, self.v)):
                columns |= {id(letter): numbers[:, i, k] for k, letter in enumerate(letters)}
            places, rates = (
                (self.R[:, i] @ self.stretches[:, i], self.rates[:, i]) if kind.deforms else (self.R[:, i], None)
            )
            columns |= self._letters(kind, R, places) if R.dtype == object else {}
            if rates is None:
                columns |= {id(letter): self.w[:, i, k] for k, letter in enumerate(w)}
            else:
                columns |= self._letters(kind, kind.matrix_rate(R, w), rates)
        fixed = {name: np.full(len(self.t), float(x)) for name, x in parameters.items()}
        none = np.zeros(0, dtype=object)
        return Sampling(none, none, free.t, columns, fixed, len(self.t)).of(outputs)

    @staticmethod
    def _letters(kind: BodyKinematics, matrix: np.ndarray, numbers: np.ndarray) -> dict:
        """Columns of numbers (count, 3, 3) for the free entries of a matrix of symbols."""
        columns = [numbers[:, i, k] for i in range(3) for k in range(3)]
        chosen = kind.free_entries(np.arange(9).reshape(3, 3))
        return {id(letter): columns[int(k)] for letter, k in zip(kind.free_entries(matrix), chosen, strict=True)}


@final
@dataclass(frozen=True, eq=False)
class Superposed:
    """Rigid motions x⁺ = S x + s, R⁺ = S R, t⁺ = t + a with Ṡ Sᵀ = spin^× and ṡ; one for each sample.

    O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (8), (9).
    """

    S: np.ndarray
    s: np.ndarray
    a: np.ndarray
    spin: np.ndarray
    s_dot: np.ndarray

    def on(self, at: Placed) -> Placed:
        """The samples after the motion."""
        x = self.turn(at.x)
        v = self.turn(at.v) + np.cross(self.spin[:, None], x) + self.s_dot[:, None]
        w = self.turn(at.w) + self.spin[:, None]
        R, rates = (np.einsum("sij,snjk->snik", self.S, one) for one in (at.R, at.rates))
        rates = rates + np.cross(self.spin[:, None, None], np.swapaxes(R @ at.stretches, 2, 3)).swapaxes(2, 3)
        return Placed(x + self.s[:, None], R, v, w, at.t + self.a, at.stretches, rates, at.flat)

    def turn(self, vectors: np.ndarray) -> np.ndarray:
        """S applied to vectors (count, n, 3)."""
        return np.einsum("sij,snj->sni", self.S, vectors)

    def parts(self) -> dict[str, "Superposed"]:
        """The same with a translation, a rotation or a shift of time alone."""
        still = replace(self, S=np.broadcast_to(np.eye(3), self.S.shape), s=0 * self.s, a=0 * self.a,
                        spin=0 * self.spin, s_dot=0 * self.s_dot)  # fmt: skip
        return {"translation": replace(still, s=self.s), "rotation": replace(still, S=self.S),
                "time": replace(still, a=self.a)}  # fmt: skip


def random_places(free: FreeViews, scales: Sequence[float] = SCALES, each: int = SAMPLES_OF_A_SCALE) -> Placed:
    """Samples of bodies that are about 1 m, 10 cm and 10 m apart; the first ``each`` are those at 1 m."""
    rng, flat = np.random.default_rng(SEED), any(kind.is_planar for kind in free.kinematics)
    sizes = np.repeat(scales, each)[:, None, None]
    shape = (len(sizes), len(free.places), 3)
    axes = rng.normal(size=shape) * (UPRIGHT if flat else 1.0)
    R = np.array([[exp(w) for w in row] for row in axes], dtype=float).reshape(*shape, 3)
    x, v, w = rng.normal(size=(3, *shape))
    t = rng.uniform(0.2, 3.0, len(sizes))
    skewed, rates = 0.2 * rng.normal(size=(2, *shape, 3))
    stretches = np.eye(3) + 0.5 * (skewed + skewed.swapaxes(2, 3))
    if flat:
        x, v, w = x * LEVEL, v * LEVEL, w * UPRIGHT
        stretches[..., 2, :], stretches[..., :, 2], rates[..., 2, :], rates[..., :, 2] = UPRIGHT, UPRIGHT, 0.0, 0.0
    return Placed(x * sizes, R, v * sizes, w, t, stretches, rates, flat)


def random_motions(at: Placed, still: bool = True) -> Superposed:
    """One motion for each sample, as large as the distances there. ``still``: with Ṡ = 0, ṡ = 0."""
    rng = np.random.default_rng(SEED + 1)
    count = len(at.t)
    size = np.abs(at.x).max(axis=(1, 2))[:, None]
    S = np.array([exp(w) for w in rng.normal(size=(count, 3))], dtype=float)
    s, spin, s_dot = rng.normal(size=(3, count, 3))
    if at.flat:
        S = np.array([exp(w * UPRIGHT) for w in rng.normal(size=(count, 3))], dtype=float)
        s, spin, s_dot = s * LEVEL, spin * UPRIGHT, s_dot * LEVEL
    a = rng.uniform(0.3, 2.0, count)
    return Superposed(S, s * size, a, *((0 * spin, 0 * s_dot) if still else (spin, s_dot * size)))


def finite_changes(
    function: Any, free: FreeViews, parameters: Mapping[str, float], at: Placed, reach: np.ndarray
) -> dict[str, float]:
    """The largest |Ψ⁺ − Ψ| at samples, relative to Ψ: by translations, rotations, shifts of time, and all at once.

    ``reach`` (count,): how far Ψ may change over the distances there, in case that it is itself a difference of large terms.
    """
    motion = random_motions(at)
    before = at.of([function], free, parameters)[:, 0]
    found = {}
    for what, part in {**motion.parts(), "all": motion}.items():
        after = part.on(at).of([function], free, parameters)[:, 0]
        sound = np.isfinite(before) & np.isfinite(after)
        size = np.maximum(np.maximum(np.abs(before), np.abs(after)), np.where(np.isfinite(reach), reach, 0.0))
        change = np.abs(after - before) / np.maximum(size, np.finfo(float).tiny)
        found[what] = float(change[sound].max(initial=0.0))
    return found
