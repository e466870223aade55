"""A true motion with impacts passes its certificate; one with a wrong impulse, a wrong law or a hole in the floor does not."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from impacted import LIFTED, THROWN, ball, block, die, forged, stopped_arm
from marks import needs_heyoka
from records import altered
from scenes import scene
from vinculum.audits.impacts.seen_impacts import impacts
from vinculum.audits.impacts.time_stepping import unseen_turns
from vinculum.audits.weak.closing_moves import closing_moves

STEPPED = {"method": "moreau", "progress": False}


@pytest.fixture(scope="module")
def bounces():
    return vc.simulate(ball(vc.Newton(0.5)), 1.6, {"ball": (0, 0, 1.0)}, step=1e-3, **STEPPED)


@pytest.fixture(scope="module")
def tumbles():
    return vc.simulate(die(), 0.6, THROWN, step=2e-4, **STEPPED)


@pytest.mark.parametrize("impact", [vc.Inelastic(), vc.Elastic(), vc.Newton(0.7), vc.Poisson(0.4)], ids=str)
def test_a_stepped_ball_passes(impact):
    motion = vc.simulate(ball(impact), 1.2, {"ball": (0, 0, 1.0)}, step=1e-3, **STEPPED)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("mu", [0.3, 0.7])
def test_a_stepped_block_on_a_slope_passes_whether_it_slides_or_sticks(mu):
    certificate = vc.simulate(block(mu), 0.3, {"block": (0, 0, 0.1)}, step=1e-3, **STEPPED).audit()
    assert certificate.passed, str(certificate)


@pytest.fixture(
    scope="module", params=[(0.5, (0, 0, -5, 60, 5, 5)), (0.6, (1, 0, -3, 30, 20, 10))], ids=["pitched", "rolled"]
)
def spinning(request):
    """A die that turns fast and hits the floor in one step."""
    height, rate = request.param
    start = {"die": vc.At(vc.Pose((0, 0, height), rotation=(0.9, 0.3, 0.2, 0.1)), rate=rate)}
    return vc.simulate(die(None, 0.8), 0.2, start, step=2e-4, impacts="stepped", **STEPPED)


def test_a_die_that_turns_fast_when_it_hits_passes(spinning):
    assert len(spinning.record.atoms) == 1
    assert spinning.audit().passed, str(spinning.audit())


def test_what_a_step_with_an_impulse_misses_of_coordinates_is_foretold(spinning):
    """∫ N(q) v dt along the motion, by Gauss's rule, less what q has changed in the step."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    hit = spinning.record.atoms.times[0]
    k = int(np.searchsorted(spinning.record.pieces.times, hit))
    edges, missed = np.asarray(spinning.record.pieces.times)[k - 1 : k + 2], np.zeros(7)
    for piece, length in zip((k - 1, k), np.diff(edges), strict=True):
        c = np.asarray(spinning.record.pieces.coefficients[piece])
        missed -= c[:7] @ length ** np.arange(c.shape[1]) - c[:7, 0]
        for node, weight in zip(0.5 * length * (1.0 + nodes), 0.5 * length * weights, strict=True):
            state = c @ node ** np.arange(c.shape[1])
            (a, b), v, w = (
                (state[3] / np.linalg.norm(state[3:7]), state[4:7] / np.linalg.norm(state[3:7])),
                state[7:10],
                state[10:],
            )
            turned = v + 2.0 * a * np.cross(b, v) + 2.0 * np.cross(b, np.cross(b, v))
            missed += weight * np.concatenate([turned, [-0.5 * b @ w], 0.5 * (a * w + np.cross(b, w))])
        Q = state[3:7] / np.linalg.norm(state[3:7])
    missed[3:] -= Q * (Q @ missed[3:])  # quaternions are brought to length one
    found = unseen_turns(spinning.record, impacts(spinning.record))[0]
    found[3:] -= Q * (Q @ found[3:])
    for part in (slice(3), slice(3, 7)):
        assert np.linalg.norm(found[part] - missed[part]) < 0.05 * np.linalg.norm(missed[part])


