"""The Legendre transform of a Lagrangian and its inverse."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.regularity import check_hessian
from vinculum.errors import MethodError, RunError
from vinculum.tolerances.iterations import LEGENDRE_ENOUGH, LEGENDRE_HALVINGS, LEGENDRE_ROUNDS
from vinculum.tolerances.round_off import TWO_ROUND_OFFS


@final
@dataclass(frozen=True, eq=False, repr=False)
class Legendre:
    """The Legendre transform of a Lagrangian L(q, v, t) at a state, from velocities to momenta and back."""

    _numbers: LagrangianNumbers

    def __repr__(self):
        return f"Legendre transform of '{self._numbers.name}'"

    def momentum(self, q, v, t: float = 0.0, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """p = ∂L/∂v (n,). Gołubowska (13), (14)."""
        return self._at(q, v, t, parameters)["p"]

    def energy(self, q, v, t: float = 0.0, parameters: Mapping[str, float] | None = None) -> float:
        """E = v · ∂L/∂v − L. Gołubowska (15)."""
        return float(self._at(q, v, t, parameters)["E"][0])

    def hessian(self, q, v, t: float = 0.0, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """∂²L/∂v∂v (n, n), which must be regular where a motion or a Hamiltonian is asked for. Gołubowska (16)."""
        n = len(self._numbers.coordinates)
        return self._at(q, v, t, parameters)["hessian"].reshape(n, n)

    def velocity(self, q, p, t: float = 0.0, guess=None, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """v (n,) with ∂L/∂v = p, by Newton's method from ``guess`` (zero by default), with steps that are halved until they help."""
        numbers = self._numbers
        p = numbers.vector("p", p)
        v = numbers.vector("guess", np.zeros(len(p)) if guess is None else guess)
        at = self._at(q, v, t, parameters)
        for _ in range(LEGENDRE_ROUNDS):
            H, error = at["hessian"].reshape(len(p), len(p)), p - at["p"]
            check_hessian(numbers.name, H, q, v)
            step, size = np.linalg.solve(H, error), np.abs(error).max()
            if np.abs(step).max() <= TWO_ROUND_OFFS * max(1.0, np.abs(v).max()):
                return v
            for half in range(LEGENDRE_HALVINGS):
                trial = v + step * 0.5**half
                found = self._at(q, trial, t, parameters)
                if np.abs(p - found["p"]).max() < size:
                    v, at = trial, found
                    break
            else:
                if size <= LEGENDRE_ENOUGH * max(1.0, np.abs(p).max()):
                    return v
                break
        raise RunError(
            f"system '{numbers.name}': no velocity with the momenta {p.tolist()} was found, Newton's method ended at "
            f"{np.round(v, 9).tolist()}; give a guess nearer to it"
        )

    def hamiltonian(self, q, p, t: float = 0.0, guess=None, parameters: Mapping[str, float] | None = None) -> float:
        """H(q, p) = E at the velocities that have these momenta. Gołubowska (17), (18)."""
        return self.energy(q, self.velocity(q, p, t, guess, parameters), t, parameters)

    def _at(self, q, v, t: float, parameters: Mapping[str, float] | None) -> dict[str, np.ndarray]:
        """Momenta ``p`` = ∂L/∂v, ``hessian`` and energy ``E`` = v · p − L. Gołubowska (13)–(16)."""
        numbers, principle = self._numbers, self._numbers.principle
        if principle.jet.order(principle.L) > 1:
            raise MethodError(
                f"system '{numbers.name}': its Lagrangian is of order {principle.jet.order(principle.L)}, and the Legendre transform from "
                "(q, v) to (q, p) is for the first; its motions have Ostrogradsky's momenta and energy"
            )
        row = np.concatenate([numbers.vector("q", q), numbers.vector("v", v), [float(t)], numbers.values(parameters)])
        return {name: x[0] for name, x in evaluate_groups(numbers.legendre, row[None]).items()}
