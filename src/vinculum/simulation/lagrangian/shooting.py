"""Vakonomic multipliers of a Lagrangian system for which named coordinates reach given values."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vinculum.bonds import Reaching, Vakonomic
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import RunError, StartError
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.motion.problem import Problem
from vinculum.simulation.multipliers.shooting import check_count, missed_by, shot_multipliers, whole
from vinculum.systems import nearest


def reaching_state(
    system: LagrangianSystem, problem: Problem, run: Callable[[Problem, np.ndarray], LagrangianMotion]
) -> tuple[np.ndarray, str] | None:
    """The state with the multipliers that rules ask for, and a remark; None where there are no such rules.

    ``run``: the motion of a problem on a grid of instants.
    """
    ruled, unknown, first = [], [], len(problem.state) - len(system.principle.jet.multipliers[0])
    for rows in system.principle.stationary:
        if isinstance(rows.realization, Vakonomic) and isinstance(rows.realization.rule, Reaching):
            ruled.append((rows.name, rows.realization.rule))
            unknown += range(first, first + len(rows.F))
        first += len(rows.F)
    if not ruled:
        return None
    targets = [target for _, rule in ruled for target in _targets(system, rule)]
    check_count(system.name, ruled, len(unknown), len(targets), problem.begin)
    instants = np.unique([problem.begin, *(at for _, _, at in targets)])

    def misses(mu: np.ndarray) -> np.ndarray | None:
        state = problem.state.copy()
        state[unknown] = mu
        try:
            shot = replace(problem, state=state, until=float(instants[-1]), events=(), event_tape=None)
            motion = run(shot, instants)
        except (RunError, StartError):
            return None
        q = whole(motion).q
        return missed_by([(q[int(np.searchsorted(instants, at)), i], x) for i, x, at in targets])

    n = len(system.coordinates)
    speed = float(np.abs(problem.state[n : 2 * n]).max())
    mu, remark = shot_multipliers(system.name, ruled, misses, problem.state[unknown], speed)
    state = problem.state.copy()
    state[unknown] = mu
    told = "; ".join(f"'{name}' {rule}" for name, rule in ruled)
    return state, f"vakonomic multipliers start at {(np.round(mu, 12) + 0.0).tolist()}, {told}: {remark}"


def _targets(system: LagrangianSystem, rule: Reaching) -> list[tuple[int, float, float]]:
    """Place in q, value and instant of every coordinate that a rule names."""
    names, found = list(system.coordinates), []
    for name, row in rule.values.items():
        if name not in names or len(row) != 1:
            raise StartError(
                f"reaching: '{name}' with {len(row)} number{'s' * (len(row) != 1)} is not a coordinate of '{system.name}'"
                f"{nearest(name, names)}; give one number for each of the coordinates that are meant"
            )
        found += [(names.index(name), x, rule.at) for x in row if x is not None]
    return found
