"""Hamilton's equations in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.derivations.equations.graphs import Graphs
from vinculum.derivations.equations.numbers import Numbers
from vinculum.errors import MethodError


@final
@dataclass(frozen=True, eq=False, repr=False)
class CanonicalEquations:
    """q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q at one state or many; only Hamilton's form has them. See `Equations`."""

    _graphs: Graphs
    _numbers: Numbers

    def __repr__(self):
        return f"CanonicalEquations of '{self._graphs.name}'"

    def momenta(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """p = ∂T/∂q̇, (n,) or (B, n)."""
        return self._evaluate("momenta", (q, v), t, parameters)

    def hamiltonian(self, q, p, *, t=0.0, parameters: Mapping | None = None) -> Any:
        """H(q, p) [J], a number or (B,)."""
        return self._evaluate("hamiltonian", (q, p), t, parameters)[..., 0][()]

    def velocities(self, q, p, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """q̇ = ∂H/∂p, (n,) or (B, n)."""
        return self._evaluate("velocities", (q, p), t, parameters)

    def momenta_rates(self, q, p, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """ṗ = −∂H/∂q + Q, (n,) or (B, n)."""
        return self._evaluate("momenta_rates", (q, p), t, parameters)

    def _evaluate(self, what: str, inputs: tuple, t, parameters) -> np.ndarray:
        if not self._graphs.canonical:
            raise MethodError(f"the form '{self._graphs.form}' has no momenta; use derive(system, form=\"hamilton\")")
        return self._numbers.one(what, inputs, t, parameters)
