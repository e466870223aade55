"""`balance_of_bodies`: momentum screw and kinetic energy of any bodies over any window of time, with everything that changes them."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.exchanges.bodies import chosen_bodies
from vinculum.audits.exchanges.by_type import EXCHANGES, Admitted
from vinculum.audits.exchanges.result import Balance, Part, both_balances
from vinculum.audits.exchanges.window import Sums, Window
from vinculum.equations.observables.exchanges import WIDTH
from vinculum.errors import StartError, shorten
from vinculum.motion.record import Record
from vinculum.screws.entries import is_number
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import ROUND_OFF

LAWS = (("momentum", slice(0, 3)), ("angular momentum", slice(3, 6)), ("kinetic energy", slice(6, 7)))


def balance_of_bodies(record: Record, names: tuple[str, ...], window, sides) -> Balance:
    """The balance of the named bodies, all without names, in a window (t₁, t₂), the whole motion by default."""
    if record.carried is not None:
        raise StartError(
            f"'{record.model.name}': moments about an origin that moves relative to the walls are not added up; take the balance of the "
            "motion in the frame of its walls, or motion.audit() of this one"
        )
    bodies, exchanges = chosen_bodies(record, names), EXCHANGES.of(record.model)
    within = exchanges.window_of(record, _window(record, window, sides))
    instants = within.begin, within.end
    ends = np.stack(
        [exchanges.motion_at(record, bodies, t, side) for t, side in zip(instants, within.sides, strict=True)]
    )
    sums = exchanges.sums(record, bodies, within)
    parts = tuple(Part(name, amount[:6], float(amount[6]), name in sums.inside) for name, amount in sums.parts.items())
    known = list(record.model.layout.bodies)
    named = names or tuple(known)
    residual = ends[1] - ends[0] - sum(sums.parts.values(), np.zeros(WIDTH))
    lines = _lines(residual, sums, ends, exchanges.errors(record, bodies, sums))
    return Balance(
        record.model.name,
        named,
        (within.begin, within.end),
        within.sides,
        *both_balances(ends[:, :6], ends[:, 6], parts),
        parts,
        lines,
    )


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


def _lines(residual: np.ndarray, sums: Sums, ends: np.ndarray, admitted: Admitted) -> tuple[Line, ...]:
    """The laws with their tolerances: what the audit of these bodies admits, and the quadrature and round-off of the parts."""
    rounded = SAFETY * ROUND_OFF * (sums.gross + sums.largest + np.abs(ends).max(axis=0))
    own, sizes = sums.quadrature + rounded, sums.largest + sums.gross + np.abs(ends).max(axis=0)
    # a moment may vanish where the momentum does not, as at the world's origin
    sizes[3:6] = np.maximum(sizes[3:6], sums.reach * sizes[:3].max())
    lines = []
    for law, place in LAWS:
        scale, errors = (
            float(sizes[place].max()),
            [float(x[place].max()) + float(own[place].max()) for x in admitted[:2]],
        )
        rests = (
            scale <= errors[0]
        )  # what moves less than the errors of the motion is at rest, and has no scale of its own
        relative = 1.0 if rests else scale
        tolerance, doubt = (x / relative for x in errors)
        told = f"{admitted.reason}; at rest" if rests else admitted.reason
        lines.append(Line(law, float(np.abs(residual[place]).max()) / relative, tolerance, told, doubt=doubt))
    return tuple(lines)
