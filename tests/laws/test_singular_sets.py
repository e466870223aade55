"""Motions that come to singular points of their constraints pass smoothly with a remark, or stop with instant and place."""

import re

import numpy as np
import pytest

import vinculum as vc
from curves import CURVES, Curve
from marks import TAYLOR

BEYOND = 0.3
INSTANT, PLACE = 3e-5, 3e-4
"""To how much the instant and the place of a stop are right, next to times and lengths of one: at cusps of high order, where the wire is
nearly double long before; 1e-7 is usual."""


def of_bodies(curve: Curve) -> tuple:
    system, n = vc.System("bead"), len(curve.position)
    bead = system.add(vc.MassPoint("bead", mass=1.0))
    system.add(vc.Constraint("wire", [bead], position=lambda b: curve.rows(b.position), realization=vc.DAlembert()))
    q, v = (np.append(x, np.zeros(3 - n)) for x in (curve.position, curve.direction))
    return system, {"bead": vc.At(q, rate=v)}


def of_lagrangian(curve: Curve) -> tuple:
    names = ["x", "y", "z"][: len(curve.position)]
    system = vc.LagrangianSystem("bead", names, lambda v: 0.5 * vc.math.dot(v, v), constraints={"wire": (curve.rows, vc.DAlembert())})
    return system, (curve.position, curve.direction)


KINDS = {"bodies": of_bodies, "lagrangian": of_lagrangian}


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CURVES)
def test_a_singular_point_is_passed_smoothly_or_ends_the_run_with_instant_and_place(name, kind, method):
    curve = CURVES[name]
    system, start = KINDS[kind](curve)
    reached, n = curve.reached, len(curve.position)
    try:
        motion = vc.simulate(system, reached + BEYOND, start, method=method, progress=False)
    except vc.RunError as error:
        motion = error.motion
        told = re.search(r"stopped: at t = ([-\d.e]+) s .*?, at (.*?); from there", str(error)) or re.search(
            r"stopped: at t = ([-\d.e]+) s .*?singular position, (.*?); from there", str(error)
        )
        assert told is not None, str(error)
        place = [float(x) for x in re.findall(r"= ([-+\d.e]+)", told[2])][:n]
        assert float(told[1]) == pytest.approx(reached, abs=INSTANT)
        np.testing.assert_allclose(place, curve.at(curve.singular), rtol=0, atol=PLACE)
        assert not (curve.passes and method == "taylor"), "stopped where it can pass"
        assert motion.pieces.end < reached
    else:
        (said,) = [line for line in motion.log if "passed" in line]
        assert curve.passes and method == "taylor"
        assert float(re.search(r"t = ([-\d.e]+) s", said)[1]) == pytest.approx(reached, abs=1e-8)
        np.testing.assert_allclose(motion.q[-1][:n], curve.after(reached + BEYOND), rtol=0, atol=1e-11)
        np.testing.assert_allclose(np.linalg.norm(motion.v[:, :n], axis=1), 1.0, rtol=0, atol=1e-13)
        line = next(x for x in motion.audit().lines if x.law == "velocities at singular positions")
        assert line.verdict == "holds" and f"passed at t = {reached:.4g}"[:-1] in line.reason
        assert motion.audit().passed, str(motion.audit())
    assert motion.audit().verdict != "failed", str(motion.audit())
    turns = np.linalg.norm(np.diff(motion.v, axis=0), axis=1)
    assert turns.max() < 0.2
