"""Views that cannot be made are refused in one sentence, before anything is computed or written."""

import os
import sys
import tempfile

import numpy as np
import pytest

import vinculum as vc
from seen import ReadPage, pendulum
from vinculum.errors import FileError, MethodError, StartError, VinculumError
from vinculum.show.render import film


@pytest.fixture(scope="module")
def motion():
    return pendulum()


@pytest.fixture(scope="module")
def coordinates():
    system = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
    return vc.simulate(system, 1.0, ([1.0], [0.0]), progress=False)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("page.txt", r"unknown suffix '.txt'; use one of .html, .htm"),
        ("nowhere/page.html", "is not a folder; choose another path"),
        (3, "is not a path; give a file such as 'run.html'"),
    ],
)
def test_a_page_in_the_wrong_place_is_refused(motion, tmp_path, path, said):
    with pytest.raises(FileError, match=said):
        motion.plot.view(tmp_path / path if isinstance(path, str) else path)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_overwritten(motion, tmp_path):
    (tmp_path / "page.html").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        motion.plot.view(tmp_path / "page.html")


@pytest.mark.parametrize("name", ["view.html", "report.html", "film.gif"])
def test_files_of_others_are_not_overwritten_from_python_either(motion, tmp_path, name):
    write = {"view.html": motion.plot.view, "report.html": motion.plot.report, "film.gif": motion.plot.animate}[name]
    (tmp_path / name).write_bytes(b"mine")
    with pytest.raises(FileError, match=rf"{name} exists and is not a \w+ of Vinculum, so it is not changed"):
        write(tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"mine"


def test_pages_of_vinculum_and_empty_files_are_replaced(motion, tmp_path):
    (tmp_path / "page.html").touch()
    for frames in (10, 20):
        motion.plot.view(tmp_path / "page.html", frames=frames)
        assert ReadPage((tmp_path / "page.html").read_text("utf-8")).head["frames"] == frames


def test_a_picture_tells_its_instant_from_its_file(motion, tmp_path):
    for file in ("x.png", tmp_path / "x.png"):
        with pytest.raises(StartError, match=r"x.png'\) is no instant|x.png' is no instant") as told:
            motion.plot.picture(file)
        assert "the first argument; name the file with path='" in str(told.value)
    with pytest.raises(FileError, match=r"picture .*w.html: unknown suffix '.html'"):
        motion.plot.picture(1, tmp_path / "w.html")


@pytest.mark.parametrize("name", ["view.html", "film.gif", "picture.png"])
def test_a_full_disk_leaves_nothing_half_written(motion, tmp_path, monkeypatch, name):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    write = {
        "view.html": motion.plot.view,
        "film.gif": lambda p: motion.plot.animate(p, fps=2, size=(32, 24)),
        "picture.png": lambda p: motion.plot.picture(path=p),
    }
    with pytest.raises(FileError, match="cannot be written: No space left on device; choose another path"):
        write[name](tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_only_the_file_asked_for_is_written(motion, tmp_path):
    page = motion.plot.view(tmp_path / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"] and page.path == tmp_path / "page.html"
    assert "<iframe" in page._repr_html_()


def test_without_a_browser_the_page_is_written_and_its_place_said(motion, tmp_path, monkeypatch, capfd):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    page = motion.plot.view(tmp_path / "page.html", browser=True)
    assert page.path.is_file()
    assert f"no browser was found; the page is {page.path}" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"frames": 0}, StartError, "frames 0 must be a whole number from 1"),
        ({"frames": 2.5}, StartError, "frames 2.5 must be a whole number"),
        ({"trace": ["nobody"]}, StartError, "there is no body 'nobody'"),
        ({"trace": [("upper", "here")]}, StartError, "is not a place"),
        ({"trace": 3}, StartError, "must list bodies"),
        ({"draw": 3}, StartError, "draw 3 must be a function"),
    ],
)
def test_wrong_wishes_are_refused(motion, tmp_path, given, error, said):
    with pytest.raises(error, match=said):
        motion.plot.view(tmp_path / "page.html", **given)
    assert not list(tmp_path.iterdir())


def test_an_instant_outside_the_motion_is_refused(motion):
    with pytest.raises(StartError, match="leaves the motion"):
        motion.plot.picture(99.0)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf"), "now", [0.1, 0.2]])
