"""Every kind of plot shows the numbers of the motion, and refuses what it cannot show."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import FileError, StartError
from vinculum.show.plots.panels import Panel

KINDS = ("time", "phase", "path", "energy", "contact")


def pendulum(spring=True):
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody("rod", 1.0, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.01)))
    bob = system.add(vc.MassPoint("bob", 0.5))
    system.add(vc.Revolute("shoulder", "ground", rod, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", rod, bob, axis=(0, 1, 0), at=(0, 0, -1), to=(0, 0, 0.6)))
    if spring:
        system.add(vc.Spring("spring", bob, "ground", stiffness=8.0, rest_length=1.0, to=(1.5, 0, -1.5)))
    return system


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(pendulum(), until=3.0, start={"shoulder": 1.0})


@pytest.fixture(scope="module")
def bounced():
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 2.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.5), friction=0.1,
                             point=lambda b: b.position))  # fmt: skip
    return vc.simulate(system, 2.5, {"ball": vc.At((0, 0, 1.0), rate=(2.0, 0, 0))})


@pytest.fixture(scope="module")
def lagrangian():
    system = vc.LagrangianSystem(
        "oscillators", ["x", "y"], lambda q, v: 0.5 * (v[0] ** 2 + v[1] ** 2 - q[0] ** 2 - 4 * q[1] ** 2)
    )
    return vc.simulate(system, until=6.0, start=([1.0, 0.5], [0.0, 0.0]))


@pytest.fixture(scope="module")
def runs():
    m, length = vc.parameter("m", 1.0), vc.parameter("length", 1.0)
    system = vc.System("bob", gravity=(0, 0, -9.81))
    system.add(vc.Revolute("pivot", "ground", system.add(vc.MassPoint("b", m)), axis=(0, 1, 0), to=(0, 0, length)))
    lengths, starts = (x.ravel() for x in np.meshgrid([0.5, 0.75, 1.0], [0.1, 0.4]))
    return vc.ensemble(system, 2.0, {"pivot": starts}, parameters={"length": lengths}, grid=21)


def names(ax):
    return [text.get_text().strip() for text in ax.get_legend().get_texts()]


def line(ax, label):
    return next(one for one in ax.lines if one.get_label().strip() == label)


def test_a_phase_portrait_has_the_rates_of_the_coordinates(motion):
    figure = motion.plot("elbow", "shoulder", kind="phase")
    for ax, joint, k in zip(figure.axes, ("elbow", "shoulder"), (1, 0), strict=True):
        curve = ax.lines[0].get_xydata()
        np.testing.assert_array_equal(curve, np.stack([motion[joint], motion.v[:, k]], axis=1))
        assert ax.get_xlabel() == f"{joint} [rad]" and ax.get_ylabel() == f"rate of {joint} [rad/s]"


def test_rates_of_a_body_that_turns_are_those_of_its_coordinates_and_not_its_velocities():
    """v is in the axes of the body, ẋ in those of the world."""
    system = vc.System("box")
    system.add(vc.RigidBody("box", 1.0, inertia=(1.0, 2.0, 2.7)))
    turning = vc.simulate(system, 4.0, {"box": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(1, 0, 0, 0, 0, 1.5))})
    figure = turning.plot(kind="phase")
    assert [ax.get_xlabel() for ax in figure.axes if ax.get_visible()] == ["box.x [m]"]
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), 1.0, rtol=1e-12)
    assert np.ptp(turning.v[:, 0]) > 1.0


def test_a_jump_is_upright_in_a_phase_portrait(bounced):
    curve = bounced.plot("ball", kind="phase").axes[2].lines[0].get_xydata()
    speed = np.sqrt(2 * 9.81)
    falling, rising = np.argmin(curve[:, 1]), np.argmax(curve[:, 1])
    np.testing.assert_allclose(curve[[falling, rising]], [[0, -speed], [0, speed / 2]], rtol=0, atol=1e-9)
    assert rising == falling + 1


def test_paths_in_one_plane_are_drawn_in_it(motion):
    figure = motion.plot(("rod", (0, 0, -1)), "bob", kind="path")
    ax = figure.axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.name) == ("x [m]", "z [m]", "rectilinear")
    assert names(ax) == ["rod", "bob"] and ax.get_aspect() == 1.0
    place = motion.body("rod").point((0, 0, -1)).position
    np.testing.assert_allclose(line(ax, "rod").get_xydata(), place[:, [0, 2]], rtol=0, atol=1e-15)
    assert names(motion.plot(kind="path").axes[0]) == ["bob"]


def test_paths_in_space_are_drawn_in_space():
    system = vc.System("stone", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("stone", 1.0))
    spiral = vc.simulate(system, 1.0, {"stone": vc.At((0, 0, 0), rate=(1, 2, 5))})
    ax = spiral.plot(kind="path").axes[0]
    assert ax.name == "3d"
    np.testing.assert_array_equal(np.transpose(ax.lines[0].get_data_3d()), spiral.body("stone").position)


def test_the_parts_of_the_energy_add_up_to_it(motion):
    main, potential, kinetic, drift = motion.plot(kind="energy").axes
    assert names(main) == ["kinetic", "potential", "total"]
    assert names(potential) == ["spring", "weight, joints, bodies"] and names(kinetic) == ["rod", "bob"]
    for ax, label in ((potential, "potential"), (kinetic, "kinetic")):
        parts = sum(one.get_ydata() for one in ax.lines)
        np.testing.assert_allclose(parts, line(main, label).get_ydata(), rtol=0, atol=1e-13)
    np.testing.assert_allclose(line(potential, "spring").get_ydata(), motion.bond("spring").energy, rtol=1e-14)
    assert "round-off" in drift.texts[0].get_text()


def test_contact_is_drawn_from_where_it_begins(bounced):
    """Bounces end at √(2h/g) (1 + e)/(1 − e), and sliding when friction has taken the speed that the impacts left."""
    ax = bounced.plot(kind="contact").axes[0]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["floor"]
    assert names(ax)[-1] == "impact" and {"sticks", "slides"} & set(names(ax))
    rest = np.sqrt(2 / 9.81) * 1.5 / 0.5
    begins = min(
        path.get_extents().x0 for one in ax.collections for path in one.get_paths() if path.get_extents().width > 0.05
    )
    assert begins == pytest.approx(rest, abs=1e-5)


def test_contact_of_time_steps_is_read_from_their_impulses():
    system = vc.System("brick", gravity=(0, 0, -9.81))
    brick = system.add(vc.RigidBody.solid("brick", vc.shapes.Box((0.2, 0.1, 0.1)), mass=1.0))
    system.add(
        vc.Contact("floor", [brick], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=0.5)
    )
    dropped = vc.simulate(system, 0.5, {"brick": (0, 0, 0.15)}, method="moreau", step=2e-3, tolerance=1e-8)
    ax = dropped.plot(kind="contact").axes[0]
    (bar,) = [
        path.get_extents() for one in ax.collections for path in one.get_paths() if path.get_extents().width > 0.01
    ]
    assert bar.x0 == pytest.approx(np.sqrt(2 * 0.1 / 9.81), abs=4e-3) and bar.x1 == pytest.approx(0.5, abs=4e-3)


def test_motions_are_drawn_beside_each_other(motion):
    other = vc.simulate(pendulum(spring=False), until=2.0, start={"shoulder": 1.0})
    both = {"free": other}
    figure = motion.plot("elbow", beside=both)
    assert [ax.get_ylabel() for ax in figure.axes] == ["coordinate [rad]", "velocity [rad/s]"]
    assert names(figure.axes[0]) == ["elbow", "elbow, free"]
    np.testing.assert_array_equal(
        line(figure.axes[0], "elbow, free").get_xydata(), np.stack([other.time, other["elbow"]], 1)
    )
    assert names(motion.plot("elbow", kind="phase", beside=both).axes[0]) == ["this motion", "free"]
    assert names(motion.plot(kind="path", beside=both).axes[0]) == ["bob", "bob, free"]
    assert names(motion.plot(kind="energy", beside=both).axes[0]) == ["this motion", "free"]


@pytest.mark.parametrize(("kind", "count"), [("time", 3), ("phase", 2), ("path", 1), ("energy", 2)])
def test_a_lagrangian_motion_has_every_kind_but_contact(lagrangian, kind, count):
    figure = lagrangian.plot(kind=kind)
    assert len(figure.axes) == count
    assert lagrangian.plot(kind=kind, beside={"again": lagrangian}).axes
    with pytest.raises(StartError, match="it has time, phase, path, energy"):
        lagrangian.plot(kind="contact")


def test_round_off_is_stated_and_not_drawn():
    noise = 1e-15 * np.random.default_rng(0).normal(size=(50, 1))
    assert "round-off" in str(Panel("x", ["x"], noise, scale=1.0).statement)
    assert Panel("x", ["x"], noise).statement is None
    assert Panel("x", ["x"], noise + 1e-9, scale=1.0).statement is None
    assert Panel("x", ["x"], 0.0 * noise, scale=1.0).statement is None
    assert "nothing above" in str(Panel("x", ["x"], np.nan * noise, logarithmic=True).statement)


def test_a_coordinate_that_is_round_off_says_so():
    system = vc.System("point")
    system.add(vc.RigidBody("point", 1.0, inertia=(1, 1, 1)))
    still = vc.simulate(system, 1.0, {"point": vc.At((1, 2, 3, 1, 0, 0, 0), rate=(1, 0, 0, 1e-17, 0, 0))})
    turning = next(ax for ax in still.plot().axes if ax.get_ylabel() == "velocity [rad/s]")
    assert turning.texts[0].get_text() == "zero to round-off, at most 1e-17" and turning.get_legend() is None


@pytest.mark.parametrize(
    ("asked", "given", "words"),
    [
        (
            (),
            {"kind": "phases"},
            r"kind 'phases' is not a plot of 'pendulum'; did you mean 'phase'\?; it has time, phase, path, energy$",
        ),
        ((), {"kind": 3}, "kind 3 is not a plot"),
        ((), {"kind": "contact"}, "neither unilateral constraints nor contacts"),
        (("elbow",), {"kind": "path"}, "no body 'elbow'"),
        ((("rod", 3),), {"kind": "path"}, "3 is not a place"),
        (("bob",), {"kind": "phase"}, "no joint 'bob'"),
        (("run.png",), {}, r"no joint 'run\.png'.*a file to write is given as path='run\.png'$"),
        (("bob",), {"kind": "energy"}, "takes no names"),
        ((), {"beside": 3}, "must map labels to motions"),
        ((), {"beside": {"a": 3}}, "must map labels to motions"),
    ],
)
def test_what_cannot_be_plotted_is_refused(motion, asked, given, words):
    with pytest.raises(StartError, match=words):
        motion.plot(*asked, **given)


def test_a_motion_with_other_joints_is_not_drawn_beside(motion, bounced):
    for kind in ("time", "phase"):
        with pytest.raises(StartError, match=r"shoulder|other coordinates"):
            motion.plot(kind=kind, beside={"ball": bounced})
    with pytest.raises(StartError, match="shows one motion"):
        bounced.plot(kind="contact", beside={"again": bounced})
    with pytest.raises(StartError, match=r"no.*'flor'.*'floor'"):
        bounced.plot("flor", kind="contact")


def test_runs_know_their_parameters(runs):
    np.testing.assert_array_equal(runs.parameters["length"], [0.5, 0.75, 1.0] * 2)
    assert runs.parameters["m"].tolist() == [1.0] * 6


def test_a_bifurcation_diagram_has_the_later_instants_of_every_run(runs):
    ax = runs.plot("pivot", kind="bifurcation", over="length", since=1.5).axes[0]
    x, y = ax.lines[0].get_xydata().T
    later = runs.time >= 1.5
    np.testing.assert_array_equal(y, runs.q[:, later, 0].ravel())
    np.testing.assert_array_equal(x, np.repeat(runs.parameters["length"], later.sum()))
    assert ax.get_xlabel() == "length" and ax.get_ylabel() == "pivot [rad]"


def test_a_map_has_a_rectangle_for_every_run_of_a_grid(runs):
    figure = runs.plot(kind="map", over=("length", "pivot"))
    mesh = figure.axes[0].collections[0]
    np.testing.assert_allclose(mesh.get_array().ravel(), np.abs(runs.q[:, :, 0]).max(axis=1))
    assert figure.axes[0].get_ylabel() == "pivot at the start [rad]"
    yes = runs.plot(kind="map", over=("length", "rate of pivot"), value=runs.q[:, -1, 0] > 0, label="ahead")
    assert names(yes.axes[0]) == ["ahead", "not"]


def test_runs_are_drawn_over_time_and_as_phase_points(runs, tmp_path):
    assert runs.plot(path=tmp_path / "runs.png").axes[0].get_ylabel() == "pivot [rad]"
    points = runs.plot(kind="phase").axes[0].lines
    np.testing.assert_array_equal(points[3].get_xydata(), np.stack([runs.q[3, :, 0], runs.v[3, :, 0]], axis=1))
    with pytest.raises(FileError, match="unknown suffix"):
        runs.plot(path=tmp_path / "runs.gif")


@pytest.mark.parametrize(
    ("asked", "given", "words"),
    [
        ((), {"kind": "mop"}, "did you mean 'map'"),
        (("pivott",), {}, "no coordinate 'pivott'.*'pivot'"),
        ((), {"kind": "map", "over": "length"}, r"needs two names, as over=\('m', 'length'\)"),
        ((), {"kind": "map", "over": ("length", "mass")}, "no parameter or start 'mass'.*there are"),
        ((), {"kind": "bifurcation", "over": 3}, "no parameter or start 3"),
        ((), {"kind": "map", "over": ("length", "pivot"), "value": [1, 2]}, "for each of the 6 runs"),
        ((), {"kind": "bifurcation", "over": "m", "since": 9.0}, "since 9 s is after the last instant"),
        ((), {"kind": "bifurcation", "over": "m", "since": "late"}, "since"),
    ],
)
def test_what_runs_cannot_show_is_refused(runs, asked, given, words):
    with pytest.raises(StartError, match=words):
        runs.plot(*asked, **given)
