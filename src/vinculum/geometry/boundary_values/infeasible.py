"""Which condition of a boundary-value problem cannot be met."""

import numpy as np

from vinculum.geometry.boundary_values.discrete import Discrete, Group
from vinculum.geometry.boundary_values.solution import SOLVED, bounds, solver
from vinculum.tolerances.boundary_values import MET

FIRST = ("integral", "unilateral", "end", "start", "constraint")
"""Kinds of conditions in the order in which one is given up to see whether the others can be met."""


def unmet_condition(discrete: Discrete, guess: np.ndarray) -> str | None:
    """In words, the condition without which all others can be met, and the nearest value that it can have; None if all can be met."""
    violations = _violations(discrete, guess, discrete.groups) if discrete.groups else None
    if violations is None or max(violations, default=0.0) <= MET:
        return None
    for group in sorted(discrete.groups, key=lambda one: FIRST.index(one.kind)):
        alone = _violations(discrete, guess, (group,))
        if alone is not None and alone[0] > MET:
            return f"the {group.words} cannot be met with the others: it is missed by at least {alone[0]:.3g}"
    named = [
        f"{group.words} (missed by {x:.3g})" for group, x in zip(discrete.groups, violations, strict=True) if x > MET
    ]
    return f"the conditions cannot be met together: {', '.join(named)}"


def _violations(discrete: Discrete, guess: np.ndarray, loose: tuple[Group, ...]) -> list[float] | None:
    """How far some conditions are missed at least, in the sum of squares, where all others are met; None if these cannot be met."""
    import casadi as ca

    places = np.concatenate([np.arange(group.rows.start, group.rows.stop) for group in loose])
    slack = ca.MX.sym("slack", len(places))
    moved = ca.MX.zeros(discrete.rows.shape[0], 1)
    moved[places.tolist()] = slack
    run = solver({"x": ca.vertcat(discrete.x, slack), "f": ca.dot(slack, slack), "g": discrete.rows + moved})
    low, high = bounds(discrete)
    free = np.full(len(places), np.inf)
    found = run(x0=np.concatenate([guess, np.zeros(len(places))]), lbx=np.concatenate([low, -free]), ubx=np.concatenate([high, free]),
                lbg=discrete.low, ubg=discrete.high)  # fmt: skip
    if run.stats()["return_status"] not in SOLVED:
        return None
    missed = np.abs(found["x"].full().ravel()[len(guess) :])
    ends = np.cumsum([group.rows.stop - group.rows.start for group in loose])
    return [float(part.max(initial=0.0)) for part in np.split(missed, ends[:-1])]