@pytest.mark.parametrize(
    "ask",
    [
        lambda motion, x, to: motion.plot.picture(x, to / "picture.png"),
        lambda motion, x, to: motion.plot.view(to / "page.html", frames=x),
        lambda motion, x, to: motion.plot.animate(to / "film.gif", speed=x, size=(32, 24), fps=2),
        lambda motion, x, to: motion.plot.picture(0.1, to / "picture.png", elevation=x),
    ],
    ids=["instant", "frames", "speed", "elevation"],
)
def test_times_that_are_no_numbers_are_refused_and_write_nothing(motion, tmp_path, ask, wrong):
    with pytest.raises(StartError) as said:
        ask(motion, wrong, tmp_path)
    assert "\n" not in str(said.value) and not list(tmp_path.iterdir())


NOWHERE = "/proc/sys"
"""A folder in which nobody can make a file."""


@pytest.mark.skipif(not os.path.isdir(NOWHERE), reason="there is no such folder on this platform")
@pytest.mark.parametrize(
    "write",
    [
        lambda motion: motion.plot.view(f"{NOWHERE}/page.html"),
        lambda motion: motion.plot.picture(path=f"{NOWHERE}/picture.png"),
        lambda motion: motion.plot.animate(f"{NOWHERE}/film.gif", size=(32, 24), fps=2),
        lambda motion: motion.plot.report(f"{NOWHERE}/report.html"),
        lambda motion: motion.plot(path=f"{NOWHERE}/plot.svg"),
        lambda motion: motion.save(f"{NOWHERE}/run.zarr"),
    ],
    ids=["page", "picture", "film", "report", "plot", "run"],
)
def test_a_folder_that_cannot_be_written_is_named_in_one_sentence(motion, write):
    with pytest.raises(FileError, match=r"cannot be written|no folder") as said:
        write(motion)
    assert "\n" not in str(said.value) and NOWHERE in str(said.value)


def test_a_page_that_cannot_be_made_leaves_no_file_in_the_folder_for_temporary_ones(motion, tmp_path, monkeypatch):
    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("vinculum.show.page.page.page_text", broken)
    with pytest.raises(VinculumError, match="Input/output"):
        motion.plot.view(browser=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"path": "film.avi"}, "unknown suffix '.avi'"),
        ({"fps": 0}, "fps 0 must be a whole number from 1 to 100"),
        ({"speed": -1.0}, "speed -1.0 must be a positive number"),
        ({"size": (10, 10)}, "must be width and height in pixels"),
        ({"speed": 1e-9}, "more than 20000 pictures"),
    ],
)
def test_films_that_cannot_be_made_are_refused(motion, tmp_path, given, said):
    wished = {"path": "film.gif", **given}
    with pytest.raises((FileError, StartError), match=said):
        motion.plot.animate(tmp_path / wished.pop("path"), **wished)
    assert not list(tmp_path.iterdir())


def test_a_film_in_mp4_needs_ffmpeg(motion, tmp_path, monkeypatch):
    monkeypatch.setattr(film.shutil, "which", lambda _: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(
        FileError, match=r"MP4 needs ffmpeg, which is not found; install it, .*\[films\].* or write a \.gif"
    ):
        motion.plot.animate(tmp_path / "film.mp4")


def test_a_lagrangian_motion_says_why_nothing_is_drawn_and_draws_what_is_given(coordinates, tmp_path):
    with pytest.raises(MethodError, match="has no bodies, so nothing of it can be drawn; give draw="):
        coordinates.plot.view(tmp_path / "page.html")
    assert not list(tmp_path.iterdir())
    coordinates.plot.view(tmp_path / "page.html", draw=lambda q: [(0, 0, 0), (np.sin(q[0]), 0, -np.cos(q[0]))])
    page = ReadPage((tmp_path / "page.html").read_text("utf-8"))
    phi = coordinates.at(page.time.astype(float)).q[:, 0]
    np.testing.assert_allclose(page.positions[:, 1, 0], np.sin(phi), atol=1e-6)


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda q: 1 / 0, "draw failed on numbers: ZeroDivisionError"),
        (lambda q: [(1, 2, 3, 4)], "return finite points, each of three numbers"),
        (lambda q: [(0, 0, 0)] * (1 + (q[0] > 0)), "different numbers of points"),
    ],
)
def test_wrong_drawings_of_coordinates_are_refused(coordinates, draw, said):
    with pytest.raises(StartError, match=said):
        coordinates.plot.picture(draw=draw)