def test_a_stepped_arm_passes():
    certificate = vc.simulate(stopped_arm(), 1.5, LIFTED, step=1e-4, **STEPPED).audit()
    assert certificate.passed, str(certificate)


def test_a_tumbling_die_passes(tumbles):
    certificate = tumbles.audit()
    assert not broken(certificate), str(certificate)
    assert certificate.passed, str(certificate)


@needs_heyoka
@pytest.mark.parametrize("law", [vc.Inelastic(), vc.Newton(0.5), vc.Elastic()], ids=str)
def test_an_event_driven_ball_passes_at_rest_too(law):
    certificate = vc.simulate(ball(law), 1.6, {"ball": (0, 0, 1.0)}, progress=False).audit()
    assert certificate.passed, str(certificate)


@needs_heyoka
def test_an_event_driven_arm_passes():
    certificate = vc.simulate(stopped_arm(), 1.5, LIFTED, progress=False).audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("which", [0, 1, 100, -1])
def test_any_impulse_altered_by_a_hundredth_fails(bounces, which):
    laws = broken(forged(bounces, 1.01, which).audit())
    assert {"impulses M [v] = Hᵀ P", "energy balance", "momentum of 'ball'", "weak form equ C = F"} <= laws


@pytest.mark.parametrize("which", [0, 40, -1])
def test_any_impulse_on_a_tumbling_die_altered_by_a_hundredth_fails(tumbles, which):
    assert "impulses M [v] = Hᵀ P" in broken(forged(tumbles, 1.01, which).audit())


def test_impulses_that_pull_fail(bounces):
    assert "impulses P_N ≥ 0" in broken(forged(bounces, -1.0, 1).audit())


def test_friction_outside_of_its_cone_fails():
    motion = vc.simulate(block(0.3), 0.1, {"block": (0, 0, 0.1)}, step=1e-3, **STEPPED)
    contact_impulses = motion.record.atoms.contact_impulses.copy()
    contact_impulses[:, 1::3] *= 1.01
    other = altered(motion, atoms=replace(motion.record.atoms, contact_impulses=contact_impulses)).audit()
    assert "friction |P_T| ≤ μ P_N" in broken(other)


def test_friction_that_pushes_along_fails():
    motion = vc.simulate(block(0.3), 0.1, {"block": (0, 0, 0.1)}, step=1e-3, **STEPPED)
    contact_impulses = motion.record.atoms.contact_impulses.copy()
    contact_impulses[:, 1::3] *= -1.0
    assert "friction P_T · u_T⁺ ≤ 0" in broken(
        altered(motion, atoms=replace(motion.record.atoms, contact_impulses=contact_impulses)).audit()
    )


def test_the_motion_of_another_impact_law_fails(bounces):
    laws = broken(bounces.replace(system=ball(vc.Newton(0.51))).audit())
    assert laws == {"impact law"}


def test_a_motion_through_a_higher_floor_fails(bounces):
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.3))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2] - 0.05, impact=vc.Newton(0.5)))
    laws = broken(bounces.replace(system=system).audit())
    assert "gaps g ≥ 0" in laws


def test_a_reaction_without_contact_fails(bounces):
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.3))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2] + 0.05, impact=vc.Newton(0.5)))
    laws = broken(bounces.replace(system=system).audit())
    assert laws == {"impulses at closed gaps"}


def test_an_impact_without_its_impulse_fails(bounces):
    times, contact_impulses, spans = (
        part[1:]
        for part in (bounces.record.atoms.times, bounces.record.atoms.contact_impulses, bounces.record.atoms.durations)
    )
    atoms = replace(bounces.record.atoms, times=times, contact_impulses=contact_impulses, spans=spans)
    laws = broken(altered(bounces, atoms=atoms).audit())
    assert {"energy balance", "momentum of 'ball'", "weak form equ C = F"} <= laws


