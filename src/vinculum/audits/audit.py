"""`audit`: the certificate of a motion."""

from vinculum.audits.accelerations import acceleration_line
from vinculum.audits.admitted import SAFETY, Admitted, admitted
from vinculum.audits.bonds import bond_lines
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.closed_loops import closure_lines
from vinculum.audits.first_integrals import first_integral_lines
from vinculum.audits.lines import Judge
from vinculum.audits.pair_forces import pair_lines
from vinculum.audits.prescribed import drive_lines
from vinculum.audits.quantities import first_coordinate
from vinculum.audits.reactions import reaction_lines
from vinculum.audits.servos import servo_lines
from vinculum.audits.tally import Tally, tally
from vinculum.motion import Motion

UNIT = 1e-12


def audit(motion: Motion) -> Certificate:
    """Every law of the house, measured on this motion."""
    found = tally(motion)
    allowed = admitted(motion, found)
    lines = Judge(motion.model, found, allowed).lines()
    if motion.model.swarm is not None:
        return Certificate(motion.model.name, _described(motion, found), (*lines, *pair_lines(motion)))
    lines += first_integral_lines(motion, lines, allowed.reason)
    lines += closure_lines(motion)
    lines += drive_lines(motion)
    lines += reaction_lines(motion)
    lines += servo_lines(motion)
    lines += bond_lines(motion)
    lines.append(acceleration_line(motion))
    if dict(motion.model.tape("rates").outputs)["defects"]:
        lines.append(_chart_line(motion, found, allowed))
    return Certificate(motion.model.name, _described(motion, found), tuple(lines))


def _described(motion: Motion, found: Tally) -> str:
    return f"{motion.pieces.begin:g} to {motion.pieces.end:g} s, {found.steps} steps, {motion.method}"


def _chart_line(motion: Motion, found: Tally, allowed: Admitted) -> Line:
    """The largest | |Λ|² − 1 |, an absolute number."""
    if motion.method.claims.name not in ("taylor", "series", "dop853", "idas"):
        first = first_coordinate(motion.model)
        turns = [first + i for a, b in motion.model.layout["quaternions"] for i in range(a, b)]
        tolerance, doubt = (max(UNIT, 2.0 * float(x[turns].max())) for x in (allowed.tolerance, allowed.doubt))
        reason = "unit quaternions, to the method's accuracy"
        return Line("chart norms", found.chart_defect, tolerance, reason, doubt=doubt)
    tolerance = max(UNIT, SAFETY * (motion.method.tolerance or 0.0))
    return Line("chart norms", found.chart_defect, tolerance, "unit quaternions", doubt=tolerance)
