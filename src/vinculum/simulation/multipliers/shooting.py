"""Initial multipliers for which named coordinates reach given values: a boundary value problem, solved by shooting."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, final

import numpy as np

from vinculum.bonds import Reaching
from vinculum.errors import RunError, StartError
from vinculum.models.model import Model
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.systems import Constrained, nearest
from vinculum.tolerances.constraints import FLAT_SHOOTING, REACHED, SHOOTING_STEP
from vinculum.tolerances.iterations import ELSEWHERE, SHOOTING_HALVINGS, SHOOTING_ROUNDS
from vinculum.tolerances.time import SECONDS_OF_SHOOTING

Missed = Callable[[np.ndarray], np.ndarray | None]


def reaching_multipliers(
    problem: Problem, ruled: Sequence[tuple[Constrained, Reaching]], run: Callable[[Problem, np.ndarray], Motion]
) -> tuple[np.ndarray, str]:
    """The state (n,) with the multipliers found, and how; ``run`` gives the motion of a problem on a grid of instants."""
    shots = _Shots(problem, ruled, run)
    speed = float(np.abs(problem.state[problem.model.nq :]).max(initial=0.0))
    mu, remark = shot_multipliers(problem.model.name, [(constrained.constraint.name, rule) for constrained, rule in ruled], shots.misses,
                                  problem.state[shots.unknown], speed)  # fmt: skip
    state = problem.state.copy()
    state[shots.unknown] = mu
    return state, remark


def shot_multipliers(
    name: str, ruled: Sequence[tuple[str, Reaching]], missed: Missed, guess: np.ndarray, speed: float
) -> tuple[np.ndarray, str]:
    """Multipliers (m,) from which everything is reached, and how they were found: Newton's method, with derivatives by differences.

    ``missed``: what runs from given multipliers miss, (m,) in units of `REACHED`; None where they end early. The search begins at the
    guess, then at some places around it. ``speed``: how large multipliers may have to be.
    """
    counted, begun = _Counted(missed), perf_counter()
    rng, best = np.random.default_rng(3), None
    size = max(1.0, float(np.abs(guess).max()), speed)
    for k in range(1 + ELSEWHERE):
        mu = guess if k == 0 else guess + 0.5 * size * (1 + k // 3) * rng.normal(size=len(guess))
        found = _newton(counted, mu)
        if found is not None and (best is None or found[1] < best[1]):
            best = found
        if best is not None and best[1] <= 1.0:
            return best[0], f"found in {counted.count} runs, missed by {best[1] * REACHED:.1e}"
        if perf_counter() - begun > SECONDS_OF_SHOOTING:
            break
    names = ", ".join(f"'{constraint}'" for constraint, _ in ruled)
    nearest_miss = (
        "every run ended before its time"
        if best is None
        else f"the nearest miss is {best[1] * REACHED:.3g} (relative), with {np.round(best[0], 6).tolist()}"
    )
    raise StartError(
        f"system '{name}': no multipliers of {names} were found for {'; '.join(str(rule) for _, rule in ruled)}: {nearest_miss}, after "
        f"{counted.count} runs; there may be none, or give guess= nearer to them, another instant or other values"
    )


@final
class _Counted:
    """Runs from given multipliers, counted, and derivatives of what they miss."""

    def __init__(self, missed: Missed):
        self._missed, self.count = missed, 0

    def misses(self, mu: np.ndarray) -> np.ndarray | None:
        self.count += 1
        return self._missed(mu)

    def jacobians(self, mu: np.ndarray) -> np.ndarray | None:
        columns = []
        for unit in np.eye(len(mu)):
            h = SHOOTING_STEP * max(1.0, float(np.abs(mu).max()))
            ahead, behind = self.misses(mu + h * unit), self.misses(mu - h * unit)
            if ahead is None or behind is None:
                return None
            columns.append((ahead - behind) / (2.0 * h))
        return np.stack(columns, axis=1)


def whole(motion: Any) -> Any:
    """The motion, if Ctrl-C did not cut it short; a search goes no further then."""
    if motion.record.interrupted:
        raise KeyboardInterrupt
    return motion


def missed_by(values: Sequence[tuple[float, float]]) -> np.ndarray:
    """What pairs (reached, asked) miss, in units of what counts as reached."""
    return np.array([(found - x) / max(1.0, abs(x)) for found, x in values]) / REACHED


def check_count(name: str, ruled: Sequence[tuple[str, Reaching]], unknown: int, targets: int, begin: float) -> None:
    """Refuse rules with other numbers of coordinates than multipliers, and instants that are not later than the beginning."""
    names = ", ".join(f"'{constraint}'" for constraint, _ in ruled)
    if targets != unknown:
        raise StartError(
            f"system '{name}': {names} ha{'s' if len(ruled) == 1 else 've'} {unknown} multiplier{'s' * (unknown != 1)} to be found and "
            f"{targets} coordinate{'s' * (targets != 1)} to be reached; give as many as there are multipliers, and None for the others"
        )
    for _, rule in ruled:
        if not rule.at > begin:
            raise StartError(f"system '{name}': {rule}, but the motion begins at {begin:g} s; give a later instant")


@final
class _Shots:
    """Runs of a system of bodies from given multipliers, and what they miss."""

    def __init__(self, problem: Problem, ruled: Sequence[tuple[Constrained, Reaching]], run):
        self._problem, self._run = problem, run
        self.unknown = np.concatenate(
            [np.arange(constrained.mu.start, constrained.mu.stop) for constrained, _ in ruled]
        )
        self._targets = [target for _, rule in ruled for target in _targets(problem.model, rule)]
        named = [(constrained.constraint.name, rule) for constrained, rule in ruled]
        check_count(problem.model.name, named, len(self.unknown), len(self._targets), problem.begin)
        self._instants = np.unique([problem.begin, *(at for _, _, at in self._targets)])

    def misses(self, mu: np.ndarray) -> np.ndarray | None:
        """What the coordinates miss, (m,); None where the run does not come that far."""
        state = self._problem.state.copy()
        state[self.unknown] = mu
        shot = replace(self._problem, state=state, until=float(self._instants[-1]), events=(), event_tape=None,
                       parameters=self._problem.parameters.copy())  # fmt: skip
        try:
            motion = self._run(shot, self._instants)
        except (RunError, StartError):
            return None
        q = whole(motion).q
        return missed_by([(q[int(np.searchsorted(self._instants, at)), i], x) for i, x, at in self._targets])


def _newton(shots: _Counted, mu: np.ndarray) -> tuple[np.ndarray, float] | None:
    """The multipliers that Newton's method with halved steps ends at, and what they miss; None where no run succeeds."""
    missed, is_reached = shots.misses(mu), False
    if missed is None:
        return None
    for _ in range(SHOOTING_ROUNDS):
        size = float(np.abs(missed).max())
        if is_reached or size == 0.0:
            break
        is_reached = size <= 1.0  # and one step more, which squares what is left
        J = shots.jacobians(mu)
        if J is None or np.linalg.cond(J) > 1.0 / FLAT_SHOOTING:
            break
        step = np.linalg.solve(J, missed)
        for k in range(SHOOTING_HALVINGS):
            tried = shots.misses(mu - step / 2**k)
            if tried is not None and np.abs(tried).max() < size:
                mu, missed = mu - step / 2**k, tried
                break
        else:
            break
    return mu, float(np.abs(missed).max())


def _targets(model: Model, rule: Reaching) -> list[tuple[int, float, float]]:
    """Place in q, value and instant of every coordinate that a rule names."""
    joints, found = model.layout.joints, []
    for name, row in rule.values.items():
        if name not in joints:
            raise StartError(
                f"reaching: there is no joint or free body '{name}' in '{model.name}'{nearest(name, joints)}"
            )
        first, last = joints[name].q
        if len(row) != last - first:
            labels = ", ".join(model.layout.q_names[first:last]) or "none"
            raise StartError(
                f"reaching: '{name}' of '{model.name}' has {last - first} coordinates ({labels}), got {len(row)}; give one number for "
                "each, or None where it may be anything"
            )
        found += [(first + i, x, rule.at) for i, x in enumerate(row) if x is not None]
    return found
