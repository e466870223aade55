"""Time stepping of feet, chains, stops and clearances: right motions are certified, and chains with friction fall to rest."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka
from scenes import scene as random_scene
from stepped import chain, collision, drops, foot, rod, slider_crank, stopped_pendulum, table
from vinculum.integrators.moreau import moreau


def stepped(scene, until, h, **options):
    system, start = scene
    return vc.simulate(system, until, start, method="moreau", step=h, progress=False, **options)


def broken(motion):
    """Laws that do not hold, with their numbers."""
    lines = motion.audit().lines
    return [f"{k.law} {k.residual:.1e}/{k.tolerance:.1e} {k.detail}" for k in lines if k.verdict == "broken"]


@pytest.mark.parametrize("scene", [drops, table, collision])
@pytest.mark.parametrize("seed", range(3))
def test_gaps_that_close_at_one_instant_are_hit_together(scene, seed):
    for h in (1e-3, 1e-4):
        motion = stepped(scene(np.random.default_rng(seed)), 0.4, h)
        first = motion.record.atoms.contact_impulses[0].reshape(-1, 3)
        assert motion.record.atoms.durations[0] == 0.0
        assert np.all(first[:, 0] > 0.0), (h, first[:, 0])


@pytest.mark.parametrize("scene", [foot, slider_crank, stopped_pendulum])
def test_right_motions_are_certified_and_the_weak_form_closes_with_the_step(scene):
    left = []
    for h in (4e-4, 1e-4):
        motion = stepped(scene(), 0.12, h)
        assert motion.audit().passed, str(motion.audit())
        found = vc.measures.weak_residual(motion, 100)
        assert np.abs(found.mass_input).max() < 1e-10
        left.append(np.abs(found.explained).max())
    assert left[1] < 0.5 * left[0]


@needs_heyoka
@pytest.mark.parametrize("scene", [foot, stopped_pendulum])
@pytest.mark.slow
def test_they_end_where_motions_event_by_event_do(scene):
    system, start = scene()
    exact = vc.simulate(system, 0.3, start, progress=False)
    apart = [np.abs(stepped((system, start), 0.3, h).q[-1] - exact.q[-1]).max() for h in (4e-4, 1e-4)]
    assert apart[1] < max(0.5 * apart[0], 1e-6) and apart[1] < 2e-3


@pytest.mark.parametrize("seed", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_chains_with_friction_fall_and_no_law_is_broken(seed):
    """Moves out of penetration stand at the instants of hits; links that lie flat have more rows that press than freedoms."""
    motion = stepped(chain(seed), 0.6, 1e-3)
    assert motion.time[-1] == 0.6 and broken(motion) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_chains_of_two_to_ten_links_come_to_rest(seed):
    system, start = chain(seed)
    motion = stepped((system, start), 3.0, 1e-3)
    assert broken(motion) == []
    assert motion.record.contact_solver.residual.max() <= 1e-7
    assert motion.energy[-1] <= motion.energy[0]


def test_a_tolerance_is_what_impulses_of_trees_are_accepted_by_and_nothing_else():
    plain, loose, tight = (
        stepped(foot(), 0.1, 4e-4, **given) for given in ({}, {"tolerance": 1e-4}, {"tolerance": 1e-12})
    )
    assert plain.record.contact_solver.residual.max() <= 1e-10 and tight.record.contact_solver.residual.max() <= 1e-12
    assert (loose.record.method.tolerance, tight.record.method.tolerance) == (1e-4, 1e-12)
    np.testing.assert_allclose(tight.q[-1], plain.q[-1], atol=1e-8)
    np.testing.assert_allclose(loose.q[-1], plain.q[-1], atol=1e-8)
    lines = [{k.law: k.tolerance for k in motion.audit().lines} for motion in (plain, loose)]
    assert lines[0] == pytest.approx(lines[1])
    assert "step 0.0004 s, tolerance 1.0e-04" in str(loose.audit())


def test_motions_that_are_false_by_a_thousandth_are_still_found_out():
    motion = stepped(chain(3, 4), 0.3, 2e-4)
    assert broken(motion) == []
    assert broken(motion.replace(v=1.001 * motion.v)) != []


def test_work_of_a_force_that_grows_within_steps_is_known_to_the_order_of_the_step():
    """Velocities are linear within a step, and the work of what changes on them is of the second order."""
    system = vc.System("pulled", gravity=(0, 0, -9.81))
    block = system.add(vc.MassPoint("block", mass=1.0))
    where = lambda b: b.position
    system.add(
        vc.Unilateral(
            "floor", [block], gap=lambda b: b.position[2], point=where, impact=vc.Inelastic(), friction=vc.Coulomb(0.3)
        )
    )
    system.add(vc.Force("pull", block, lambda b, t: vc.Wrench(force=(40.0 * t, 0, 0))))
    motion = stepped((system, {"block": (0, 0, 0)}), 0.6, 1e-3)
    assert motion.audit().passed, str(motion.audit())
    assert broken(motion.replace(v=1.001 * motion.v)) != []


def test_hits_between_two_chunks_of_steps_stand_at_ends_of_steps(monkeypatch):
    """Instants of steps are rounded, and the end of a chunk is the beginning of the next to the last bit."""
    whole = stepped(rod(), 0.6, 3e-4)
    monkeypatch.setattr(moreau, "CHUNK_OF_TIME_STEPS", 1)
    found = stepped(rod(), 0.6, 3e-4)
    assert np.isin(found.record.atoms.times, np.asarray(found.record.pieces.times)).all()
    assert broken(found) == []
    np.testing.assert_allclose(found.q[-1], whole.q[-1], atol=1e-9)


def test_what_lands_flat_after_another_landing_is_hit_on_both_edges_at_once():
    """Two blocks without spin, one above the other: errors of the first impact would turn them and split the second (seed 9314)."""
    one = random_scene(9314)
    events, stepped = (
        vc.simulate(one.system, 0.2, one.start, progress=False, **options)
        for options in ({"method": "dop853"}, {"method": "moreau", "step": 1e-4})
    )
    np.testing.assert_allclose(stepped.v[-1], events.v[-1], atol=1e-6)
    assert stepped.audit().passed
