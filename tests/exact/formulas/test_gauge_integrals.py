"""Momenta less functions of positions and of the time: integrals of forces that follow from no energy, along motions in closed form."""

import numpy as np
import pytest

import vinculum as vc

m = vc.math
G, M, B = 9.81, 2.0, 0.3


def names(system, **values) -> set[str]:
    return set(vc.first_integrals(system, values or None).names)


def charge(gravity=(0, 0, 0), field=B) -> vc.System:
    system = vc.System("charge", gravity=gravity)
    point = system.add(vc.MassPoint("c", M))
    system.add(vc.Force("field", point, lambda c: vc.Wrench(force=field * m.cross(c.velocity, (0, 0, 1.0)))))
    return system


def test_a_charge_in_a_uniform_field_keeps_the_middle_of_its_circle():
    """It turns with B/m about (x, y) + (p_y, −p_x)/B, the axis of its helix."""
    found = vc.first_integrals(charge())
    assert set(found.names) == {
        "energy",
        "momentum along z",
        "mass center along z less its motion",
        "momentum along x − 0.3 y of 'c'",
        "momentum along y + 0.3 x of 'c'",
        "angular momentum about z through (0, 0, 0) + 0.15 x² of 'c' + 0.15 y² of 'c'",
    }
    t, w, middle, r = np.linspace(0, 30, 7), B / M, np.array([0.4, -0.7]), 1.3
    x = np.column_stack([middle[0] + r * np.cos(w * t), middle[1] - r * np.sin(w * t), 0.2 * t])
    v = np.column_stack([-r * w * np.sin(w * t), -r * w * np.cos(w * t), np.full(7, 0.2)])
    for one in found:
        assert np.ptp(one.value(x, v, t)) < 1e-13, one.name
    assert found["momentum along y + 0.3 x of 'c'"].value(x, v, t) == pytest.approx(B * middle[0], abs=1e-14)
    square = B * (middle @ middle - r**2) / 2
    assert found["angular momentum about z through (0, 0, 0) + 0.15 x² of 'c' + 0.15 y² of 'c'"].value(
        x, v, t
    ) == pytest.approx(square)


def test_a_charge_that_falls_drifts_across_its_weight():
    """With the weight along −y the middle of the circle moves along −x with m g/B."""
    found = vc.first_integrals(charge(gravity=(0, -G, 0)))
    assert {"momentum along x − 0.3 y of 'c'", "momentum along y + 0.3 x of 'c' less its weight's impulse"} <= set(
        found.names
    )
    assert not any(name.startswith("angular momentum") for name in found.names)
    t, w, drift, r = np.linspace(0, 30, 7), B / M, -M * G / B, 1.3
    x = np.column_stack([drift * t + r * np.cos(w * t), -r * np.sin(w * t), 0 * t])
    v = np.column_stack([drift - r * w * np.sin(w * t), -r * w * np.cos(w * t), 0 * t])
    for one in found:
        assert np.ptp(one.value(x, v, t)) < 1e-11 * M * G * 30, one.name


def test_a_charge_on_a_rod_keeps_its_moment_with_the_flux_through_its_way():
    system = charge(gravity=(0, 0, -G))
    system.add(vc.constraints.distance("rod", "c", "ground", 1.2, to=(0.5, 0, 0), realization=vc.DAlembert()))
    found = vc.first_integrals(system)
    assert len(found) == 2 and found[1].name.startswith("angular momentum about z through (0.5, 0, 0) − 0.15 x of 'c'")
    x, v = np.array([0.5 + 0.72, 0.0, -0.96]), np.array([0.0, 1.1, 0.0])
    motion = vc.simulate(system, 2.0, {"c": vc.At(x, rate=v)}, method="dop853")
    assert np.ptp(found[1].along(motion)) < 1e-11


def test_charges_that_attract_each_other_keep_one_sum_for_all():
    system = vc.System("charges")
    ends = [system.add(vc.MassPoint(name, mass)) for name, mass in (("a", 2.0), ("b", 1.0))]
    for end, e in zip(ends, (1.0, -0.5), strict=True):
        system.add(
            vc.Force(f"field of {end.name}", end, lambda c, e=e: vc.Wrench(force=e * m.cross(c.velocity, (0, 0, 1.0))))
        )
    system.add(vc.Potential("attraction", ends, lambda a, b: -1.0 / m.norm(a.position - b.position)))
    found = names(system)
    assert {"momentum along x − y of 'a' + 0.5 y of 'b'", "momentum along y + x of 'a' − 0.5 x of 'b'"} <= found
    square = (
        "angular momentum about z through (0, 0, 0) + 0.5 x² of 'a' + 0.5 y² of 'a' − 0.25 x² of 'b' − 0.25 y² of 'b'"
    )
    assert square in found and len(found) == 6


def test_linear_drag_stops_a_body_where_its_momentum_ends():
    """m v + c x − m g t stays, so that without weight it stops m v₀/c ahead."""
    system = vc.System("drag", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("c", M))
    system.add(vc.Force("drag", point, lambda c: vc.Wrench(force=-0.1 * c.velocity)))
    found = vc.first_integrals(system)
    assert found.names == ("momentum along x + 0.1 x of 'c'", "momentum along y + 0.1 y of 'c'",
                           "momentum along z + 0.1 z of 'c' less its weight's impulse")  # fmt: skip
    t, k, sinking = np.linspace(0, 40, 9), 0.1 / M, -M * G / 0.1
    fade = np.exp(-k * t)
    v = np.column_stack([3.0 * fade, 0 * t, sinking * (1 - fade)])
    x = np.column_stack([3.0 / k * (1 - fade), 0 * t, sinking * (t - (1 - fade) / k)])
    for one, start in zip(found, (6.0, 0.0, 0.0), strict=True):
        assert one.value(x, v, t) == pytest.approx(start, abs=1e-10)


