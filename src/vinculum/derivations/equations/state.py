"""Variables of the equations: symbols, names and letters of coordinates and velocities."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.printing.letters import Letter
from vinculum.scalars import Scalar


@final
@dataclass(frozen=True, eq=False)
class State:
    """Coordinates ``q``, velocities ``v`` and time ``t`` as symbols, with a name and a letter for each."""

    q: np.ndarray
    v: np.ndarray
    t: Scalar
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]
    q_letters: tuple[Letter, ...]
    v_letters: tuple[Letter, ...]

    @property
    def a_letters(self) -> tuple[Letter, ...]:
        """Letters of the accelerations."""
        return tuple(one.dot() for one in self.v_letters)

    @property
    def p_letters(self) -> tuple[Letter, ...]:
        """Letters of the momenta."""
        one_kind = len({one.base for one in self.q_letters}) == 1 and all(one.subscripts for one in self.q_letters)
        return tuple(Letter("p", one.subscripts if one_kind else (one.base, *one.subscripts)) for one in self.q_letters)

    def leaves(self, momenta=()) -> list[tuple[Scalar, Letter]]:
        """Every symbol with its letter: coordinates, velocities, momenta, time."""
        pairs = [*zip(self.q, self.q_letters, strict=True), *zip(self.v, self.v_letters, strict=True)]
        return [*pairs, *zip(momenta, self.p_letters if len(momenta) else (), strict=True), (self.t, Letter("t"))]
