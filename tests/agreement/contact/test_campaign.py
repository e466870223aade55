"""Random small scenes with contact: every engine finishes them, agrees with the others to the order of the step, and is certified."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from campaign import ENGINES, STEP, Judgment, Outcome, first_loose, judge, missed_targets, outcome
from marks import needs_heyoka
from scenes import KINDS, UPRIGHT, scene
from vinculum.integrators.event_driven.touching import Touching
from vinculum.models.model_cache import model_for

SCENES = 40
"""Scenes of all kinds in the long run."""
QUICK = (
    32002, 32005, 32006, 32011, 32019, 32020, 32027, 32029, 32032, 32035, 32036, 32038, 32039, 32041, 32042, 32046, 32047, 32048, 32050,
    32051, 32054, 32055, 32056, 32057, 32059, 32060, 32065, 32072, 32074, 32078, 32082, 32083, 32084, 32086, 32087, 32092, 32095, 32096,
    32099, 32110,
)  # fmt: skip
"""Scenes that take some seconds by all engines, in every run: the quickest of a hundred in a row."""
SEEDS = [*QUICK, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(SCENES))]


@needs_heyoka
@pytest.mark.parametrize("seed", SEEDS)
def test_engines_finish_a_scene_agree_and_certify_nothing_wrong(seed):
    found = {name: outcome(seed, name) for name in ENGINES}
    assert {name: one.said for name, one in found.items() if one.state != "finished"} == {}
    finer = lambda part: outcome(seed, "moreau", step=STEP / part)
    assert judge(found, finer, lambda name, change: outcome(seed, name, change=change)).wrong == ()
    assert seed not in QUICK or all(one.certified for one in found.values())


def test_a_campaign_of_consecutive_seeds_has_every_kind_of_scene():
    assert {scene(seed).name.split()[0] for seed in range(len(KINDS))} == set(KINDS)


@pytest.mark.parametrize(("feet", "mu", "first"), [(3, 0.5, -1), (4, 0.5, 0), (4, None, -1)])
def test_rough_feet_share_a_load_in_many_ways_from_the_fourth_on(feet, mu, first):
    """Three feet bear what balance says; without friction the motion does not depend on who bears what."""
    system = vc.System("block", gravity=(0, 0, -9.81))
    block = system.add(vc.RigidBody("block", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    for k in range(feet):
        place = (np.cos(2 * np.pi * k / feet), np.sin(2 * np.pi * k / feet), 0.0)
        where = lambda b, p=place: b.point(p)
        rough = {} if mu is None else {"point": where, "friction": vc.Coulomb(mu)}
        system.add(
            vc.Unilateral(f"foot {k}", [block], gap=lambda b, at=where: at(b)[2], impact=vc.Inelastic(), **rough)
        )
    motion = vc.simulate(system, 0.01, {}, method="dop853", grid=3, progress=False)
    assert first_loose(system, motion) == first


def test_engines_that_part_where_loads_are_shared_in_many_ways_are_both_right():
    """Only from there on: what parts before is judged."""
    path = ((0.0,), (0.0,), (1.0,))
    found = {
        name: Outcome(0, name, "finished", "passed", speed=1.0, path=path, loose=1) for name in ("taylor", "dop853")
    }
    found["moreau"] = Outcome(0, "moreau", "finished", "passed", speed=1.0, path=((0.0,),) * 3)
    assert judge(found, lambda part: found["moreau"], lambda name, _: found[name]) == Judgment(free=True)
    late = {name: replace(one, loose=-1) for name, one in found.items()}
    assert judge(late, lambda part: late["moreau"], lambda name, _: late[name]).wrong == ("taylor", "dop853")


def _same(engine: str, change: float) -> Outcome:
    return _ended(engine, 0.0)


def _ended(engine: str, end: float, verdict: str = "passed") -> Outcome:
    return Outcome(0, engine, "finished", verdict, speed=1.0, path=((0.0,), (end,)))


def _found(taylor: Outcome, moreau: float) -> dict[str, Outcome]:
    return {"taylor": taylor, "dop853": _ended("dop853", taylor.path[-1][0]), "moreau": _ended("moreau", moreau)}


def test_a_fork_that_two_steps_take_alike_by_chance_condemns_nobody():
    ends = {4.0: 1.0, 7.0: 0.0, 16.0: 0.0}
    assert judge(_found(_ended("taylor", 0.0), 1.0), lambda part: _ended("moreau", ends[part]), _same) == Judgment()
    ends = {4.0: 1.0, 7.0: 2.0, 16.0: 0.0}
    assert judge(_found(_ended("taylor", 0.0), 1.0), lambda part: _ended("moreau", ends[part]), _same) == Judgment(
        open=True
    )


def test_a_certified_motion_that_all_shorter_steps_contradict_is_wrong():
    found = judge(_found(_ended("taylor", 0.0), 1.0), lambda part: _ended("moreau", 1.0), _same)
    assert found.wrong == ("taylor", "dop853")


def test_a_motion_that_starts_a_billionth_apart_and_ends_elsewhere_forks():
    other = lambda engine, change: _ended(engine, 1.0 if change > 0.0 else 0.0)
    found = judge(_found(_ended("taylor", 0.0), 1.0), lambda part: _ended("moreau", 1.0), other)
    assert found == Judgment(open=True)


@pytest.mark.parametrize(("mu", "slip", "first"), [(1.5, -1.0, 0), (1.5, 1.0, -1), (1.2, -1.0, -1)])
def test_a_rod_that_slides_in_painleves_region_is_not_determined(mu, slip, first):
    """A uniform rod at tan θ = 2 to the floor is there if it slides backwards, foot first, with μ > (1 + 3 cos²θ)/(3 sin θ cos θ) = 4/3."""
    system = vc.System("rod", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody("rod", mass=1.0, inertia=(1e-3, 1 / 12, 1 / 12)))
    system.add(vc.Planar("plane", "ground", rod, at=UPRIGHT, to=UPRIGHT))
    foot = lambda b: b.point((-0.5, 0, 0))
    system.add(vc.Unilateral("foot", [rod], gap=lambda b: foot(b)[2], point=foot, friction=mu, impact=vc.Inelastic()))
    start = {"plane": vc.At((0, 1 / np.sqrt(5), np.arctan(2.0)), rate=(slip, 0, 0))}
    motion = vc.simulate(system, 2 * STEP, start, method="moreau", step=STEP, grid=3, progress=False)
    assert first_loose(system, motion) == first


def test_hits_in_turn_that_no_step_tells_apart_are_not_judged():
    """A ball is hit by another one a microsecond before it meets a wall, or 0.2 s before."""
    for wait, first in ((1e-6, 1), (0.2, -1)):
        system = vc.System("row")
        balls = [system.add(vc.MassPoint(name, 1.0)) for name in ("left", "right")]
        for ball in balls:
            system.add(vc.Prismatic(f"x of {ball.name}", "ground", ball, axis=(1, 0, 0)))
        system.add(vc.Unilateral("hit", balls, gap=lambda a, b: b.position[0] - a.position[0], impact=1.0))
        system.add(vc.Unilateral("wall", balls[1:], gap=lambda b, x=0.5 + wait: x - b.position[0], impact=1.0))
        start = {"x of left": vc.At(0.0, rate=1.0), "x of right": 0.5}
        motion = vc.simulate(system, 1.0, start, method="dop853", grid=2, progress=False)
        assert first_loose(system, motion) == first


def test_motions_that_come_closer_with_the_step_are_right():
    assert judge(_found(_ended("taylor", 0.0), 1.0), lambda part: _ended("moreau", 1.0 / part), _same) == Judgment()


@pytest.mark.parametrize(("change", "told"), [
    ({}, []),
    ({"state": "hung"}, ["taylor: not every run finished"]),
    ({"verdict": "undecided"}, ["taylor: fewer than 97 % are certified"]),
    ({"handed": 1}, ["taylor: more than 15 % were handed over"]),
])  # fmt: skip
def test_a_campaign_says_which_targets_it_misses(change, told):
    runs = [_ended("taylor", 0.0) for _ in range(40)]
    runs[:10] = [replace(one, **change) for one in runs[:10]]
    judged = {0: Judgment()}
    assert missed_targets(runs, ["taylor"], judged) == told
    judged = {0: Judgment(wrong=("taylor",))}
    assert "taylor: a wrong motion is certified" in missed_targets(runs, ["taylor"], judged)


@needs_heyoka
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "engine"), [(8010, "taylor"), (8091, "dop853"), (8217, "dop853"), (9030, "taylor"), (9053, "dop853"),
                                              (9063, "dop853"), (9184, "dop853"), (10055, "taylor"),
                                              (10056, "moreau")])  # fmt: skip
def test_scenes_that_hung_stopped_or_were_condemned_are_certified(seed, engine):
    """Feet that bear nothing or stand, slips without a direction, slow slips, gaps that open flatly, shared forces, links thrown off,
    impulses off the gap, steps over a rest."""
    found = outcome(seed, engine)
    assert (found.state, found.verdict) == ("finished", "passed"), found.said


def test_a_hit_at_the_very_beginning_of_a_step_is_met_there():
    """Newton's rule for the instant of a hit may end at the beginning of the step: seed 6015 divided by the length of that nothing."""
    assert outcome(6015, "moreau").state == "finished"


