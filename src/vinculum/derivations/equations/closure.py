"""Closed loops and constraints of the equations in numbers: gaps, multipliers, and accelerations that keep them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.equations.graphs import Graphs
from vinculum.derivations.equations.loops import Loops
from vinculum.derivations.equations.numbers import Numbers
from vinculum.derivations.states import numbers_of
from vinculum.equations.constraints.constrained import bordered_multipliers, least_multipliers
from vinculum.errors import MethodError, RunError, StartError


@final
@dataclass(frozen=True, eq=False, repr=False)
class Closure:
    """The conditions gaps = 0 of M v̇ + h = τ + Jᵀλ, at one state or many. See `Equations`."""

    _graphs: Graphs
    _numbers: Numbers

    def __repr__(self):
        return f"Closure of '{self._graphs.name}', {len(self.gaps)} gaps"

    @property
    def gaps(self) -> tuple[tuple[str, str], ...]:
        """Closing joint and label of every gap, in the order of λ."""
        return self._graphs.loops.names if self._graphs.loops is not None else ()

    def at(self, q, v, *, t=0.0, parameters: Mapping | None = None) -> dict[str, np.ndarray]:
        """``gaps`` (m,), their Jacobian ``J`` (m, n), ``closing_bias`` F̈ at v̇ = 0 (m,), and the forces ``B`` (m, n) of
        unit multipliers."""
        self._loops()
        found = self._numbers.groups("closure", (q, v), t, parameters)
        return {name: found[name] for name in ("gaps", "J", "closing_bias", "B")}

    def multipliers(self, q, v, tau=None, *, t=0.0, parameters: Mapping | None = None) -> np.ndarray:
        """λ of every gap, (m,) or (B, m), of least norm if they are not unique; μ̇ of vakonomic rows."""
        return self.solve(q, v, tau, t=t, parameters=parameters)[1]

    def solve(self, q, v, tau=None, *, t=0.0, parameters: Mapping | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations v̇ (n,) and multipliers λ (m,), or (B, n) and (B, m)."""
        loops, graphs = self._loops(), self._graphs
        found = self._numbers.groups("closure", (q, v), t, parameters)
        one = found["bias"].ndim == 1
        M, h, J, bias, sizes, B = (np.asarray(found[name])[None] if one else found[name]
                                   for name in ("mass_matrix", "bias", "J", "closing_bias", "sizes", "B"))  # fmt: skip
        given = np.zeros_like(h) if tau is None else numbers_of("tau", tau, h.shape[1], graphs.name)
        if given.ndim == 2 and given.shape != h.shape:
            raise StartError(
                f"tau of system '{graphs.name}' has {len(given)} rows for {len(h)} states; give one or as many"
            )
        assert graphs.model.tree is not None
        named = B if graphs.model.tree.is_directed else None
        if graphs.is_varied:
            try:
                a, lam = bordered_multipliers(M, given - h, J, bias, named)
            except np.linalg.LinAlgError as error:
                raise RunError(
                    f"the equations of '{graphs.name}' are singular at this state: multipliers leave some motion without inertia, or "
                    "conditions depend on each other; start elsewhere, or leave one out"
                ) from error
        else:
            a, lam = least_multipliers(M, given - h, J, bias, sizes, named)
        lam = lam * loops.signs
        return (a[0], lam[0]) if one else (a, lam)

    def _loops(self) -> Loops:
        if self._graphs.loops is None:
            raise MethodError(f"'{self._graphs.name}' has no closed loops, so there are no gaps and no multipliers")
        return self._graphs.loops
