"""A chain of a hundred links draped over a drum: closed forms of its start and of its rest."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from chains import AXIS, BEND, BENDS, HALF, G, by_hand, chain, least_friction
from records import altered
from vinculum.motion.impulses.meetings import Meetings

LINKS, SHORT = 100, 35
LONGER = LINKS - (BENDS + 1) - 2 * SHORT
"""How many more links hang on the right than on the left."""


def run(mu, until, h, links=LINKS, short=SHORT):
    system, start, _ = chain(links, short, mu)
    return vc.simulate(system, until, start, method="moreau", step=h, progress=False)


def speed(motion, k):
    """Upward speed of a link at the end."""
    x = motion.body(f"link {k}").position[:, 2]
    return (x[-1] - x[0]) / motion.time[-1] * 2.0


@pytest.mark.slow
def test_a_chain_without_friction_starts_as_its_sides_tell_and_as_numpy_says():
    h = 1e-4
    motion = run(0.0, 2 * h, h)
    assert np.ptp(motion.record.contact_solver.contacts) == 0  # also where gravity neither closes nor opens a gap
    centers, angles = by_hand(LINKS, SHORT)
    pulled = G * LONGER / LINKS
    assert centers[0, 1] == pytest.approx(pulled, rel=0.02)
    turns = np.diff(angles)
    top = SHORT + BENDS // 2
    for k in range(top + 1, LINKS):
        own = motion.record.model.layout.joints[f"hinge {k}"].v[0]
        assert motion.v[-1, own] / (2 * h) == pytest.approx(turns[k - 1], rel=2e-3, abs=2e-3 * np.abs(turns).max())


def test_a_chain_with_enough_friction_stays_and_is_held_within_the_cone():
    """Weights of the sides below e^{μπ} of each other hold (capstan); friction carries their difference."""
    h, mu = 1e-3, 0.4
    motion = run(mu, 5 * h, h)
    assert np.abs(motion.v[-1]).max() < 1e-8
    hits = motion.bond("drum").impulses
    last = hits.times > motion.time[-1] - h
    normal, along = hits.normal[last], hits.tangential[last]
    assert np.all(np.linalg.norm(along, axis=1) <= mu * normal * (1 + 1e-6))
    mass = motion.record.model.tree.links[0].body.mass
    assert normal.max() > 0.0
    grip = np.linalg.norm(along, axis=1).sum() / h
    assert grip >= 0.95 * mass * G * LONGER * AXIS / (AXIS + HALF)
    light, heavy = (mass * G * (SHORT + k) for k in (0, LONGER))
    assert heavy / light <= np.exp(mu * np.pi)


@pytest.mark.parametrize("case", [(30, 3), pytest.param((LINKS, SHORT), marks=pytest.mark.slow)], ids=["short", "long"])
def test_a_chain_stays_where_a_linear_program_finds_reactions_and_slips_where_it_finds_none(case):
    """The capstan's limit for links that weigh and are thick, in place of e^{μπ} for a rope that does not."""
    links, short = case
    limit, h = least_friction(links, short), 1e-4
    held, slipping = (run(part * limit, 10 * h, h, links, short) for part in (1.01, 0.99))
    assert np.abs(held.v[-1]).max() < 1e-9
    assert np.abs(slipping.v[-1]).max() > 1e-4
    hits = slipping.bond("drum").impulses
    used = np.linalg.norm(hits.tangential, axis=1) / (0.99 * limit * hits.normal)
    assert used.max() < 1.0 + 1e-6
    assert np.sum(used[hits.times > slipping.time[-1] - h] > 1.0 - 1e-6) >= BENDS - 2


def test_tension_of_a_resting_chain_grows_over_the_drum_by_what_its_impulses_take():
    """Hinges carry the weights that hang, and every link balances its hinges, contact and weight."""
    links, short, mu, h = 30, 3, 0.3, 1e-4
    motion, top = run(mu, 5 * h, h, links, short), short + BENDS // 2
    weight = motion.record.model.tree.links[0].body.mass * G
    tension = np.zeros((links + 1, 2))  # on link k from the next one, in row k + 1
    for k in range(links):
        if k != top:
            force = motion.bond(f"hinge {k}").impulses.wrench[-1, [0, 2]] / h
            tension[k if k > top else k + 1] = -force if k > top else force
    light, heavy = (np.linalg.norm(tension[k]) for k in (short, short + BENDS + 1))
    assert light == pytest.approx(weight * short, rel=1e-6)
    assert heavy == pytest.approx(weight * (links - BENDS - 1 - short), rel=1e-6)
    hits = motion.bond("drum").impulses
    last = hits.times > motion.time[-1] - h
    who = np.array([int(name.split()[1]) for name in hits.shapes[last, 0]])
    for k in range(short, short + BENDS + 1):
        phi = (k - top) * BEND
        needed = np.array([0.0, weight]) - tension[k + 1] + tension[k]
        normal, along = hits.normal[last][who == k].sum() / h, hits.tangential[last][who == k].sum(axis=0) / h
        assert needed @ [np.sin(phi), np.cos(phi)] == pytest.approx(normal, abs=1e-5 * weight)
        assert abs(needed @ [np.cos(phi), -np.sin(phi)]) == pytest.approx(np.linalg.norm(along), abs=1e-5 * weight)
        assert np.linalg.norm(along) <= mu * normal + 1e-5 * weight


@pytest.mark.parametrize(
    ("mu", "h"), [(0.1, 2e-5), pytest.param(0.4, 1e-4, marks=pytest.mark.slow)], ids=["slipping", "resting"]
)
def test_a_short_chain_over_a_drum_is_certified(mu, h):
    motion = run(mu, 1e-3, h, 30, 3)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


@pytest.mark.slow
def test_one_impulse_of_a_chain_altered_by_a_hundredth_fails():
    motion = run(0.1, 5e-4, 2e-5, 30, 3)
    rows = motion.record.atoms.meetings.rows.copy()
    rows[len(rows) // 2, 16] *= 1.01
    wrong = altered(motion, atoms=replace(motion.record.atoms, meetings=Meetings(rows)))
    assert {"impulses M [v] = Hᵀ P", "momentum of the system"} <= broken(wrong.audit())


@pytest.mark.slow
@pytest.mark.parametrize(("mu", "h"), [(0.4, 5e-5), (0.05, 2e-5)], ids=["resting", "slipping"])
def test_a_chain_of_a_hundred_links_over_a_drum_is_certified(mu, h):
    motion = run(mu, 1e-3, h)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


@pytest.mark.slow
def test_a_chain_slides_off_a_drum_and_breaks_no_law():
    motion = run(0.05, 0.4, 5e-4)
    assert speed(motion, 0) > 0.0 and speed(motion, LINKS - 1) < 0.0
    assert not broken(motion.audit()), str(motion.audit())
