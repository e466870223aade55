"""Slips that pass through zero at a dead point: the body that slips reverses while what drives it goes on."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G, MU, R, I, M = 9.81, 0.4, 0.2, 0.05, 1.5
ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853"]


def yoke() -> vc.System:
    """A Scotch yoke: a pin on a disc drives a slider along x, which lies on a rough floor."""
    system = vc.System("yoke", gravity=(0, 0, -G))
    disc = system.add(vc.RigidBody("disc", mass=1.0, inertia=(I, I, I)))
    system.add(vc.Revolute("pivot", "ground", disc, axis=(0, 0, 1)))
    slider = system.add(vc.MassPoint("slider", mass=M))
    system.add(
        vc.Constraint(
            "slot",
            [disc, slider],
            position=lambda d, s: s.position[0] - d.point((R, 0.0, 0.0))[0],
            realization="dalembert",
        )
    )
    system.add(
        vc.Unilateral(
            "floor",
            [slider],
            gap=lambda s: s.position[2],
            impact="inelastic",
            friction=vc.Coulomb(MU),
            point=lambda s: s.position,
        )
    )
    return system


@pytest.mark.parametrize("engine", ENGINES)
def test_a_yoke_loses_the_energy_of_its_way_through_dead_points(engine):
    r"""½ (I + m r² sin² θ) ω² falls by μ m g times the way of the slider, r \|cos θ\| from one dead point to the next."""
    begin, rate = 1.0, 20.0
    slides = vc.At((R * np.cos(begin), 0, 0), rate=(-R * np.sin(begin) * rate, 0, 0))
    motion = vc.simulate(
        yoke(), 0.6, {"pivot": vc.At(begin, rate=rate), "slider": slides}, method=engine, progress=False
    )
    angle, omega = motion.q[:, 0], motion.v[:, 0]
    assert angle[-1] > 2.0 * np.pi  # two dead points lie behind
    halves = np.floor(angle / np.pi)
    way = R * (2.0 * halves + 1.0 - (-1.0) ** halves * np.cos(angle) - (1.0 - np.cos(begin)))
    energy = 0.5 * (I + M * (R * np.sin(angle)) ** 2) * omega**2
    np.testing.assert_allclose(energy, energy[0] - MU * M * G * way, rtol=1e-9)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tip_on_a_floor_is_judged_beside_the_arms_of_its_links(engine):
    """A rod that a crank drives slides along a floor with its tip. All gaps are round-off, and so were their scale; and the tip reverses
    where crank and rod are in line."""
    system = vc.System("crank and rod", gravity=(0, 0, -G))
    crank = system.add(vc.RigidBody("crank", mass=2.0, inertia=(0.01, 0.02, 0.01)))
    rod = system.add(vc.RigidBody("rod", mass=0.5, inertia=(1e-4, 0.005, 0.005)))
    system.add(vc.Revolute("pivot", "ground", crank, axis=(0, -1, 0)))
    system.add(vc.Revolute("pin", crank, rod, axis=(0, -1, 0), at=(0.1, 0, 0), to=(-0.15, 0, 0)))
    tip = lambda b: b.point((0.15, 0, 0))
    system.add(
        vc.Unilateral("tip", [rod], gap=lambda b: tip(b)[2], impact="inelastic", friction=vc.Coulomb(0.3), point=tip)
    )
    angle, rate = 0.8, -3.0
    lean = -np.arcsin(0.1 * np.sin(angle) / 0.3)
    turns = -rate * 0.1 * np.cos(angle) / (0.3 * np.cos(lean)) - rate
    start = {"pivot": vc.At(angle, rate=rate), "pin": vc.At(lean - angle, rate=turns)}
    certificate = vc.simulate(system, 0.8, start, method=engine, progress=False).audit()
    assert certificate.passed, str(certificate)
