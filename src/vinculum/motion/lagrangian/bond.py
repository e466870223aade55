"""View of one constraint of a Lagrangian motion."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import StartError
from vinculum.motion.reactions.work import accumulated_work


@final
@dataclass(frozen=True, eq=False)
class LagrangianBondMotion:
    """A constraint on the grid of a motion."""

    motion: Any
    name: str

    def __repr__(self):
        return f"constraint '{self.name}' on {self.motion!r}"

    @property
    def multiplier(self) -> np.ndarray:
        """λ (T, rows), (T,) where there is one row; of penalties and friction −κF, of added inertia κF."""
        own = next(entry for entry in self.motion.constrained if entry.name == self.name)
        kind, rows, report = own.multipliers, own.rows, self.motion._report
        if kind == "loose":
            found = report[f"multiplier {self.name}"]
        else:
            alike = [entry for entry in self.motion.constrained if entry.multipliers == kind]
            first = sum(entry.rows for entry in alike[: [entry.name for entry in alike].index(self.name)])
            found = (self.motion._multipliers if kind == "free" else report["reactions"])[:, first : first + rows]
        return found[:, 0] if rows == 1 else found

    @property
    def residual(self) -> np.ndarray:
        """F (T, rows)."""
        return self.motion._report[f"constraint {self.name}"]

    @property
    def power(self) -> np.ndarray:
        """Power of its reactions (T,), of a system of first order."""
        report, name = self.motion._report, self.name
        if f"power {name}" not in report:
            raise StartError(
                f"there is no power of '{name}' in system '{self.motion.model.name}'; it is known of constraints on positions and "
                "velocities that are held, where the Lagrangian is of first order"
            )
        return report[f"power {name}"][:, 0]

    @property
    def work(self) -> np.ndarray:
        """Work that its reactions have done since the beginning (T,)."""
        _, motion, tape = self.power, self.motion, self.motion.model.tape("report")
        return accumulated_work(motion, lambda t: evaluate_groups(tape, motion.rows(t))[f"power {self.name}"][:, 0])

    @property
    def energy(self) -> np.ndarray:
        """E[M] = λ v·∂F/∂v (T,) of a vakonomic constraint; of others none. Gołubowska (89)."""
        power, report = self.power, self.motion._report
        return report[f"held {self.name}"][:, 0] if f"held {self.name}" in report else 0.0 * power