def test_drag_at_a_point_of_a_rigid_body_counts_where_that_point_is():
    system = vc.System("kite")
    body = system.add(vc.RigidBody("r", M, (0.1, 0.2, 0.3), (0.1, 0.2, 0.25)))
    system.add(vc.Force("drag", body, lambda b: vc.Wrench(force=-0.1 * b.point_velocity((1, 0, 0)), at=(1, 0, 0))))
    found = vc.first_integrals(system)
    assert found.names == tuple(f"momentum along {e} + 0.1 {e} of 'r' + 0.1 R_{e}x of 'r'" for e in "xyz")
    start = {"r": vc.At((0, 0, 0, 0.8, 0.6, 0, 0), rate=(1, 2, 0, 0.5, -1, 2))}
    motion = vc.simulate(system, 2.0, start, method="dop853")
    for one in found:
        assert np.ptp(one.along(motion)) < 1e-11


def test_a_charge_at_the_mass_center_leaves_the_spin_alone():
    """The moment of the momentum changes with the flux, and the spin about the mass center does not."""
    system = vc.System("charged body", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("r", M, (0.1, 0.2, 0.3), (0.1, 0.2, 0.25)))
    system.add(vc.Force("field", body, lambda b: vc.Wrench(
        force=0.5 * m.cross(b.center_velocity, (0, 0, 1.0)), at=(0.1, 0.2, 0.3))))  # fmt: skip
    found, flux = vc.first_integrals(system), "+ 0.25 x_c² of 'r' + 0.25 y_c² of 'r'"
    whole = found[f"angular momentum about z through (0, 0, 0) {flux}"]
    orbit = found[f"moment of the momentum at the mass center about z through (0, 0, 0) {flux}"]
    q, v = np.array([0.4, -0.2, 0.1, 1, 0, 0, 0]), np.array([1.0, 2.0, -1.0, 0.5, -1.0, 2.0])
    assert whole.value(q, v) - orbit.value(q, v) == pytest.approx(0.25 * 2.0, rel=1e-12)


def test_a_door_with_a_linear_damper_stops_where_its_moment_ends():
    system = vc.System("door", gravity=(0, 0, -G))
    system.add(vc.RigidBody("door", M, (0.3, 0, 0), (0.1, 0.2, 0.3)))
    system.add(vc.Revolute("post", "ground", "door", axis=(0, 0, 1), damping=0.4))
    (one,) = vc.first_integrals(system)
    assert one.name == "angular momentum about z through (0, 0, 0) + 0.4 'post'"
    moment = 0.3 + M * 0.09
    t = np.linspace(0, 5, 6)[:, None]
    fade = np.exp(-0.4 / moment * t)
    assert one.value(2.0 * moment / 0.4 * (1 - fade), 2.0 * fade, t[:, 0]) == pytest.approx(2.0 * moment, rel=1e-13)


def test_a_damped_slider_on_a_slope_counts_its_way_along_a_unit_vector():
    system = vc.System("slider", gravity=(0, 0, -G))
    system.add(vc.RigidBody("block", M, (0.1, 0.2, 0.3), (0.1, 0.2, 0.25)))
    system.add(vc.Prismatic("rail", "ground", "block", axis=(1, 0, 1), damping=0.7))
    (one,) = vc.first_integrals(system)
    assert one.name == "momentum along (0.7071, 0, 0.7071) + 0.7 'rail' less its weight's impulse"
    assert one.value([0.4], [1.5], 2.0) == pytest.approx(M * 1.5 + 0.7 * 0.4 + M * G / np.sqrt(2) * 2.0, rel=1e-13)


def test_rolling_with_a_damper_is_kept_about_the_contact():
    """The moment −c ω of a damper is −c times the rate of the way over the radius, turned."""
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody("ball", M, inertia=(0.1, 0.1, 0.1)))
    system.add(vc.constraints.Rolling.sphere("rolling", ball, 0.3, realization=vc.DAlembert()))
    system.add(vc.Force("damper", ball, lambda b: vc.Wrench(moment=-0.1 * b.angular_velocity)))
    about = "through the point (0, 0, -0.3) from the mass center"
    assert names(system) == {f"angular momentum about x {about} − 0.333333 y of 'ball'",
                             f"angular momentum about y {about} + 0.333333 x of 'ball'"}  # fmt: skip


@pytest.mark.parametrize(
    "wrench",
    [
        lambda c: vc.Wrench(force=-0.1 * m.norm(c.velocity) * c.velocity),
        lambda c: vc.Wrench(force=m.cross(c.velocity, (c.position[1], c.position[2], c.position[0]))),
        lambda c: vc.Wrench(force=-0.1 * c.velocity - 1e-6 * c.position),
        lambda c, t: vc.Wrench(force=m.where(t > 100.0, 1.0, 0.0) * c.position - 0.1 * c.velocity),
        lambda c, t: vc.Wrench(force=(m.exp(-t), m.sin(t), 1.0 / (t * t + 1.0))),
    ],
    ids=["square drag", "field with a curl", "weak spring", "late spring", "impulses that are no polynomials"],
)
def test_other_forces_are_not_claimed(wrench):
    system = vc.System("pushed")
    system.add(vc.Force("push", system.add(vc.MassPoint("c", M)), wrench))
    assert not [name for name in names(system) if " of 'c'" in name or name.endswith(("t", "t²"))]
