"""Which constraints on velocities hold places, and how far one gets under them."""

import numpy as np
import pytest

import vinculum as vc
from rolling import disc, disc_start

D = vc.DAlembert()


def bead(*constraints) -> vc.System:
    system = vc.System("beads")
    for name in "ab":
        system.add(vc.MassPoint(name, 1.0))
    for constraint in constraints:
        system.add(constraint)
    return system


def planar(*constraints) -> vc.System:
    system = vc.System("plane body")
    system.add(vc.Planar("plane", "ground", system.add(vc.RigidBody("body", 1.0, inertia=(1, 1, 1)))))
    for constraint in constraints:
        system.add(constraint)
    return system


def test_a_knife_edge_reaches_every_place_by_one_bracket():
    found = vc.constraints.integrability(planar(vc.constraints.knife_edge("edge", "body", realization=D)), "edge")
    assert (found.verdict, found.dimensions.growth, found.dimensions.freedoms) == ("nonholonomic", (2, 3), 2)
    assert found.bracket_generating
    assert not found.rows[0].exact and not found.rows[0].alone


def test_a_rolling_disc_reaches_every_place_on_its_plane():
    """Yaw, lean and spin; one bracket makes a sidestep, the next one a step ahead."""
    system = disc()
    found = vc.constraints.integrability(system, "rolling", start=disc_start((0.3, 0.2, 0.1), (0, 0, 0)))
    assert (found.verdict, found.dimensions.growth, found.dimensions.positions) == ("nonholonomic", (3, 4, 5), 5)
    assert (found.dimensions.on_positions, found.rank, found.bracket_generating) == (1, 2, True)


def test_a_rolling_ball_needs_one_bracket_and_a_rubber_ball_two():
    """Growth (3, 5), and (2, 3, 5) of Cartan's five variables where the ball may not spin."""
    system = vc.System("ball")
    ball = system.add(vc.RigidBody("ball", 1.0, inertia=(0.1, 0.1, 0.1)))
    rolling = system.add(vc.constraints.Rolling.sphere("rolling", ball, 0.5, realization=D))
    start = {"ball": (0, 0, 0.5, 1, 0, 0, 0)}
    assert vc.constraints.integrability(system, rolling, start=start).dimensions.growth == (3, 5)
    system.add(vc.constraints.no_twist("rubber", "ground", ball, axis=(0, 0, 1), realization=D))
    assert vc.constraints.integrability(system, start=start).dimensions.growth == (2, 3, 5)


@pytest.mark.parametrize("factor, exact", [(lambda x: 1.0, True), (lambda x: vc.math.exp(x[0] * x[1]), False)])
def test_rates_of_functions_are_holonomic_whatever_factor_they_have(factor, exact):
    def row(a):
        x, v = a.position, a.velocity
        return factor(x) * (2 * x[0] * v[0] + 2 * x[1] * v[1] - v[2])

    found = vc.constraints.integrability(bead(vc.Constraint("bowl", ["a"], velocity=row, realization=D)), "bowl")
    assert (found.verdict, found.dimensions.reachable, found.integrals.count) == ("holonomic", 5, 1)
    assert found.rows[0].alone
    assert found.rows[0].exact == exact


def test_what_integrates_of_two_rows_is_told_as_a_combination():
    def rows(a, b):
        exact = a.velocity[0] - b.velocity[0]
        contact = a.velocity[2] - a.position[1] * b.velocity[1]
        return exact + 2 * contact, contact

    found = vc.constraints.integrability(bead(vc.Constraint("both", ["a", "b"], velocity=rows, realization=D)), "both")
    assert (found.verdict, found.integrals.count, found.dimensions.growth) == ("semi-holonomic", 1, (4, 5))
    (combination,) = found.integrals.combinations
    np.testing.assert_allclose(np.array(combination) / combination[0], [1, -2], rtol=0, atol=1e-9)
    assert "1 of 2 integrate" in str(found)


def test_a_constraint_on_positions_is_holonomic_and_leaves_the_others_their_brackets():
    rod = vc.constraints.distance("rod", "a", "b", 1.0, realization=D)
    system = bead(rod, vc.Constraint("pursuit", ["a", "b"], velocity=_along_the_rod, realization=D))
    start = {"a": (0, 0, 0), "b": (1, 0, 0)}
    assert vc.constraints.integrability(system, "rod", start=start).verdict == "holonomic"
    found = vc.constraints.integrability(system, "pursuit", start=start)
    assert (found.verdict, found.dimensions.on_positions, found.rank) == ("nonholonomic", 1, 2)


def _along_the_rod(a, b):
    """The middle of the rod moves along it only."""
    v, d = a.velocity + b.velocity, b.position - a.position
    return vc.math.cross(v, d)[1:]


