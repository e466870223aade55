"""Cards that lean on each other stand if friction carries their thrust, tan(lean)/2 for a tent, and fall if not."""

import numpy as np
import pytest

import vinculum as vc
from cards import LEAN, house

STEPPED = {"method": "moreau", "step": 1e-3, "progress": False}


def sunk(mu, storeys, until):
    system, start = house(mu, storeys)
    motion = vc.simulate(system, until, start, **STEPPED)
    return np.array([motion.body(name).center[0, 2] - motion.body(name).center[-1, 2] for name in start]), motion


def test_a_tent_of_cards_stands_with_enough_friction_and_falls_with_little():
    assert 0.1 < np.tan(LEAN) / 2 < 0.4
    stands, motion = sunk(0.4, 1, 0.5)
    assert np.abs(stands).max() < 1e-4
    assert np.abs(motion.v[-1]).max() < 1e-4
    assert motion.audit().passed, str(motion.audit())
    falls, motion = sunk(0.1, 1, 0.5)
    assert falls.min() > 0.03
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.slow
def test_a_house_of_seven_cards_stands_and_falls():
    stands, motion = sunk(0.5, 2, 1.0)
    assert np.abs(stands).max() < 2e-4
    assert np.abs(motion.v[-1]).max() < 1e-4
    assert motion.audit().passed, str(motion.audit())
    falls, motion = sunk(0.1, 2, 0.5)
    assert falls.min() > 0.03
    assert motion.audit().passed, str(motion.audit())
