"""A box that rattles on its edges until it stands: ever smaller impacts, each judged by its own size."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from marks import TAYLOR
from records import altered
from scenes import UPRIGHT
from vinculum.audits.impacts.least_slips import least_slips
from vinculum.audits.impacts.seen_impacts import impacts
from vinculum.tolerances.event_driven import NUDGE

IMPULSES = "impulses M [v] = Hᵀ P"
POWER = "friction P_T · u_T⁺ ≤ 0"


def rattling(treatment: str, seed: int, method: str, until: float = 0.6):
    """A box in the plane, dropped on two edges with friction."""
    rng = np.random.default_rng(seed)
    system = vc.System("box", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.4, 0.3, 0.2)), mass=2.0))
    system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
    for k, x in enumerate((-0.2, 0.2)):
        edge = lambda b, x=x: b.point((x, 0, -0.1))
        gap = lambda b, edge=edge: edge(b)[2]
        impact, friction = vc.Newton(0.4, treatment), vc.Coulomb(0.4)
        system.add(vc.Unilateral(f"edge {k}", [body], gap=gap, point=edge, impact=impact, friction=friction))
    angle = rng.uniform(-0.3, 0.3)
    height = 0.2 * abs(np.sin(angle)) + 0.1 * np.cos(angle) + 0.02
    start = {"plane": vc.At((0, height, angle), rate=(0.5 * rng.normal(), 0, rng.normal()))}
    return vc.simulate(system, until, start, method=method, progress=False)


@pytest.fixture(scope="module")
def at_once():
    return rattling("simultaneous", 4, "dop853")


@pytest.fixture(scope="module")
def in_turn():
    return rattling("sequential", 7, "dop853")


def test_impacts_that_end_with_a_rest_or_a_least_slip_fit_their_impulses(at_once):
    """Speeds that count as none are taken by impulses, and slips that begin from rest are known."""
    assert at_once.audit().passed, str(at_once.audit())


@pytest.mark.slow
@pytest.mark.parametrize("treatment, seed", [("simultaneous", 7), ("sequential", 0)])
def test_other_boxes_are_certified_as_well(treatment, seed):
    motion = rattling(treatment, seed, TAYLOR.values[0])
    assert motion.audit().passed, str(motion.audit())


def test_least_slips_are_no_more_than_a_phase_begins_with(at_once):
    found = impacts(at_once.record)
    changes = least_slips(found)
    slips = np.einsum("krj,kj->kr", found.here.jacobians, changes)
    assert np.any(changes) and np.abs(slips).max() <= 2.0 * NUDGE * 10.0
    closed = np.abs(slips[np.any(changes, axis=1), ::3]).min(axis=1)
    np.testing.assert_allclose(closed, 0.0, atol=1e-20, err_msg="they open nothing that is closed")


def test_small_impacts_with_wrong_impulses_break_the_certificate(at_once):
    """The one in the middle of the row has a ten-thousandth of the largest impulse."""
    atoms = at_once.record.atoms
    sizes = np.abs(atoms.contact_impulses).max(axis=1)
    k = int(np.argmin(np.abs(sizes - 1e-4 * sizes.max())))
    wrong = np.array(atoms.contact_impulses)
    wrong[k] *= 1.0 + 1e-6
    assert IMPULSES in broken(altered(at_once, atoms=replace(atoms, contact_impulses=wrong)).audit())


def test_a_velocity_that_leaps_where_a_slip_begins_breaks_the_certificate(at_once):
    """A hundred least slips are no least slip."""
    found, nq = impacts(at_once.record), at_once.record.model.nq
    changes = least_slips(found)
    k = int(np.flatnonzero(changes.any(axis=1))[-1])
    pieces = at_once.record.pieces
    place = int(np.flatnonzero(np.asarray(pieces.times) == found.times[k])[-1])
    coefficients = np.array(pieces.coefficients)
    coefficients[place, nq:, 0] += 100.0 * changes[k]
    forged = altered(at_once, pieces=replace(pieces, coefficients=coefficients))
    assert IMPULSES in broken(forged.audit())


def test_several_hits_in_turn_are_certified_though_the_last_one_drives_a_slip_on(in_turn):
    found = impacts(in_turn.record)
    powers = np.einsum("kct,kct->kc", found.impulses[:, :, 1:], found.leaving.reshape(found.impulses.shape)[:, :, 1:])
    assert powers.max() > 1e-8 * np.abs(powers).max()
    assert in_turn.audit().passed, str(in_turn.audit())


def test_friction_that_pushes_a_single_hit_breaks_the_certificate(in_turn):
    atoms = in_turn.record.atoms
    wrong = np.array(atoms.contact_impulses)
    single = np.count_nonzero(wrong[:, ::3], axis=1) == 1
    wrong[single, 1::3] *= -1.0
    assert POWER in broken(altered(in_turn, atoms=replace(atoms, contact_impulses=wrong)).audit())
