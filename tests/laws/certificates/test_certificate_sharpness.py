"""How small an error a certificate sees, and how large a right motion's residual may be."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import START, arm, broken, top
from marks import AUTO, needs_heyoka
from records import altered
from vinculum.audits.balances.tally import tally
from vinculum.audits.certificate import Certificate, Line
from vinculum.equations.energies import momentum_screw
from vinculum.systems import placements
from vinculum.tolerances.certificates import ACCELERATIONS_BY_TWO_ROUTES

SPINNING = {"foot": vc.At((0.9, 0.3, 0.2, 0.1), rate=(1.0, -2.0, 12.0))}
LAWS = ("energy balance", "momentum of the system", "momentum of 'upper'", "momentum of 'lower'", "rates q' = N v")


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(arm(), 3.0, START)


@pytest.fixture(scope="module")
def spinning():
    return vc.simulate(top(), 1.0, SPINNING)


def line(certificate, law) -> Line:
    return next(k for k in certificate.lines if k.law == law)


def forged(motion, component: int, powers, change: float) -> vc.Motion:
    """The dense output of one number of the state changed by ``change`` (t − t₀)^k for every step's local time."""
    coefficients = np.array(motion.record.pieces.coefficients)
    local = np.asarray(motion.record.pieces.times)[:-1] - motion.record.pieces.begin
    if powers == 0:
        coefficients[len(coefficients) // 2 :, component, 0] += change
    else:
        coefficients[:, component, 0] += change * local
        coefficients[:, component, 1] += change
    return altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))


@pytest.mark.parametrize(
    ("method", "bound"),
    [
        pytest.param({}, 2e-11, marks=needs_heyoka),
        ({"method": "dop853"}, 2e-9),
        ({"method": "dop853", "tolerance": 1e-9}, 2e-4),
    ],
    ids=str,
)
def test_tolerances_are_a_small_multiple_of_what_the_integrator_claims(method, bound):
    for certificate in (
        vc.simulate(arm(), 3.0, START, **method).audit(),
        vc.simulate(top(), 0.3, SPINNING, **method).audit(),
    ):
        assert certificate.passed, str(certificate)
        assert max(k.tolerance for k in certificate.lines if k.law in LAWS) < bound


@pytest.mark.parametrize("method", [AUTO, "dop853"])
@pytest.mark.parametrize("component", [0, 1, 2, 3])
@pytest.mark.parametrize("powers", [0, 1])
def test_a_small_change_of_any_number_of_the_state_fails(component, powers, method):
    motion = vc.simulate(arm(), 3.0, START, method=method)
    change = 1e-9 if method == "auto" else 1e-7
    assert forged(motion, component, powers, change).audit().verdict == "failed"


@pytest.mark.parametrize("method", ["rk4", "midpoint", "verlet"])
def test_fixed_steps_admit_what_their_order_says(method):
    """Second order at h = 1e-3 over 3 s admits some (h ω)² = 1e-4, fourth order 1e-9."""
    certificate = vc.simulate(arm(), 3.0, START, method=method, step=1e-3).audit()
    bound = 1e-8 if method == "rk4" else 1e-3
    largest = max(k.tolerance for k in certificate.lines if k.law in LAWS)
    assert bound * 1e-5 < largest < bound, str(certificate)


def test_the_integrals_are_judged_by_two_rules(motion):
    """Few steps with little left between the rules of 7 and 15 nodes: quadrature is not what limits."""
    found = tally(motion.record)
    assert np.all(found.quadrature <= 1e-8 * found.scale + 1e-300)
    rough = tally(vc.simulate(arm(), 3.0, START, method="rk4", step=0.2).record)
    assert np.any(rough.quadrature > 1e-9 * rough.scale)


def test_momentum_of_the_system_is_measured_by_itself(motion, monkeypatch):
    """Where the ground pulls with another force than the bodies feel, the system's momentum tells."""
    other = motion.replace(system=arm(lower_mass=0.501)).audit()
    assert line(other, "momentum of the system").verdict == "broken"
    assert line(other, "momentum of the system").residual > 1e-5
    true = line(motion.audit(), "momentum of the system")
    assert 0.0 < true.residual < 1e-12


def test_the_system_is_the_sum_of_its_bodies(motion):
    """Momentum, moment and mass center of the system from those of the bodies at the world's origin."""
    from vinculum.audits.balances.quantities import first_of_body, samples

    L = samples(motion.record, motion.time, np.hstack([motion.q, motion.v])).L[:, first_of_body(2) : first_of_body(3)]
    at_origin, C = motion.body().momentum, motion.body().center
    assert L[:, :3] == pytest.approx(at_origin[:, :3], abs=1e-13)
    assert L[:, 3:6] == pytest.approx(at_origin[:, 3:] - np.cross(C, at_origin[:, :3]), abs=1e-13)
    assert L[:, 6:] == pytest.approx(1.5 * C, abs=1e-13)
    tree = arm().tree()
    for k in (0, 500, 1000):
        placed = placements(tree, motion.q[k], motion.v[k])
        screw = sum(momentum_screw(link, placed[link.index]) for link in tree.links)
        assert screw.astype(float) == pytest.approx(at_origin[k], abs=1e-13)


