"""The certificate of bodies with balances step by step."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vinculum.audits.balances.jumps import Jumps, jumps
from vinculum.audits.balances.tally import Tally, tally
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.impacts.least_slips import speed_of_slips
from vinculum.audits.impacts.lines import speed_scale
from vinculum.audits.impacts.remedies import deciding_step
from vinculum.audits.impacts.seen_impacts import Impacts, impacts
from vinculum.audits.phases import worst_of
from vinculum.audits.stretches import joint_line, stretches
from vinculum.motion.record import Record

Lines = Callable[[Record, Impacts | None, Tally, Record], list[Line]]
"""Lines of one part of a motion, by one method: from the part, its impacts, its tally, and the whole motion."""


def certificate_of_bodies(
    motion: Record, lines_of: Lines, leaps_of: Callable[[Record, Impacts | None], Jumps | None] = jumps
) -> Certificate:
    """The certificate of a motion: the lines of all its stretches, on common scales. ``leaps_of``: what impulses change."""
    parts = _with_impacts(stretches(motion))
    tallies = [tally(part, jumped=leaps_of(part, hits)) for part, hits in parts]
    scale = np.max([found.scale for found in tallies], axis=0)
    lists = [
        lines_of(part, hits, replace(found, scale=scale), motion)
        for (part, hits), found in zip(parts, tallies, strict=True)
    ]
    lines = lists[0] if len(lists) == 1 else [*worst_of(lists), joint_line(motion, parts)]
    remedy = deciding_step(motion, lines)
    return Certificate(
        motion.model.name, _description(motion, sum(found.steps for found in tallies)), tuple(lines), remedy
    )


def _with_impacts(parts: list[Record]) -> list[tuple[Record, Impacts | None]]:
    """The stretches of a motion with their impacts, whose speeds have one scale."""
    found = [impacts(part) for part in parts]
    every = [hits for hits in found if hits is not None and len(hits)] if len(parts) > 1 else []
    if not every:
        return list(zip(parts, found, strict=True))
    common = {"fastest": max(map(speed_scale, every)), "speed_of_slips": max(map(speed_of_slips, every))}
    return [(part, hits if hits is None else replace(hits, **common)) for part, hits in zip(parts, found, strict=True)]


def _description(motion: Record, steps: int) -> str:
    return f"{motion.pieces.begin:g} to {motion.pieces.end:g} s, {steps} steps, {motion.method}"
