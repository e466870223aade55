"""A picture is filled by what it shows: the bodies at its instant and their paths until then."""

from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from vinculum.show.by_type import scene_of
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.render.close_view import EDGE_ON, picture_camera
from vinculum.show.render.still import PAPER, pixels_of

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WIDTH, HEIGHT = 280, 210


def motion_of(name):
    model = vc.read_model(EXAMPLES / f"{name}.toml")
    return vc.simulate(model.system, start=model.start, events=model.events, progress=False, **model.run)


def scene_at(motion, t):
    scene = scene_of(motion.record, Wanted(plain=True, instant=t))
    return scene, int(np.argmin(np.abs(scene.poses.time - t)))


def fill_of(motion, t):
    """Width and height of the drawn pixels, parts of the picture; the floor, which is nearly white, is not among them."""
    scene, frame = scene_at(motion, t)
    pixels = pixels_of(scene, frame, picture_camera(scene, frame, WIDTH / HEIGHT), WIDTH, HEIGHT).astype(float)
    rows, columns = np.nonzero(pixels.min(axis=2) < 0.75 * 255 * np.max(PAPER))
    return np.ptp(columns) / WIDTH, np.ptp(rows) / HEIGHT


@pytest.mark.parametrize(
    ("name", "t"),
    [
        ("fluttering_plate", 0.5),
        ("fluttering_plate", 2.0),
        ("jet_damping", 0.1),
        ("jet_damping", 2.0),
        ("double_pendulum", 1.0),
    ],
)
def test_what_is_drawn_fills_a_third_of_a_picture_in_one_direction(name, t):
    assert max(fill_of(motion_of(name), t)) >= 0.3


@pytest.mark.parametrize("t", [1.0, 4.0])
def test_a_disc_is_not_seen_from_its_edge(t):
    motion = motion_of("rolling_disc")
    scene, frame = scene_at(motion, t)
    normal = motion.at([t]).body("disc").rotation[0] @ np.array([0.0, 1.0, 0.0])
    eye = picture_camera(scene, frame, WIDTH / HEIGHT).axes[2]
    assert abs(eye @ normal) >= EDGE_ON
    given = picture_camera(scene, frame, WIDTH / HEIGHT, elevation=10.0, azimuth=20.0).axes[2]
    assert given @ scene.framing.up == pytest.approx(np.sin(np.deg2rad(10.0)))


def test_a_picture_at_the_end_of_a_motion_that_fills_it_is_framed_as_its_film():
    from vinculum.show.render.camera import camera_of

    scene, frame = scene_at(motion_of("double_pendulum"), 2.0)
    film, picture = camera_of(scene, frame, 4 / 3), picture_camera(scene, frame, 4 / 3)
    assert np.array_equal(film.eye, picture.eye) and np.array_equal(film.axes, picture.axes)
