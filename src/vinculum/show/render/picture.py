"""A frame of a scene as a Matplotlib figure that needs no display."""

from typing import Any

import numpy as np

from vinculum.show.render.close_view import picture_camera
from vinculum.show.render.still import pixels_of
from vinculum.show.scene import Scene

WIDTH, HEIGHT, DOTS = 1120, 840, 160


def figure_of(scene: Scene, t: float, elevation: float | None = None, azimuth: float | None = None) -> Any:
    """The frame nearest to an instant, with its name and time."""
    from vinculum.show.figures import new_figure

    frame = int(np.argmin(np.abs(scene.poses.time - t)))
    camera = picture_camera(scene, frame, WIDTH / HEIGHT, elevation, azimuth)
    pixels = pixels_of(scene, frame, camera, WIDTH, HEIGHT)
    figure = new_figure(WIDTH / DOTS, HEIGHT / DOTS, dpi=DOTS)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.imshow(pixels, interpolation="lanczos")
    axes.set_axis_off()
    when = f"t = {scene.poses.time[frame]:.4g} s" if len(scene.poses.time) > 1 else ""
    axes.text(
        0.015, 0.98, scene.name, transform=axes.transAxes, va="top", fontweight="bold", fontsize=12, parse_math=False
    )
    axes.text(0.985, 0.98, when, transform=axes.transAxes, va="top", ha="right", fontsize=10, color="0.35")
    return figure
