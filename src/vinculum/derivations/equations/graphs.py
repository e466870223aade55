"""The equations of motion as graphs over symbols: what numbers, formulas and code are made of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.derivations.equations.loops import Loops
from vinculum.derivations.equations.state import State
from vinculum.derivations.printing.letters import Letter
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model


@final
@dataclass(frozen=True, eq=False)
class Graphs:
    """M (n, n) and h (n,) of M v̇ + h = τ over the symbols of ``state``, and what else a form has.

    ``canonical``: H, q̇ and ṗ of Hamilton's form by name, empty in others. ``make_blocks``: makes the block matrices of a form that has
    them. ``loops``: gaps that vanish, with their multipliers. ``made_by``: function and arguments that make them again in another
    process. ``mass_rates``: ν of every mass that is part of the state, which follows the coordinates of the joints there.
    """

    name: str
    form: str
    state: State
    M: np.ndarray
    h: np.ndarray
    model: Model
    canonical: dict[str, Any]
    make_blocks: Callable[[], dict] | None
    loops: Loops | None
    made_by: tuple[Callable, tuple]
    mass_rates: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def title(self) -> str:
        """Name, form and coordinates in one line."""
        names = ", ".join(self.state.q_names[:6]) + (", …" if len(self.state.q_names) > 6 else "")
        return f"Equations of '{self.name}', form {self.form}, {len(self.state.v)} in {names}"

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of the parameters."""
        return visible(self.model.parameters)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks where the equations differ from the textbook form, and the reason."""
        tree = self.model.tree
        actions = () if tree is None else (one.action for one in tree.actions)
        return tuple(f"{action.called}: {note}" for action in actions for note in action.law.notes())

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies in the order of the block matrices."""
        return tuple(self.model.layout.bodies)

    @property
    def is_varied(self) -> bool:
        """Whether constraints add to the Lagrangian."""
        return self.model.tree is not None and bool(self.model.tree.varied)

    def bordered_form(self) -> tuple[np.ndarray, np.ndarray]:
        """M and h as they are printed: with columns −Bᵀ for the multipliers, and one more row for each gap and for each mass, ṁ − ν = 0."""
        M, h = self._with_gaps()
        n, k = len(M), len(self.mass_rates)
        if not k:
            return M, h
        beside = np.concatenate([M, np.zeros((n, k))], axis=1)
        below = np.concatenate([np.zeros((k, n)), np.eye(k)], axis=1)
        return np.concatenate([beside, below]), np.concatenate([h, -self.mass_rates])

    def _with_gaps(self) -> tuple[np.ndarray, np.ndarray]:
        if self.loops is None:
            return self.M, self.h
        on_accelerations = (self.loops.levels == 2)[:, None]
        held = np.where(on_accelerations, self.loops.J, 0.0)
        below = np.concatenate([held, np.zeros((len(held), len(held)))], axis=1)
        beside = np.concatenate([self.M, self.loops.columns], axis=1)
        return np.concatenate([beside, below]), np.concatenate([self.h, self.loops.gaps])

    def unknowns(self) -> tuple[Letter, ...]:
        """Letters of what the columns of the printed M stand before: accelerations, then multipliers, then rates of masses."""
        tree = self.model.tree
        first = 0 if tree is None else tree.placed
        masses = self.state.q_letters[first : first + len(self.mass_rates)]
        known = self.state.a_letters + (self.loops.letters if self.loops is not None else ())
        return known + tuple(one.dot() for one in masses)

    def leaves(self) -> list[tuple]:
        """Every symbol of the equations with its letter."""
        found = self.state.leaves(self.canonical.get("p", ()))
        return found if self.loops is None else [*found, *zip(self.loops.lam, self.loops.letters, strict=True)]
