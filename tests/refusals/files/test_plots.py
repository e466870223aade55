"""Plots show what they are asked for, and refuse what they cannot show or write."""

import os
import subprocess
import sys

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import FileError, StartError
from vinculum.show import plot_motion

START = {"joint 1": 0.6, "joint 2": vc.At(0.5, rate=-1.0)}


def chain(count, **options):
    system = vc.System("chain", gravity=(0, 0, -9.81))
    parent = "ground"
    for i in range(1, count + 1):
        body = system.add(vc.RigidBody(f"link {i}", mass=1.0, com=(0, 0, -0.5), inertia=np.diag([0.1, 0.1, 0.01])))
        at = (0, 0, 0) if parent == "ground" else (0, 0, -1.0)
        system.add(vc.Revolute(f"joint {i}", parent, body, axis=(i % 2, 1 - i % 2, 0), at=at, **options))
        parent = body
    return system


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(chain(2), until=2.0, start=START)


def labels(figure):
    return [ax.get_ylabel() for ax in figure.axes]


def curves(ax):
    return [text.get_text().strip() for text in ax.get_legend().get_texts()]


def test_panels_are_labelled_with_names_and_units(motion):
    figure = motion.plot()
    assert labels(figure)[:2] == ["coordinate [rad]", "velocity [rad/s]"] and "energy drift" in labels(figure)[2]
    assert curves(figure.axes[0]) == curves(figure.axes[1]) == ["joint 1", "joint 2"]
    assert figure.axes[0].get_title("left") == "chain" and figure.axes[-1].get_xlabel() == "time [s]"
    np.testing.assert_array_equal(figure.axes[0].lines[1].get_ydata(), motion["joint 2"])


def test_only_the_joints_named_are_shown_by_name_or_object(motion):
    for joint in ("joint 2", chain(2).tree().links[1].joint):
        assert curves(motion.plot(joint).axes[0]) == ["joint 2"]
    assert curves(plot_motion(motion.record, "joint 2").axes[0]) == ["joint 2"]


def test_every_unit_has_its_own_panel():
    system = vc.System("box")
    system.add(vc.RigidBody("box", mass=1.0, inertia=np.diag([1.0, 2.0, 2.7])))
    figure = vc.simulate(system, until=1.0, start={"box": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(1, 0, 0, 0, 1, 0))}).plot()
    assert labels(figure)[:4] == ["coordinate [m]", "coordinate [1]", "velocity [m/s]", "velocity [rad/s]"]


def test_too_many_joints_are_capped_with_a_note_unless_named():
    motion = vc.simulate(chain(9), until=0.1, start=START)
    figure = motion.plot()
    assert len(curves(figure.axes[0])) == 7 and "7 of 9 joints shown" in figure.get_supxlabel()
    figure = motion.plot(*motion.record.model.layout.joints)
    assert len(curves(figure.axes[0])) == 9 and "shown" not in figure.get_supxlabel()
    styles = {(line.get_color(), line.get_linestyle()) for line in figure.axes[0].lines}
    assert len(styles) == 9


def test_energies_are_shown_where_they_are_not_conserved():
    figure = vc.simulate(chain(1, damping=0.5), until=1.0, start={"joint 1": 0.6}).plot()
    assert labels(figure)[-1] == "energy [J]" and curves(figure.axes[-1]) == ["kinetic", "potential", "total"]


def test_crossings_are_vertical_lines_in_every_panel():
    event = vc.Event("straight", ["joint 2"], lambda joint: joint.q)
    motion = vc.simulate(chain(2), until=3.0, start=START, events=[event])
    figure = motion.plot()
    assert motion.record.crossings
    assert all(len(ax.collections[0].get_segments()) == len(motion.record.crossings) for ax in figure.axes)
    assert "'straight'" in figure.get_supxlabel()


def test_a_long_grid_keeps_its_extremes(motion):
    fine = motion.at(np.linspace(0.0, 2.0, 100_001))
    line = fine.plot("joint 1").axes[0].lines[0]
    assert len(line.get_ydata()) < 20_000
    assert line.get_ydata().max() == fine["joint 1"].max() and line.get_ydata().min() == fine["joint 1"].min()


