"""The step that would decide an undecided certificate."""

from collections.abc import Iterable

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import ORDER_BETWEEN_IMPACTS, SHARP, STEP_FOR_TOLERANCE

WEAK = "weak form"


def deciding_step(motion: Record, lines: Iterable[Line]) -> str:
    """The step of a fixed-step method at which all tolerances would be sharp, as text; empty if they are, or for other methods.

    Tolerances fall as h to the order of the method. In time stepping they fall as h² between impacts, and those of the weak form as h.
    """
    h, name = motion.method.step, motion.method.claims.name
    order = ORDER_BETWEEN_IMPACTS if name in TIME_STEPPING else motion.method.claims.order or 1
    if h is None or h <= 0.0:
        return ""
    wanted = h
    for line in lines:
        if line.verdict == "undecided" and SHARP < line.tolerance < float("inf"):
            falls = 1.0 if line.law.startswith(WEAK) else float(order)
            wanted = min(wanted, STEP_FOR_TOLERANCE * h * (SHARP / line.tolerance) ** (1.0 / falls))
    return f"a step of about {wanted:.1g} s would decide" if wanted < h else ""