def test_a_floor_that_pulls_fails_the_inequality_without_looking_at_impulses():
    """A ball that is stopped on its way up, as if the floor held it."""
    motion = vc.simulate(ball(vc.Newton(0.5)), 0.8, {"ball": (0, 0, 1.0)}, step=1e-3, **STEPPED)
    edges, c = np.asarray(motion.record.pieces.times), np.array(motion.record.pieces.coefficients)
    mirrored = c.copy()
    mirrored[:, [2, 5]] *= -1.0  # up is down, for the motion but not for gravity
    forged_motion = altered(motion, pieces=replace(motion.record.pieces, times=edges, coefficients=mirrored))
    assert "weak form, outward fields" in broken(forged_motion.audit())


@needs_heyoka
@pytest.mark.parametrize(
    ("ratios", "why"), [((1.0, 0.5), "unequal restitution"), ((1.0, 1.0), "a separating unilateral constraint")]
)
def test_a_gain_of_energy_is_told_with_the_law_that_made_it(ratios, why):
    """A bar hits with one end and is thereby pressed on the other, which was about to leave."""
    system = vc.System("bar")
    bar = system.add(vc.RigidBody("bar", 1.0, inertia=(0.02, 0.02, 0.001)))
    system.add(vc.Planar("plane", "ground", bar))
    for k, (x, e) in enumerate(zip((-0.5, 0.5), ratios, strict=True)):
        system.add(vc.Unilateral(f"end {k}", [bar], gap=lambda b, x=x: b.point((x, 0, 0))[1], impact=vc.Newton(e)))
    motion = vc.simulate(system, 0.02, {"plane": vc.At((0, 0, 0), rate=(0, -0.45, 1.1))}, progress=False)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    line = next(line for line in certificate.lines if line.law == "energy lost in impacts")
    assert "J gained at t = 0 s by Newton(1) at 'end 0'" in line.detail
    assert line.detail.endswith(f"which {why} does not exclude")


def test_the_certificate_of_a_motion_without_impacts_has_gaps_all_the_same():
    motion = vc.simulate(ball(vc.Inelastic()), 0.3, {"ball": (0, 0, 1.0)}, step=1e-3, **STEPPED)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert {"gaps g ≥ 0", "weak form equ C = F"} <= {line.law for line in certificate.lines}


@needs_heyoka
def test_an_event_driven_sphere_that_slides_and_then_rolls_passes():
    system = vc.System("sphere", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody.solid("sphere", vc.shapes.Sphere(0.1), mass=1.0))
    system.add(vc.Unilateral("floor", [body], gap=lambda b: b.position[2] - 0.1, impact=vc.Inelastic(), friction=vc.Coulomb(0.2),
                           point=lambda b: b.position - np.array([0, 0, 0.1])))  # fmt: skip
    motion = vc.simulate(system, 1.5, {"sphere": vc.At((0, 0, 0.3), rate=(2, 0, 0, 0, 0, 0))}, progress=False)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert {"contact forces λ_N ≥ 0", "contact forces in the cone of friction"} <= {
        line.law for line in certificate.lines
    }


@needs_heyoka
@pytest.mark.parametrize("mu", [0.3, pytest.param(0.7, marks=pytest.mark.slow)])
def test_an_event_driven_block_on_four_corners_passes(mu):
    certificate = vc.simulate(block(mu), 0.5, {"block": (0, 0, 0.1)}, progress=False).audit()
    assert certificate.passed, str(certificate)


@needs_heyoka
def test_forces_that_corners_share_in_many_ways_are_in_the_cones_of_their_own_friction_only():
    """tan 0.5 = 0.546 is what holds a block on its slope."""
    motion = vc.simulate(block(0.7), 0.1, {"block": (0, 0, 0.1)}, progress=False)
    line = next(line for line in motion.audit().lines if line.law == "contact forces in the cone of friction")
    assert line.verdict == "holds" and "not unique" in line.reason
    assert broken(motion.replace(system=block(0.54)).audit()) == {"contact forces in the cone of friction"}


