"""The weak form in the certificate of a motion with unilateral constraints."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, Impacts
from vinculum.audits.weak.outward import OutwardResidual, outward_residual
from vinculum.audits.weak.residual import Weak, check_testable, residual_against_random_fields
from vinculum.audits.weak_result import WeakResidual
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import DOUBT, SHARP, TIME_STEPPING_TOLD
from vinculum.tolerances.samples import FIELDS, OUTWARD_FIELDS


def weak_lines(motion: Record, found: Impacts) -> list[Line]:
    """Lines for ⟨equ C − F, η⟩ = 0 with random fields, zero mass input, and ⟨equ C − E, η⟩ ≤ 0 with outward fields."""
    if not motion.model.layout.virtual or motion.model.nv == 0:
        return []
    check_testable(motion)
    known = Weak(motion, found)
    weak = residual_against_random_fields(known, FIELDS, 0)
    lines = [_equality(weak, TIME_STEPPING_TOLD if motion.method.claims.name in TIME_STEPPING else 0.0), _mass(weak)]
    return lines + (
        [_outward(outward_residual(known, found, OUTWARD_FIELDS))] if np.any(found.contact_impulses) else []
    )


def _telling(sizes: np.ndarray, tolerances: np.ndarray) -> int:
    """The field with the largest ratio of residual to tolerance, or one that is not finite. Fields with a coarse tolerance are skipped,
    unless one of them is broken or fewer than a quarter are sharp."""
    sharp = np.flatnonzero(tolerances <= SHARP)
    if len(sharp) < len(sizes) // 4 or not np.all(sizes <= DOUBT * tolerances):
        sharp = np.arange(len(sizes))
    return int(sharp[int(np.argmax(sizes[sharp] / tolerances[sharp]))])


def _equality(weak: WeakResidual, least: float) -> Line:
    size = np.where(np.isfinite(weak.explained), np.abs(weak.explained), np.inf)
    k = _telling(size, weak.tolerances)
    why = "the errors of time stepping" if least else "moves that close gaps exactly, least slips, and slips that stop"
    reason = f"{len(weak)} random fields about impacts; {weak.largest:.1e} with {why}"
    reason = reason if np.any(weak.values != weak.explained) else f"{len(weak)} random fields about impacts"
    detail = (
        f"on {', '.join(repr(j) for j in weak.joints[k])} about t = {weak.centers[k]:.6g} s"
        if size[k] > max(weak.tolerances[k], least)
        else ""
    )
    return Line(
        "weak form equ C = F",
        float(size[k]),
        max(float(weak.tolerances[k]), least),
        reason,
        detail,
        DOUBT * float(weak.tolerances[k]),
    )


def _mass(weak: WeakResidual) -> Line:
    """Zero mass input: the path does not end. Moreau, An expression of classical dynamics, Def. 3.4."""
    k = _telling(np.abs(weak.mass_input), weak.mass_tolerances)
    worst, admitted = float(np.abs(weak.mass_input[k])), float(weak.mass_tolerances[k])
    detail = f"about t = {weak.centers[k]:.6g} s" if worst > admitted else ""
    reason = "the path neither begins nor ends inside the motion"
    return Line("weak form, mass input", worst, admitted, reason, detail, DOUBT * admitted)


def _outward(got: OutwardResidual) -> Line:
    """The inequality for outward fields. Fields with a coarse tolerance are skipped, unless one is broken or fewer than a quarter of all
    are informative: those that are sharp, or below zero by more than their tolerance."""
    reason = f"⟨equ C − E, η⟩ ≤ 0 against {len(got.values)} outward fields, independent of the impulses"
    if not len(got.values):
        return Line("weak form, outward fields", 0.0, 0.0, reason)
    below, sharp = got.values <= -got.tolerances, got.tolerances <= SHARP
    broken = not np.all(got.values <= DOUBT * got.tolerances)
    few = np.sum(below | sharp) < len(below) // 4
    chosen = np.flatnonzero(~below & (sharp | broken | few))
    if not len(chosen):
        told = "all" if np.all(below) else f"{np.sum(below)} of them"
        return Line("weak form, outward fields", 0.0, 0.0, f"{reason}; {told} are below minus their tolerances")
    over = got.values[chosen] - got.tolerances[chosen]
    k = chosen[int(np.argmax(got.tolerances[chosen] if few and not broken else over))]
    over = max(float(got.values[k]), 0.0)
    detail = f"about t = {got.centers[k]:.6g} s" if over > got.tolerances[k] else ""
    return Line(
        "weak form, outward fields", over, float(got.tolerances[k]), reason, detail, DOUBT * float(got.tolerances[k])
    )
