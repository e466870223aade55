"""A particle that runs into a corner: infinitely many impacts in turn at two walls, in a finite time. Oracle: the hits by exact arithmetic
of straight lines, and the momentum, which both walls take in all."""

from math import cos, radians, sin

import mpmath
import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka
from vinculum.integrators.event_driven import event_driven

EVENT_DRIVEN = [pytest.param("taylor", marks=needs_heyoka), "dop853"]
ENGINES = [*EVENT_DRIVEN, "moreau"]
WHEN = {"moreau": 1e-9}
"""Time steps take gaps of 1e-12 m for closed, which are passed at 1e-3 m/s at the end of the sequence."""
ANGLE, E, MASS, START, SPEED = radians(50.0), 0.06, 1.3, (0.5, 0.02), (-1.0, -0.05)


def corner(law) -> vc.System:
    """Walls from the origin along x and at an angle to it; the particle is between them."""
    system = vc.System("corner")
    particle = system.add(vc.MassPoint("particle", MASS))
    system.add(vc.Prismatic("along x", "ground", slider := system.add(vc.MassPoint("carriage", 1e-3)), axis=(1, 0, 0)))
    system.add(vc.Prismatic("along y", slider, particle, axis=(0, 1, 0)))
    system.add(vc.Unilateral("lower", [particle], gap=lambda p: p.position[1], impact=law))
    upper = lambda p: sin(ANGLE) * p.position[0] - cos(ANGLE) * p.position[1]
    system.add(vc.Unilateral("upper", [particle], gap=upper, impact=law))
    return system


def run(law, method) -> vc.Motion:
    start = {f"along {axis}": vc.At(x, rate=v) for axis, x, v in zip("xy", START, SPEED, strict=True)}
    step = {"step": 1e-3} if method == "moreau" else {}
    return vc.simulate(corner(law), 1.5, start, method=method, progress=False, **step)


def end_of_hits() -> float:
    """The instant at which the hits accumulate. The metric of the carriage's mass is not Euclidean, as it moves along x alone."""
    with mpmath.workdps(60):
        mass = mpmath.matrix([[MASS + 1e-3, 0], [0, MASS]])
        x, v, t = mpmath.matrix(START), mpmath.matrix(SPEED), mpmath.mpf(0)
        normals = [mpmath.matrix([0, 1]), mpmath.matrix([sin(ANGLE), -cos(ANGLE)])]
        for _ in range(60):
            coming = [(-(n.T * x)[0] / (n.T * v)[0], n) for n in normals if (n.T * v)[0] < 0]
            wait, n = min(coming, key=lambda one: one[0])
            x, t, push = x + wait * v, t + wait, mass**-1 * n
            v = v - (1 + E) * (n.T * v)[0] / (n.T * push)[0] * push
        return float(t)


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize("law", [vc.Newton(E), vc.Poisson(E)], ids=str)
def test_a_particle_comes_to_rest_in_a_corner(law, method):
    motion = run(law, method)
    np.testing.assert_allclose(motion.v[-1], 0.0, atol=1e-12)
    np.testing.assert_allclose(motion.q[-1], 0.0, atol=1e-11)
    P = [motion.bond(name).impulses.normal.sum() for name in ("lower", "upper")]
    along_x, along_y = P[1] * sin(ANGLE), P[0] - P[1] * cos(ANGLE)
    np.testing.assert_allclose([along_x, along_y], [-(MASS + 1e-3) * SPEED[0], -MASS * SPEED[1]], rtol=1e-10)
    assert motion.record.atoms.times[-1] == pytest.approx(end_of_hits(), rel=WHEN.get(method, 1e-10))
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize("method", EVENT_DRIVEN)
def test_restitution_at_the_end_of_the_sequence_breaks_the_law(method, monkeypatch):
    monkeypatch.setattr(event_driven, "accumulating", lambda now, instants, closed, *_: closed & False)
    motion = run(vc.Newton(E), method)
    assert np.abs(motion.v[-1]).max() > 1e-6
    assert {line.law for line in motion.audit().lines if line.verdict == "broken"} == {"impact law"}
