"""No line of a certificate divides by a scale that can vanish: what rests, carries nothing or is balanced is certified."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from impacted import block
from records import altered
from right_motions import CONTACT, SMOOTH

Y = (0, 1, 0)


def wheel_on_its_axle():
    system = vc.System("wheel", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("wheel", 1.0, inertia=(0.1, 0.2, 0.1)))
    system.add(vc.Revolute("axle", "ground", "wheel", axis=Y))
    return system, {}


def held_point():
    system = vc.System("held", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Constraint("pin", [point], position=lambda p: p.position, realization=vc.DAlembert()))
    return system, {}


def hanging_rod():
    """A rod that hangs straight down by a row on its end, where positions are round numbers and forces are not."""
    system = vc.System("rod", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody("rod", 1.0, (0, 0, -0.3), (0.1, 0.1, 0.01)))
    system.add(vc.Constraint("pin", [rod], position=lambda r: r.point((0, 0, 0.1)), realization=vc.DAlembert()))
    return system, {"rod": (0.0, 0.0, -0.1, 1.0, 0.0, 0.0, 0.0)}


def weightless_loop():
    system = vc.System("loop")
    for body in (vc.RigidBody("a", 1.0, inertia=(1, 1, 1)), vc.RigidBody("b", 1.0, inertia=(1, 1, 1))):
        system.add(body)
    system.add(vc.Revolute("A", "ground", "a"))
    system.add(vc.Revolute("B", "a", "b", at=(1, 0, 0)))
    system.add(vc.Revolute("C", "ground", "b", at=(1, 0, 0)))
    return system, {}


def resting_block():
    return block(0.7), {"block": vc.At(vc.Pose((0, 0, 0.1)))}


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("case", [wheel_on_its_axle, held_point, hanging_rod, weightless_loop, resting_block],
                         ids=lambda case: case.__name__)  # fmt: skip
def test_what_rests_or_carries_nothing_is_certified_by_finite_numbers(case, method):
    system, start = case()
    until = 60.0 if case is resting_block else 5.0
    certificate = vc.simulate(system, until, start, method=method, progress=False).audit()
    assert certificate.passed, certificate
    assert all(np.isfinite([line.residual, line.tolerance]).all() for line in certificate.lines)


def test_a_block_at_rest_that_creeps_is_found():
    motion = vc.simulate(block(0.7), 60.0, {"block": vc.At(vc.Pose((0, 0, 0.1)))}, progress=False)
    creeping = motion.record.pieces.coefficients.copy()
    creeping[:, 0, 1] += 1e-6  # 1 µm/s downhill
    forged = altered(motion, pieces=replace(motion.record.pieces, coefficients=creeping))
    assert "rates q' = N v" in broken(forged.audit()), forged.audit()


@pytest.mark.parametrize(
    "multiplier", [vc.DAlembert(), vc.Vakonomic(multipliers=0.0), vc.Chetaev()], ids=lambda r: type(r).__name__
)
def test_reactions_that_do_nothing_in_a_lagrangian_system_are_certified(multiplier):
    """Heisenberg's row with no inertia along z: straight lines without any reaction."""
    row = lambda q, v: v[2] - 0.5 * (q[0] * v[1] - q[1] * v[0])
    rows = {"row": (row, multiplier)}
    system = vc.LagrangianSystem("heisenberg", ["x", "y", "z"], lambda v: (v[0] ** 2 + v[1] ** 2) / 2, constraints=rows)
    for q, v in (
        ([0.3, 0.2, 0.1], [1, 0.5, -0.025]),
        ([0, 0, 0], [1, 0, 0]),
        ([0, 0, 0], [0, 0, 0]),
        ([1, 0, 0], [0, 0, 0]),
    ):
        certificate = vc.simulate(system, 2.0, (q, v), progress=False).audit()
        assert certificate.passed, certificate


def verdicts(family, seeds, method: str = "auto") -> list[str]:
    """Verdicts on the right motions of a family; none may be failed."""
    found = []
    for seed in seeds:
        case = family(np.random.default_rng([seed, 15]))
        options = {"step": case.step} if method == "moreau" else {}
        motion = vc.simulate(case.system, case.until, case.start, method=method, progress=False, **options)
        certificate = motion.audit()
        assert certificate.verdict != "failed", (seed, case.name, certificate)
        found.append(certificate.verdict)
    return found


@pytest.mark.parametrize("family", [*SMOOTH[1:], *(pytest.param(f, marks=pytest.mark.slow) for f in (SMOOTH[0], *CONTACT))],
                         ids=lambda f: f.__name__)  # fmt: skip
def test_right_motions_of_every_kind_are_never_broken_and_hardly_ever_undecided(family):
    """Trees, loops, constraints, at rest and in steady motion, tiny and huge, with and without weight."""
    assert "undecided" not in verdicts(family, range(3))


SLOW = pytest.mark.slow
OTHERS = [*(pytest.param(f, "dop853", marks=SLOW) for f in (*SMOOTH, *CONTACT)),
          *(pytest.param(f, "idas", marks=SLOW) for f in SMOOTH),
          *(pytest.param(f, "moreau", marks=SLOW) for f in CONTACT)]  # fmt: skip


@pytest.mark.parametrize("family, method", OTHERS, ids=str)
def test_right_motions_by_other_methods_are_never_broken_and_hardly_ever_undecided(family, method):
    found = verdicts(family, range(6), method)
    assert found.count("undecided") <= 1, found


def test_a_weight_carried_through_many_steps_adds_no_round_off():
    """Impulses that carry a foot and its leg for 1500 steps add up to thousands of the momenta that they leave."""
    assert verdicts(CONTACT[2], [205], "moreau") == ["passed"]


