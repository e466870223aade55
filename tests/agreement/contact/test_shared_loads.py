"""Bodies that rest on more unilateral constraints than balance can tell apart: when they break loose, tip or slip, and how they move
then."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize

import vinculum as vc
from marks import TAYLOR, needs_heyoka

G, MU = 9.81, 0.15
THREE = np.array([(0.5, 0.1, 0), (-0.4, 0.3, 0), (-0.2, -0.5, 0)])
FOUR = np.array([(0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 0), (0.5, -0.5, 0)])


both = pytest.mark.parametrize("method", [TAYLOR, "dop853"])


def block(feet, moment, mu=MU):
    """One kilogram on feet in the plane of its center, pulled along x by a force that grows, with a moment that grows with it."""
    system = vc.System("block", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("block", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    for k, foot in enumerate(feet):
        where = lambda b, foot=foot: b.point(foot)
        system.add(vc.Unilateral(f"foot {k}", [body], gap=lambda b, where=where, z=foot[2]: where(b)[2] - z, point=where,
                                 impact=vc.Inelastic(), friction=vc.Coulomb(mu) if mu else None))  # fmt: skip
    pull = lambda b, t: vc.Wrench(force=(t, 0, 0), moment=t * np.array(moment))
    system.add(vc.Force("pull", body, pull))
    return system


def moved(system, until, **given):
    motion = vc.simulate(system, until, progress=False, **given)
    assert motion.audit().passed, str(motion.audit())
    return motion


@needs_heyoka
@pytest.mark.parametrize("feet", [THREE, pytest.param(FOUR, marks=pytest.mark.slow)], ids=["three", "four"])
@pytest.mark.slow
def test_a_straight_pull_tears_a_block_from_all_its_feet_at_once(feet):
    """Each foot at its own limit, whatever it bears: t = μ m g, and from then on a = t − μ m g."""
    motion, loose = moved(block(feet, (0, 0, 0)), 2.0, method="taylor"), MU * G
    assert [phase.begin for phase in motion.record.phases] == pytest.approx([0.0, loose], abs=1e-11)
    assert motion.q[-1, 0] == pytest.approx((2.0 - loose) ** 3 / 6.0, abs=1e-11)
    assert motion.v[-1, 0] == pytest.approx((2.0 - loose) ** 2 / 2.0, abs=1e-11)


def normals(feet, moment, t):
    """Pressures of three feet at (x, y)."""
    return np.linalg.solve([np.ones(3), feet[:, 1], -feet[:, 0]], [G, -t * moment[0], -t * moment[1]])


def slips(feet, twist):
    return np.column_stack([twist[0] - twist[2] * feet[:, 1], twist[1] + twist[2] * feet[:, 0]])


def torn(moment):
    """When three feet can no longer hold, by the twist against which they do least: Σ μ N |u| = power of the pull; and that twist."""

    def least(t):
        N = normals(THREE, moment, t)
        work = lambda w: MU * N @ np.linalg.norm(slips(THREE, (1.0 - moment[2] * w[1], *w)), axis=1)
        found = minimize(work, guess, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15, "maxiter": 500})
        return found.fun - t, np.array([1.0 - moment[2] * found.x[1], *found.x])

    guess = (0.0, -1.0)

    loose = brentq(lambda t: least(t)[0], 0.2, 1.6, xtol=1e-13)
    return loose, least(loose)[1]


def pivoted(moment, until):
    """Break-away and the state (x, y, θ and rates) at the end, by SciPy, from v = c s² along the twist."""
    loose, twist = torn(moment)

    def rates(t, y):
        c, s = np.cos(y[2]), np.sin(y[2])
        feet = THREE[:, :2] @ np.array([[c, s], [-s, c]])
        u, N = slips(feet, y[3:]), normals(feet, moment, t)
        drag = -MU * N[:, None] * u / np.linalg.norm(u, axis=1)[:, None]
        turn = (feet[:, 0] * drag[:, 1] - feet[:, 1] * drag[:, 0]).sum() + moment[2] * t
        return np.concatenate([y[3:], drag.sum(axis=0) + (t, 0.0), [turn / 0.1]])

    s, inertia = 1e-4, np.array([1.0, 1.0, 0.1])
    near = np.concatenate([np.zeros(3), twist])
    growth = (rates(loose + s, near)[3:] @ (inertia * twist)) / (twist @ (inertia * twist)) / s
    first = np.concatenate([growth * s**3 / 6 * twist, growth * s**2 / 2 * twist])
    later = solve_ivp(rates, (loose + s, loose + 0.05), first, method="Radau", rtol=1e-10, atol=1e-16).y[:, -1]
    return loose, solve_ivp(rates, (loose + 0.05, until), later, method="DOP853", rtol=1e-13, atol=1e-16).y[:, -1]


@both
@pytest.mark.slow
def test_a_pull_beside_the_center_turns_a_block_on_three_feet_as_scipy_says(method):
    moment = (0.0, 0.2, -0.35)
    loose, expected = pivoted(moment, 1.6)
    motion = moved(block(THREE, moment), 1.6, method=method)
    assert motion.record.phases[1].begin == pytest.approx(loose, abs=1e-9)
    found = [*motion.q[-1, :2], 2.0 * np.arctan2(motion.q[-1, 6], motion.q[-1, 3])]
    np.testing.assert_allclose(found, expected[:3], atol=2e-9)
    assert np.hypot(*motion.v[-1, :2]) == pytest.approx(np.hypot(*expected[3:5]), abs=1e-8)
    assert motion.v[-1, 5] == pytest.approx(expected[5], abs=1e-8)


@pytest.mark.slow
def test_a_pull_beside_the_center_turns_a_block_on_four_feet_and_time_stepping_agrees():
    """How four feet share the weight is not told; both ways hold as long as any share does, and so do forces in all cones."""
    system = block(FOUR, (0.0, 0.2, -0.35))
    motion = moved(system, 1.5, method="dop853")
    stepped = vc.simulate(system, 1.5, method="moreau", step=1e-3, progress=False)
    still = np.abs(np.asarray(stepped.v)[:, :2]).max(axis=1) < 1e-9
    assert motion.record.phases[1].begin == pytest.approx(float(stepped.time[np.argmin(still)]), abs=3e-3)


@pytest.mark.parametrize("mu", [0.6, 0.0], ids=["rough", "smooth"])
def test_a_block_on_four_feet_tips_when_two_of_them_bear_nothing(mu):
    """About the edge at x = 1/2: a moment t h = m g / 2, whatever each of the four bears until then."""
    feet = FOUR - (0.0, 0.0, 0.0 if mu else 0.3)
    motion = moved(block(feet, (0.0, 1.2, 0.0), mu), 4.2, method="dop853")
    assert motion.record.phases[1].begin == pytest.approx(G / 2.4, abs=1e-10)
    assert [name for name, _ in motion.record.phases[1].closed] == ["foot 0", "foot 3"]


LENGTH, SLOPE, FLOOR, WALL, LOAD, CLIMB = 2.0, np.radians(60.0), 0.3, 0.25, 5.0, 0.2


def ladder():
    """A rod of one kilogram on a floor and against a wall, rough both, on which a load climbs."""
    system = vc.System("ladder", gravity=(0, -G, 0))
    rod = system.add(vc.RigidBody("rod", mass=1.0, inertia=(LENGTH**2 / 12,) * 3))
    system.add(vc.Planar("plane", "ground", rod))
    for name, end, axis, mu in (("floor", LENGTH / 2, 1, FLOOR), ("wall", -LENGTH / 2, 0, WALL)):
        where = lambda b, end=end: b.point((end, 0, 0))
        system.add(vc.Unilateral(name, [rod], gap=lambda b, where=where, axis=axis: where(b)[axis], point=where,
                                 impact=vc.Inelastic(), friction=vc.Coulomb(mu)))  # fmt: skip
    climbing = lambda b, t: (CLIMB * t - LENGTH / 2) * (b.rotation @ np.array((-1.0, 0.0, 0.0)))[0]
    system.add(
        vc.Force("load", rod, lambda b, t: vc.Wrench(force=(0, -LOAD, 0), moment=(0, 0, -LOAD * climbing(b, t))))
    )
    return system


def slid(loose, until):
    """The slope of the ladder and its rate at the end, by SciPy: both ends slide, and friction is μ times what presses."""

    def rates(t, y):
        c, s, w = np.cos(y[0]), np.sin(y[0]), y[1]
        along = CLIMB * t - LENGTH / 2
        # unknown: slope'' and both pressures; center (c, s) L/2 from the corner, floor pushes (−μ N, N), wall (N, μ N)
        half, inertia = LENGTH / 2, LENGTH**2 / 12
        A = np.array([
            [-half * s, FLOOR, -1.0],
            [half * c, -1.0, -WALL],
            [inertia, half * c - FLOOR * half * s, -half * s - WALL * half * c],
        ])  # fmt: skip
        b = np.array([half * c * w * w, half * s * w * w - G - LOAD, -along * c * LOAD])
        found = np.linalg.solve(A, b)
        return [w, found[0]]

    return solve_ivp(rates, (loose, until), [SLOPE, 0.0], method="DOP853", rtol=1e-13, atol=1e-16).y[:, -1]


@both
def test_a_ladder_slips_at_both_ends_when_the_load_has_climbed_as_high_as_statics_says(method):
    """Beer and Johnston, Vector Mechanics, 8.1: both ends at the limit of friction."""
    floor = (G + LOAD) / (1.0 + FLOOR * WALL)
    height = FLOOR * floor * LENGTH * (np.tan(SLOPE) + WALL) - G * LENGTH / 2
    loose = height / LOAD / CLIMB
    start = {"plane": (LENGTH / 2 * np.cos(SLOPE), LENGTH / 2 * np.sin(SLOPE), -SLOPE)}
    motion = moved(ladder(), loose + 0.4, start=start, method=method)
    assert motion.record.phases[1].begin == pytest.approx(loose, abs=1e-9)
    np.testing.assert_allclose([-motion.q[-1, 2], -motion.v[-1, 2]], slid(loose, loose + 0.4), atol=1e-9)
