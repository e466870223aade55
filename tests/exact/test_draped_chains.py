"""A chain of a hundred links draped over a drum: closed forms of its start and of its rest."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from chains import AXIS, BENDS, HALF, G, by_hand, chain

LINKS, SHORT = 100, 35
LONGER = LINKS - (BENDS + 1) - 2 * SHORT
"""How many more links hang on the right than on the left."""


def run(mu, until, h):
    system, start, _ = chain(LINKS, SHORT, mu)
    return vc.simulate(system, until, start, method="moreau", step=h, progress=False)


def speed(motion, k):
    """Upward speed of a link at the end."""
    x = motion.position(f"link {k}")[:, 2]
    return (x[-1] - x[0]) / motion.time[-1] * 2.0


def test_a_chain_without_friction_starts_as_its_sides_tell_and_as_numpy_says():
    h = 1e-4
    motion = run(0.0, 2 * h, h)
    assert np.ptp(motion.solves.contacts) == 0  # also where gravity neither closes nor opens a gap
    centers, angles = by_hand(LINKS, SHORT)
    pulled = G * LONGER / LINKS
    assert centers[0, 1] == pytest.approx(pulled, rel=0.02)
    turns = np.diff(angles)
    top = SHORT + BENDS // 2
    for k in range(top + 1, LINKS):
        own = motion.model.layout["joints"][f"hinge {k}"]["v"][0]
        assert motion.v[-1, own] / (2 * h) == pytest.approx(turns[k - 1], rel=2e-3, abs=2e-3 * np.abs(turns).max())


def test_a_chain_with_enough_friction_stays_and_is_held_within_the_cone():
    """Weights of the sides below e^{μπ} of each other hold (capstan); friction carries their difference."""
    h, mu = 1e-3, 0.4
    motion = run(mu, 5 * h, h)
    assert np.abs(motion.v[-1]).max() < 1e-8
    hits = motion.percussion("drum")
    last = hits.times > motion.time[-1] - h
    normal, along = hits.normal[last], hits.tangential[last]
    assert np.all(np.linalg.norm(along, axis=1) <= mu * normal * (1 + 1e-6))
    mass = motion.model.tree.links[0].body.mass
    assert normal.max() > 0.0
    grip = np.linalg.norm(along, axis=1).sum() / h
    assert grip >= 0.95 * mass * G * LONGER * AXIS / (AXIS + HALF)
    light, heavy = (mass * G * (SHORT + k) for k in (0, LONGER))
    assert heavy / light <= np.exp(mu * np.pi)


@pytest.mark.slow
def test_a_chain_slides_off_a_drum_and_breaks_no_law():
    motion = run(0.05, 0.4, 5e-4)
    assert speed(motion, 0) > 0.0 and speed(motion, LINKS - 1) < 0.0
    assert not broken(motion.audit()), str(motion.audit())
