"""Arrows of a scene: reactions of joints and constraints, forces, moments, and impulses at impacts."""

import numpy as np

from vinculum.bodies import GROUND
from vinculum.errors import VinculumError
from vinculum.models.geometry import Geometry, Mark
from vinculum.motion.record import Record
from vinculum.motion.views.bond import BondMotion
from vinculum.show.drawing.rolling import ROLLING, rolled_path
from vinculum.show.scene import GROUND_BODY, Arrows, Impacts, Poses
from vinculum.tolerances.round_off import NO_EFFORT

MOST_ARROWS = 120
"""Arrows of a scene; more of them are not told apart."""
ENDS = 8
"""An action between more bodies than this has no arrows."""
MOST_IMPACTS = 4000


def arrows_of(
    motion: Record, geometry: Geometry, bodies: tuple[str, ...], poses: Poses, size: float
) -> tuple[list[Arrows], list[str]]:
    """Arrows of all bonds on the grid of the motion, and notes about those that are left out; ``size`` [m]: of the system."""
    layout = motion.model.layout
    actions = {name: entry for name, entry in layout.actions.items() if len(entry.bodies) <= ENDS}
    joints = [mark for mark in geometry.marks if len(mark.on) == 2 and mark.kind not in ("free", *ROLLING)]
    asked = len(joints) + len(layout.constraints) + len(actions) + len(layout.unilaterals)
    if asked > MOST_ARROWS:
        return [], [f"forces are not drawn, as there are {asked} bonds"]
    if not asked:
        return [], []
    try:
        known = motion._bonds
        found = [
            *_of_joints(motion, known, geometry, bodies, poses),
            *_of_bonds(motion, known, geometry, actions, bodies, poses),
        ]
        found += _of_unilaterals(motion)
    except VinculumError as error:
        return [], [f"forces are not drawn: {error}"]
    force = max((np.abs(one.vectors).max(initial=0.0) for one in found if one.kind != "moment"), default=0.0)
    moment = max((np.abs(one.vectors).max(initial=0.0) for one in found if one.kind == "moment"), default=0.0)
    least = {"reaction": NO_EFFORT * force, "force": NO_EFFORT * force, "moment": NO_EFFORT * max(moment, force * size)}
    return [one for one in found if np.abs(one.vectors).max(initial=0.0) > least[one.kind]], []


def _of_joints(motion: Record, known, geometry: Geometry, bodies: tuple[str, ...], poses: Poses) -> list[Arrows]:
    """Force and moment of every joint on its child, at the joint."""
    found = []
    for mark in geometry.marks:
        if (
            len(mark.on) != 2
            or mark.kind == "free"
            or f"{mark.name}/efforts" not in known
            or mark.name in motion.model.layout.actions
        ):
            continue
        if mark.name not in motion.model.layout.joints and mark.name not in motion.model.layout.closing:
            continue
        child = bodies.index(mark.on[1]) if mark.on[1] in bodies else GROUND_BODY
        place, origin = poses.points(child, np.array(mark.points[1])), known[f"{mark.name}/points"][:, :3]
        effort = known[f"{mark.name}/efforts"]
        found += _both(
            mark.name, "reaction", place, effort[:, :3], effort[:, 3:6] + np.cross(origin - place, effort[:, :3])
        )
    return found


