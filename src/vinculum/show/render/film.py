"""A film of a scene: GIF and WebP by Pillow, MP4 by ffmpeg where it is found. No browser is needed."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vinculum.errors import FileError, StartError, shorten
from vinculum.show.files import FILM_SIGNED, checked_own_target, write_whole
from vinculum.show.render.camera import camera_of
from vinculum.show.render.still import pixels_of
from vinculum.show.scene import Poses, Scene

SUFFIXES = (".gif", ".webp", ".mp4")
MOST_PICTURES = 20_000
LASTS = 10.0
"""Seconds of a film whose motion is too long or too short for real time."""


def checked_film(path, fps: int, speed: float | None, size) -> Path:
    """The file of a film; what cannot be made is refused before anything is computed."""
    target = checked_own_target("film", path, SUFFIXES, "run.gif")
    if isinstance(fps, bool) or not isinstance(fps, (int, np.integer)) or not 1 <= fps <= 100:
        raise StartError(f"fps {shorten(fps)} must be a whole number from 1 to 100")
    if speed is not None and not (
        isinstance(speed, (int, float, np.number)) and not isinstance(speed, bool) and 0.0 < speed < np.inf
    ):
        raise StartError(f"speed {shorten(speed)} must be a positive number: seconds of motion in a second of film")
    whole = (
        isinstance(size, (tuple, list))
        and len(size) == 2
        and all(isinstance(n, (int, np.integer)) and 16 <= n <= 4096 for n in size)
    )
    if not whole:
        raise StartError(f"size {shorten(size)} must be width and height in pixels, whole numbers from 16 to 4096")
    if target.suffix.lower() == ".mp4":
        ffmpeg(target)
    return target


def ffmpeg(target: Path) -> str:
    """The program that writes MP4."""
    found = shutil.which("ffmpeg")
    if found is None:
        try:
            import imageio_ffmpeg  # type: ignore[import-not-found]

            found = imageio_ffmpeg.get_ffmpeg_exe()
        except (ImportError, RuntimeError):
            found = None
    if found is None:
        raise FileError(
            f"film {target}: MP4 needs ffmpeg, which is not found; install it, or pip install 'vinculum[films]', or write a .gif or .webp"
        )
    return found


def write_film(scene: Scene, target: Path, fps: int, speed: float | None, size: Any) -> Path:
    """Write the film, all or nothing."""
    width, height = (int(n) // 2 * 2 for n in size)
    time = scene.poses.time
    span = float(time[-1] - time[0])
    rate = float(speed) if speed is not None else 1.0 if 1.0 <= span <= 60.0 else span / LASTS or 1.0
    count = int(min(np.ceil(span / rate * fps) + 1, MOST_PICTURES + 1))
    if count > MOST_PICTURES:
        raise StartError(
            f"the film would have more than {MOST_PICTURES} pictures; give a larger speed or a smaller fps"
        )
    pictures = _pictures(scene, np.linspace(time[0], time[-1], count), width, height)
    if target.suffix.lower() == ".mp4":
        write_whole("film", target, lambda file: _encode(ffmpeg(target), file, pictures, width, height, fps))
    else:
        write_whole("film", target, lambda file: _save(file, target.suffix.lower()[1:], pictures, fps))
    return target


def _pictures(scene: Scene, instants: np.ndarray, width: int, height: int) -> Iterator[np.ndarray]:
    """Pictures at instants; poses between frames are interpolated."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(max(11, height // 32))
    moved = _between(scene, instants)
    for k, t in enumerate(instants):
        pixels = pixels_of(moved, k, camera_of(moved, k, width / height), width, height)
        image = Image.fromarray(pixels)
        pen = ImageDraw.Draw(image)
        pen.text((0.02 * height, 0.015 * height), scene.name, fill=(30, 33, 39), font=font)
        said = f"{t:.3g} s"
        pen.text(
            (width - 0.02 * height - pen.textlength(said, font=font), 0.015 * height),
            said,
            fill=(110, 116, 125),
            font=font,
        )
        yield np.asarray(image)


def _between(scene: Scene, instants: np.ndarray) -> Scene:
    """The scene with frames at other instants."""
    poses = scene.poses
    if len(poses.time) < 2:
        return scene
    frame = np.clip(np.searchsorted(poses.time, instants, side="right") - 1, 0, len(poses.time) - 2)
    share = ((instants - poses.time[frame]) / (poses.time[frame + 1] - poses.time[frame]))[:, None, None]

    def mix(values: np.ndarray) -> np.ndarray:
        return values[frame] + share * (values[frame + 1] - values[frame])

    carriers = None if poses.carriers is None else mix(poses.carriers.reshape(*poses.carriers.shape[:2], 9))
    carriers = None if carriers is None else carriers.reshape(*carriers.shape[:2], 3, 3)
    turned = mix(poses.quaternions)
    turned = turned / np.linalg.norm(turned, axis=2, keepdims=True)
    share_of_paths = share[:, :, 0]
    traces = [
        replace(one, path=one.path[frame] + share_of_paths * (one.path[frame + 1] - one.path[frame]))
        for one in scene.traces
    ]
    return replace(scene, poses=Poses(instants, mix(poses.positions), turned, carriers), traces=tuple(traces))


def _save(file: Any, kind: str, pictures: Iterator[np.ndarray], fps: int) -> None:
    from PIL import Image

    made = (Image.fromarray(one) for one in pictures)
    if kind == "gif":
        made = (one.quantize(128, dither=Image.Dither.NONE) for one in made)
    first = next(made)
    options: dict[str, Any] = (
        {"optimize": False, "disposal": 1, "comment": FILM_SIGNED}
        if kind == "gif"
        else {"quality": 80, "xmp": FILM_SIGNED}
    )
    first.save(file, format=kind, save_all=True, append_images=made, duration=round(1000 / fps), loop=0, **options)


def _encode(program: str, file: Any, pictures: Iterator[np.ndarray], width: int, height: int, fps: int) -> None:
    """H.264 in the format that browsers and presentations play."""
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(fps), "-i", "-"]
    made = [
        "-c:v",
        "libx264",
        "-pix_fmt",
        "yuv420p",
        "-crf",
        "20",
        "-metadata",
        f"comment={FILM_SIGNED.decode()}",
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
        file.name,
    ]
    command = [program, "-y", "-loglevel", "error", *given, *made]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None and running.stderr is not None
        try:
            for one in pictures:
                running.stdin.write(one.tobytes())
            running.stdin.close()
        except BrokenPipeError:
            pass
        said = running.stderr.read().decode(errors="replace").strip()
    if running.returncode:
        raise FileError(
            f"ffmpeg did not write the film: {shorten(said)}; write a .gif, or install an ffmpeg with libx264"
        )
