"""The woodpecker toy comes to its published limit cycle (Glocker 1995; Leine, Van Campen and Glocker 2003)."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from woodpecker import ANGLES, LONG, RATES, START, by_hand, woodpecker

STEPPED = {"method": "moreau", "progress": False}
PERIOD = 0.14597


def first_hits(times):
    """The first of every train of hits."""
    return times[np.concatenate([[True], np.diff(times) > 0.02])]


def test_the_toy_comes_back_to_the_published_point_every_period_and_pecks_once_in_it():
    motion = vc.simulate(woodpecker(), 0.75, START, step=1e-4, grid=np.linspace(0, 0.75, 7501), **STEPPED)
    pecks = first_hits(motion.bond("beak").impulses.times)
    assert len(pecks) == 5
    np.testing.assert_allclose(np.diff(pecks), PERIOD, rtol=1e-3)
    for k in range(1, 5):
        i = round(k * PERIOD / 1e-4)
        angles, rates = (LONG * x[i, 1:].cumsum() for x in (motion.q, motion.v))
        np.testing.assert_allclose(angles, ANGLES, rtol=4e-3)
        np.testing.assert_allclose([motion.v[i, 0], rates[1]], [RATES[0], RATES[2]], rtol=1.2e-2)
        assert abs(rates[0]) < 1e-9  # the sleeve is jammed
    low, high = (motion.bond(f"{edge} edge").impulses.times for edge in ("low", "high"))
    for begin, end in pairwise(pecks):
        # peck, jam on the high edge, slide, jam on the low one, slide, high edge again
        assert high[high > begin][0] < low[low > begin][0] < low[low < end][-1] < high[high < end][-1]


def test_a_period_of_the_toy_breaks_no_law():
    motion = vc.simulate(woodpecker(), 0.08, START, step=2e-5, **STEPPED)
    assert not broken(motion.audit()), str(motion.audit())


def test_event_by_event_the_toy_pecks_in_the_published_period_and_moves_as_in_fine_steps():
    motion = vc.simulate(woodpecker(), 0.4, START, progress=False)
    pecks = motion.bond("beak").impulses.times
    np.testing.assert_allclose(np.diff(pecks), PERIOD, rtol=2e-3)
    assert len(pecks) == 3
    stepped = vc.simulate(woodpecker(), 0.12, START, step=1e-5, **STEPPED)
    for t in (0.03, 0.07, 0.079, 0.083, 0.1, 0.12):
        np.testing.assert_allclose(motion.at(t).q, stepped.at(t).q, rtol=2e-3, atol=2e-9)


@pytest.mark.slow
def test_a_period_of_the_toy_in_fine_steps_is_certified():
    certificate = vc.simulate(woodpecker(), 0.15, START, step=5e-6, **STEPPED).audit()
    assert certificate.passed, str(certificate)


@pytest.mark.slow
def test_the_toy_keeps_the_time_of_the_published_equations_solved_by_hand():
    motion = vc.simulate(woodpecker(), 0.6, START, step=1e-4, **STEPPED)
    rows = by_hand(1e-4, 0.6)
    theirs = first_hits(rows[rows[:, 7] > 1e-5, 0])
    np.testing.assert_allclose(first_hits(motion.bond("beak").impulses.times), theirs, rtol=0, atol=1.5e-3)
    np.testing.assert_allclose(
        np.interp(theirs, motion.time, motion.q[:, 0]), np.interp(theirs, rows[:, 0], rows[:, 1]), atol=1e-3
    )
