"""Flat and rod-like bodies meet planes with their corners: by contact and as written out, by two methods, and in closed form."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import ModelError

FLOOR = vc.shapes.HalfSpace((0, 0, 1), 0.0)
ENDS = [(-0.5,), (0.5,)]
SQUARE = [(0.2, 0.1), (-0.2, 0.1), (-0.2, -0.1), (0.2, -0.1)]


def dropped(dimension, points, described, **laws):
    """A thin body above a floor, with a contact of its corners or one unilateral constraint each."""
    system = vc.System("thin", gravity=(0, 0, -9.81))
    energy = vc.energies.NeoHookean(0.5, 200.0, 100.0)
    shape = vc.shapes.Corners(points)
    moments = (0.02, 0.01)[:dimension]
    body = system.add(vc.AffineBody("it", 1.0, moments, dimension=dimension, energy=energy, shape=shape))
    if described:
        for k, a in enumerate(shape.points):
            gap, point = (lambda b, a=a: b.point(a)[2]), (lambda b, a=a: b.point(a))
            rough = {"point": point} if "friction" in laws else {}
            system.add(vc.Unilateral(f"corner {k}", body, gap=gap, **rough, **laws))
    else:
        system.add(vc.Contact("touch", [body], walls=[FLOOR], **laws))
    R = vc.Pose(rotation=(0.9, 0.1, 0.3, 0.05)).R[:, :dimension]
    return system, {"it": vc.At(((0, 0, 0.4), R), ((0.3, 0, 0), np.zeros((3, dimension))))}


@pytest.mark.parametrize(("dimension", "points"), [(1, ENDS), (2, SQUARE)], ids=["rod", "plate"])
@pytest.mark.parametrize("method", [{"method": "taylor"}, {"method": "moreau", "step": 1e-3}], ids=["taylor", "moreau"])
def test_a_contact_of_corners_is_a_unilateral_constraint_for_each(dimension, points, method):
    laws = {"impact": 0.5, "friction": vc.Coulomb(0.2)}
    found = []
    for described in (False, True):
        system, start = dropped(dimension, points, described, **laws)
        motion = vc.simulate(system, until=0.45, start=start, **method)
        assert motion.audit().verdict in ("passed", "undecided" if "step" in method else "passed")
        found.append(motion)
    assert found[0].q == pytest.approx(found[1].q, abs=1e-9)
    lowest = min(found[0].body("it").point(np.pad(a, (0, 3 - len(a)))).position[:, 2].min() for a in points)
    assert -2e-3 < lowest < 5e-3


def test_a_rod_that_falls_flat_bounces_as_a_point_does():
    system = vc.System("level", gravity=(0, 0, -9.81))
    rod = vc.AffineBody("it", 1.0, (0.02,), dimension=1, shape=vc.shapes.Corners(ENDS))
    system.add(vc.Contact("touch", [system.add(rod)], walls=[FLOOR], impact=0.5))
    motion = vc.simulate(system, until=0.6, start={"it": ((0, 0, 0.5), [[1.0], [0.0], [0.0]])}, method="taylor")
    assert [x.law for x in motion.audit().lines if x.verdict != "holds"] == [
        "rates q' = N v"
    ]  # φ is at rest but for round-off
    fall = np.sqrt(2 * 0.5 / 9.81)
    after = motion.time - fall
    bounced = np.where(
        after < 0, 0.5 - 0.5 * 9.81 * motion.time**2, 0.5 * np.sqrt(2 * 9.81 * 0.5) * after - 0.5 * 9.81 * after**2
    )
    assert motion.body("it").position[:, 2] == pytest.approx(bounced, abs=1e-9)


def test_other_bodies_of_the_contact_are_still_in_contact():
    system, start = dropped(2, SQUARE, False, impact="inelastic")
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=100.0))
    box = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.3, 0.3, 0.1)), density=100.0))
    system.add(vc.Contact("others", [ball, box], walls=[FLOOR], impact="inelastic"))
    start |= {"ball": vc.Pose((2, 0, 0.4)), "box": vc.Pose((2, 0, 0.05))}
    motion = vc.simulate(system, until=0.4, start=start, method="moreau", step=1e-3)
    assert motion.audit().verdict != "failed"
    assert motion.body("ball").position[-1, 2] == pytest.approx(0.2, abs=2e-3)


def test_what_corners_do_not_meet_is_refused_with_what_to_do():
    system, start = dropped(2, SQUARE, False, impact="inelastic")
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=100.0))
    system.add(vc.Contact("both", ["it", ball], walls=[FLOOR], impact="inelastic"))
    with pytest.raises(
        ModelError, match=r"contact 'both': the corners of body 'it' have no inside.*not body 'ball'.*of its own"
    ):
        vc.simulate(system, until=0.1, start=start)
    with pytest.raises(ModelError, match="dimension=1, but corners of its shape lie off the first 1 material axis"):
        vc.AffineBody("rod", 1.0, (0.1,), dimension=1, shape=vc.shapes.Corners(SQUARE))
    with pytest.raises(ModelError, match=r"dimension=2, but its shape .* is a solid; give vc.shapes.Corners"):
        vc.AffineBody("flat", 1.0, (1, 1), dimension=2, shape=vc.shapes.Box((1, 1, 1)))
    with pytest.raises(ModelError, match=r"must be numbers of shape \(n, 3\)"):
        vc.shapes.Corners([1, 2, 3])
    with pytest.raises(ModelError, match=r"the corners of body 'it' meet planes in vc.simulate alone"):
        dropped(2, SQUARE, False, impact="inelastic")[0].tree()
