"""The scene of a motion of bodies."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.errors import StartError, shorten
from vinculum.models.geometry import Geometry
from vinculum.models.tree_geometry import geometry_at
from vinculum.motion.record import Record
from vinculum.show.drawing.contacts import TooManyError
from vinculum.show.drawing.efforts import arrows_of, impacts_of
from vinculum.show.drawing.framing import framing_of, system_size
from vinculum.show.drawing.parts import Builder, plain_geometry
from vinculum.show.drawing.rolling import ROLLING, rolled_path
from vinculum.show.plots.panels import Panel
from vinculum.show.scene import Poses, Scene, States, Touching, Trace, quaternions_of

FEWEST, MOST, PER_SECOND = 300, 1000, 60.0
LONGEST_TURN, MOST_OF_TURNS = 1.0, 3000
"""A body turns by less than this [rad] from frame to frame, as far as so many frames allow it."""
IMPACT_FRAMES = 300
MOST_NUMBERS = 5_000_000
"""Frames times bodies: beyond it there are fewer frames."""
BLOCK = 200_000
CURVES = 7
TRACED = 12


@final
@dataclass(frozen=True, eq=False)
class Wanted:
    """What a user asks of a view: the number of ``frames`` (None: enough), points to ``trace``, and for a motion without bodies a
    function to ``draw`` it. ``plain``: shapes and paths alone, without forces and curves; ``instant`` [s]: one of the frames."""

    frames: int | None = None
    trace: tuple = ()
    draw: Callable | None = None
    plain: bool = False
    instant: float | None = None


def scene_of_bodies(motion: Record, wanted: Wanted, touching: Callable[[Record, np.ndarray], Touching | None]) -> Scene:
    """Shapes, poses, arrows and curves of a motion of bodies; ``touching``: the contacts at instants."""
    bodies = tuple(motion.model.layout.bodies)
    time = frame_times(motion, wanted.frames, len(bodies), wanted.instant)
    poses, states, masses = _sample(motion, time, bodies, not wanted.plain)
    if wanted.frames is None and not wanted.plain:
        more = _enough_frames(poses, states)
        if more > len(time):
            time = frame_times(motion, more, len(bodies), wanted.instant)
            poses, states, masses = _sample(motion, time, bodies, True)
    scene = still_scene(motion.model, motion.parameters, poses, masses, wanted.trace)
    if wanted.plain:
        return scene
    geometry = geometry_at(motion.model, motion.parameters) or plain_geometry(motion.model.layout)
    grid = motion.at(time)
    arrows, notes = arrows_of(grid, geometry, bodies, poses, scene.framing.size)
    try:
        touched = touching(motion, time)
    except TooManyError as error:
        touched, notes = None, [*notes, str(error)]
    return replace(
        scene,
        arrows=tuple(arrows),
        touching=touched,
        impacts=impacts_of(motion),
        states=states,
        panels=tuple(_panels(grid)),
        notes=(*scene.notes, *notes),
    )


def still_scene(model: Any, parameters, poses: Poses, masses: np.ndarray, trace: Iterable = ()) -> Scene:
    """Bodies, bonds and walls of a model at these poses, without forces and curves."""
    bodies = tuple(model.layout.bodies)
    geometry = geometry_at(model, parameters)
    notes = () if geometry is not None else ("this run was stored without shapes, so its bodies are balls",)
    geometry = geometry or plain_geometry(model.layout)
    size = system_size(geometry, bodies, poses)
    builder = Builder(geometry, bodies, poses, size)
    builder.build()
    framing = framing_of(geometry, poses, size, builder.meshes, builder.parts, builder.lines)
    traces = [*_asked_traces(model, poses, bodies, trace), *_usual_traces(model, geometry, poses, bodies)]
    return Scene(
        name=model.name,
        bodies=bodies,
        masses=masses,
        poses=poses,
        meshes=builder.meshes,
        parts=tuple(builder.parts),
        framing=framing,
        lines=tuple(builder.lines),
        traces=tuple(traces),
        notes=notes,
    )


def frame_times(motion: Record, frames: int | None, count: int = 1, instant: float | None = None) -> np.ndarray:
    """Instants of the frames: evenly over the motion, and those of impacts if they are few."""
    begin, end = motion.pieces.begin, motion.pieces.end
    if frames is not None and not (
        isinstance(frames, (int, np.integer)) and not isinstance(frames, bool) and 1 <= frames <= 100_000
    ):
        raise StartError(f"frames {shorten(frames)} must be a whole number from 1 to 100000")
    number = int(np.clip(np.ceil(PER_SECOND * (end - begin)), FEWEST, MOST)) if frames is None else int(frames)
    if frames is None and number * count > MOST_NUMBERS:
        number = max(2, MOST_NUMBERS // count)
    time = np.linspace(begin, end, number) if number > 1 else np.array([end])
    if motion.atoms is not None and frames is None:
        struck = np.unique(motion.atoms.times[(motion.atoms.times > begin) & (motion.atoms.times < end)])
        time = np.union1d(time, struck) if 0 < len(struck) <= IMPACT_FRAMES else time
    return time if instant is None else np.union1d(time, np.clip(instant, begin, end))


def _enough_frames(poses: Poses, states: States) -> int:
    """Frames so many that no body turns too far from one to the next."""
    if len(poses.time) < 2 or not states.spins.size:
        return 0
    fastest = float(np.linalg.norm(states.spins, axis=2).max())
    span = float(poses.time[-1] - poses.time[0])
    limit = min(MOST_OF_TURNS, MOST_NUMBERS // max(1, poses.positions.shape[1]))
    return int(min(limit, np.ceil(fastest * span / LONGEST_TURN) + 1)) if np.isfinite(fastest) else 0


def _sample(
    motion: Record, time: np.ndarray, bodies: tuple[str, ...], energies: bool
) -> tuple[Poses, States, np.ndarray]:
    """Poses and states of all bodies at instants, some instants at a time, and masses; kinetic energies are zero unless asked for."""
    count = len(bodies)
    step = max(1, BLOCK // max(1, count))
    parts, carriers, masses = [], [], np.ones(count)
    for begin in range(0, len(time), step):
        at = motion.at(time[begin : begin + step])
        known = at._bodies
        taken = [
            np.stack([known[f"{name}/{what}"] for name in bodies], axis=1)
            for what in ("position", "rotation", "velocity", "angular_velocity")
        ]
        parts.append((*taken, _kinetic(at, bodies, taken[3]) if energies else np.zeros((len(at.time), count))))
        carriers.append(_carriers(known, bodies, taken[1]))
        masses = np.array([known[f"{name}/mass"][0, 0] for name in bodies])
    position, rotation, velocity, spin, kinetic = (np.concatenate(part) for part in zip(*parts, strict=True))
    quaternions = quaternions_of(rotation.reshape(len(time), count, 3, 3))
    deforms = bool(carriers) and carriers[0] is not None
    poses = Poses(time, position, quaternions, np.concatenate(carriers) if deforms else None)
    return poses, States(velocity, spin, kinetic), masses


def _carriers(known: Mapping[str, np.ndarray], bodies: tuple[str, ...], rotations: np.ndarray) -> np.ndarray | None:
    """Matrices (F, B, 3, 3) that carry the points of the bodies, None if none of them deforms."""
    deforming = [k for k, name in enumerate(bodies) if f"{name}/deformation" in known]
    if not deforming:
        return None
    found = np.array(rotations, dtype=float).reshape(len(rotations), len(bodies), 3, 3)
    for k in deforming:
        found[:, k] = _thick(known[f"{bodies[k]}/deformation"].reshape(-1, 3, 3))
    return found


def _thick(K: np.ndarray) -> np.ndarray:
    """Deformations (F, 3, 3), those of a flat or rod-like body with unit vectors across it, so that it is drawn with its thickness."""
    K = K.copy()
    if not K[:, :, 1:].any():
        least = np.eye(3)[np.argmin(np.abs(K[:, :, 0]), axis=1)]
        across = np.cross(least, K[:, :, 0])
        K[:, :, 1] = across / np.linalg.norm(across, axis=1, keepdims=True)
    if not K[:, :, 2].any():
        normal = np.cross(K[:, :, 0], K[:, :, 1])
        K[:, :, 2] = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    return K


def _kinetic(motion: Record, bodies: tuple[str, ...], spins: np.ndarray) -> np.ndarray:
    """Kinetic energies (F, B) [J]: half of momentum times velocity, of the mass center and about it."""
    momenta = motion._balance["momentum"].reshape(len(motion.time), len(bodies), 6)
    centers = np.stack([motion._bodies[f"{name}/center_velocity"] for name in bodies], axis=1)
    return 0.5 * (momenta * np.concatenate([centers, spins], axis=2)).sum(axis=2)


def _panels(motion: Record) -> list[Panel]:
    """Energies, coordinates and velocities over the frames, those with one unit together."""
    balance = motion._balance
    none = np.zeros((len(motion.time), 1))
    kinetic, potential = balance["kinetic"], balance.get("potential", none)
    panels = [
        Panel(
            "energy [J]",
            ["kinetic", "potential", "total"],
            np.concatenate([kinetic, potential, kinetic + potential], axis=1),
        )
    ]
    layout = motion.model.layout
    for which, what in (("q", "coordinate"), ("v", "velocity")):
        names, units, values = (
            getattr(layout, f"{which}_names"),
            getattr(layout, f"{which}_units"),
            getattr(motion, which),
        )
        for unit in dict.fromkeys(units):
            own = [i for i, one in enumerate(units) if one == unit]
            some = f", first {CURVES} of {len(own)}" if len(own) > CURVES else ""
            own = own[:CURVES]
            panels.append(Panel(f"{what} [{unit}]{some}", [names[i] for i in own], values[:, own]))
    return panels


def _asked_traces(model: Any, poses: Poses, bodies: tuple[str, ...], asked: Iterable[Any]) -> list[Trace]:
    """Paths of the points that a user names: a body, or a body with a place in its frame."""
    found = []
    for one in asked:
        body, place = one if isinstance(one, tuple) and len(one) == 2 else (one, (0.0, 0.0, 0.0))
        model.index("bodies", body)
        name = str(getattr(body, "name", body))
        try:
            point = np.asarray(place, dtype=float).reshape(3)
        except (TypeError, ValueError) as error:
            raise StartError(
                f"trace of '{name}': {shorten(place)} is not a place; give three numbers [m] in its frame"
            ) from error
        found.append(Trace(name, np.array(poses.points(bodies.index(name), point)), bodies.index(name)))
    return found


def _usual_traces(model: Any, geometry: Geometry, poses: Poses, bodies: tuple[str, ...]) -> list[Trace]:
    """Paths of contacts that roll, of points on curves, and of the mass centers of the last bodies of few."""
    found = []
    for mark in geometry.marks:
        if mark.kind in ROLLING and len(mark.on) == 2:
            found.append(Trace(mark.name, rolled_path(mark, poses, bodies), bodies.index(mark.on[0])))
        if mark.kind in ("guided point", "blade") and mark.on[0] in bodies:
            body = bodies.index(mark.on[0])
            found.append(Trace(mark.name, np.array(poses.points(body, np.array(mark.points[0]))), body))
    if len(bodies) <= TRACED:
        carrying = {entry.parent for entry in model.layout.joints.values()}
        for mark in geometry.marks:
            if mark.kind == "body" and mark.name not in carrying:
                body = bodies.index(mark.name)
                found.append(Trace(mark.name, np.array(poses.points(body, np.array(mark.points[0]))), body))
    return found