def test_moments_alone_break_a_law():
    """A body that spins up without a moment: its momentum and the mass center stay as they should."""
    system = vc.System("wheel", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("wheel", 1.0, inertia=(1.0, 1.0, 2.0)))
    system.add(vc.Revolute("axle", "ground", body, axis=(0, 0, 1)))
    t = np.linspace(0.0, 2.0, 201)
    q, v = 3.0 * t + 5e-4 * t**2, 3.0 + 1e-3 * t
    certificate = vc.given_motion(system, t, q[:, None], v[:, None], tolerance=1e-9).audit()
    assert {"momentum of 'wheel'", "momentum of the system", "energy balance", "first integrals"} == broken(certificate)
    assert "moment" in line(certificate, "momentum of 'wheel'").detail


def test_positions_that_do_not_follow_velocities_break_the_rates():
    """A body that flies on while its velocity is that of another flight; no force is wrong."""
    system = vc.System("flight")
    system.add(vc.RigidBody("stone", 1.0, inertia=(1.0, 2.0, 2.5)))
    motion = vc.simulate(system, 2.0, {"stone": vc.At((0, 0, 0), rate=(1.0, 2.0, 0, 0, 0, 0.5))})
    q = motion.q.copy()
    q[:, 0] *= 1.001
    certificate = motion.replace(q=q).audit()
    assert {"rates q' = N v", "momentum of 'stone'", "momentum of the system"} == broken(certificate)
    assert "mass center" in line(certificate, "momentum of 'stone'").detail
    assert "'stone'" in line(certificate, "rates q' = N v").detail


def test_a_wheel_that_turns_faster_than_it_says_breaks_only_the_rates():
    system = vc.System("wheel")
    body = system.add(vc.RigidBody("wheel", 1.0, inertia=(1.0, 1.0, 2.0)))
    system.add(vc.Revolute("axle", "ground", body, axis=(0, 0, 1)))
    motion = vc.simulate(system, 2.0, {"axle": vc.At(0.0, rate=3.0)})
    assert broken(motion.replace(q=1.001 * motion.q).audit()) == {"rates q' = N v"}


def test_two_derivations_agree_to_round_off_and_a_small_disagreement_is_broken(motion, monkeypatch):
    from vinculum.equations.observables import accelerations as room
    from vinculum.equations.recursions import articulated, composite

    for route in (articulated, composite):
        original = route.accelerations
        monkeypatch.setattr(
            getattr(room, route.__name__.rpartition(".")[2]),
            "accelerations",
            lambda tree, q, v, tau, external=None, original=original: (
                original(tree, q, v, tau, external) * (1.0 + 1e-8)
            ),
        )
    assert ACCELERATIONS_BY_TWO_ROUTES <= 1e-10
    certificate = vc.simulate(arm(), 1.0, START).audit()
    assert "Boltzmann–Hamel from energies" in broken(certificate)


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_quaternions_off_the_sphere_are_seen(method):
    motion = vc.simulate(top(), 1.0, SPINNING, method=method)
    coefficients = np.array(motion.record.pieces.coefficients)
    coefficients[:, :4] *= 1.0 + 1e-11
    swollen = altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))
    assert line(motion.audit(), "chart norms").verdict == "holds"
    assert line(swollen.audit(), "chart norms").verdict == "broken"


def test_quaternions_of_a_fixed_step_are_judged_by_its_accuracy():
    motion = vc.simulate(top(), 1.0, SPINNING, method="rk4", step=1e-3)
    tolerance = line(motion.audit(), "chart norms").tolerance
    assert line(motion.audit(), "chart norms").verdict == "holds" and tolerance < 1e-7
    coefficients = np.array(motion.record.pieces.coefficients)
    coefficients[:, :4] *= 1.0 + 30.0 * tolerance
    assert "chart norms" in broken(
        altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients)).audit()
    )


@pytest.mark.parametrize(("residual", "tolerance", "doubt", "verdict"), [
    (1e-5, 1e-4, 0.0, "holds"), (1e-4, 1e-4, 0.0, "holds"), (1e-5, 3e-4, 0.0, "undecided"), (1e-5, 9e-4, 0.0, "undecided"),
    (1.1e-4, 1e-4, 0.0, "broken"), (5e-4, 1e-4, 1e-3, "undecided"), (2e-3, 1e-4, 1e-3, "broken"),
    (float("nan"), 1e-4, 0.0, "broken"), (float("inf"), float("inf"), 0.0, "broken"), (1.0, float("inf"), 0.0, "undecided")])  # fmt: skip
def test_verdicts_follow_from_three_numbers(residual, tolerance, doubt, verdict):
    one = Line("law", residual, tolerance, "because", doubt=doubt)
    assert one.verdict == verdict
    whole = Certificate("system", "motion", (Line("other", 0.0, 1e-9, "because"), one))
    assert whole.verdict == {"holds": "passed", "undecided": "undecided", "broken": "failed"}[verdict]
    assert one.to_dict()["doubt"] == max(tolerance, doubt)
