"""What happens where boundaries are touched: shocks, and which of them press afterwards."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds.boundaries import SLIDES, STICKS
from vinculum.kernels.evaluate import evaluate, evaluate_groups
from vinculum.kernels.model import Model
from vinculum.kernels.shock_laws import impulses, inverse_on_bonds, shock
from vinculum.motion.moreau import Laws

TOUCHING = 1e-10
STILL = 1e-10
PRESSING = 1e-12
RESIDUAL = 1e-13
SWEEPS = 100_000


@final
@dataclass(frozen=True, eq=False)
class Contacts:
    """All boundaries at one state: gaps (m,), speeds u = H v + drift (3 m,), slopes H, biases, and the inverse inertia K on the bonds."""

    gaps: np.ndarray
    speeds: np.ndarray
    slopes: np.ndarray
    biases: np.ndarray
    K: np.ndarray
    rates: np.ndarray


@final
class Touching:
    """The boundaries of a model with their laws, asked at states of a run. ``size`` [m] and ``speed`` [m/s] tell what is small."""

    def __init__(self, model: Model, values: np.ndarray):
        assert model.tree is not None
        self.model, self._values = model, values
        self.laws = Laws(model.tree)
        self.names = list(model.layout["boundaries"])
        self.size, self.speed = 1e-3, 1e-6

    def at(self, t: float, state: np.ndarray) -> Contacts:
        row = np.concatenate([state, [t], self._values])[None]
        found = {name: x[0] for name, x in evaluate_groups(self.model.tape("contacts"), row).items()}
        nv = self.model.nv
        H, M = found["slopes"].reshape(-1, nv), found["mass_matrix"].reshape(nv, nv)
        K = inverse_on_bonds(M, found["bilateral"].reshape(-1, nv))
        rates = evaluate(self.model.tape("motion"), row)[0, self.model.nq :]
        v = state[self.model.nq :]
        self.size = max(self.size, float(np.abs(state[: self.model.nq]).max(initial=0.0)))
        self.speed = max(self.speed, float(np.abs(v).max(initial=0.0)))
        return Contacts(found["gaps"], H @ v + found["drifts"], H, found["biases"], K, rates)

    def touched(self, here: Contacts) -> np.ndarray:
        """Which gaps are zero."""
        return here.gaps <= TOUCHING * max(1.0, self.size)

    def after_shock(self, here: Contacts, v: np.ndarray, slow: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Velocities after a shock and percussions (3 m,); None if nothing approaches. Approaches below ``slow`` [m/s] are soft."""
        chosen = np.flatnonzero(self.touched(here))
        approach = here.speeds[3 * chosen]
        if not np.any(approach < -STILL * self.speed):
            return None
        places = (3 * chosen[:, None] + np.arange(3)).ravel()
        J, u = here.slopes[places], here.speeds[places]
        W, P = J @ here.K @ J.T, np.zeros(len(places))
        e = np.where(approach > -slow, 0.0, self.laws.ratios[chosen])
        shock(W, u, u, self.laws.kinds[chosen], e, self.laws.friction[chosen], P, RESIDUAL, SWEEPS)
        every = np.zeros(len(here.speeds))
        every[places] = P
        return v + here.K @ (J.T @ P), every

    def pressing(self, here: Contacts) -> dict[str, str]:
        """Boundaries that are closed, stay closed and press, and whether they slide or stick.

        Where nothing parts, forces and accelerations obey the same law as impulses and speeds.
        """
        u = here.speeds.reshape(-1, 3)
        tight = self.touched(here) & (np.abs(u[:, 0]) <= STILL * self.speed)
        chosen = np.flatnonzero(tight)
        if not len(chosen):
            return {}
        places = (3 * chosen[:, None] + np.arange(3)).ravel()
        J = here.slopes[places]
        W = J @ here.K @ J.T
        free = J @ here.rates + here.biases[places]
        friction = self.laws.friction[chosen].copy()
        slipping = (friction[:, 0] >= 0.0) & (np.hypot(u[chosen, 1], u[chosen, 2]) > STILL * self.speed)
        for k in np.flatnonzero(slipping):
            a, b = friction[k]
            way = np.array([a * a * u[chosen[k], 1], b * b * u[chosen[k], 2]])
            size = np.hypot(a * u[chosen[k], 1], b * u[chosen[k], 2])
            drag = way / size if size > 0.0 else np.zeros(2)
            W[:, 3 * k] -= W[:, 3 * k + 1 : 3 * k + 3] @ drag
            friction[k] = -1.0
        force = np.zeros(len(places))
        nothing = np.zeros(len(chosen))
        impulses(W, free, nothing, nothing, friction, force, RESIDUAL, SWEEPS)
        found = {}
        for k, c in enumerate(chosen):
            normal = force[3 * k]
            if normal <= PRESSING * np.abs(force).max(initial=0.0) or normal <= 0.0:
                continue
            status = SLIDES
            if friction[k, 0] >= 0.0:
                a, b = np.maximum(friction[k], 1e-300) * normal
                inside = (force[3 * k + 1] / a) ** 2 + (force[3 * k + 2] / b) ** 2
                status = STICKS if inside < 1.0 - 1e-9 else SLIDES
            found[self.names[c]] = status
        return found
