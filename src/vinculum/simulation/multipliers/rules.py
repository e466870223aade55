"""Initial multipliers of a vakonomic motion that are given by a rule."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.bonds import Reaching
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.multipliers.ideal import ideal_multipliers
from vinculum.simulation.multipliers.shooting import reaching_multipliers
from vinculum.systems import Constrained

Run = Callable[[Problem, np.ndarray], Motion]


@final
@dataclass(frozen=True, eq=False)
class Ruled:
    """A constraint whose multipliers start by a rule."""

    constrained: Constrained
    rule: str | Reaching

    @property
    def name(self) -> str:
        return self.constrained.constraint.name


def ruled_constraints(model: Model) -> list[Ruled]:
    """Constraints of a model whose multipliers start by a rule."""
    found = []
    for one in model.tree.constraints if model.tree is not None else ():
        realization = one.constraint.realization
        if realization is not None and realization.rule is not None:
            found.append(Ruled(one, realization.rule))
    return found


def with_found_multipliers(problem: Problem, run: Run) -> tuple[Problem, list[str]]:
    """The problem with the multipliers that the rules ask for, and a remark for each constraint that has one.

    ``run``: the motion of a problem on a grid of instants.
    """
    ruled = ruled_constraints(problem.model)
    if not ruled:
        return problem, []
    ideal, shot = [x for x in ruled if x.rule == "dalembert"], [x for x in ruled if isinstance(x.rule, Reaching)]
    if ideal and shot:
        raise StartError(
            f"system '{problem.model.name}': the multipliers of '{ideal[0].name}' start as d'Alembert's motion asks and those of "
            f"'{shot[0].name}' by a target, and each would need the other first; give numbers for one of them"
        )
    told = {x.name: "by the rule 'zero'" for x in ruled}
    state = problem.state
    if ideal:
        state, remark = ideal_multipliers(problem, [x.constrained for x in ideal], run)
        told |= {x.name: remark for x in ideal}
    if shot:
        pairs = [(x.constrained, x.rule) for x in shot if isinstance(x.rule, Reaching)]
        state, remark = reaching_multipliers(problem, pairs, run)
        told |= {constrained.constraint.name: f"{rule}: {remark}" for constrained, rule in pairs}
    remarks = [f"vakonomic multipliers of '{x.name}' start at {(np.round(state[x.constrained.mu], 12) + 0.0).tolist()}, {told[x.name]}"
               for x in ruled]  # fmt: skip
    return replace(problem, state=state), remarks
