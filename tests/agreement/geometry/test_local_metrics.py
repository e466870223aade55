"""Metrics on local coordinates about a place: quaternions, closed loops and constraints, against other coordinates."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import four_bar
from vinculum import math as m

g = vc.geometry
MASS, RADIUS = 1.4, 0.9


def point(realization="dalembert") -> vc.System:
    system = vc.System("point")
    body = system.add(vc.MassPoint("body", MASS))
    system.add(vc.constraints.distance("rod", "ground", body, length=RADIUS, realization=realization))
    return system


def lagrangian_point() -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "point", ["x", "y", "z"], lambda v: MASS * (v @ v) / 2, constraints={"rod": (lambda q: q @ q - RADIUS**2, vc.DAlembert())}
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["bodies", "Lagrangian"])
@pytest.mark.parametrize("place", [(0.3, -0.2), (0.0, 0.0), (0.62, 0.6)])
def test_a_point_on_a_sphere_has_its_curvature(kind, place):
    x, y = place
    whole = np.array([x, y, np.sqrt(RADIUS**2 - x**2 - y**2)])
    found = g.Metric.of(point(), at={"body": whole}) if kind == "bodies" else g.Metric.of(lagrangian_point(), at=whole)
    here = np.array([whole["xyz".index(name[-1])] for name in found.coordinates])
    for there in (here, here + [0.05, -0.08]):
        assert found.scalar_curvature(there) == pytest.approx(2.0 / (MASS * RADIUS**2), rel=1e-11)


def test_a_geodesic_of_constraints_is_a_great_circle():
    metric = g.Metric.of(lagrangian_point(), at=[0.1, 0.2, np.sqrt(RADIUS**2 - 0.05)])
    assert tuple(metric.coordinates) == ("x", "y")
    motion = g.geodesic(metric, [0.1, 0.2], [0.5, -0.3], until=1.0, method="dop853")
    x = np.column_stack([motion.q, np.sqrt(RADIUS**2 - np.sum(motion.q**2, axis=1))])
    normal = np.cross(x[0], x[-1])
    assert x @ normal == pytest.approx(0.0, abs=1e-12)


def test_local_coordinates_of_a_quaternion_have_the_curvature_of_other_charts():
    def top(**chart) -> vc.System:
        system = vc.System("top")
        body = system.add(vc.RigidBody("body", 1.0, (0, 0, 0.1), (0.5, 0.8, 1.1)))
        system.add(vc.Spherical("foot", "ground", body, **chart))
        bob = system.add(vc.MassPoint("bob", 0.3))
        system.add(vc.Revolute("hinge", body, bob, at=(0.3, 0, 0), axis=(0, 1, 0), to=(0, 0, 0.4)))
        return system

    angles, charted = np.array([0.4, 0.7, -0.3]), g.Metric.of(top(chart="zyx"))
    turned = vc.Pose(rotation=zyx_matrix(*angles))
    local = g.Metric.of(top(), at={"foot": turned, "hinge": 0.2})
    assert tuple(local.coordinates) == ("foot_rx", "foot_ry", "foot_rz", "hinge")
    here = [0, 0, 0, 0.2]
    assert local.scalar_curvature(here) == pytest.approx(charted.scalar_curvature([*angles, 0.2]), rel=1e-10)
    assert np.linalg.eigvalsh(local(here)).min() > 0.0


def zyx_matrix(a, b, c) -> np.ndarray:
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    about_z, about_y = (
        np.array([[ca, -sa, 0], [sa, ca, 0], [0, 0, 1]]),
        np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]]),
    )
    return about_z @ about_y @ np.array([[1, 0, 0], [0, cc, -sc], [0, sc, cc]])


def test_a_free_body_is_flat_where_it_does_not_turn():
    """Metric and curvature of a free body at its quaternion's place are those of its rotations alone."""
    system = vc.System("stone")
    system.add(vc.RigidBody("stone", 2.0, (0, 0, 0), (0.5, 0.8, 1.1)))
    metric = g.Metric.of(system, at={"stone": (1.0, 2.0, 3.0)})
    q = np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    assert metric(q) == pytest.approx(np.diag([2.0, 2.0, 2.0, 0.5, 0.8, 1.1]), abs=1e-13)
    assert g.sectional_curvature(metric, q, [1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]) == pytest.approx(0.0, abs=1e-12)


def linkage(a):
    """Angles of crank, coupler and rocker of `four_bar` about its crank, in the branch with the coupler above."""
    x, y = m.cos(a), m.sin(a)
    dx, dy = 2.2 - x, -y
    d = m.sqrt(dx * dx + dy * dy)
    turn = m.atan2(dy, dx) + m.acos((2.5**2 + d * d - 2.0**2) / (2.0 * 2.5 * d))
    cx, cy = x + 2.5 * m.cos(turn) - 2.2, y + 2.5 * m.sin(turn)
    return {"A": a, "B": turn - a, "D": m.atan2(cy, cx)}


def test_a_linkage_along_its_crank_has_the_metric_of_its_closed_form():
    by_hand, crank = g.Metric.of(four_bar(), coordinates=linkage), g.Metric.of(four_bar(), at={"A": 1.0})
    assert tuple(crank.coordinates) == ("A",)
    for a in (1.0, 1.3):
        exact = by_hand([a])[0, 0], by_hand.christoffel([a])[0, 0, 0]
        assert (crank([a])[0, 0], crank.christoffel([a])[0, 0, 0]) == pytest.approx(exact, rel=1e-10)
