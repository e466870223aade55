"""The weak form in the certificate of free bodies in contact."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.outward import outward_residuals
from vinculum.audits.free_bodies.weak import FreeBodiesWeak, free_bodies_weak_residual, is_testable
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import DOUBT
from vinculum.tolerances.sizes import CROWD_OF_CERTIFICATES

FIELDS, OUTWARD_FIELDS = (24, 200), (8, 50)
"""Least and largest number of fields. The least is for many bodies, because every field reads all of them."""


def free_bodies_weak_lines(motion: Record) -> list[Line]:
    """Lines for ⟨equ C − F, η⟩ = 0 with random fields, zero mass input, and ⟨equ C − E, η⟩ ≤ 0 with outward fields; none if impulses are
    not known."""
    if not is_testable(motion) or len(motion.pieces) < 2:
        return []
    crowd = max(1.0, len(motion.model.layout.bodies) / CROWD_OF_CERTIFICATES)
    fields, outward = (max(least, int(most / crowd)) for least, most in (FIELDS, OUTWARD_FIELDS))
    weak = free_bodies_weak_residual(motion, fields, 0)
    k = weak.worst
    off = float(np.abs(weak.explained[k]))
    about = f"on {', '.join(repr(j) for j in weak.joints[k])} about t = {weak.centers[k]:.6g} s"
    known = (
        f"; {weak.largest:.1e} with the errors of time stepping" if weak.largest > np.abs(weak.explained).max() else ""
    )
    tolerance = float(weak.tolerances[k])
    j = int(np.argmax(np.abs(weak.mass_input) / weak.mass_tolerances))
    lost, flown = float(np.abs(weak.mass_input[j])), float(weak.mass_tolerances[j])
    lines = [
        Line("weak form equ C = F", off, tolerance, f"{len(weak)} random fields about impulses{known}", about if off > tolerance else "",
             DOUBT * tolerance),
        Line("weak form, mass input", lost, flown, "paths neither begin nor end inside the motion",
             f"about t = {weak.centers[j]:.6g} s" if lost > flown else "", DOUBT * flown),
    ]  # fmt: skip
    values, admitted, centers = outward_residuals(FreeBodiesWeak(motion), outward, np.random.default_rng(1))
    if not len(values):
        return lines
    over = np.maximum(values, 0.0)
    i = int(np.argmax(over - admitted))
    reason = f"⟨equ C − E, η⟩ ≤ 0 against {len(values)} outward fields, independent of the impulses"
    detail = f"about t = {centers[i]:.6g} s" if over[i] > admitted[i] else ""
    return [
        *lines,
        Line(
            "weak form, outward fields", float(over[i]), float(admitted[i]), reason, detail, DOUBT * float(admitted[i])
        ),
    ]