def test_rows_that_repeat_others_are_named():
    twins = [vc.constraints.knife_edge(name, "body", realization=D) for name in ("edge", "twin")]
    found = vc.constraints.integrability(planar(*twins))
    assert found.redundant == (("twin", "0"),)
    assert (found.rank, found.dimensions.freedoms) == (1, 2)
    assert "redundant: row 0 of 'twin'" in str(found)


def test_a_row_that_drifts_is_a_row_in_space_and_time():
    belt = vc.Constraint("belt", ["a"], velocity=lambda a, t: a.velocity[0] - 0.3 * vc.math.cos(t), realization=D)
    found = vc.constraints.integrability(bead(belt), "belt")
    assert (found.timed, found.verdict, found.dimensions.positions, found.dimensions.reachable) == (
        True,
        "holonomic",
        7,
        6,
    )


def test_a_wheel_that_rolls_on_a_line_is_holonomic():
    """x' = r θ': the textbook's constraint that only looks nonholonomic."""
    line = vc.Constraint("wheel", ["plane"], velocity=lambda p: (p.v[0] - 0.4 * p.v[2], p.v[1]), realization=D)
    found = vc.constraints.integrability(planar(line), "wheel")
    assert (found.verdict, found.dimensions.reachable) == ("holonomic", 1)
    assert all(row.exact for row in found.rows)


def test_the_report_is_plain_data_too():
    found = vc.constraints.integrability(
        planar(vc.constraints.knife_edge("edge", "body", realization=vc.constraints.ViscousFriction(9.0)))
    ).to_dict()
    assert found["verdict"] == "nonholonomic"
    assert found["growth"] == [2, 3]


