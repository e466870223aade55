"""Scenes whose laws have no motion beyond an instant: what the judge of random scenes finds by enumeration, and what runs say."""

import numpy as np
import pytest

import vinculum as vc
from campaign import Outcome, missed_targets, outcome
from no_motion import has_impulses, no_motion
from vinculum.contact.dense.impulses import finish


def wedge(slope: float) -> np.ndarray:
    """W (3, 3) of a point that can move along one line only, whose normal part is ``slope`` times the tangential one."""
    way = np.array([slope, 1.0, 0.0])
    return np.outer(way, way)


@pytest.mark.parametrize(
    ("mu", "e", "found"), [(0.74, 0.5, True), (0.76, 0.5, False), (0.76, 0.0, True), (0.0, 1.0, True)]
)
def test_friction_beyond_the_slope_of_a_wedge_leaves_no_impulse_that_separates(mu, e, found):
    """Friction against the way out takes μ of the normal impulse: μ < slope. Without restitution the point may stay."""
    u = np.array([[-0.75, -1.0, 0.0]])
    assert has_impulses(wedge(0.75), u, np.array([e]), np.array([mu]), if_unknown=not found) is found


def test_enumeration_finds_the_impulses_that_solvers_find():
    """Planar contacts of random bodies: at most three, with every kind of restitution and friction."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        m = int(rng.integers(1, 4))
        H = rng.normal(size=(3 * m, 5))
        H[2::3] = 0.0
        W, u = H @ H.T, (H @ rng.normal(size=5)).reshape(m, 3)
        e, mu = rng.uniform(0, 1, m), rng.uniform(0, 1.5, m) * (rng.random(m) < 0.7)
        P, target = np.zeros(3 * m), -e * np.minimum(u[:, 0], 0.0)
        axes = np.column_stack([mu, mu, np.full(m, -1.0)])
        error, _ = finish(W, u.ravel(), target, np.zeros(m), axes, P, (1e-13, 1e-10, 10_000))
        if error < 1e-10:
            assert has_impulses(W, u, e, mu, if_unknown=False)


def test_slips_in_all_directions_are_not_enumerated():
    W, u = np.eye(3), np.array([[-1.0, 0.3, 0.4]])
    for unknown in (True, False):
        assert has_impulses(W, u, np.array([0.5]), np.array([0.5]), if_unknown=unknown) is unknown


def oblique_rod(law, mu: float) -> vc.System:
    """A hinged rod whose tip meets the floor at 53°."""
    system = vc.System("rod", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("rod", mass=1.0, com=(0.5, 0, 0), inertia=(1e-3, 0.1, 0.1)))
    system.add(vc.Revolute("hinge", "ground", body, axis=(0, -1, 0)))
    tip = lambda b: b.point((1.0, 0, 0))
    system.add(vc.Unilateral("tip", [body], gap=lambda b: tip(b)[2] + 0.8, impact=law, friction=mu, point=tip))
    return system


@pytest.mark.parametrize(
    "options", [{"method": "dop853"}, {"method": "moreau", "step": 1e-3}], ids=["dop853", "moreau"]
)
@pytest.mark.parametrize("treatment", ["simultaneous", "sequential"])
def test_a_run_that_stops_at_a_jam_has_no_motion_beyond(options, treatment):
    system = oblique_rod(vc.Newton(0.5, treatment), 0.9)
    with pytest.raises(vc.errors.RunError) as stopped:
        vc.simulate(system, 1.0, progress=False, **options)
    assert no_motion(system, stopped.value.motion) == "its last impact has no solution"


def test_a_message_alone_proves_nothing():
    """The motion of a system whose impacts have solutions, judged as if it had stopped at one."""
    system = oblique_rod(vc.Newton(0.5), 0.3)
    whole = vc.simulate(system, 1.0, method="dop853", progress=False)
    hit = float(whole.record.atoms.times[0])
    for until in (0.5 * hit, hit):
        motion = vc.simulate(system, until, method="dop853", progress=False)
        assert no_motion(system, motion) == ""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "said"), [(29381, "create energy without end"), (29343, "has no solution")])
def test_scenes_without_a_motion_are_a_class_of_their_own(seed, said):
    found = outcome(seed, "dop853")
    assert found.state == "no motion" and said in found.said
    if seed == 29381:
        assert "no motion with finite velocities exists beyond" in found.said


def test_a_campaign_does_not_miss_runs_where_no_motion_exists():
    one = Outcome(0, "taylor", "finished", "passed")
    assert missed_targets([one, Outcome(1, "taylor", "no motion")], ["taylor"], {}) == []
    assert missed_targets([one, Outcome(1, "taylor", "stopped")], ["taylor"], {}) != []
