"""Poses and reactions from the user's own description, by plain NumPy, next to the model's working frames."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from trees import KINDS, defaults, random_inertia, random_pose, random_state, random_system
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.types import model_of

AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (0, -2, 0), (1, 1, 0), (0.3, -0.2, 0.9), (1e-6, 0, 1)]
AXIAL = ("revolute", "revolute", "prismatic", "helical", "cylindrical")


def homogeneous(R=None, p=(0, 0, 0)) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = np.eye(3) if R is None else R
    X[:3, 3] = p
    return X


def turn(axis, angle) -> np.ndarray:
    axis = np.asarray(axis, dtype=float)
    return Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle).as_matrix()


def attitude(chart, c) -> np.ndarray:
    if chart.name == "quaternion":
        return Rotation.from_quat([*c[1:], c[0]]).as_matrix()
    if chart.name == "fedorov":
        return Rotation.from_rotvec(2 * np.arctan(np.linalg.norm(c)) * np.asarray(c) / np.linalg.norm(c)).as_matrix()
    return Rotation.from_euler(chart.name.upper(), c).as_matrix()


def moved(joint, q) -> np.ndarray:
    """Motion of the child's joint frame in the parent's, as the joint's documentation says it."""
    kind = type(joint).__name__
    unit = np.asarray(getattr(joint, "axis", (0, 0, 1)), dtype=float)
    unit = unit / np.linalg.norm(unit)
    return {
        "Revolute": lambda: homogeneous(turn(unit, q[0])),
        "Prismatic": lambda: homogeneous(p=unit * q[0]),
        "Helical": lambda: homogeneous(turn(unit, q[0]), unit * joint.pitch * q[0]),
        "Cylindrical": lambda: homogeneous(turn(unit, q[1]), unit * q[0]),
        "Universal": lambda: homogeneous(turn(joint.axes[0], q[0]) @ turn(joint.axes[1], q[1])),
        "Spherical": lambda: homogeneous(attitude(joint.chart, q)),
        "Planar": lambda: homogeneous(turn((0, 0, 1), q[2]), (q[0], q[1], 0)),
        "Translation": lambda: homogeneous(p=q),
        "Free": lambda: homogeneous(attitude(joint.chart, q[3:]), q[:3]),
        "Weld": homogeneous,
    }[kind]()


def poses_by_hand(system: vc.System, q_of) -> dict[str, np.ndarray]:
    carrier = {j.child.name if not isinstance(j.child, str) else j.child: j for j in system.joints.values()}
    poses = {"ground": np.eye(4)}

    def pose(name):
        if name not in poses:
            joint = carrier[name]
            parent = joint.parent if isinstance(joint.parent, str) else joint.parent.name
            at, to = homogeneous(joint.at.R, joint.at.p), homogeneous(joint.to.R, joint.to.p)
            poses[name] = pose(parent) @ at @ moved(joint, q_of(joint.name)) @ np.linalg.inv(to)
        return poses[name]

    for name in system.bodies:
        pose(name)
    return poses


def axial_system(rng, count: int) -> vc.System:
    """Joints with one axis only, many of them parallel, on branches: where working frames are laid along normals."""
    system = vc.System("axial", gravity=rng.normal(size=3) * 5)
    for i in range(count):
        body = system.add(vc.RigidBody(f"body{i}", rng.uniform(0.5, 2), 0.2 * rng.normal(size=3), random_inertia(rng)))
        parent = "ground" if i == 0 else f"body{rng.integers(max(0, i - 3), i)}"
        kind = AXIAL[rng.integers(len(AXIAL))]
        extra = {"pitch": 0.2} if kind == "helical" else {}
        plain = rng.random() < 0.6
        frames = {"at": 0.4 * rng.normal(size=3)} if plain else {"at": random_pose(rng), "to": random_pose(rng)}
        axis = AXES[rng.integers(len(AXES))]
        system.add(getattr(vc, kind.capitalize())(f"joint{i}", parent, body, axis=axis, **extra, **frames))
    return system


def systems():
    for seed in range(24):
        rng = np.random.default_rng(seed)
        yield random_system(rng, 6, KINDS), rng
        yield axial_system(rng, 7), rng


def test_bodies_are_where_the_description_puts_them():
    for system, rng in systems():
        tree = system.tree()
        model = model_of(tree)
        q, v = random_state(tree, rng)
        by_hand = poses_by_hand(system, lambda name, q=q, tree=tree: q[tree.links[tree.joints[name]].q])
        placed = evaluate_groups(
            model.tape("bodies"), np.concatenate([q, v, [0.0], defaults(model.tape("bodies"))])[None]
        )
        for name, X in by_hand.items():
            if name != "ground":
                assert np.abs(placed[f"{name}/position"][0] - X[:3, 3]).max() < 1e-12
                assert np.abs(placed[f"{name}/rotation"][0].reshape(3, 3) - X[:3, :3]).max() < 1e-12
                center = X[:3, :3] @ system.bodies[name].center + X[:3, 3]
                assert np.abs(placed[f"{name}/center"][0] - center).max() < 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_a_reaction_carries_all_that_hangs_on_the_joint(seed):
    """Force and moment at the child's joint origin are the rates of momentum of all carried bodies, less their weight."""
    rng = np.random.default_rng(seed)
    system = (
        axial_system(rng, 5)
        if seed % 2
        else random_system(rng, 5, ("revolute", "spherical", "planar", "universal", "weld"))
    )
    tree = system.tree()
    q, v = random_state(tree, rng)
    start = {k.joint.name: vc.At(q[k.q], rate=v[k.v]) for k in tree.links if k.joint.nv}
    motion = vc.simulate(system, 0.02, start)
    t, h = 0.01, 1e-3
    around = motion.at(t + h * np.array([-2, -1, 0, 1, 2]))
    weights = np.array([1, -8, 0, 8, -1]) / (12 * h)
    for link in tree.links:
        carried = [k for k in tree.links if link.index in tree.path(k.index)]
        to = link.joint.to.p
        origin = around.body(link.body.name).point(to).position[2]
        force, moment = np.zeros(3), np.zeros(3)
        for k in carried:
            screw = around.body(k.body.name).momentum
            rate = weights @ screw
            weight = k.mass * system.gravity
            force += rate[:3] - weight
            moment += rate[3:] - np.cross(around.body(k.body.name).center[2], weight)
        moment -= np.cross(origin, force)
        size = np.abs(force).max() + np.abs(moment).max() + 1.0
        found = around.joint(link.joint.name).reaction[2]
        assert np.abs(found - np.concatenate([force, moment])).max() < 1e-6 * size
