"""The certificate of a model whose equations are graphs: one function per law."""

import numpy as np

from vinculum.audits.balances.admitted import Admitted, admitted_errors
from vinculum.audits.balances.first_integrals import first_integral_lines, sample_states
from vinculum.audits.balances.lines import Judge
from vinculum.audits.balances.mass_exchange import with_parts
from vinculum.audits.balances.quantities import first_coordinate
from vinculum.audits.balances.singular_positions import singular_lines
from vinculum.audits.balances.tally import Tally
from vinculum.audits.bonds.accelerations import acceleration_line
from vinculum.audits.bonds.closed_loops import closure_lines
from vinculum.audits.bonds.joint_efforts import joint_effort_lines
from vinculum.audits.bonds.prescribed import drive_lines
from vinculum.audits.bonds.reactions import reaction_lines
from vinculum.audits.bonds.servos import servo_lines
from vinculum.audits.bonds.third_law import bond_lines
from vinculum.audits.certificate import Line
from vinculum.audits.contact.unilaterals import gap_lines, unilateral_lines
from vinculum.audits.impacts.given_impulses import impulse_lines
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, Impacts
from vinculum.audits.phases import smooth_parts, worst_lines
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import SAFETY, UNIT_AXES


def written_out_lines(motion: Record, hits: Impacts | None, found: Tally, whole: Record) -> list[Line]:
    """The lines of a part of the ``whole`` motion, by one method."""
    allowed = admitted_errors(motion, found)
    lines = Judge(motion.model, found, allowed).lines()
    balances, parts = tuple(lines), smooth_parts(motion)
    lines = with_parts(motion, lines)
    if motion.phases:
        every = sample_states(whole)
        lines += worst_lines(parts, lambda part: first_integral_lines(part, balances, allowed.reason, whole=every))
    else:
        lines += first_integral_lines(
            motion, lines, allowed.reason, hits, None if whole is motion else sample_states(whole)
        )
    for lines_of in (
        closure_lines,
        drive_lines,
        reaction_lines,
        servo_lines,
        joint_effort_lines,
        bond_lines,
        singular_lines,
    ):
        lines += worst_lines(parts, lines_of)
    if hits is not None:
        lines += impulse_lines(motion, hits)
        lines += unilateral_lines(motion, hits)
    elif motion.model.layout.unilaterals:
        lines += gap_lines(motion)
    lines += worst_lines(parts, lambda part: [acceleration_line(part)])
    if dict(motion.model.tape("rates").outputs)["defects"]:
        lines.append(_chart_line(motion, found, allowed))
    return lines


def _fastest_turn(motion: Record, found: Tally, joint: str) -> float:
    """A bound of the largest angular velocity [rad/s] of a joint whose last three velocities are angular."""
    first, last = motion.model.layout.joints[joint].v
    turning = slice(motion.model.nq + max(first, last - 3), motion.model.nq + last)
    return float(np.linalg.norm(np.maximum(np.abs(found.low[turning]), np.abs(found.high[turning]))))


def _chart_line(motion: Record, found: Tally, allowed: Admitted) -> Line:
    """The largest | |Λ|² − 1 |, an absolute number."""
    if motion.method.claims.name not in ("taylor", "series", "dop853", "idas"):
        first = first_coordinate(motion.model)
        turns = [first + i for a, b in motion.model.layout.quaternions for i in range(a, b)]
        tolerance, doubt = (max(UNIT_AXES, 2.0 * float(x[turns].max())) for x in (allowed.tolerance, allowed.doubt))
        if motion.method.claims.name in TIME_STEPPING:
            # within a step a quaternion moves along a parabola
            bent = (motion.method.step or 0.0) * max(
                (_fastest_turn(motion, found, name) for name in motion.model.layout.joints), default=0.0
            )
            tolerance, doubt = tolerance + (0.5 * bent) ** 2, doubt + (0.5 * bent) ** 2
        reason = "unit quaternions, to the method's accuracy"
        return Line("chart norms", found.chart_defect, tolerance, reason, doubt=doubt)
    # errors of single steps are of any sign, and many of them add up as a root
    tolerance = max(UNIT_AXES, SAFETY * (motion.method.tolerance or 0.0) * max(found.steps, 1) ** 0.5)
    return Line("chart norms", found.chart_defect, tolerance, "unit quaternions", doubt=tolerance)