def trailers(count: int) -> vc.System:
    """A cart that drags others, each with its axle a step behind the hitch."""
    system = vc.System("cart with trailers")
    last = system.add(vc.RigidBody("cart", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Planar("place", "ground", last))
    system.add(vc.constraints.knife_edge("wheels", last, realization=D))
    for i in range(count):
        last, ahead = system.add(vc.RigidBody(f"trailer {i}", 1.0, inertia=(1, 1, 1))), last
        system.add(vc.Revolute(f"hitch {i}", ahead, last, to=(1.0, 0, 0)))
        system.add(vc.constraints.knife_edge(f"wheels {i}", last, realization=D))
    return system


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_cart_with_trailers_gains_one_dimension_with_every_bracket(count):
    """Goursat's flag: two freedoms, and as many brackets as wheels to reach everything."""
    found = vc.constraints.integrability(trailers(count))
    assert found.dimensions.growth == tuple(range(2, count + 4))
    assert (found.verdict, found.rank) == ("nonholonomic", count + 1)


def snakeboard(coupled: bool) -> vc.System:
    system = vc.System("snakeboard")
    board = system.add(vc.RigidBody("board", 1.0, inertia=(1, 1, 1)))
    rotor = system.add(vc.RigidBody("rotor", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Planar("place", "ground", board))
    system.add(vc.Revolute("spin", board, rotor))
    for name, x in (("front", 0.5), ("back", -0.5)):
        axle = system.add(vc.RigidBody(name, 0.1, inertia=(0.1, 0.1, 0.1)))
        system.add(vc.Revolute(f"{name} steering", board, axle, at=(x, 0, 0)))
        system.add(vc.constraints.knife_edge(f"{name} wheels", axle, realization=D))
    if coupled:
        system.add(vc.constraints.gear("link", "front steering", "back steering", -1.0, realization=D))
    return system


def test_a_snakeboard_reaches_every_place_and_its_gear_is_holonomic():
    """The motion of the board and its derivatives by both steering angles span the plane's motions at once; with one angle left it takes
    a bracket more."""
    assert vc.constraints.integrability(snakeboard(False)).dimensions.growth == (4, 6)
    coupled = vc.constraints.integrability(snakeboard(True))
    assert (coupled.dimensions.growth, coupled.dimensions.on_positions, coupled.verdict) == (
        (3, 4, 5),
        1,
        "nonholonomic",
    )
    gear = vc.constraints.integrability(snakeboard(True), "link")
    assert (gear.verdict, gear.integrals.functions) == ("holonomic", ("back steering + front steering",))


def test_a_cylinder_that_rolls_in_a_plane_is_holonomic():
    system = vc.System("cylinder")
    body = system.add(vc.RigidBody("cylinder", 1.0, inertia=(1, 1, 1)))
    upright = vc.Pose((0, 0, 0), ((1, 0, 0), (0, 0, -1), (0, 1, 0)))
    system.add(vc.Planar("place", "ground", body, at=upright, to=upright))
    system.add(vc.constraints.Rolling.disc("rolling", body, 0.5, realization=D))
    found = vc.constraints.integrability(system, "rolling", start={"place": (0, 0.5, 0)})
    assert (found.verdict, found.dimensions.positions, found.dimensions.reachable) == ("holonomic", 2, 1)
    assert found.integrals.functions[0] == "place.angle/2 + place.x"
    assert found.redundant == (("rolling", "1"),)


@pytest.mark.parametrize(
    ("row", "start", "kept"),
    [
        (lambda x, v: vc.math.exp(x[0] * x[1]) * (2 * x[0] * v[0] + 2 * x[1] * v[1] - v[2]), (0, 0, 0), "-a.x**2 - a.y**2 + a.z"),
        (lambda x, v: vc.math.dot(x, v), (1, 2, 3), "a.x**2/2 + a.y**2/2 + a.z**2/2"),
        (lambda x, v: x[0] * v[1] - x[1] * v[0], (1, 2, 3), "log(a.x) - log(a.y)"),
        (lambda x, v: vc.math.cos(x[0]) * v[0] + vc.math.exp(x[1]) * v[1], (0, 0, 0), "exp(a.y) + sin(a.x)"),
    ],
)  # fmt: skip
def test_functions_that_integrable_rows_keep_are_found(row, start, kept):
    system = bead(vc.Constraint("row", ["a"], velocity=lambda a: row(a.position, a.velocity), realization=D))
    found = vc.constraints.integrability(system, "row", start={"a": start})
    assert (found.verdict, found.integrals.functions) == ("holonomic", (kept,))
    assert f"kept: {kept}" in str(found)


def test_a_clock_is_part_of_the_function_that_a_drifting_row_keeps():
    belt = vc.Constraint("belt", ["a"], velocity=lambda a, t: a.velocity[0] - 0.3 * vc.math.cos(t), realization=D)
    assert vc.constraints.integrability(bead(belt), "belt").integrals.functions == ("a.x - 3*sin(t)/10",)


def test_attitudes_have_no_function_written_in_quaternions():
    system = vc.System("top")
    system.add(vc.Spherical("pivot", "ground", system.add(vc.RigidBody("top", 1.0, inertia=(1, 1, 1)))))
    lean = vc.Constraint(
        "lean", ["top"], velocity=lambda b: vc.math.cross(b.angular_velocity, b.rotation[:, 2])[2], realization=D
    )
    system.add(lean)
    found = vc.constraints.integrability(system, "lean", start={"pivot": vc.At((0.9, 0.3, 0.2, np.sqrt(0.06)))})
    assert (found.verdict, found.integrals.functions) == ("holonomic", (None,))


def test_rows_that_integrate_only_together_keep_functions_too():
    """A velocity of a point given along axes that turn with another coordinate: both vanish, so the place is kept."""

    def rows(a, b):
        angle, v = b.position[0], a.velocity
        c, s = vc.math.cos(angle), vc.math.sin(angle)
        return c * v[0] + s * v[1], c * v[1] - s * v[0]

    found = vc.constraints.integrability(bead(vc.Constraint("rows", ["a", "b"], velocity=rows, realization=D)))
    assert (found.verdict, found.integrals.functions) == ("holonomic", ("a.x", "a.y"))
    assert not any(row.alone for row in found.rows)


def lagrangian(row, coordinates, realization=D) -> vc.LagrangianSystem:
    return vc.LagrangianSystem("free", coordinates, lambda v: v @ v / 2, constraints={"row": (row, realization)})


def test_constraints_of_lagrangians_are_told_apart_too():
    edge = lagrangian(
        lambda theta, x_dot, y_dot: vc.math.cos(theta) * y_dot - vc.math.sin(theta) * x_dot, ["x", "y", "theta"]
    )
    assert vc.constraints.integrability(edge).dimensions.growth == (2, 3)
    bowl = lagrangian(
        lambda q, v: vc.math.exp(q[0]) * (2 * q[0] * v[0] + 2 * q[1] * v[1] - v[2]),
        ["x", "y", "z"],
        vc.constraints.ViscousFriction(3.0),
    )
    assert vc.constraints.integrability(bowl, "row").integrals.functions == ("-x**2 - y**2 + z",)
    belt = vc.constraints.integrability(lagrangian(lambda v, t: v[0] - vc.math.cos(t), ["x", "y"]), start={"x": 1.0})
    assert (belt.timed, belt.verdict, belt.integrals.functions) == (True, "holonomic", ("x - sin(t)",))


@pytest.mark.parametrize(
    ("row", "names", "message"),
    [
        (lambda v: v @ v - 1.0, (), "is not linear in the velocities"),
        (lambda q: q @ q - 1.0, (), "holds positions; put the system on that surface"),
        (lambda v: v[0], ("rwo",), "did you mean 'row'"),
    ],
)
def test_what_lagrangians_cannot_be_asked_is_refused(row, names, message):
    way = vc.Chetaev()
    with pytest.raises(vc.errors.VinculumError, match=message):
        vc.constraints.integrability(lagrangian(row, ["x", "y"], way), *names)


def test_derive_points_a_lagrangian_to_its_own_equations():
    with pytest.raises(vc.errors.MethodError, match=r"call its equations\(\), or canonical\(\)"):
        vc.derive(lagrangian(lambda v: v[0], ["x", "y"]))