def test_gaps_between_blocks_of_a_stack_are_distances():
    """They do not change where all blocks turn and move together, so that forces and moments on both sides are opposite."""
    model = model_for(scene(5012).system)
    touching, rng = Touching(model, model.parameter_values({})), np.random.default_rng(0)
    q, turn = 0.3 * rng.normal(size=(model.nq // 3, 3)), 0.7
    together = np.column_stack([1.0 - turn * q[:, 1], 2.0 + turn * q[:, 0], np.full(len(q), turn)])
    here = touching.at(0.0, np.concatenate([q.ravel(), together.ravel()]))
    between = [name.startswith("joint") for name in touching.names]
    assert any(between)
    np.testing.assert_allclose(here.speeds.reshape(-1, 3)[between], 0.0, atol=1e-13)


def test_what_pressed_a_whole_step_before_an_impact_is_not_asked_its_law():
    """Seed 5012: a corner of the floor had pressed until one time step before the corner of the block above was hit."""
    one = scene(5012)
    motion = vc.simulate(one.system, 0.06, one.start, method="moreau", step=STEP, progress=False)
    assert motion.audit().verdict != "failed", str(motion.audit())


@pytest.mark.slow
def test_slips_too_small_to_be_told_apart_end_no_run():
    """Seed 6164: derivatives of accelerations by a slip of no length are no numbers."""
    assert outcome(6164, "dop853").state == "finished"


def test_gaps_that_close_together_within_a_phase_begin_another():
    """Seed 6160: a rocking walker comes to rest, and both feet are put on the floor while one of them slides."""
    found = outcome(6160, "dop853")
    assert found.certified, found.said


def test_integrals_of_a_phase_are_sought_where_its_friction_has_a_direction():
    """Seed 6105: with so many contacts closed, random velocities leave a slip of no length, whose direction is no number."""
    closed = {"link 2 b": "slides", "link 3 b": "sticks", "link 4 b": "sticks", "link 6 b": "slides"}
    assert not list(vc.first_integrals(scene(6105).system.with_contacts(closed, continued=True)))
