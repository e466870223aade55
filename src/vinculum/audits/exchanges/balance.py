"""`balance_of_bodies`: momentum screw and kinetic energy of any bodies over any window of time, with everything that changes them."""

import numpy as np

from vinculum.audits.balances.admitted import admitted_errors
from vinculum.audits.balances.jumps import jumps
from vinculum.audits.balances.quantities import KINETIC, PARTS, first_of_body
from vinculum.audits.balances.tally import tally
from vinculum.audits.certificate import Line
from vinculum.audits.exchanges.result import Balance, Part, both_balances
from vinculum.audits.exchanges.samples import chosen_bodies, sampled_exchanges
from vinculum.audits.exchanges.sums import Sums, Window, summed_exchanges
from vinculum.audits.impacts.seen_impacts import impacts
from vinculum.audits.stretches import stretches
from vinculum.equations.observables.exchanges import STATE, WIDTH
from vinculum.errors import StartError, shorten
from vinculum.motion.chart_changes import stretch_at
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.screws.entries import is_number
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import ROUND_OFF

LAWS = (("momentum", slice(0, 3)), ("angular momentum", slice(3, 6)), ("kinetic energy", slice(6, 7)))


def balance_of_bodies(record: Record, names: tuple[str, ...], window, sides) -> Balance:
    """The balance of the named bodies, all without names, in a window (t₁, t₂), the whole motion by default."""
    bodies, within = chosen_bodies(record, names), _window(record, window, sides)
    ends = np.stack(
        [_motion_at(record, bodies, t, side) for t, side in zip((within.begin, within.end), within.sides, strict=True)]
    )
    sums = summed_exchanges(record, bodies, within)
    parts = tuple(Part(name, amount[:6], float(amount[6]), name in sums.inside) for name, amount in sums.parts.items())
    known = list(record.model.layout.bodies)
    named = names or tuple(known)
    lines = _lines(record, bodies, ends[1] - ends[0] - sum(sums.parts.values(), np.zeros(WIDTH)), sums, ends)
    return Balance(
        record.model.name,
        named,
        (within.begin, within.end),
        within.sides,
        *both_balances(ends[:, :6], ends[:, 6], parts),
        parts,
        lines,
    )


def _motion_at(record: Record, bodies, t: float, side: str) -> np.ndarray:
    """Momentum screw and kinetic energy (7,) of bodies at an instant."""
    time = np.array([t])
    stretch = stretch_at(record.changes, time, side)
    states = recorded_states(record, time, record.pieces.state(time, side=side), stretch)
    return sampled_exchanges(record, time, states, stretch)[STATE][0, list(bodies), :WIDTH].sum(axis=0)


def _window(record: Record, window, sides) -> Window:
    begin, end = record.pieces.begin, record.pieces.end
    if window is None:
        given: tuple[float, float] = (begin, end)
    elif isinstance(window, (tuple, list, np.ndarray)) and len(window) == 2 and all(map(is_number, window)):
        given = float(window[0]), float(window[1])
    else:
        raise StartError(f"window {shorten(window)} is not a window; give two instants (t₁, t₂) [s]")
    if not begin <= given[0] <= given[1] <= end:
        raise StartError(
            f"window {given[0]:g} … {given[1]:g} s must be in order and within the motion, which runs from {begin:g} to {end:g} s"
        )
    if not isinstance(sides, (tuple, list)) or len(sides) != 2 or any(one not in ("left", "right") for one in sides):
        raise StartError(f"sides {shorten(sides)} must be two of 'left' and 'right', one for each end of the window")
    if given[0] == given[1] and sides == ("right", "left"):
        raise StartError(
            f"window at t = {given[0]:g} s from right to left runs backwards; give sides=('left', 'right')"
        )
    return Window(given[0], given[1], (sides[0], sides[1]))


def _lines(record: Record, bodies, residual: np.ndarray, sums: Sums, ends: np.ndarray) -> tuple[Line, ...]:
    """The laws with their tolerances: what the audit of these bodies admits, and the quadrature and round-off of the parts."""
    admitted, reason = _admitted_errors(record, bodies, sums)
    rounded = SAFETY * ROUND_OFF * (sums.gross + sums.largest + np.abs(ends).max(axis=0))
    own, sizes = sums.quadrature + rounded, sums.largest + sums.gross + np.abs(ends).max(axis=0)
    # a moment may vanish where the momentum does not, as at the world's origin
    sizes[3:6] = np.maximum(sizes[3:6], sums.reach * sizes[:3].max())
    lines = []
    for law, place in LAWS:
        scale, errors = float(sizes[place].max()), [float(x[place].max()) + float(own[place].max()) for x in admitted]
        rests = (
            scale <= errors[0]
        )  # what moves less than the errors of the motion is at rest, and has no scale of its own
        relative = 1.0 if rests else scale
        tolerance, doubt = (x / relative for x in errors)
        told = f"{reason}; at rest" if rests else reason
        lines.append(Line(law, float(np.abs(residual[place]).max()) / relative, tolerance, told, doubt=doubt))
    return tuple(lines)


def _admitted_errors(record: Record, bodies, sums: Sums) -> tuple[tuple[np.ndarray, np.ndarray], str]:
    """Errors (7,) that a correct motion may have in the sums over bodies, beyond which nothing is decided and beyond which it is wrong;
    and their reason. A moment at the world's origin has those of the moment at the mass center, of the momentum at its distance, and of
    the path of the mass center."""
    total, reason = np.zeros((2, WIDTH)), ""
    for part in stretches(record):
        hits = impacts(part)
        found = tally(part, jumped=jumps(part, hits))
        allowed = admitted_errors(part, found)
        reason = allowed.reason
        for row, errors in enumerate((allowed.tolerance, allowed.doubt)):
            total[row, 6] += errors[KINETIC]
            for i, mass in zip(bodies, sums.masses, strict=True):
                p, s, c = (slice(first_of_body(i) + k.start, first_of_body(i) + k.stop) for k in PARTS)
                strayed = float(errors[c].max()) / mass if mass > 0.0 else 0.0
                total[row, :3] += errors[p].max()
                total[row, 3:6] += errors[s].max() + sums.reach * errors[p].max() + found.scale[p].max() * strayed
    return (total[0], total[1]), reason
