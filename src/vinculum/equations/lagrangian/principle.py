"""A Lagrangian system as graphs over one jet: L, the forces D, and the constraints with their realizations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import AddedInertia, Chetaev, DAlembert, Penalty, Realization, Vakonomic, ViscousFriction
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, depends_on, gradient, jacobian, parameters, substitute, symbols, vector
from vinculum.systems.jets import Jet, JetFunction, jet_of

KNOWN = (DAlembert, Chetaev, Penalty, ViscousFriction, AddedInertia)


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """A constraint: its name, the order of the derivatives in it, its rows F (k,), and how it is realized."""

    name: str
    level: int
    F: np.ndarray
    realization: Realization

    @property
    def is_vakonomic(self) -> bool:
        return isinstance(self.realization, Vakonomic)

    def own_multipliers(self) -> np.ndarray:
        """Multipliers (k,) that follow from the violation F itself, of a constraint that nothing holds exactly."""
        z = symbols("F", len(self.F))
        added = self.realization.lagrangian(z, np.zeros(0))
        if added is None:
            return vector(self.realization.multipliers(self.F))
        return substitute(vector(gradient(added, z)), z, self.F)

    def multiplier_names(self) -> list[str]:
        """A name for the multiplier of every row."""
        base = f"lambda_{self.name}"
        return [base] if len(self.F) == 1 else [f"{base}_{i + 1}" for i in range(len(self.F))]


@final
@dataclass(frozen=True, eq=False)
class Principle:
    """``order`` N: the highest derivative in L and in vakonomic constraints. ``L`` holds the energy of penalties and of
    added inertia, ``D`` (n,) the friction of constraints. ``stationary``: vakonomic rows, whose multipliers are those of ``jet``;
    ``ideal``: rows whose multipliers ``reactions`` follow from the state; ``loose``: rows that nothing holds exactly; ``idle``: names of
    constraints that are always zero, with how many rows they have."""

    jet: Jet
    order: int
    L: Any
    D: np.ndarray
    stationary: tuple[Rows, ...]
    ideal: tuple[Rows, ...]
    loose: tuple[Rows, ...]
    reactions: np.ndarray
    idle: tuple[tuple[str, int], ...] = ()

    @property
    def n(self) -> int:
        return len(self.jet.levels[0])

    @property
    def highest(self) -> np.ndarray:
        """The N-th derivatives (n,)."""
        return self.jet.levels[self.order]

    def stationary_rows(self) -> np.ndarray:
        """F (m,) of all vakonomic constraints."""
        return _concatenate([rows.F for rows in self.stationary])

    def whole(self) -> Any:
        """L̃ = L + λF, whose action is stationary. Gołubowska (48), (92)."""
        return self.L + self.jet.multipliers[0] @ self.stationary_rows() if self.stationary else self.L

    def directions(self) -> np.ndarray:
        """Rows (k, n) along which the reactions of ideal constraints act: ∂F/∂q on positions, ∂F/∂v on velocities."""
        found = [jacobian(rows.F, self.jet.levels[rows.level]) for rows in self.ideal]
        return np.concatenate([np.zeros((0, self.n)), *found])

    def parameters(self) -> dict[str, float]:
        """Names and default values."""
        every = [self.L, *self.D, *(x for rows in (*self.stationary, *self.ideal, *self.loose) for x in rows.F), 0.0]
        return parameters(np.array(every, dtype=object))


def principle_of(
    where: str,
    coordinates: Sequence[str],
    lagrangian: JetFunction,
    dissipation: JetFunction | None,
    constraints: Mapping[str, tuple[JetFunction, Realization]],
) -> Principle:
    """The principle of functions, whose orders and realizations are checked against each other."""
    asked = [lagrangian, *(f for f, _ in constraints.values()), *([dissipation] if dissipation else [])]
    trial = jet_of(coordinates, max(f.order for f in asked) + 1)
    L = lagrangian.one(trial.levels, trial.t)
    order = max(trial.order(L), 1)
    levels, idle = {}, []
    for name, (function, realization) in constraints.items():
        F = function.row(trial.levels, trial.t)
        levels[name] = trial.order(F)
        if not any(isinstance(x, Scalar) or x != 0.0 for x in F):
            idle.append((name, len(F)))
            continue
        if levels[name] < 0:
            raise ModelError(
                f"{function.where}: it does not depend on the coordinates; it constrains nothing that moves"
            )
        if isinstance(realization, Vakonomic):
            order = max(order, levels[name])
    constraints = {name: one for name, one in constraints.items() if name not in dict(idle)}
    for name, (function, realization) in constraints.items():
        _check(function.where, levels[name], order, realization, function.row(trial.levels, trial.t), trial)
    named = [Rows(name, levels[name], function.row(trial.levels, trial.t), realization)
             for name, (function, realization) in constraints.items()]  # fmt: skip
    free = [x for rows in named if rows.is_vakonomic for x in rows.multiplier_names()]
    kept = [x for rows in named if not rows.is_vakonomic and rows.realization.holds for x in rows.multiplier_names()]
    jet = jet_of(coordinates, max(2 * order, len(trial.levels)), free, order)
    own = jet_of(kept, 0)
    L = lagrangian.one(jet.levels, jet.t)
    made = [
        Rows(rows.name, rows.level, constraints[rows.name][0].row(jet.levels, jet.t), rows.realization)
        for rows in named
    ]
    n = len(coordinates)
    D = vector(dissipation.row(jet.levels, jet.t, n)) if dissipation else np.zeros(n)
    if jet.order(D) > order:
        raise ModelError(
            f"{where}: its dissipation depends on derivatives of order {jet.order(D)}, beyond {order} of its Lagrangian"
        )
    loose = [rows for rows in made if not rows.realization.holds]
    for rows in loose:
        added = rows.realization.lagrangian(rows.F, np.zeros(0))
        L = L - rows.realization.energy(rows.F) + (0.0 if added is None else added)
        if rows.level == 1:
            D = D + rows.realization.multipliers(rows.F) @ jacobian(rows.F, jet.levels[1])
    return Principle(jet, order, L, vector(D), tuple(rows for rows in made if rows.is_vakonomic),
                     tuple(rows for rows in made if rows.realization.holds and not rows.is_vakonomic), tuple(loose),
                     own.levels[0], tuple(idle))  # fmt: skip


def _check(where: str, level: int, order: int, realization: Realization, F: np.ndarray, jet: Jet) -> None:
    if isinstance(realization, Vakonomic):
        if level == 0:
            raise ModelError(
                f"{where}: on positions the vakonomic realization is d'Alembert's, whose multipliers are not free; use "
                "vc.DAlembert(), or the constraint's time derivative with vc.Vakonomic"
            )
        if level < order:
            raise ModelError(
                f"{where}: it is of order {level}, and the Lagrangian or another vakonomic constraint of order {order}; give its "
                f"time derivative of order {order}"
            )
        return
    if not isinstance(realization, KNOWN):
        raise ModelError(
            f"{where}: {type(realization).__name__} is not made for Lagrangian systems; use vc.DAlembert, Chetaev, "
            "Vakonomic, Penalty, ViscousFriction or AddedInertia"
        )
    if level > 2:
        raise ModelError(f"{where}: it is of order {level}, for which only vc.Vakonomic is defined")
    is_linear = level != 1 or not depends_on(np.append(jacobian(F, jet.levels[1]).ravel(), 0.0), jet.levels[1])
    realization.check(where, level, is_linear, len(F))
    if level == 2:
        raise ModelError(
            f"{where}: it is on accelerations, for which a Lagrangian system has vc.Vakonomic(multipliers=…) alone; "
            "vc.Chetaev() and vc.Servo(…) keep such constraints of bodies and joints, in a vc.System"
        )
    if order > 1:
        raise ModelError(
            f"{where}: its realization is made for principles of first order, and this one is of order {order}; give its time "
            f"derivative of order {order} with vc.Vakonomic"
        )


def _concatenate(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *parts])
