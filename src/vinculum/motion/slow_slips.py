"""Slips so slow that their direction turns faster than a method follows: they are told, where a run would not end."""

from typing import final

NO_TIME = 1e-6
MOST_STEPS, MOST_PHASES = 20_000, 300
SLOW = 1e-4
GLANCE, STEP, LOOK = 1e-2, 0.125, 4.0
"""Parts of the time in which a slip stops: how far ahead its loss is looked at, the longest step, and how long that holds."""
REMEDY = "use time stepping: method='moreau' with a step"


@final
class SlipWatch:
    """Counts steps and phases since a run last moved on by a millionth of its span [s]."""

    def __init__(self, begin: float, span: float):
        self._since, self._least = begin, NO_TIME * span
        self._steps = self._phases = 0

    def gets_nowhere(self, t: float, steps: int = 0, phases: int = 0) -> bool:
        """Whether there have been too many of them, these included, until t."""
        if t - self._since > self._least:
            self._since, self._steps, self._phases = t, 0, 0
        self._steps += steps
        self._phases += phases
        return self._steps > MOST_STEPS or self._phases > MOST_PHASES


def too_slow(name: str, slip: float, t: float, why: str | None) -> str:
    """That the slip of a boundary, in size [m/s], ends a run; ``why``: what the method said, if it did."""
    told = why or f"steps get nowhere near t = {t:.9g} s"
    return (
        f"{told}; boundary '{name}' slips at {slip:.2g} m/s at t = {t:.9g} s, where the direction of so slow a slip turns faster than this "
        f"method follows; {REMEDY}"
    )
