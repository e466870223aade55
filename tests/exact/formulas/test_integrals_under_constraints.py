"""First integrals of bodies under constraints, and of mass centers: which there are, their values, and which must not be claimed."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc

G, M, R = 9.81, 1.7, 0.3
MOMENTS = np.diag([0.05, 0.07, 0.1])


def names(system) -> set[str]:
    return set(vc.first_integrals(system).names)


def rolling_ball(com=(0, 0, 0), gravity=(0, 0, -G), realization=None) -> vc.System:
    system = vc.System("ball", gravity=gravity)
    ball = system.add(vc.RigidBody("ball", M, com=com, inertia=MOMENTS))
    system.add(vc.constraints.Rolling.sphere("rolling", ball, R, realization=realization or vc.DAlembert()))
    return system


def test_chaplygins_ball_keeps_its_moments_about_the_contact():
    system = rolling_ball()
    found = vc.first_integrals(system)
    about = "through the point (0, 0, -0.3) from the mass center"
    assert set(found.names) == {"energy", f"angular momentum about x {about}", f"angular momentum about y {about}",
                                "angular momentum about z through the mass center"}  # fmt: skip
    turn, w, v = Rotation.from_euler("xyz", [0.3, 0.8, -0.4]), np.array([2.0, -1, 3]), R * np.array([-1.0, -2.0, 0])
    Q = turn.as_matrix()
    pose = np.array([0.4, -0.2, R, *np.roll(turn.as_quat(), 1)])
    K = Q @ MOMENTS @ Q.T @ w + np.cross([0, 0, R], M * v)
    for e, axis in zip("xyz", np.eye(3), strict=True):
        one = next(one for one in found if one.name.startswith(f"angular momentum about {e}"))
        assert one.value(pose, np.concatenate([Q.T @ v, Q.T @ w])) == pytest.approx(K @ axis, rel=1e-12)
    motion = vc.simulate(system, 3.0, {"ball": vc.At(pose, rate=np.concatenate([Q.T @ v, Q.T @ w]))})
    for one in found:
        assert np.ptp(one.along(motion)) < 1e-12


def test_a_ball_that_its_weight_turns_keeps_what_that_has_no_moment_about():
    """On a slope along x the weight has a moment about y; with the mass center away from the middle about all but the vertical."""
    about = "through the point (0, 0, -0.3) from the mass center"
    slope = names(rolling_ball(gravity=(0.5, 0, -G)))
    assert f"angular momentum about x {about}" in slope and not any("about y" in name for name in slope)
    uneven = names(rolling_ball(com=(0, 0, 0.05)))
    assert uneven == {"energy"}


def tethered(gravity, axis_point=(0.5, 0, 0)) -> vc.System:
    system = vc.System("tethered", gravity=gravity)
    ball = system.add(vc.MassPoint("ball", 0.7))
    system.add(vc.constraints.distance("rod", ball, "ground", 1.2, to=axis_point, realization=vc.DAlembert()))
    return system


def test_a_ball_on_a_rod_keeps_its_moment_about_the_vertical_through_its_end():
    system = tethered((0, 0, -G))
    found = vc.first_integrals(system)
    assert found.names == ("energy", "angular momentum about z through (0.5, 0, 0)")
    x, v = np.array([0.5 + 1.2 * 0.6, 0, -1.2 * 0.8]), np.array([0.0, 1.1, 0.0])
    assert found[1].value(x, v) == pytest.approx(0.7 * 1.2 * 0.6 * 1.1, rel=1e-14)
    motion = vc.simulate(system, 3.0, {"ball": vc.At(x, rate=v)})
    assert np.ptp(found[1].along(motion)) < 1e-12


def test_without_weight_a_ball_on_a_rod_keeps_its_whole_moment_and_in_a_slanted_field_none_about_z():
    """The axis along x through the end also goes through the origin."""
    ends = {"x": "(0, 0, 0)", "y": "(0.5, 0, 0)", "z": "(0.5, 0, 0)"}
    assert names(tethered((0, 0, 0))) == {
        "energy",
        *(f"angular momentum about {e} through {at}" for e, at in ends.items()),
    }
    assert names(tethered((1.0, 0, -G))) & {"angular momentum about z through (0.5, 0, 0)"} == set()


def on_surface(surface) -> vc.System:
    system = vc.System("geodesic")
    ball = system.add(vc.MassPoint("ball", 2.0))
    system.add(vc.constraints.point_on_surface("surface", ball, surface, realization=vc.DAlembert()))
    return system


def test_a_geodesic_of_a_torus_keeps_its_moment_about_the_axis_and_that_of_a_deformed_one_does_not():
    sqrt = vc.math.sqrt
    system = on_surface(lambda x: (sqrt(x[0] ** 2 + x[1] ** 2) - 2.0) ** 2 + x[2] ** 2 - 0.25)
    found = vc.first_integrals(system)
    assert found.names == ("energy", "angular momentum about z through (0, 0, 0)")
    start = {"ball": vc.At((2.5, 0, 0), rate=(0, 0.8, 0.6))}
    values = found[1].along(vc.simulate(system, 5.0, start))
    assert values[0] == pytest.approx(2.0 * 2.5 * 0.8, rel=1e-14) and np.ptp(values) < 1e-11
    bent = on_surface(lambda x: (sqrt(x[0] ** 2 + 1.1 * x[1] ** 2) - 2.0) ** 2 + x[2] ** 2 - 0.25)
    assert names(bent) == {"energy"}


def test_a_geodesic_of_a_slanted_cylinder_keeps_what_a_unit_vector_along_its_axis_gives():
    axis = np.array([1.0, 0, 1.0]) / np.sqrt(2)
    found = vc.first_integrals(on_surface(lambda x: x @ x - (x @ axis) ** 2 - 1.0))
    x, v = np.array([0, 1.0, 0]), np.array([0.7, 0, -0.3])
    along, about = (
        found["momentum along (0.7071, 0, 0.7071)"],
        found["angular momentum about (0.7071, 0, 0.7071) through (0, 0, 0)"],
    )
    assert along.value(x, v) == pytest.approx(2.0 * v @ axis, rel=1e-14) and along.unit == "N s"
    assert about.value(x, v) == pytest.approx(2.0 * np.cross(x, v) @ axis, rel=1e-14)


def test_mass_centers_go_straight_or_fall():
    """m r·e − P·e t + m g·e t²/2 is known, in each direction in which nothing but the weight acts."""
    system = vc.System("pair", gravity=(0, 0, -G))
    a, b = system.add(vc.MassPoint("a", 1.0)), system.add(vc.MassPoint("b", 3.0))
    system.add(vc.Potential("spring", [a, b], lambda a, b: vc.math.norm(a.position - b.position) ** 2))
    found = vc.first_integrals(system)
    moved = [one for one in found if one.name.startswith("mass center along")]
    assert [one.name for one in moved] == [f"mass center along {e} less its motion" for e in "xyz"]
    x, v = np.array([0.2, 0.3, 0.5, -1.0, 0.4, 0.1]), np.array([0.1, -0.4, 0.9, 0.6, 0.2, -0.3])
    mass = np.array([1.0, 3.0])
    r, P = mass @ x.reshape(2, 3), mass @ v.reshape(2, 3)
    t = 0.7
    expected = r - P * t + 0.5 * 4.0 * np.array([0, 0, -G]) * t**2
    assert [one.value(x, v, t) for one in moved] == pytest.approx(expected, rel=1e-12)
    motion = vc.simulate(system, 2.0, {"a": vc.At(x[:3], rate=v[:3]), "b": vc.At(x[3:], rate=v[3:])})
    for one in moved:
        assert np.ptp(one.along(motion)) < 1e-11


def test_a_rod_between_two_balls_leaves_their_mass_center_alone_and_one_to_the_ground_does_not():
    system = vc.System("dumbbell")
    a, b = system.add(vc.MassPoint("a", 1.0)), system.add(vc.MassPoint("b", 3.0))
    system.add(vc.constraints.distance("rod", a, b, 1.0, realization=vc.DAlembert()))
    free = names(system)
    assert {f"mass center along {e} less its motion" for e in "xyz"} <= free
    assert {f"angular momentum about the mass center along {e}" for e in "xyz"} <= free
    system.add(vc.constraints.distance("tether", b, "ground", 2.0, realization=vc.DAlembert()))
    held = names(system)
    assert not any(name.startswith("mass center") for name in held)
    assert {f"angular momentum about {e} through (0, 0, 0)" for e in "xyz"} <= held


def test_two_bodies_on_a_ball_joint_of_rows_in_world_axes_keep_their_moment_about_the_mass_center():
    """The rows turn with the bodies, so that their reactions have no moment only where the joint is closed."""
    system = vc.System("pair", gravity=(0, 0, -G))
    one, other = (system.add(vc.RigidBody(name, M, com=(0.1, 0, -0.2), inertia=MOMENTS)) for name in ("one", "other"))
    p = np.array([0.4, 0.1, -0.2])
    ball = vc.Constraint("ball", [one, other], position=lambda a, b: a.point(p) - b.point(-p), realization="dalembert")
    system.add(ball)
    found = names(system)
    assert {f"angular momentum about the mass center along {e}" for e in "xyz"} <= found
    assert {"energy", "momentum along x", "momentum along y"} <= found
    hook = np.array([0.5, 0.2, 1.0])
    system.add(vc.Constraint("hook", [one], position=lambda a: a.point(p) - hook, realization="dalembert"))
    assert names(system) == {"energy", "angular momentum about z through (0.5, 0.2, 0)"}


@pytest.mark.parametrize(
    ("at", "more"), [((0, 0, 0), {"angular momentum about z through the mass center"}), ((0.2, 0, 0), set())]
)
def test_a_skate_on_a_plane_keeps_its_spin_if_its_blade_is_below_the_mass_center(at, more):
    system = vc.System("skate", gravity=(1.2, -0.7, 0))
    blade = system.add(vc.RigidBody("blade", M, inertia=MOMENTS))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, side=(0, 1, 0), at=at, realization="dalembert"))
    assert names(system) == {"energy"} | more


def test_fields_are_for_lagrangians():
    with pytest.raises(
        vc.errors.MethodError, match=r"fields= are functions of the coordinates of a vc.LagrangianSystem"
    ):
        vc.first_integrals(tethered((0, 0, 0)), fields=[lambda q: q])
