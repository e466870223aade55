"""Work of reactions and the energy that constraints hold, against closed forms and integrals of SciPy."""

import numpy as np
import pytest
from scipy.integrate import quad

import vinculum as vc
from marks import as_close_as
from vinculum.equations.observables import loads

G = 9.81


def point(realization, gravity=(0, -G, 0), **row) -> vc.System:
    system = vc.System("point", gravity=gravity)
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("held", [p], realization=realization, **row))
    return system


def fixed_speed(p):
    return vc.math.dot(p.velocity, p.velocity) - 4.0


def line(motion, law: str):
    return next(x for x in motion.audit().lines if x.law == law)


START = {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}


def test_a_motor_that_keeps_the_speed_takes_what_gravity_gives():
    """Chetaev: λ v·∂F/∂v = m g ẏ, so the work is −V, with y = −c²/g ln cosh(g t/c)."""
    motion = vc.simulate(point(vc.Chetaev(), velocity=fixed_speed), 1.0, START)
    fallen = 4.0 / G * np.log(np.cosh(G * motion.time / 2.0))
    assert np.abs(motion.bond("held").work + G * fallen).max() < 1e-11
    assert np.abs(motion.bond("held").power - G * motion.v[:, 1]).max() < 1e-11
    assert np.all(motion.bond("held").energy == 0.0)
    assert "work from the rows of 'held'" in line(motion, "work of reactions").reason
    assert motion.audit().passed, str(motion.audit())


def test_a_vakonomic_speed_holds_the_energy_that_gravity_gives():
    """E[M] = 2 μ c², and E[L] + E[M] is constant: (m + λ′) c² + V."""
    motion = vc.simulate(point(vc.Vakonomic(multipliers=0.3), velocity=fixed_speed), 1.0, START)
    held = motion.bond("held").energy
    assert np.abs(held - 8.0 * motion.bond("held").multiplier).max() < 1e-11
    assert np.ptp(motion.energy + held) < 1e-11 < np.ptp(motion.energy)
    assert np.abs(motion.bond("held").work + held - held[0]).max() < 1e-11
    assert line(motion, "work of 'held' and E[M]").verdict == "holds"
    assert line(motion, "energy E[L] + E[M]").verdict == "holds"


def test_a_string_that_is_drawn_in_works_by_its_tension():
    """On positions: the power is −λ ∂F/∂t, and the work is the change of kinetic energy."""
    system = point(vc.DAlembert(), (0, 0, 0), position=lambda p, t: vc.math.norm(p.position) - (1.0 - 0.2 * t))
    motion = vc.simulate(system, 2.0, {"p": vc.At((1, 0, 0), rate=(-0.2, 0.9, 0))})
    length = 1.0 - 0.2 * motion.time
    assert np.abs(motion.bond("held").power + 0.2 * motion.bond("held").multiplier).max() < 1e-12
    # angular momentum 0.9 is kept, so T = ½ (0.9/l)² + ½ 0.2²
    gained = 0.5 * 0.81 * (1.0 / length**2 - 1.0)
    assert np.abs(motion.bond("held").work - gained).max() < 1e-12
    assert motion.audit().passed


def test_a_row_that_drifts_works_against_its_multiplier():
    """ẋ = u(t): the force m u̇ does the work ½ m u² − ½ m u₀², which is −∫ λ c dt with c = −u."""
    system = point(vc.DAlembert(), (0, 0, 0), velocity=lambda p, t: p.velocity[0] - 1.0 - vc.math.sin(3.0 * t))
    motion = vc.simulate(system, 1.0, {"p": vc.At((0, 0, 0), rate=(1, 0.4, 0))})
    u = 1.0 + np.sin(3.0 * motion.time)
    assert np.abs(motion.bond("held").work - 0.5 * (u**2 - 1.0)).max() < 1e-12
    expected = quad(lambda t: 3.0 * np.cos(3.0 * t) * (1.0 + np.sin(3.0 * t)), 0.0, 1.0)[0]
    assert motion.bond("held").work[-1] == pytest.approx(expected, abs=1e-12)


def test_a_cone_of_directions_does_no_work_in_either_realization():
    for realization in (vc.Chetaev(), vc.Vakonomic(multipliers=0.4)):
        cone = point(realization, (0, 0, -G),
                     velocity=lambda p: p.velocity[0] ** 2 + p.velocity[1] ** 2 - 0.49 * p.velocity[2] ** 2)  # fmt: skip
        motion = vc.simulate(cone, 1.0, {"p": vc.At((0, 0, 0), rate=(0.42, 0.56, -1.0))})
        assert np.abs(motion.bond("held").work).max() < 1e-12
        assert np.abs(motion.bond("held").energy).max() < 1e-12
        assert motion.audit().passed, str(motion.audit())


