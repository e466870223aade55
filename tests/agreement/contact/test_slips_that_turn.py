"""Slips whose direction turns after they have begun from rest, next to SciPy and to another frame."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import vinculum as vc
from marks import TAYLOR

G, MASS = 9.81, 1.3
FORCES = {
    "oblique": lambda t, sin, cos: (2.4 * t, 3.2 * t),
    "parabola": lambda t, sin, cos: (4.0 * t, 1.5 * t * t),
    "spiral": lambda t, sin, cos: (6.0 * t * cos(3.0 * t), 6.0 * t * sin(3.0 * t)),
}
ELLIPSE, DISC = vc.Coulomb(0.3, along=(1, 0, 0), mu_across=0.5), vc.Coulomb(0.3)
slow = pytest.mark.slow


def on_a_floor(friction, force):
    system = vc.System("pulled", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", MASS))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], point=lambda p: p.position, impact=vc.Inelastic(),
                           friction=friction))  # fmt: skip
    system.add(vc.Force("pull", point, lambda p, t: vc.Wrench(force=(*force(t, vc.math.sin, vc.math.cos), 0))))
    return system


def begun(force, axes, until):
    """Break-away, an instant a little later, the state (x, y, u_x, u_y) then and its rates: m u' = F − N D² u/|D u|, from u = w s² d with
    D² d ∥ F and 2 m w = F' · d."""
    axes, N, F = np.array(axes), MASS * G, lambda t: np.array(force(t, np.sin, np.cos))
    loose = brentq(lambda t: np.linalg.norm(F(t) / axes) - N, 1e-3, until, xtol=1e-15, rtol=1e-15)
    d = F(loose) / axes**2 / np.linalg.norm(F(loose) / axes**2)
    w, s = (F(loose + 1e-6) - F(loose - 1e-6)) @ d / 2e-6 / (2 * MASS), 1e-4

    def rates(t, y):
        return np.concatenate([y[2:], (F(t) - N * axes**2 * y[2:] / np.linalg.norm(axes * y[2:])) / MASS])

    first = np.concatenate([w * s**3 / 3 * d, w * s**2 * d])
    near = solve_ivp(rates, (loose + s, loose + 0.05), first, method="Radau", rtol=1e-9, atol=1e-16).y[:, -1]
    return loose, loose + 0.05, near, rates


def slid(force, axes, until):
    """Break-away and the state (x, y, u_x, u_y) at the end."""
    loose, t, state, rates = begun(force, axes, until)
    return loose, solve_ivp(rates, (t, until), state, method="DOP853", rtol=1e-13, atol=1e-16).y[:, -1]


def stopped(force, axes, until):
    """Where and when a slip has come to rest, the last 1e-6 m/s of it as its rates say."""
    _, t, state, rates = begun(force, axes, 0.5 * until)
    slow = lambda t, y: np.linalg.norm(y[2:]) - 1e-6
    slow.terminal, slow.direction = True, -1
    found = solve_ivp(rates, (t, until), state, method="DOP853", rtol=1e-12, atol=1e-15, events=slow)
    t, y = found.t[-1], found.y[:, -1]
    left = -(y[2:] @ y[2:]) / (y[2:] @ rates(t, y)[2:])
    return t + left, y[:2] + 0.5 * left * y[2:]


@pytest.mark.parametrize(
    ("name", "friction", "method"),
    [
        pytest.param("oblique", ELLIPSE, *TAYLOR.values, marks=TAYLOR.marks),
        ("oblique", ELLIPSE, "dop853"),
        pytest.param("spiral", DISC, *TAYLOR.values, marks=TAYLOR.marks),
        pytest.param("spiral", DISC, "dop853", marks=slow),
        pytest.param("parabola", DISC, *TAYLOR.values, marks=[*TAYLOR.marks, slow]),
        pytest.param("parabola", ELLIPSE, "dop853", marks=slow),
    ],
)
def test_a_slip_begins_along_the_normal_of_the_ellipse_and_turns_with_the_pull(name, friction, method):
    motion = vc.simulate(on_a_floor(friction, FORCES[name]), 2.0, {"point": (0, 0, 0)}, method=method, progress=False)
    loose, state = slid(FORCES[name], friction.coefficients, 2.0)
    assert motion.record.phases[1].begin == pytest.approx(loose, abs=1e-13)
    found = np.concatenate([motion.q[-1, :2], motion.v[-1, :2]])
    np.testing.assert_allclose(found, state, rtol=0, atol=1e-11)
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_a_slip_that_turns_while_it_stops_comes_to_rest_where_and_when_it_should(method):
    swung = lambda t, sin, cos: (4.0 * sin(3.0 * t), sin(3.0 * t + 1.5))
    motion = vc.simulate(on_a_floor(DISC, swung), 2.0, {"point": (0, 0, 0)}, method=method, progress=False)
    instant, place = stopped(swung, DISC.coefficients, 1.0)
    assert [dict(phase.closed)["floor"] for phase in motion.record.phases[:4]] == [
        "sticks",
        "slides",
        "sticks",
        "slides",
    ]
    assert motion.record.phases[2].begin == pytest.approx(instant, abs=1e-9)
    np.testing.assert_allclose(motion.at([instant + 0.1]).q[0, :2], place, rtol=0, atol=1e-11)
    assert motion.audit().passed, str(motion.audit())


def shaken(t, sin, cos):
    """The place of a plate, which starts from rest and goes where it has not been."""
    return 0.05 * sin(8.0 * t) ** 3, 0.04 * sin(5.0 * t) ** 3


def inertial(t, sin, cos):
    """−m times the acceleration of `shaken`, by hand."""
    return tuple(
        -MASS * a * w**2 * (6.0 * sin(w * t) * cos(w * t) ** 2 - 3.0 * sin(w * t) ** 3)
        for a, w in ((0.05, 8.0), (0.04, 5.0))
    )


@pytest.mark.parametrize("method", [TAYLOR, pytest.param("dop853", marks=slow)])
def test_a_point_on_a_plate_shaken_in_two_directions_moves_as_in_the_frame_of_the_plate(method):
    system = vc.System("shaken", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", MASS))
    plate = system.add(vc.PrescribedBody("plate", position=lambda t: (*shaken(t, vc.math.sin, vc.math.cos), 0.0)))
    system.add(vc.Unilateral("floor", [point, plate], gap=lambda p, b: p.position[2] - b.position[2], impact=vc.Inelastic(), friction=DISC,
                           point=lambda p, b: p.position))  # fmt: skip
    motion = vc.simulate(system, 3.0, {"point": (0, 0, 0)}, method=method, progress=False)
    beside = vc.simulate(on_a_floor(DISC, inertial), 3.0, {"point": (0, 0, 0)}, method=method, progress=False)
    moved = np.array([shaken(t, np.sin, np.cos) for t in motion.time])
    np.testing.assert_allclose(motion.q[:, :2], beside.q[:, :2] + moved, rtol=0, atol=1e-10)
    assert motion.audit().passed, str(motion.audit())
