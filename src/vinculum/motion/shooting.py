"""Multipliers at the start from which named coordinates reach given values: a boundary value problem, solved by shooting."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.bonds import Reaching
from vinculum.errors import RunError, StartError
from vinculum.kernels.model import Model
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.systems import Held, nearest

REACHED = 1e-10
STEP = 1e-5
ROUNDS, HALVINGS = 30, 10
ELSEWHERE = 8
FLAT = 1e-9


def reaching_multipliers(
    problem: Problem, ruled: Sequence[tuple[Held, Reaching]], run: Callable[[Problem, np.ndarray], Motion]
) -> tuple[np.ndarray, str]:
    """The state (n,) with the multipliers found, and how: Newton's method on the coordinates reached, with slopes by differences.

    Runs that end early count as misses. From the guess first, then from some places around it.
    """
    shots = _Shots(problem, ruled, run)
    guess = problem.state[shots.unknown]
    rng, best = np.random.default_rng(3), None
    size = max(1.0, float(np.abs(guess).max()), float(np.abs(problem.state[problem.model.nq :]).max(initial=0.0)))
    for k in range(1 + ELSEWHERE):
        mu = guess if k == 0 else guess + 0.5 * size * (1 + k // 3) * rng.normal(size=len(guess))
        found = _newton(shots, mu)
        if found is not None and (best is None or found[1] < best[1]):
            best = found
        if best is not None and best[1] <= 1.0:
            state = problem.state.copy()
            state[shots.unknown] = best[0]
            return state, f"found in {shots.count} runs, missed by {best[1] * REACHED:.1e}"
    names = ", ".join(f"'{held.constraint.name}'" for held, _ in ruled)
    nearest_miss = (
        "every run ended before its time"
        if best is None
        else f"the nearest miss is {best[1] * REACHED:.3g} (relative), with {np.round(best[0], 6).tolist()}"
    )
    raise StartError(
        f"system '{problem.model.name}': no multipliers of {names} were found for {'; '.join(str(rule) for _, rule in ruled)}: "
        f"{nearest_miss}, after {shots.count} runs; there may be none, or give guess= nearer to them, another instant or other values"
    )


@final
class _Shots:
    """Runs from given multipliers, and what they miss, measured in what counts as reached."""

    def __init__(self, problem: Problem, ruled: Sequence[tuple[Held, Reaching]], run):
        self._problem, self._run, self.count = problem, run, 0
        self.unknown = np.concatenate([np.arange(held.mu.start, held.mu.stop) for held, _ in ruled])
        self._targets = [target for _, rule in ruled for target in _targets(problem.model, rule)]
        if len(self._targets) != len(self.unknown):
            names = ", ".join(f"'{held.constraint.name}'" for held, _ in ruled)
            raise StartError(
                f"system '{problem.model.name}': {names} ha{'s' if len(ruled) == 1 else 've'} {len(self.unknown)} "
                f"multiplier{'s' * (len(self.unknown) != 1)} to be found and {len(self._targets)} coordinate"
                f"{'s' * (len(self._targets) != 1)} to be reached; give as many as there are multipliers, and None for the others"
            )
        begin = problem.begin
        for _, rule in ruled:
            if not rule.at > begin:
                raise StartError(
                    f"system '{problem.model.name}': {rule}, but the motion begins at {begin:g} s; give a later instant"
                )
        self._instants = np.unique([begin, *(at for _, _, at in self._targets)])

    def missed(self, mu: np.ndarray) -> np.ndarray | None:
        """What the coordinates miss, (m,) in units of what counts as reached; None where the run does not come that far."""
        state = self._problem.state.copy()
        state[self.unknown] = mu
        shot = replace(self._problem, state=state, until=float(self._instants[-1]), events=(), event_tape=None,
                       parameters=self._problem.parameters.copy())  # fmt: skip
        self.count += 1
        try:
            q = self._run(shot, self._instants).q
        except (RunError, StartError):
            return None
        rows = [int(np.searchsorted(self._instants, at)) for _, _, at in self._targets]
        gaps = [(q[k, i] - x) / max(1.0, abs(x)) for k, (i, x, _) in zip(rows, self._targets, strict=True)]
        return np.array(gaps) / REACHED

    def slopes(self, mu: np.ndarray) -> np.ndarray | None:
        columns = []
        for unit in np.eye(len(mu)):
            h = STEP * max(1.0, float(np.abs(mu).max()))
            ahead, behind = self.missed(mu + h * unit), self.missed(mu - h * unit)
            if ahead is None or behind is None:
                return None
            columns.append((ahead - behind) / (2.0 * h))
        return np.stack(columns, axis=1)


def _newton(shots: _Shots, mu: np.ndarray) -> tuple[np.ndarray, float] | None:
    """The multipliers that Newton's method with halved steps ends at, and what they miss; None where no run succeeds."""
    missed, is_reached = shots.missed(mu), False
    if missed is None:
        return None
    for _ in range(ROUNDS):
        size = float(np.abs(missed).max())
        if is_reached or size == 0.0:
            break
        is_reached = size <= 1.0  # and one step more, which squares what is left
        J = shots.slopes(mu)
        if J is None or np.linalg.cond(J) > 1.0 / FLAT:
            break
        step = np.linalg.solve(J, missed)
        for k in range(HALVINGS):
            tried = shots.missed(mu - step / 2**k)
            if tried is not None and np.abs(tried).max() < size:
                mu, missed = mu - step / 2**k, tried
                break
        else:
            break
    return mu, float(np.abs(missed).max())


def _targets(model: Model, rule: Reaching) -> list[tuple[int, float, float]]:
    """Place in q, value and instant of every coordinate that a rule names."""
    joints, found = model.layout["joints"], []
    for name, row in rule.values.items():
        if name not in joints:
            raise StartError(
                f"reaching: there is no joint or free body '{name}' in '{model.name}'{nearest(name, joints)}"
            )
        first, last = joints[name]["q"]
        if len(row) != last - first:
            labels = ", ".join(model.layout["q_names"][first:last]) or "none"
            raise StartError(
                f"reaching: '{name}' of '{model.name}' has {last - first} coordinates ({labels}), got {len(row)}; give one number for "
                "each, or None where it may be anything"
            )
        found += [(first + i, x, rule.at) for i, x in enumerate(row) if x is not None]
    return found
