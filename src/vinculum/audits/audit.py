"""`audit`: the certificate of a motion."""

from itertools import pairwise

import numpy as np

from vinculum.audits.accelerations import acceleration_line
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.closed_loops import closure_lines
from vinculum.audits.first_integrals import first_integral_lines
from vinculum.audits.tally import Tally, tally
from vinculum.motion import Motion
from vinculum.motion.splines import spline_pieces

ROUND_OFF = 2.0**-52
SAFETY = 10.0
DOP853_SAFETY = 100.0
DOUBLING_SAFETY = 3.0


def audit(motion: Motion) -> Certificate:
    """Every law of the house, measured on this motion."""
    found = tally(motion)
    layout = motion.model.layout
    admitted, reason = _admitted(motion, found)
    lines = [_line("energy balance", found, admitted, [slice(0, 1)], reason)]
    nb = len(layout["bodies"])
    parts = [(slice(1 + 6 * i, 4 + 6 * i), slice(4 + 6 * i, 7 + 6 * i)) for i in range(nb)]
    lines.append(_system_line(found, admitted, nb, reason))
    lines += [
        _line(f"momentum of '{name}'", found, admitted, list(pair), reason)
        for name, pair in zip(layout["bodies"], parts, strict=True)
    ]
    first = 1 + 6 * nb
    closures = [(name, slice(first + a, first + b)) for name, a, b in _alike(layout)]
    if closures:
        lines.append(_closure_line(found, admitted, closures, reason))
    lines += first_integral_lines(motion, lines, reason)
    lines += closure_lines(motion)
    lines.append(acceleration_line(motion))
    if dict(motion.model.tape("rates").outputs)["defects"]:
        lines.append(_chart_line(motion, found, admitted, first))
    described = f"{motion.pieces.begin:g} to {motion.pieces.end:g} s, {found.steps} steps, {motion.method}"
    return Certificate(motion.model.name, described, tuple(lines))


def _alike(layout: dict) -> list[tuple[str, int, int]]:
    """Joints with the ranges of their coordinates that have one unit."""
    ranges = []
    for name, entry in layout["joints"].items():
        first, last = entry["q"]
        edges = [first, *(i for i in range(first + 1, last) if layout["groups"][i] != layout["groups"][i - 1]), last]
        ranges += [(name, a, b) for a, b in pairwise(edges) if b > a]
    return ranges


def _admitted(motion: Motion, found: Tally) -> tuple[np.ndarray, str]:
    """Error that quadrature and integrator own up to, for every balanced quantity, and in words."""
    round_off = SAFETY * (ROUND_OFF * (found.steps * found.scale + found.gross) + found.clock)
    name, tolerance = motion.method.claims.name, motion.method.tolerance
    if name == "given":
        other = tally(motion, spline_pieces(motion.pieces.times, _nodes(motion), degree=5))
        coarse = tally(motion, spline_pieces(*_every_second(motion)))
        apart = np.maximum(SAFETY * np.abs(found.defect - other.defect), np.abs(found.defect - coarse.defect))
        claimed = SAFETY * tolerance * found.scale
        return (
            found.quadrature + round_off + apart + claimed,
            f"claimed accuracy {tolerance:g}, other splines and every second instant",
        )
    if tolerance is not None:
        safety = DOP853_SAFETY if name == "dop853" else SAFETY
        steps = safety * found.steps * max(tolerance, ROUND_OFF) * found.scale
        return found.quadrature + round_off + steps, f"quadrature, {found.steps} steps to {tolerance:.1e}"
    return found.quadrature + round_off + DOUBLING_SAFETY * found.method, f"quadrature, step doubling of {name}"


def _every_second(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """The instants and states of a given motion with every second one left out (the last is kept)."""
    times = np.asarray(motion.pieces.times)
    kept = np.unique(np.append(np.arange(0, len(times), 2), len(times) - 1))
    return times[kept], _nodes(motion)[kept]


def _nodes(motion: Motion) -> np.ndarray:
    return motion.pieces.state(np.asarray(motion.pieces.times))


def _relative(found: Tally, admitted: np.ndarray, part: slice) -> tuple[float, float, int]:
    scale = max(float(found.scale[part].max(initial=0.0)), np.finfo(float).tiny)
    worst = part.start + int(np.argmax(found.defect[part]))
    return float(found.defect[worst]) / scale, float(admitted[part].max()) / scale, worst


def _line(law: str, found: Tally, admitted, parts: list[slice], reason: str) -> Line:
    residual, tolerance, worst = max(
        (_relative(found, admitted, p) for p in parts), key=lambda r: r[0] / max(r[1], 1e-300)
    )
    return Line(
        law,
        residual,
        tolerance,
        reason,
        f"worst at t = {found.worst_time[worst]:.4g} s" if residual > tolerance else "",
    )


def _system_line(found: Tally, admitted, nb: int, reason: str) -> Line:
    def summed(values):
        return values[1 : 1 + 6 * nb].reshape(nb, 6).sum(axis=0)

    scale, tolerance = summed(found.scale), summed(admitted)
    largest = [max(float(scale[part].max()), np.finfo(float).tiny) for part in (slice(0, 3), slice(3, 6))]
    measured = [(float(found.whole[part].max()) / size, float(tolerance[part].max()) / size)
                for part, size in zip((slice(0, 3), slice(3, 6)), largest, strict=True)]  # fmt: skip
    residual, allowed = max(measured, key=lambda r: r[0] / max(r[1], 1e-300))
    return Line("momentum of the system", residual, allowed, reason)


def _closure_line(found: Tally, admitted, closures, reason: str) -> Line:
    measured = [(name, *_relative(found, admitted, part)) for name, part in closures]
    name, residual, tolerance, worst = max(measured, key=lambda r: r[1] / max(r[2], 1e-300))
    detail = f"worst joint '{name}' at t = {found.worst_time[worst]:.4g} s" if residual > tolerance else ""
    return Line("rates q' = N v", residual, tolerance, reason, detail)


def _chart_line(motion: Motion, found: Tally, admitted, first: int) -> Line:
    tolerance = 1e-12
    reason = "unit quaternions"
    if motion.method.claims.name not in ("taylor", "series", "dop853"):
        tolerance = float(max(1e-12, 2.0 * admitted[first:].max()))
        reason = "unit quaternions, to the method's accuracy"
    elif motion.method.tolerance is not None and motion.method.tolerance > 1e-13:
        tolerance = float(SAFETY * motion.method.tolerance)
    return Line("chart norms", found.chart_defect, tolerance, reason)