def test_unit_quaternions_are_judged_by_the_number_of_steps():
    """Errors of thousands of steps add up as a root: a weightless body that tumbles for long."""
    system = vc.System("body")
    body = system.add(vc.RigidBody("body", 1.0, inertia=(0.3, 0.4, 0.5)))
    start = {body.name: vc.At((0, 0, 0, 1.0, 0, 0, 0), rate=(0, 0, 0, 0.3, -1.1, 0.8))}
    motion = vc.simulate(system, 800.0, start, method="dop853", progress=False)
    certificate = motion.audit()
    assert certificate.passed and len(motion.record.pieces) > 1000, certificate
    coefficients = np.array(motion.record.pieces.coefficients)
    coefficients[:, 3:7] *= 1.0 + 1e-11
    swollen = altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))
    assert "chart norms" in broken(swollen.audit())


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_bond_far_away_without_moments_is_audited_without_overflow(method):
    """Its forces times its distance, relative to moments of zero, would be beyond all numbers."""
    system = vc.System("wheel", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("wheel", 1e6, inertia=(1e17, 2e17, 1e17)))
    system.add(vc.RigidBody("rim", 1e6, inertia=(1e17, 2e17, 1e17)))
    system.add(vc.Revolute("axle", "ground", "wheel", axis=Y, at=(1e6, 0, 0)))
    system.add(vc.Revolute("bearing", "wheel", "rim", axis=Y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        certificate = vc.simulate(system, 1.0, {"axle": vc.At(0.0, rate=1e-3)}, method=method, progress=False).audit()
    assert certificate.passed and all(np.isfinite(line.tolerance) for line in certificate.lines), certificate


def test_audits_and_results_without_instants():
    """A motion may be seen on no instant at all."""
    ball = vc.System("ball", gravity=(0, 0, -9.81))
    point = ball.add(vc.MassPoint("ball", 1.0))
    ball.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    for options in ({}, {"method": "moreau", "step": 2e-3, "impacts": "stepped"}):
        motion = vc.simulate(ball, 0.6, {"ball": (0, 0, 1.0)}, progress=False, **options)
        nowhere = motion.at([])
        assert nowhere.audit().verdict == motion.audit().verdict == "passed"
        assert nowhere.body().momentum.shape == (0, 6) and nowhere.body().center.shape == (0, 3)
        assert nowhere.energy.shape == (0,) and nowhere.at(nowhere.time, side="left").v.shape == (0, 3)


def test_a_weak_residual_is_its_largest_value():
    ball = vc.System("ball", gravity=(0, 0, -9.81))
    point = ball.add(vc.MassPoint("ball", 1.0))
    ball.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    weak = vc.measures.weak_residual(vc.simulate(ball, 0.6, {"ball": (0, 0, 1.0)}, progress=False), 20)
    assert float(weak) == weak.largest == np.abs(weak.values).max()


def test_an_integral_that_is_zero_but_for_round_off_is_not_judged_relative_to_itself():
    """A brick that moves without rotation, with round-off in its angular velocities: its spin is conserved. One that is wrong by more is
    not."""
    system = vc.System("brick", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("brick", 1.0, inertia=(0.1, 0.2, 0.25)))
    motion = vc.simulate(
        system, 1.0, {"brick": vc.At((0, 0, 0), rate=(3.0, 0, 1.0, 0, 0, 0))}, method="dop853", progress=False
    )
    pieces, nq = motion.record.pieces, motion.record.model.nq
    for noise, passes in ((1e-16, True), (1e-10, False)):
        coefficients = np.array(pieces.coefficients)
        coefficients[:, nq + 3 :, 0] += noise * np.random.default_rng(1).normal(size=coefficients[:, nq + 3 :, 0].shape)
        noisy = altered(motion, pieces=replace(pieces, coefficients=coefficients))
        found = {line.law: line.verdict for line in noisy.audit().lines}
        assert (found["first integrals"] == "holds") is passes


def blocks_that_fall_together(pressing: float):
    """Two blocks fall in contact, and the upper one slides on the lower one while a tiny force presses it."""
    system = vc.System("falling", gravity=(0, 0, -9.81))
    below, above = (
        system.add(vc.RigidBody(name, 0.7, (0.03, 0, 0.01), (0.1, 0.1, 0.1))) for name in ("below", "above")
    )
    upright = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
    for body in (below, above):
        system.add(vc.Planar(f"plane of {body.name}", "ground", body, at=upright, to=upright))
    where = lambda a, b: a.point((0.03, 0, -0.05))
    gap = lambda a, b: where(a, b)[2] - b.position[2] - 0.05
    system.add(
        vc.Unilateral("joint", [above, below], gap=gap, point=where, impact=vc.Inelastic(), friction=vc.Coulomb(0.3))
    )
    system.add(vc.Force("press", above, lambda b: vc.Wrench(force=(0, 0, -pressing))))
    return system, {
        "plane of above": vc.At((0.37, 0.1, 0.0), rate=(0.2317, 0.0, 0.0)),
        "plane of below": (0.0, 0.0, 0.0),
    }


def test_forces_that_are_tiny_beside_the_weight_are_judged_beside_it():
    """Round-off of accelerations of 9.81 m/s² is more than the hundred-millionth part of such forces."""
    system, start = blocks_that_fall_together(1e-9)
    motion = vc.simulate(system, 0.02, start, method="dop853", progress=False)
    assert any(dict(phase.closed) for phase in motion.record.phases)
    assert motion.audit().passed, str(motion.audit())
