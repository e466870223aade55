"""Stored runs of every kind for tests, and how they are changed so that only the change is wrong."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import vinculum as vc
from blocks_in_contact import mixed
from free_bodies import free_bodies
from linkages import net_of_rods
from pair_loops import gravitation
from vinculum.models.tabled import type as tabled_type
from vinculum.motion.storage.stored import seal


def swing() -> vc.Motion:
    system = vc.System("swing", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("a", vc.parameter("m", 1.0), (0, 0, -0.5), (0.1, 0.2, 0.25)))
    system.add(vc.Revolute("j", "ground", "a", axis=(0, 1, 0)))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Spring("s", "a", "p", stiffness=3.0, rest_length=0.1))
    event = vc.Event("lowest", ["j"], lambda j: j.q)
    return vc.simulate(
        system, 2.0, {"j": 0.3, "p": (1.0, 0, 0)}, events=[event], method="dop853", grid=101, progress=False
    )


def bouncing() -> vc.Motion:
    system = vc.System("ball", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("b", 1.0))
    system.add(vc.Unilateral("floor", ["b"], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    return vc.simulate(system, 0.6, {"b": (0, 0, 0.3)}, grid=21, method="dop853", progress=False)


def _uneven_walls() -> list:
    """A mesh and a height field beside the bodies, which a stored run describes too."""
    corners, triangles = [(2, 0, 0), (3, 0, 0), (2, 1, 0), (3, 1, 0.5)], [(0, 1, 2), (1, 3, 2)]
    heights = np.array([[0.0, 0.1, 0.0], [0.1, 0.2, 0.1]])
    return [vc.shapes.Mesh(corners, triangles), vc.shapes.HeightField(heights, spacing=0.5, at=(-3, -3, 0))]


def heap() -> vc.Motion:
    corners = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)]
    system = free_bodies(
        [vc.shapes.Sphere(0.05), vc.shapes.Box((0.1, 0.1, 0.1)), vc.shapes.Polytope(corners)],
        walls=[vc.shapes.HalfSpace((0, 0, 1)), *_uneven_walls()],
        mu=0.3,
    )
    start = {"b0": (0, 0, 0.05), "b1": (0.3, 0, 0.05), "b2": (0.6, 0, 0.2)}
    return vc.simulate(system, 0.02, start, method="moreau", step=2e-3, grid=5, progress=False)


def shaped_tree() -> vc.Motion:
    system = vc.System("arm", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0))
    system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.2, 0.2, 0.2)), mass=1.0))
    system.add(vc.Prismatic("lift", "ground", "ball"))
    system.add(
        vc.Contact(
            "c",
            ["ball", "box"],
            walls=[vc.shapes.HalfSpace((0, 0, 1))],
            impact=vc.Inelastic(),
            friction=vc.Coulomb(0.2),
        )
    )
    start = {"lift": 0.1, "box": (0.5, 0, 0.1)}
    return vc.simulate(system, 0.02, start, method="moreau", step=2e-3, grid=5, progress=False)


def cloud() -> vc.Motion:
    system = vc.System("cloud")
    points = [system.add(vc.MassPoint(f"p{i}", 1.0 + i / 50)) for i in range(50)]
    system.add(vc.potentials.PairPotential("pull", points, gravitation))
    start = {f"p{i}": (i % 7, i % 5 + 0.1 * i, i / 9) for i in range(50)}
    return vc.simulate(system, 0.02, start, method="verlet", step=2e-3, grid=3, progress=False)


def lagrangian() -> vc.Motion:
    system = vc.LagrangianSystem("oscillator", ["x"], lambda x, x_dot: 0.5 * x_dot**2 - 0.5 * x**2)
    return vc.simulate(system, 1.0, {"x": 0.3}, grid=11, method="dop853", progress=False)


@contextmanager
def over_tables() -> Iterator[None]:
    """Systems of any size run over tables."""
    fewest, tabled_type.FEWEST_TABLED = tabled_type.FEWEST_TABLED, 0
    try:
        yield
    finally:
        tabled_type.FEWEST_TABLED = fewest


def blocks() -> vc.Motion:
    """Blocks in contact over tables."""
    system, start = mixed()
    with over_tables():
        return vc.simulate(system, 0.02, start, method="moreau", step=2e-3, grid=3, progress=False)


def rods() -> vc.Motion:
    """Constraints over tables."""
    system, start = net_of_rods(3)
    with over_tables():
        return vc.simulate(system, 0.02, start, tolerance=1e-8, grid=3, progress=False)


RUNS: dict[str, Callable[[], Any]] = {
    f.__name__: f for f in (swing, bouncing, heap, shaped_tree, lagrangian, cloud, blocks, rods)
}


@cache
def stored(name: str, folder: Path) -> Path:
    """The run of a name, saved below ``folder`` once."""
    place = folder / f"{name}.zarr"
    RUNS[name]().save(place)
    return place


def content_of(run: Path, name: str = "model") -> Any:
    """The model or the phases of a stored run."""
    return json.loads(gzip.decompress((run / name / "c.0").read_bytes()))


def write_content(run: Path, content: Any, name: str = "model") -> None:
    """Other content with the sizes and checksums that belong to it, as by somebody who knows the format."""
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    (run / name / "c.0").write_bytes(gzip.compress(text))
    description = json.loads((run / name / "zarr.json").read_bytes())
    description["shape"] = description["chunk_grid"]["configuration"]["chunk_shape"] = [len(text)]
    (run / name / "zarr.json").write_text(json.dumps(description))
    write_head(run, **{name: hashlib.sha256(text).hexdigest()})


def write_head(folder: Path, /, **changes) -> None:
    """Another head with its seal."""
    head = json.loads((folder / "zarr.json").read_bytes())
    head["attributes"] = seal(head["attributes"] | changes)
    (folder / "zarr.json").write_text(json.dumps(head))
