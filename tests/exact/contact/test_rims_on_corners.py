"""Round bodies that fall on a corner: the normal turns with them, and friction is the same in all directions across it."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G, R, MASS, INERTIA = 9.81, 0.1, 0.8, 0.004
UPRIGHT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853"]


def round_body_on_a_corner(mu, e, planar: bool) -> vc.System:
    """A ball, or a disc in the plane of x and z, above a corner at the origin."""
    system = vc.System("corner", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("ball", MASS, inertia=(INERTIA,) * 3))
    if planar:
        system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
    away = lambda b: [b.position[0], b.position[2]] if planar else list(b.position)
    distance = lambda b: vc.math.sqrt(sum(x**2 for x in away(b)))
    rough = {} if mu is None else {"friction": vc.Coulomb(mu), "point": lambda b: np.zeros(3)}
    system.add(vc.Unilateral("corner", [body], gap=lambda b: distance(b) - R, impact=vc.Newton(e), **rough))
    return system


def after_the_hit(v, omega, n, mu, e) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and spin after a hit of a ball with normal n: Newton's ratio, and friction that stops the slip or is at its limit."""
    arm = -R * n
    slip = v + np.cross(omega, arm) - (v @ n) * n
    normal = -(1.0 + e) * (v @ n) * MASS
    stick = -slip / (1.0 / MASS + R**2 / INERTIA)
    limit = 0.0 if mu is None else mu * normal
    size = np.linalg.norm(stick)
    impulse = normal * n + stick * min(1.0, limit / size)
    return v + impulse / MASS, omega + np.cross(arm, impulse) / INERTIA


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize("mu", [None, 0.1, 0.9])
@pytest.mark.parametrize("e", [0.0, 0.5])
@pytest.mark.parametrize("planar", [True, False])
def test_a_round_body_leaves_a_corner_by_the_laws_of_impact(method, mu, e, planar):
    aside, high, omega = np.array([0.03, 0.0 if planar else -0.02]), 0.3, np.array([0.0, -2.0, 0.0 if planar else 1.5])
    drop = high - np.sqrt(R**2 - aside @ aside)
    t = np.sqrt(2.0 * drop / G)
    n = np.array([*aside, high - drop]) / R
    v, turn = after_the_hit(np.array([0.0, 0.0, -G * t]), omega, n, mu, e)
    system = round_body_on_a_corner(mu, e, planar)
    if planar:
        start = {"plane": vc.At((aside[0], high, 0.0), rate=(0.0, 0.0, -omega[1]))}
    else:
        start = {"ball": vc.At((*aside, high), rate=(0.0, 0.0, 0.0, *omega))}
    motion = vc.simulate(system, 0.6, start, method=method, grid=np.array([0.0, t + 1e-9, 0.6]), progress=False)
    np.testing.assert_allclose(motion.body("ball").velocity[1], v, atol=1e-7)
    np.testing.assert_allclose(motion.body("ball").angular_velocity[1], turn, atol=1e-6)
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize("mu", [None, 0.4])
def test_time_steps_take_a_round_body_over_the_corner_as_series_do(mu):
    system = round_body_on_a_corner(mu, 0.5, True)
    start = {"plane": vc.At((0.03, 0.3, 0.0), rate=(0.0, 0.0, 1.0))}
    ends = [
        vc.simulate(system, 0.4, start, method=method, progress=False, **options)
        for method, options in (("dop853", {}), ("moreau", {"step": 1e-4}))
    ]
    np.testing.assert_allclose(ends[1].q[-1], ends[0].q[-1], atol=1e-6)
    assert ends[1].audit().verdict == "passed", str(ends[1].audit())
