"""Friction that several contacts share: one of them may be at its limit although nothing slips there."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G, MU = 9.81, 0.5
UPRIGHT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))


def _rough(name: str, body, place) -> vc.Unilateral:
    where = lambda b: b.point(place)
    return vc.Unilateral(
        name, [body], gap=lambda b: where(b)[2], point=where, impact=vc.Inelastic(), friction=vc.Coulomb(MU)
    )


def two_sledges(pull: float, harder: float) -> vc.System:
    """Two sledges on two runners each, which share their friction; each is pulled along x."""
    system = vc.System("sledges", gravity=(0.0, 0.0, -G))
    for name, force in (("slow", pull), ("fast", harder)):
        sledge = system.add(vc.RigidBody(name, mass=2.0, inertia=(0.1, 0.1, 0.1)))
        system.add(vc.Planar(f"plane of {name}", "ground", sledge, at=UPRIGHT, to=UPRIGHT))
        for place in (-0.3, 0.02):
            system.add(_rough(f"{name} at {place}", sledge, (place, 0.0, 0.0)))
        system.add(vc.Force(f"pull of {name}", sledge, lambda _, force=force: vc.Wrench(force=(force, 0.0, 0.0))))
    return system


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
@pytest.mark.parametrize("part", [0.3, 0.5, 0.9])
def test_what_is_held_stays_while_something_else_begins_to_slide(method, part):
    """The forces on runners that share their friction are not unique; one may be at its limit while the others have room."""
    limit, until = MU * 2.0 * G, 0.2
    system = two_sledges(part * limit, 1.5 * limit)
    motion = vc.simulate(system, until, {}, method=method, progress=False)
    assert not motion.log
    np.testing.assert_allclose(motion.body("slow").position[-1], 0.0, atol=1e-13)
    np.testing.assert_allclose(motion.body("fast").position[-1][0], 0.25 * MU * G * until**2, rtol=1e-12)
    assert motion.audit().verdict == "passed", str(motion.audit())