@pytest.mark.parametrize("options", [pytest.param({}, marks=needs_heyoka), {"method": "moreau", "step": 1e-3}])
def test_a_block_that_lands_on_four_corners_is_told_that_its_impulses_are_not_unique(options):
    motion = vc.simulate(block(0.7), 0.05, {"block": (0, 0, 0.101)}, progress=False, **options)
    line = next(line for line in motion.audit().lines if line.law == "impulses M [v] = Hᵀ P")
    assert line.verdict == "holds" and f"not unique in {len(motion.record.atoms)} of" in line.reason
    assert "up to 6 more than degrees of freedom" in line.reason  # twelve impulses on six freedoms
    assert motion.record.contact_solver.residual.max() <= 1e-10 and motion.record.contact_solver.contacts.max() == 4
    assert np.all(motion.record.contact_solver.seconds > 0.0) and motion.record.contact_solver.sweeps.max() >= 1
    if not options:
        assert motion.record.contact_solver.surplus.tolist() == [6.0]


@needs_heyoka
def test_a_motion_at_rest_on_a_floor_is_not_that_of_a_heavier_world():
    motion = vc.simulate(ball(vc.Inelastic()), 0.8, {"ball": (0, 0, 1.0)}, progress=False)
    assert motion.replace(system=ball(vc.Inelastic())).audit().passed
    heavier = vc.System("ball", gravity=(0, 0, -9.82))
    point = heavier.add(vc.MassPoint("ball", 1.3))
    heavier.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Inelastic()))
    assert {"momentum of 'ball'", "weak form equ C = F"} <= broken(motion.replace(system=heavier).audit())


@needs_heyoka
def test_impulses_are_replaced_to_be_audited():
    motion = vc.simulate(ball(vc.Inelastic()), 0.8, {"ball": (0, 0, 1.0)}, progress=False)
    assert motion.replace(contact_impulses=motion.record.atoms.contact_impulses).audit().passed
    assert motion.replace(contact_impulses=1.01 * motion.record.atoms.contact_impulses).audit().verdict == "failed"
    with pytest.raises(vc.errors.StartError, match="do not fit its impacts"):
        motion.replace(contact_impulses=[[1.0]])


@pytest.mark.parametrize("options", [{"method": "dop853"}, {"method": "moreau", "step": 1e-3}], ids=["events", "steps"])
def test_one_that_asks_for_impacts_in_turn_gives_them_to_all_that_are_hit_with_it(options):
    system = vc.System("cradle")
    for k in range(3):
        ball = system.add(vc.MassPoint(f"ball {k}", 1.0 + k))
        system.add(vc.Prismatic(f"rail {k}", "ground", ball, axis=(1, 0, 0)))
    for k, treatment in ((1, "simultaneous"), (2, "sequential")):
        gap = lambda a, b: b.position[0] - a.position[0] - 0.1
        bodies = [f"ball {k - 1}", f"ball {k}"]
        system.add(vc.Unilateral(f"gap {k}", bodies, gap=gap, impact=vc.Newton(0.5, treatment)))
    start = {"rail 0": vc.At(-0.05, rate=1.0), "rail 1": 0.1, "rail 2": 0.2}
    motion = vc.simulate(system, 0.2, start, progress=False, **options)
    np.testing.assert_allclose(motion.v[-1] @ [1.0, 2.0, 3.0], 1.0)
    assert motion.audit().passed


def test_gaps_that_are_closed_exactly_where_two_close_at_once_leave_the_weak_form_and_longer_leaps_do_not():
    one = scene(5003)
    motion = vc.simulate(one.system, 0.2, one.start, method="dop853", progress=False)
    moves = closing_moves(motion.record)
    weak = vc.measures.weak_residual(motion)
    assert np.all(np.abs(weak.explained) <= weak.tolerances) and np.any(np.abs(weak.values) > weak.tolerances)
    pieces = motion.record.pieces
    c = np.array(pieces.coefficients)
    c[int(np.searchsorted(np.asarray(pieces.times), moves[-1])) :, 0, 0] += 1e-8
    leaping = altered(motion, pieces=replace(pieces, coefficients=c))
    assert moves[-1] not in closing_moves(leaping.record) and "weak form equ C = F" in broken(leaping.audit())
