"""The common part of motions of bodies and of Lagrangians: states, time, log, audit, plot and files."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Self, final

import numpy as np

from vinculum.motion.by_type import MOTIONS
from vinculum.motion.doors import ANIMATE, AUDIT, PICTURE, PLOT, REPORT, VIEW
from vinculum.motion.frames.carried import relative_record
from vinculum.upward import ShownInNotebooks


@final
class MotionPlot:
    """What shows a motion: curves if it is called, and pages, pictures, films and reports by name."""

    def __init__(self, record: Any):
        self._record = record

    def __repr__(self):
        return f"plots of {self._record!r}"

    def __call__(self, *asked, kind: str = "time", beside: Mapping[str, Any] | None = None, path=None) -> Any:
        """A plot as a Matplotlib figure: by default of the named joints (or coordinates of a Lagrangian; all by default) over time.

        ``kind``: "time"; "phase", rates over coordinates; "path", paths of the named bodies, or of places in them given as
        ``("rod", (0, 0, -1))``, in the plane or in space (of a Lagrangian two or three coordinates against each other);
        "energy", with its parts; "contact", when unilateral constraints and shapes are in contact, stick and slide. ``beside``: other
        motions by label, drawn in the same axes. ``path`` (PNG, SVG or PDF) also writes the figure.
        """
        return PLOT(self._record, asked, kind, beside, path)

    def view(
        self,
        path=None,
        *,
        frames: int | None = None,
        trace=(),
        draw: Callable | None = None,
        browser: bool | None = None,
    ) -> Any:
        """A page with the motion in space, in one HTML file that needs no internet: play, scrub, pick a body.

        Without ``path`` it is a temporary file and opens in the browser; ``browser`` says otherwise. ``frames``: how many, by
        default enough. ``trace``: bodies, or pairs of a body and a place (3,) [m] in its frame, whose paths are drawn. ``draw``: for
        a Lagrangian motion, a function of its coordinates q that returns points (k, 3), which rods join.
        """
        return VIEW(self._record, path, frames, trace, draw, browser)

    def picture(
        self,
        t: float | None = None,
        path=None,
        *,
        elevation: float | None = None,
        azimuth: float | None = None,
        draw: Callable | None = None,
    ) -> Any:
        """The motion in space at the instant ``t`` [s] (the last by default), as a Matplotlib figure.

        ``path`` (PNG, SVG or PDF) also writes it. ``elevation``, ``azimuth`` [degrees]: where it is seen from. ``draw``: as in
        `view`.
        """
        return PICTURE(self._record, t, path, elevation, azimuth, draw)

    def animate(
        self,
        path,
        *,
        fps: int = 25,
        speed: float | None = None,
        size: tuple[int, int] = (640, 480),
        draw: Callable | None = None,
    ) -> Any:
        """A film of the motion in space, written to ``path``: GIF, WebP, or MP4 where ffmpeg is found. No browser is needed.

        ``fps``: pictures a second; ``speed``: seconds of motion in a second of film, by default 1, or so that a very long or
        short motion lasts ten seconds; ``size``: width and height in pixels. ``draw``: as in `view`.
        """
        return ANIMATE(self._record, path, fps, speed, size, draw)

    def report(self, path, *, draw: Callable | None = None) -> Any:
        """A report in one HTML file that needs no internet and prints well: the system drawn, its equations, plots, energy,
        reactions, the certificate, and how the motion was computed.

        ``path``: the file, ``.html``. ``draw``: as in `view`.
        """
        return REPORT(self._record, path, draw)


class RecordedMotion(ShownInNotebooks, ABC):
    """A motion on a grid of instants; ``record`` contains its data."""

    record: Any

    def __getitem__(self, name) -> np.ndarray:
        """Coordinates of one joint on the grid, (T,) or (T, nq); for a Lagrangian one coordinate, (T,)."""
        return self.record[name]

    @property
    def time(self) -> np.ndarray:
        """The grid, (T,) [s]."""
        return self.record.time

    @property
    def q(self) -> np.ndarray:
        """Coordinates on the grid, (T, nq)."""
        return self.record.q

    @property
    def v(self) -> np.ndarray:
        """Velocities on the grid, (T, nv): right limits, or left limits in ``at(…, side="left")``."""
        return self.record.v

    @property
    def log(self) -> tuple[str, ...]:
        """Remarks of the run, in the order in which they were made."""
        return self.record.log

    def at(self, time=None, side: str = "right", *, frame=None) -> Self:
        """The same motion on another grid (the same by default), or in another inertial frame; its certificate stays valid.

        ``side``: which limit of velocities that jump. ``frame``: made by `vc.measures.change_of_frame`. The ground then moves: joints,
        walls, dampers and fields that were bound to it are those of a prescribed body "base". Coordinates of joints and of free rigid
        bodies are relative to that base, as before. Those of all bodies are so, and the potential energy is counted from the base, where
        shapes meet walls in time steps and in runs read from a file.
        """
        record = self.record if frame is None else self._record_in_frame(frame)
        if time is not None or side != "right":
            record = record.at(record.time if time is None else time, side)
        return replace(self, record=record)  # type: ignore[type-var]

    @abstractmethod
    def _record_in_frame(self, frame) -> Any:
        """The data of this motion in another inertial frame, or why there is none."""

    def audit(self) -> Any:
        """The certificate of this motion: whether the laws of mechanics hold on it."""
        return AUDIT(self.record)

    @property
    def plot(self) -> MotionPlot:
        """Plots of this motion, called or by name: ``plot()`` has curves, ``plot.view()`` is a page in space that plays. A motion that a
        base carries is drawn relative to it."""
        return MotionPlot(relative_record(self.record))

    def save(self, path) -> None:
        """Write the motion to a zarr folder atomically; `vc.load` reads it without the functions of the model."""
        from vinculum.motion.storage.store import save

        save(self.record, path)

    def to_xarray(self) -> Any:
        """The motion on its grid as an `xarray.Dataset` with units."""
        return MOTIONS.of(self.record.model).dataset(self.record)