def _of_bonds(
    motion: Record, known, geometry: Geometry, actions, bodies: tuple[str, ...], poses: Poses
) -> list[Arrows]:
    """Efforts of actions and constraints on their bodies, where they act as far as that is known."""
    layout = motion.model.layout
    ends = {name: list(entry.bodies) for name, entry in actions.items()}
    ends |= {name: list(entry.on) for name, entry in layout.constraints.items()}
    placed = {mark.name: mark for mark in geometry.marks if mark.name in ends}
    found = []
    for name, on in ends.items():
        if f"{name}/efforts" not in known:
            continue
        kind = "force" if name in layout.actions else "reaction"
        for k, body in enumerate(on):
            if body == GROUND:
                continue
            effort = known[f"{name}/efforts"][:, 6 * k : 6 * k + 6]
            origin = known[f"{name}/points"][:, 3 * k : 3 * k + 3]
            place = _known_place(placed.get(name) or placed.get(f"{name} contact"), body, bodies, poses)
            if place is None:
                place, moment = _on_line(origin, effort)
            else:
                moment = effort[:, 3:] + np.cross(origin - place, effort[:, :3])
            found += _both(name if len(on) < 2 else f"{name} on {body}", kind, place, effort[:, :3], moment)
    return found


def _known_place(mark: Mark | None, body: str, bodies: tuple[str, ...], poses: Poses) -> np.ndarray | None:
    """Where a bond acts on a body (F, 3), if it acts at one point that is known."""
    if mark is None or body not in mark.on:
        return None
    if mark.kind in ROLLING and len(mark.on) == 2:
        return rolled_path(mark, poses, bodies)
    if mark.kind in ("spring", "damper", "rod", "bushing", "blade", "guided point"):
        return poses.points(bodies.index(body), np.array(mark.points[mark.on.index(body)]))
    return None


def _of_unilaterals(motion: Record) -> list[Arrows]:
    """Forces of unilateral constraints while phases keep them closed."""
    if not motion.phases:
        return []
    found = []
    for name, entry in motion.model.layout.unilaterals.items():
        for body in [body for body in entry.bodies if body in motion.model.layout.bodies][:1]:
            effort = BondMotion(motion, name)._while_closed(body)
            place, moment = _on_line(motion._bodies[f"{body}/position"], effort)
            found += _both(name, "reaction", place, effort[:, :3], moment)
    return found


def _on_line(origin: np.ndarray, effort: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place on the central axis of a wrench nearest to the origin, and the moment that remains there."""
    force, moment = effort[:, :3], effort[:, 3:]
    square = (force * force).sum(axis=1, keepdims=True)
    arm = np.divide(np.cross(force, moment), square, out=np.zeros_like(force), where=square > 0.0)
    return origin + arm, moment - np.cross(arm, force)


def _both(name: str, kind: str, place: np.ndarray, force: np.ndarray, moment: np.ndarray) -> list[Arrows]:
    clean = np.nan_to_num(place), np.nan_to_num(force), np.nan_to_num(moment)
    return [Arrows(name, kind, clean[0], clean[1]), Arrows(name, "moment", clean[0], clean[2])]


def impacts_of(motion: Record) -> Impacts | None:
    """Changes of momentum of bodies at the instants at which velocities jump, at their mass centers."""
    atoms = motion.atoms
    if atoms is None or not len(atoms):
        return None
    inside = (atoms.times >= motion.pieces.begin) & (atoms.times <= motion.pieces.end) & (atoms.durations == 0.0)
    times = np.unique(atoms.times[inside])
    if not len(times) or len(times) * len(motion.model.layout.bodies) > 20 * MOST_IMPACTS:
        return None
    before, after = motion.at(times, "left")._bodies, motion.at(times)._bodies
    found: list[tuple[np.ndarray, ...]] = []
    for body in motion.model.layout.bodies:
        jump = after[f"{body}/mass"] * (after[f"{body}/center_velocity"] - before[f"{body}/center_velocity"])
        found.append((times, after[f"{body}/center"], jump))
    when, places, vectors = (np.concatenate(part) for part in zip(*found, strict=True))
    size = np.linalg.norm(vectors, axis=1)
    kept = np.flatnonzero(size > NO_EFFORT * size.max(initial=0.0))
    if len(kept) > MOST_IMPACTS:
        kept = kept[np.argsort(-size[kept])[:MOST_IMPACTS]]
    kept = kept[np.argsort(when[kept], kind="stable")]
    return Impacts(when[kept], places[kept], vectors[kept]) if len(kept) else None