def test_a_system_is_seen_at_coordinates_with_its_loops_closed(tmp_path):
    system = vc.System("loop")
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0)):
        system.add(vc.RigidBody(name, 1.0, (length / 2, 0, 0), (0.01, 0.1, 0.1)))
    system.add(vc.Revolute("A", "ground", "crank"))
    system.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2.0, 0, 0)))
    system.view({"A": 1.0}, tmp_path / "loop.html")
    page = ReadPage((tmp_path / "loop.html").read_text("utf-8"))
    assert page.head["frames"] == 1
    names = page.head["bodies"]
    np.testing.assert_allclose(page.positions[0, names.index("coupler")], [np.cos(1.0), np.sin(1.0), 0], atol=1e-6)
    with pytest.raises(StartError, match="there is no joint or free body 'X'"):
        system.view({"X": 1.0}, tmp_path / "x.html")


def test_a_gif_has_the_pictures_of_its_motion(motion, tmp_path):
    from PIL import Image

    motion.plot.animate(tmp_path / "film.gif", fps=5, size=(96, 72))
    with Image.open(tmp_path / "film.gif") as image:
        assert image.n_frames == 11 and image.size == (96, 72)
        assert image.info["duration"] == 200


def test_the_command_writes_pages_films_and_pictures_and_keeps_other_files(motion, tmp_path):
    from typer.testing import CliRunner

    from vinculum.cli.app import app
    from vinculum.cli.places import check_view_place

    motion.save(tmp_path / "run.zarr")

    def view(*more):
        return CliRunner().invoke(app, ["view", str(tmp_path / "run.zarr"), "--no-browser", *map(str, more)])

    for _ in range(2):
        assert view("--out", tmp_path / "page.html", "--frames", 10, "--trace", "lower").exit_code == 0
    assert ReadPage((tmp_path / "page.html").read_text("utf-8")).head["frames"] == 10
    assert view("--out", tmp_path / "picture.png", "--at", 0.5).exit_code == 0
    (tmp_path / "mine.html").write_text("<p>mine</p>")
    refused = view("--out", tmp_path / "mine.html")
    assert refused.exit_code == 2 and "is not a page of Vinculum, so it is not changed" in refused.output
    assert (tmp_path / "mine.html").read_text() == "<p>mine</p>"
    (tmp_path / "mine.gif").write_bytes(b"GIF89a mine")
    assert "is not a film of Vinculum" in view("--out", tmp_path / "mine.gif").output
    motion.plot.animate(tmp_path / "film.gif", fps=1, size=(32, 24))
    assert check_view_place(tmp_path / "film.gif") == "film"
    assert view("--out", tmp_path / "page.txt").exit_code == 2
    assert view("--out", tmp_path / "nowhere" / "page.html").exit_code == 2
    assert view("--out", tmp_path / "page.html", "--trace", "nobody").exit_code == 2


@pytest.mark.parametrize(
    ("name", "option", "said"),
    [
        ("page.html", ("--at", "1"), "--at is for a picture, and"),
        ("film.gif", ("--at", "1"), "is a film; leave it out, or write a picture (.png, .pdf, .svg)"),
        ("x.png", ("--frames", "3"), "--frames is for a page, and"),
        ("x.png", ("--trace", "lower"), "is a picture; leave it out, or write a page (.html, .htm)"),
    ],
)
def test_options_that_a_view_does_not_have_are_refused(tmp_path, name, option, said):
    from typer.testing import CliRunner

    from vinculum.cli.app import app

    refused = CliRunner().invoke(app, ["view", "no.zarr", "--out", str(tmp_path / name), *option])
    assert refused.exit_code == 2 and said in " ".join(refused.output.split())
    assert not list(tmp_path.iterdir())


def test_an_mp4_is_written_by_ffmpeg(motion, tmp_path):
    """By the one of the system, or the one of imageio-ffmpeg, which the tests install."""
    motion.plot.animate(tmp_path / "film.mp4", fps=5, size=(96, 72))
    assert (tmp_path / "film.mp4").read_bytes()[4:8] == b"ftyp"
