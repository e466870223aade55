"""The view of a single picture, which is closer than that of the whole motion where little of that is drawn."""

from dataclasses import replace

import numpy as np

from vinculum.show.drawing.framing import box_at
from vinculum.show.render.camera import Camera, camera_of
from vinculum.show.scene import Framing, Scene

LEAST_FILL = 0.4
"""Part of a picture, in the direction in which it is filled more. Below it bodies that are drawn with the rest of their motion in mind
would be hard to see."""
THIN = 0.2
"""A body this thin, relative to its second width, is a disc or plate."""
EDGE_ON = 0.35
"""Sine of the angle between a plate and the line of sight below which little more than its edge is seen."""
TURNS = np.deg2rad([0.0, 35.0, -35.0, 70.0, -70.0])


def picture_camera(
    scene: Scene, frame: int, aspect: float, elevation: float | None = None, azimuth: float | None = None
) -> Camera:
    """The camera of a picture of one frame.

    A film shows all that will move, so its view holds the whole motion. A picture shows bodies at one instant and the paths so far: where
    they would fill less than `LEAST_FILL` of it, they alone are framed. A lone plate or disc that would be seen from its edge is seen from
    a direction nearby, unless ``elevation`` or ``azimuth`` [degrees] give one.
    """
    framing = scene.framing
    if elevation is None and azimuth is None:
        framing = replace(framing, toward=_off_the_edge(scene, frame, framing))
    camera = camera_of(replace(scene, framing=framing), frame, aspect, elevation, azimuth)
    box = box_at(scene, frame)
    if box is None or _fill(camera, box, aspect) >= LEAST_FILL:
        return camera
    close = replace(framing, low=box[0], high=box[1], follows=-1)
    return camera_of(replace(scene, framing=close), frame, aspect, elevation, azimuth)


def _fill(camera: Camera, box: tuple[np.ndarray, np.ndarray], aspect: float) -> float:
    """The larger part of the width or height of a picture that a box takes."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    points = np.where(corners == 0, box[0], box[1])
    seen = camera.project(points, 1000, round(1000 / aspect))
    return float((np.ptp(seen[:, :2], axis=0) / (1000.0, 1000.0 / aspect)).max())


def _off_the_edge(scene: Scene, frame: int, framing: Framing) -> np.ndarray:
    """The direction to the eye, turned about the upward axis if the only body is a plate that it would see from the edge."""
    solids = [part for part in scene.parts if part.role == "solid"]
    if len({part.body for part in solids}) != 1:
        return framing.toward
    sizes = [np.ptp(scene.meshes[part.mesh].corners * part.scale, axis=0) for part in solids]
    plate, widths = max(zip(solids, sizes, strict=True), key=lambda one: np.sort(one[1])[1])
    thin = int(np.argmin(widths))
    if widths[thin] > THIN * np.sort(widths)[1]:
        return framing.toward
    normal = scene.poses.axes(plate.body, plate.axes)[frame][:, thin]
    turned = [_turn_about(framing.toward, framing.up, angle) for angle in TURNS]
    return next((one for one in turned if abs(one @ normal) >= EDGE_ON), framing.toward)


def _turn_about(v: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    along = (v @ axis) * axis
    return along + np.cos(angle) * (v - along) + np.sin(angle) * np.cross(axis, v)
