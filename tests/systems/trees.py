"""Random trees of every joint kind, for tests of laws."""

import numpy as np

import vinculum as vc
from vinculum.compile.passes.switches import play
from vinculum.screws import rotation

KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "spherical-fedorov", "spherical-xyz",
         "spherical-zxz", "planar", "free", "weld", "translation")  # fmt: skip


def random_pose(rng) -> vc.Pose:
    quaternion = rng.normal(size=4)
    return vc.Pose(0.4 * rng.normal(size=3), quaternion / np.linalg.norm(quaternion))


def random_inertia(rng) -> np.ndarray:
    A = rng.normal(size=(3, 3))
    second = 0.02 * A @ A.T + 0.01 * np.eye(3)
    return np.trace(second) * np.eye(3) - second


def random_joint(rng, kind: str, name: str, parent, child, forces: bool):
    common = {"at": random_pose(rng), "to": random_pose(rng)}
    if forces:
        common |= {"damping": rng.uniform(0, 0.3), "stiffness": rng.uniform(0, 3)}
    axis = rng.normal(size=3)
    if rng.random() < 0.3:
        axis = np.eye(3)[rng.integers(3)] * rng.choice([-2.0, 1.0])
    if kind.startswith("spherical"):
        return vc.Spherical(name, parent, child, chart=kind.partition("-")[2] or "quaternion", **common)
    if kind in ("planar", "free", "weld", "translation"):
        return getattr(vc, kind.capitalize())(name, parent, child, **common)
    if kind == "universal":
        return vc.Universal(name, parent, child, axes=rng.normal(size=(2, 3)), **common)
    extra = {"pitch": 0.1 * rng.normal()} if kind == "helical" else {}
    return getattr(vc, kind.capitalize())(name, parent, child, axis=axis, **extra, **common)


def random_prescribed(rng, name: str = "driven") -> vc.PrescribedBody:
    """A body on a smooth path: harmonics for its position, turns about two axes or about one that moves; now and then massless."""
    first, second, (a, b, c) = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(3, 3))
    beat, late = rng.uniform(0.5, 2.0, 3), rng.uniform(0, 6, 3)

    def position(t):
        return [a[i] + 0.3 * b[i] * vc.math.sin(beat[i] * t + late[i]) for i in range(3)]

    def turned(t):
        return rotation(first / np.linalg.norm(first), c[0] * t) @ rotation(
            second / np.linalg.norm(second), c[1] * vc.math.sin(t)
        )

    def turned_about(t):
        return first + 0.5 * vc.math.sin(t) * np.cross(first, second), c[0] + c[1] * t

    def quaternion(t):
        return [1.5, c[0] * vc.math.cos(t), c[1] * vc.math.sin(2 * t), 0.3 * t]

    given = (turned, turned_about, quaternion, (second, lambda t: c[2] * t * t))[rng.integers(4)]
    mass = {} if rng.random() < 0.4 else {"mass": 1.3, "com": 0.2 * rng.normal(size=3), "inertia": random_inertia(rng)}
    return vc.PrescribedBody(name, position, given, **mass)


def random_system(rng, count: int, kinds=KINDS, forces: bool = True, driven: bool = False) -> vc.System:
    """A system of ``count`` bodies: branches of any shape, several roots, now and then a mass point as a leaf.

    ``driven``: the first root is a prescribed body.
    """
    system = vc.System("random", gravity=rng.normal(size=3) * 5)
    bodies: list = [system.add(random_prescribed(rng))] if driven else []
    for i in range(count):
        kind = kinds[rng.integers(len(kinds))]
        parent = bodies[rng.integers(len(bodies))] if bodies and rng.random() < 0.9 else "ground"
        point = kind in ("prismatic", "translation") and rng.random() < 0.3
        mass = rng.uniform(0.3, 3.0)
        body = (
            vc.MassPoint(f"body{i}", mass)
            if point
            else vc.RigidBody(f"body{i}", mass, 0.2 * rng.normal(size=3), random_inertia(rng))
        )
        system.add(body)
        system.add(random_joint(rng, kind, f"joint{i}", parent, body, forces))
        if not point:
            bodies.append(body)
    return system


def defaults(tape) -> list[float]:
    """Default values of a tape's parameters: the attitudes that rotation charts count from."""
    return [x for _, x in tape.parameters]


def random_state(tree, rng) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates on their charts and velocities."""
    q = np.empty(tree.nq)
    for link in tree.links:
        joint = link.joint
        own = rng.uniform(-1.2, 1.2, joint.nq)
        chart = getattr(joint, "chart", None)
        if chart is not None and chart.name == "quaternion":
            own[-4:] /= np.linalg.norm(own[-4:])
        if chart is not None and chart.name == "zxz":
            own[-2] = rng.uniform(0.4, 2.7)
        q[link.q] = own
    return q, rng.normal(size=tree.nv)


def tree_outputs(tape, inputs) -> dict:
    """The outputs of a tape over symbols, by name."""
    values = play(tape, inputs)
    flat = np.array([*(values[r] for r in tape.results.tolist()), None], dtype=object)[:-1]
    return {name: flat[place] for name, place in tape.slices(tape.outputs).items()}


FOREST_KINDS = (
    "revolute",
    "prismatic",
    "helical",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "free",
    "weld",
    "translation",
)


def random_forest(rng, structures: int = 3, copies: int = 3, driven: bool = False) -> vc.System:
    """``copies`` of each of some trees with joints of the same kinds and other numbers, and as many free bodies and mass points."""
    system = vc.System("forest", gravity=5.0 * rng.normal(size=3))
    if driven:
        system.add(random_prescribed(rng))
    for s in range(structures):
        shape, count = int(rng.integers(1 << 30)), int(rng.integers(1, 4))
        for c in range(copies):
            _add_tree(system, np.random.default_rng(shape), rng, f"{s}{c}", count)
    for c in range(copies):
        system.add(vc.RigidBody(f"free {c}", rng.uniform(0.3, 3.0), 0.2 * rng.normal(size=3), random_inertia(rng)))
        system.add(vc.MassPoint(f"point {c}", rng.uniform(0.3, 3.0)))
    return system


def _add_tree(system: vc.System, shape, rng, name: str, count: int) -> None:
    """A chain of joints whose kinds are drawn by ``shape``; all numbers by ``rng``."""
    parent = "ground"
    for i in range(count):
        kind = FOREST_KINDS[shape.integers(len(FOREST_KINDS))]
        body = system.add(
            vc.RigidBody(f"body {name} {i}", rng.uniform(0.3, 3.0), 0.2 * rng.normal(size=3), random_inertia(rng))
        )
        system.add(random_joint(rng, kind, f"joint {name} {i}", parent, body, True))
        parent = body
