r"""Motions that a base carries: the certificate relative to the base, and momentum and energy in the frame in which the base moves.

.. math:: p_2' - p_1' = R P + \Delta m\,u,\qquad T_2' - T_1' = W + R P\cdot u + \tfrac12 \Delta m\,u^2

The laws relative to a base that moves uniformly are those of its frame. P and W are the impulse and the work of all that acts on the
bodies, as it is known there; momenta p' and kinetic energies T' are those that the motion has in the new frame.
"""

from dataclasses import replace

import numpy as np

from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.exchanges.by_type import EXCHANGES
from vinculum.audits.exchanges.window import Window
from vinculum.errors import StartError
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import ROUND_OFF


def certificate_of_carried(record: Record, relative: Certificate) -> Certificate:
    """The certificate of a motion that a base carries, from that of the motion ``relative`` to the base."""
    return replace(relative, lines=(*relative.lines, *_lines(record)))


def _lines(record: Record) -> list[Line]:
    """The momentum and energy of all bodies over the whole motion; none that decide nothing, or where it is not known what acts."""
    assert record.carried is not None
    frame, own = record.carried.frame, record.carried.relative(record)
    exchanges, bodies = EXCHANGES.of(own.model), tuple(range(len(own.model.layout.bodies)))
    try:
        exchanges.check(own)
    except StartError:
        return []
    within = exchanges.window_of(own, Window(own.pieces.begin, own.pieces.end))
    sums = exchanges.sums(own, bodies, within)
    gained = sum(sums.parts.values(), np.zeros(7))
    u, impulse = frame.velocity, frame.rotation @ gained[:3]
    ends = [
        record.at(t + frame.later, side)._balance
        for t, side in zip((within.begin, within.end), within.sides, strict=True)
    ]
    p = [one["momentum"].reshape(-1, 6)[:, :3].sum(axis=0) for one in ends]
    T, m = ([float(one[name].sum()) for one in ends] for name in ("kinetic", "mass"))
    off = p[1] - p[0] - impulse - (m[1] - m[0]) * u
    energy = T[1] - T[0] - gained[6] - impulse @ u - 0.5 * (m[1] - m[0]) * (u @ u)
    speed, known = float(np.linalg.norm(u)), exchanges.errors(own, bodies, sums)
    gross = sums.gross + sums.largest
    size = float(gross[:3].max()) + max(m) * speed
    sizes = np.array([size, float(gross[6]) + speed * size])
    rounded = SAFETY * ROUND_OFF * sizes + [sums.quadrature[:3].max(), sums.quadrature[6]]
    tolerances, doubts = (
        np.array([np.linalg.norm(x[:3]), x[6] + speed * np.linalg.norm(x[:3])]) + rounded for x in known[:2]
    )
    residuals, sizes = np.array([np.linalg.norm(off), abs(energy)]), np.maximum(sizes, np.finfo(float).tiny)
    lines = [
        Line(f"{law} in the frame", float(r / s), float(tol / s), known.reason, doubt=float(doubt / s))
        for law, r, s, tol, doubt in zip(
            ("momentum", "kinetic energy"), residuals, sizes, tolerances, doubts, strict=True
        )
    ]
    return [line for line in lines if line.verdict != "undecided"]
