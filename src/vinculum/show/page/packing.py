"""A scene as a header and one compressed block of numbers, as ``source/data.js`` reads it."""

import base64
import json
import zlib
from typing import Any, final

import numpy as np

from vinculum.show.drawing.framing import grid_step
from vinculum.show.drawing.meshes import arrow
from vinculum.show.scene import Scene, matrices, unit_quaternions
from vinculum.tolerances.certificates import FINEST_PAGE_STEP, PAGE_STEP

ATTITUDE = 32767
"""Steps of a component of a quaternion from zero to one."""
MOST_STATES = 400_000
"""Frames times bodies: beyond it the page computes velocities from positions."""
KINDS = {"<f4": "f4", "<i4": "i4", "|u1": "u1"}


@final
class Block:
    """Arrays one after the other; `put` says where each is."""

    def __init__(self):
        self._parts: list[bytes] = []
        self._size = 0

    def put(self, array: np.ndarray, dtype: str = "<f4") -> dict[str, Any]:
        """Append an array, and where it is."""
        flat = np.ascontiguousarray(array, dtype=dtype).ravel()
        place = {"at": self._size, "count": int(flat.size), "type": KINDS[dtype]}
        data = flat.tobytes()
        data += bytes(-len(data) % 4)
        self._parts.append(data)
        self._size += len(data)
        return place

    def put_differences(self, rows: np.ndarray, width: int) -> dict[str, Any]:
        """Append the differences of whole numbers along the last axis as planes of ``width`` bytes."""
        steps = np.diff(rows, axis=-1, prepend=0).astype(np.int64)
        planes = [(steps >> (8 * k)) & 255 for k in range(width)]
        return self.put(np.stack(planes) if rows.size else np.zeros(0), "|u1")

    def text(self) -> str:
        """Everything, compressed, as base64."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 6)).decode()


def pack(scene: Scene, kept: bool = False) -> tuple[str, str]:
    """Header and block of a scene; ``kept``: whether the drawn picture stays readable, for tests."""
    block = Block()
    head = {
        "name": scene.name,
        "unit": scene.unit,
        "bodies": list(scene.bodies),
        "masses": _round(scene.masses),
        "frames": len(scene.poses.time),
        "kept": kept,
        "notes": list(scene.notes),
        "time": block.put(scene.poses.time),
        **_poses(scene, block),
        **_shapes(scene, block),
        **_efforts(scene, block),
        "states": _states(scene, block),
        "panels": [{"label": one.label, "names": one.names, "values": block.put(one.values)} for one in scene.panels],
        "framing": _framing(scene),
        "gridStep": grid_step(scene.framing),
    }  # fmt: skip
    text = json.dumps(head, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c"), block.text()


def _round(values: Any) -> Any:
    """Numbers with the digits that a page needs."""
    return [float(f"{x:.9g}") for x in np.ravel(np.nan_to_num(values))]


def _poses(scene: Scene, block: Block) -> dict[str, Any]:
    positions, quaternions = scene.poses.positions, scene.poses.quaternions
    if not positions.size:
        return {"origins": [], "steps": [], "positions": block.put(np.zeros(0), "|u1"), "turning": [], "attitudes": [],
                "quaternions": block.put(np.zeros(0), "|u1"), "carriers": None}  # fmt: skip
    origins = positions[0]
    ranges = np.ptp(positions, axis=0).max(axis=1)
    steps = np.maximum(PAGE_STEP * ranges, FINEST_PAGE_STEP * scene.framing.size)
    whole = np.rint((positions - origins) / steps[:, None]).astype(np.int64)
    turned = np.abs(quaternions - quaternions[:1]).max(axis=(0, 2)) > 0.5 / ATTITUDE
    turning = np.flatnonzero(turned)
    angles = np.rint(quaternions[:, turning] * ATTITUDE).astype(np.int64)
    return {
        "origins": [_round(row) for row in origins],
        "steps": _round(steps),
        "positions": block.put_differences(np.moveaxis(whole, 0, -1), 4),
        "turning": [int(b) for b in turning],
        "attitudes": [_round(row) for row in quaternions[0]],
        "quaternions": block.put_differences(np.moveaxis(angles, 0, -1), 2),
        "carriers": _carriers(scene, block),
    }


def _carriers(scene: Scene, block: Block) -> dict[str, Any] | None:
    """Matrices (F, n, 3, 3) that carry the points of the bodies that deform, and which bodies these are; None if there are none."""
    poses = scene.poses
    if poses.carriers is None:
        return None
    off = np.abs(poses.carriers - matrices(poses.quaternions)).max(axis=(0, 2, 3))
    deforming = np.flatnonzero(off > 0.5 / ATTITUDE)
    return {"bodies": [int(b) for b in deforming], "values": block.put(poses.carriers[:, deforming])}


def _shapes(scene: Scene, block: Block) -> dict[str, Any]:
    meshes = [*scene.meshes, arrow()]
    written = [{"corners": block.put(one.corners), "triangles": block.put(one.triangles, "<i4")} for one in meshes]
    parts = [
        {"mesh": part.mesh, "body": part.body, "p": _round(part.position), "q": _round(unit_quaternions(part.axes)),
         "s": _round(part.scale), "role": part.role, "name": part.name, "tint": part.tint} for part in scene.parts
    ]  # fmt: skip
    lines = [
        {"mesh": line.mesh, "bodies": list(line.bodies), "points": [_round(point) for point in line.points], "radius": line.radius,
         "role": line.role, "name": line.name} for line in scene.lines
    ]  # fmt: skip
    return {"meshes": written, "arrow": len(meshes) - 1, "parts": parts, "lines": lines}


def _efforts(scene: Scene, block: Block) -> dict[str, Any]:
    touching, impacts = scene.touching, scene.impacts
    return {
        "arrows": [{"name": one.name, "kind": one.kind, **_vectors(one, block)} for one in scene.arrows],
        "touching": touching and {"begins": block.put(touching.begins, "<i4"), **_vectors(touching, block)},
        "impacts": impacts and {"times": block.put(impacts.times), **_vectors(impacts, block)},
        "traces": [{"name": one.name, "body": one.body, "path": block.put(one.path)} for one in scene.traces],
    }


def _vectors(one: Any, block: Block) -> dict[str, Any]:
    return {"places": block.put(one.places), "vectors": block.put(one.vectors)}


def _states(scene: Scene, block: Block) -> dict[str, Any] | None:
    states = scene.states
    if states is None or states.kinetic.size > MOST_STATES:
        return None
    return {name: block.put(getattr(states, name)) for name in ("velocities", "spins", "kinetic")}


def _framing(scene: Scene) -> dict[str, Any]:
    one = scene.framing
    return {"low": _round(one.low), "high": _round(one.high), "size": one.size, "up": _round(one.up), "toward": _round(one.toward),
            "floor": one.floor, "follows": one.follows, "weighs": one.weighs}  # fmt: skip
