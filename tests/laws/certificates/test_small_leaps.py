"""Jumps of an event-driven motion that belong to its method: the weak form knows them, and no larger ones."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from marks import needs_heyoka
from records import altered
from scenes import scene
from vinculum.audits.weak.closing_moves import stopped_slips

ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853"]


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize("seed", [21050, 21053, 21081])
def test_gaps_that_are_closed_by_angles_and_slips_that_stop(seed, method):
    """A box on its corners closes a gap of 1e-10 m by an angle; slips of a stack and of a chain come to rest between bounces."""
    one = scene(seed)
    motion = vc.simulate(one.system, one.until, one.start, method=method, progress=False, grid=41)
    line = next(line for line in motion.audit().lines if line.law == "weak form equ C = F")
    assert line.verdict == "holds", str(line)


def test_a_larger_leap_is_none_of_them():
    """Velocities that change by a millionth where a slip comes to rest break the weak form."""
    one = scene(21050)
    motion = vc.simulate(one.system, one.until, one.start, method="dop853", progress=False, grid=41)
    pieces, nq = motion.record.pieces, motion.record.model.nq
    k = int(np.searchsorted(pieces.times, stopped_slips(motion.record)[0]))
    coefficients = np.array(pieces.coefficients)
    coefficients[k, nq:, 0] += 1e-6 * np.abs(coefficients[:, nq:, 0]).max()
    wrong = altered(motion, pieces=replace(pieces, coefficients=coefficients))
    assert "weak form equ C = F" in broken(wrong.audit())


def test_a_block_that_is_lifted_lifts_the_next_one():
    """Time stepping opens gaps of a stack at rest; blocks above, whose own gaps are open, move with them. No other move is admitted."""
    one = scene(21032)
    motion = vc.simulate(one.system, one.until, one.start, method="moreau", step=1e-4, progress=False, grid=41)
    assert motion.audit().verdict == "passed", str(motion.audit())
    pieces, coefficients = motion.record.pieces, np.array(motion.record.pieces.coefficients)
    coefficients[len(coefficients) // 2 :, 0, 0] += 1e-6
    assert "time stepping" in broken(altered(motion, pieces=replace(pieces, coefficients=coefficients)).audit())