def test_added_inertia_and_penalties_balance_with_their_own_energies():
    speed = vc.simulate(
        point(vc.constraints.AddedInertia(3.0), velocity=fixed_speed), 1.0, {"p": vc.At((0, 0, 0), rate=(2.1, 0, 0))}
    )
    v2 = (speed.v**2).sum(axis=1)
    F = v2 - 4.0
    # Λ = ½ κ F²: v·∂Λ/∂v − Λ = κ F · 2 v² − ½ κ F²
    assert np.abs(speed.bond("held").energy - 3.0 * F * (2.0 * v2 - 0.5 * F)).max() < 1e-11
    rod = point(vc.Penalty(50.0), position=lambda p: vc.math.norm(p.position) - 1.0)
    motion = vc.simulate(rod, 1.0, {"p": (1.0, 0, 0)})
    stored = 25.0 * (np.linalg.norm(motion.body("p").position, axis=1) - 1.0) ** 2
    assert np.abs(motion.bond("held").work + stored).max() < as_close_as(1e-12, 1e-11)
    assert speed.audit().passed and motion.audit().passed


@pytest.mark.parametrize(
    ("realization", "laws"),
    [
        (vc.Chetaev(), {"energy balance", "energy E[L] + E[M]", "Boltzmann–Hamel from energies"}),
        (vc.Vakonomic(multipliers=0.3), {"rates of multipliers"}),
    ],
)
def test_multipliers_that_are_wrong_by_a_hundredth_fail_the_certificate(realization, laws, monkeypatch):
    right = loads.all_multipliers
    monkeypatch.setattr(loads, "all_multipliers", lambda tree, lam: 1.01 * right(tree, lam))
    if isinstance(realization, vc.Vakonomic):
        rates = loads.multiplier_rates
        monkeypatch.setattr(loads, "multiplier_rates", lambda tree, lam: 1.01 * rates(tree, lam))
    motion = vc.simulate(point(realization, velocity=fixed_speed), 1.0, START)
    found = motion.audit()
    assert found.verdict == "failed"
    assert laws <= {x.law for x in found.lines if x.verdict == "broken"}


def test_a_history_of_multipliers_that_is_wrong_by_a_hundredth_breaks_the_energy_they_hold():
    system = point(vc.Vakonomic(multipliers=0.3), velocity=fixed_speed)
    motion = vc.simulate(system, 1.0, START)
    assert vc.given_motion(system, motion.time, motion.q, motion.v).audit().passed
    wrong = motion.q.copy()
    wrong[:, 3] *= 1.01
    found = vc.given_motion(system, motion.time, wrong, motion.v).audit()
    assert "energy E[L] + E[M]" in {x.law for x in found.lines if x.verdict == "broken"}


def test_efforts_that_lean_towards_the_motion_are_noticed(monkeypatch):
    """A blade whose force is not across it by a thousandth works, and its row says that it cannot."""
    from dataclasses import replace

    right = loads.keeping

    def leaning(tree, held, placed, q, v, lam, a):
        by = right(tree, held, placed, q, v, lam, a)
        (force, moment), *rest = by.efforts
        return replace(by, efforts=((force + 1e-3 * placed[0].X_WL.R[:, 0] * lam[0], moment), *rest))

    system = vc.System("knife edge", gravity=(1.0, 0, 0))
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, realization=vc.DAlembert()))
    monkeypatch.setattr(loads, "keeping", leaning)
    motion = vc.simulate(system, 1.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))})
    assert line(motion, "work of reactions").verdict == "broken"
    assert "'edge' at t =" in line(motion, "work of reactions").detail


def test_power_and_work_of_unknown_constraints_are_refused():
    motion = vc.simulate(point(vc.Chetaev(), velocity=fixed_speed), 0.1, START)
    with pytest.raises(vc.errors.StartError, match=r"there is no bond 'hold' .* did you mean 'held'"):
        motion.bond("hold")


def test_a_ball_that_rolls_vakonomically_on_a_turntable_is_certified_with_the_power_of_its_drive():
    table = vc.System("ball on a turntable", gravity=(0, 0, -G))
    disc = table.add(vc.PrescribedBody("disc", rotation=((0, 0, 1), lambda t: 2.0 * t)))
    ball = table.add(vc.RigidBody("ball", mass=1.0, inertia=(0.4 * 0.09,) * 3))
    rolling = vc.constraints.Rolling.sphere(
        "rolling", ball, 0.3, on=disc, realization=vc.Vakonomic(multipliers=(0.3, -0.1)), contact=vc.DAlembert()
    )
    table.add(rolling)
    start = {"ball": vc.At((0.5, 0, 0.3, 1, 0, 0, 0), rate=(0.2, 0.1, 0, 0, 0, 0))}
    motion = vc.simulate(table, 1.0, start, repair=True)
    assert motion.audit().passed, str(motion.audit())
    supplied = np.trapezoid(motion.body("disc").drive.power, motion.time)
    held = motion.bond("rolling").energy
    assert motion.energy[-1] + held[-1] - motion.energy[0] - held[0] == pytest.approx(supplied, abs=1e-5)


def test_multipliers_that_stay_at_nothing_are_certified():
    """A free ball needs no force to roll."""
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody("ball", mass=1.0, inertia=(0.4 * 0.09,) * 3))
    rolling = vc.constraints.Rolling.sphere(
        "rolling", ball, 0.3, realization=vc.Vakonomic(multipliers="zero"), contact=vc.DAlembert()
    )
    system.add(rolling)
    motion = vc.simulate(system, 2.0, {"ball": vc.At((0, 0, 0.3, 1, 0, 0, 0), rate=(0.6, 0, 0, 0, 2.0, 0.7))})
    assert np.abs(motion.bond("rolling").multiplier).max() < 1e-12
    assert motion.audit().passed, str(motion.audit())