def test_names_with_dollars_and_underscores_are_shown_as_they_are(tmp_path):
    system = vc.System("costs $5^{")
    body = system.add(vc.RigidBody("bob", mass=1.0, com=(0, 0, -1), inertia=np.eye(3)))
    system.add(vc.Revolute("_$x^{", "ground", body, axis=(1, 0, 0)))
    figure = vc.simulate(system, until=0.1).plot(path=tmp_path / "plot.png")
    assert curves(figure.axes[0]) == ["_$x^{"]


def test_a_system_that_cannot_move_shows_its_energy():
    system = vc.System("statue")
    system.add(vc.Weld("foot", "ground", system.add(vc.MassPoint("head", mass=1.0))))
    motion = vc.simulate(system, until=1.0)
    assert labels(motion.plot()) == ["energy [J]"]
    with pytest.raises(StartError, match="weld joint 'foot' has no coordinates"):
        motion.plot("foot")


MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "PNG": b"\x89PNG"}


@pytest.mark.parametrize("suffix", MAGIC)
def test_a_figure_is_written_in_the_format_of_its_suffix(motion, tmp_path, suffix):
    path = tmp_path / f"plot.{suffix}"
    path.write_text("an earlier plot")
    motion.plot(path=path)
    assert path.read_bytes().startswith(MAGIC[suffix]) and os.listdir(tmp_path) == [path.name]


def test_an_unknown_joint_is_refused_with_the_nearest_name(motion):
    with pytest.raises(StartError, match=r"no joint 'joint 22'.*'joint 2'"):
        motion.plot("joint 22")


@pytest.mark.parametrize("name", ["plot.gif", "plot", "missing/plot.png", "file/plot.png", "folder.png"])
def test_a_place_that_cannot_be_written_is_refused(motion, tmp_path, name):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(FileError, match="plot"):
        motion.plot(path=tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.png"]


def test_a_path_of_another_type_is_refused(motion):
    with pytest.raises(FileError, match="3 is not a path"):
        motion.plot(path=3)


def test_a_full_disk_leaves_no_file(motion, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left on device"):
        motion.plot(path=tmp_path / "plot.png")
    assert os.listdir(tmp_path) == []


def test_plotting_touches_no_global_state_and_needs_no_display():
    code = """
import sys, vinculum as vc
system = vc.System("point")
system.add(vc.MassPoint("p", mass=1.0))
vc.simulate(system, until=1.0).plot()
assert "matplotlib.pyplot" not in sys.modules and "tkinter" not in sys.modules
"""
    environment = {k: x for k, x in os.environ.items() if k != "DISPLAY"} | {"MPLBACKEND": "TkAgg"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)


def test_impacts_are_drawn_with_gaps_impulses_and_both_velocities():
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", mass=2.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    motion = vc.simulate(system, until=1.2, start={"ball": (0, 0, 1.0)}, method="moreau", step=1e-3)
    figure = plot_motion(motion.record)
    assert labels(figure) == ["coordinate [m]", "velocity [m/s]", "gap [m]", "impulse [N s]", "energy [J]"]
    height = figure.axes[1].get_lines()[2].get_xydata()
    hit = motion.bond("floor").impulses.times[0]
    before, after = height[height[:, 0] == hit][:, 1]
    assert before == pytest.approx(-((2 * 9.81) ** 0.5), rel=1e-2) and after == pytest.approx(-0.5 * before, rel=1e-2)
    dots = figure.axes[3].get_lines()[0].get_xydata()
    assert dots[0] == pytest.approx([hit, motion.bond("floor").impulses.normal[0]])


def test_free_bodies_are_drawn_with_speeds_contacts_and_residuals():
    system = vc.System("free bodies", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"ball {k}", vc.shapes.Sphere(0.1), density=1000)) for k in range(2)]
    system.add(
        vc.Contact(
            "contact", balls, walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)
        )
    )
    start = {"ball 0": (0, 0, 0.11), "ball 1": (0.05, 0, 0.32)}
    motion = vc.simulate(system, until=0.3, start=start, method="moreau", step=2e-3, tolerance=1e-8)
    shown = ["speed [m/s]", "contacts", "residual of impulses", "penetration [m]", "energy [J]"]
    assert labels(plot_motion(motion.record)) == shown
    asked = labels(plot_motion(motion.record, "ball 1"))
    assert asked[-5:] == shown and asked[0] == "coordinate [m]"
