"""What users ask for: the page of a motion or a system, a picture, a film."""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.starts.assembly import assemble
from vinculum.errors import StartError, shorten
from vinculum.models.model_cache import model_for
from vinculum.motion.arguments import floats
from vinculum.show.by_type import scene_of
from vinculum.show.drawing.bodies import Wanted, still_scene
from vinculum.show.page.page import Page, checked_page, write_page
from vinculum.show.plots.panels import checked_path, write_figure
from vinculum.show.scene import Poses, Scene, quaternions_of
from vinculum.systems import named_in_start, start_state


def view_motion(motion: Any, path, frames: int | None, trace, draw: Callable | None, browser: bool | None) -> Page:
    """The page of a motion."""
    target = checked_page(path)
    scene = scene_of(motion, Wanted(frames, _trace_list(trace), _checked_function(draw)))
    return write_page(scene, target, browser)


def picture_of_motion(
    motion: Any, t: float | None, path, elevation: float | None, azimuth: float | None, draw: Callable | None
) -> Any:
    """A motion at an instant, the last by default, as a Matplotlib figure; ``path`` also writes it."""
    from vinculum.show.render.picture import figure_of

    if isinstance(t, (str, PathLike)):
        raise StartError(
            f"t {shorten(t)} is no instant [s], the first argument; name the file with path={shorten(str(t))}"
        )
    target = None if path is None else checked_path(path, "picture")
    angles = [
        None if one is None else _number(name, one) for name, one in (("elevation", elevation), ("azimuth", azimuth))
    ]
    at = motion.pieces.end if t is None else _number("t", t)
    motion.at(at)  # refuses an instant outside the motion
    wanted = Wanted(None, (), _checked_function(draw), plain=True, instant=at)
    figure = figure_of(scene_of(motion, wanted), at, *angles)
    if target is not None:
        write_figure(figure, target)
    return figure


def animate_motion(motion: Any, path, fps: int, speed: float | None, size, draw: Callable | None) -> Any:
    """A film of a motion."""
    from vinculum.show.render.film import checked_film, write_film

    target = checked_film(path, fps, speed, size)
    return write_film(scene_of(motion, Wanted(None, (), _checked_function(draw), plain=True)), target, fps, speed, size)


def view_system(system: Any, q: Mapping[str, object] | None, path, browser: bool | None) -> Page:
    """The page of a system at coordinates."""
    target = checked_page(path)
    return write_page(scene_of_system(system, q), target, browser)


def picture_of_system(system: Any) -> Any:
    """A system at its usual coordinates, as a Matplotlib figure."""
    from vinculum.show.render.picture import figure_of

    return figure_of(scene_of_system(system, None), 0.0)


def scene_of_system(system: Any, q: Mapping[str, object] | None) -> Scene:
    """Bodies and bonds of a system at coordinates, with loops closed from there."""
    model = model_for(system)
    tree, values = model.tree, model.parameter_values(None)
    assert tree is not None
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    position, velocity = start_state(tree, q, named)
    if not model.type.has_graphs:
        state = np.concatenate([position, velocity])[None]
        position, velocity = np.split(model.type.closed_states(model, state, 0.0, values)[0], [model.nq])
    elif tree.is_conditioned:
        closed = assemble(model, position, velocity, values, *named_in_start(q))
        model, position, velocity, values = closed.model, closed.q, closed.v, closed.values
        named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    row = np.concatenate([position, velocity, [0.0], values])[None]
    known, bodies = evaluate_groups(model.tape("bodies"), row), tuple(model.layout.bodies)
    places = np.stack([known[f"{name}/position"] for name in bodies], axis=1)
    rotations = np.stack([known[f"{name}/rotation"] for name in bodies], axis=1).reshape(1, len(bodies), 3, 3)
    masses = np.array([known[f"{name}/mass"][0, 0] for name in bodies])
    return still_scene(model, named, Poses(np.zeros(1), places, quaternions_of(rotations)), masses)


def _trace_list(trace: Any) -> tuple:
    if isinstance(trace, str) or hasattr(trace, "name"):
        return (trace,)
    if isinstance(trace, (list, tuple)):
        return tuple(trace)
    raise StartError(
        f"trace {shorten(trace)} must list bodies, or pairs of a body and a place in its frame, as [('rod', (0, 0, 1))]"
    )


def _checked_function(draw: Any) -> Callable | None:
    if draw is not None and not callable(draw):
        raise StartError(f"draw {shorten(draw)} must be a function of the coordinates q that returns points (k, 3)")
    return draw


def _number(name: str, given: Any) -> float:
    found = floats(name, given)
    if found.shape != ():
        raise StartError(f"{name} has shape {found.shape}; give one number")
    return float(found)
