"""A force at a point of a body, rebuilt from the user's description with NumPy alone: Jᵀ f, and the wrench it asks of the joints."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.newton_euler import inverse_dynamics

ANGLES = np.array([0.7, -1.1, 0.4])
AT = [np.array([0.2, -0.1, 0.3]), np.array([0.1, 0.4, -0.2]), np.array([-0.3, 0.2, 0.5])]
TO = [np.array([0.05, 0.1, -0.2]), np.array([-0.1, 0.0, 0.15]), np.array([0.2, -0.25, 0.1])]
AXES = [np.array([0, 0, 1.0]), np.array([1.0, 2.0, -0.5]), np.array([0.3, -1.0, 0.8])]
COM, MASS = np.array([0.1, -0.2, 0.3]), 1.3


def system(gravity=(0.0, 0.0, 0.0)) -> vc.System:
    made = vc.System("three hinges", gravity=gravity)
    parent = "ground"
    for i in range(3):
        made.add(vc.RigidBody(f"body{i}", MASS, COM, (0.2, 0.25, 0.3)))
        made.add(vc.Revolute(f"hinge{i}", parent, f"body{i}", axis=AXES[i], at=AT[i], to=TO[i]))
        parent = f"body{i}"
    return made


def poses(angles) -> list[tuple[np.ndarray, np.ndarray]]:
    """R_WB and p_WB of every body: the point ``to`` of the child lies on the point ``at`` of the parent."""
    R, p, result = np.eye(3), np.zeros(3), []
    for angle, at, to, axis in zip(angles, AT, TO, AXES, strict=True):
        hinge = p + R @ at
        R = R @ Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()
        p = hinge - R @ to
        result.append((R, p))
    return result


def jacobian(body: int, point) -> np.ndarray:
    """∂(world position of a body's point)/∂angles by central differences of the description."""

    def place(angles):
        R, p = poses(angles)[body]
        return p + R @ point

    h = 1e-6
    return np.stack([(place(ANGLES + h * e) - place(ANGLES - h * e)) / (2 * h) for e in np.eye(3)], axis=1)


def wrench_in_link(tree, body: int, force_world, point) -> list:
    """The external wrench of every link: the force, seen in the link's axes at its origin."""
    link = tree.links[tree.bodies[f"body{body}"]]
    f_L = link.X_LB.R @ (poses(ANGLES)[body][0].T @ force_world)
    external: list = [None] * len(tree.links)
    external[link.index] = np.concatenate([f_L, np.cross(link.X_LB.apply(np.asarray(point)), f_L)])
    return external


FORCE, POINT = np.array([2.0, -1.0, 0.7]), np.array([0.3, 0.2, -0.4])


@pytest.mark.parametrize("body", range(3))
def test_a_force_at_a_point_is_the_generalized_force_of_its_jacobian(body):
    tree = system().tree()
    v = np.array([0.5, -0.8, 1.1])
    external = wrench_in_link(tree, body, FORCE, POINT)
    tau = jacobian(body, POINT).T @ FORCE
    needed, _ = inverse_dynamics(tree, ANGLES, np.zeros(3), np.zeros(3), external)
    assert needed.astype(float) == pytest.approx(-tau, abs=1e-8)
    for route in (articulated.accelerations, composite.accelerations):
        pushed = route(tree, ANGLES, v, np.zeros(3), external).astype(float)
        assert pushed == pytest.approx(route(tree, ANGLES, v, tau).astype(float), abs=1e-6)
        assert np.abs(pushed - route(tree, ANGLES, v, np.zeros(3)).astype(float)).max() > 0.1


@pytest.mark.parametrize("body", range(3))
def test_the_joints_below_a_force_carry_its_opposite(body):
    tree = system().tree()
    _, wrenches = inverse_dynamics(tree, ANGLES, np.zeros(3), np.zeros(3), wrench_in_link(tree, body, FORCE, POINT))
    R, p = poses(ANGLES)[body]
    acting = p + R @ POINT
    for i, link in enumerate(tree.links):
        R_i, p_i = poses(ANGLES)[i]
        R_WL, p_WL = R_i @ link.X_LB.R.T, p_i - R_i @ link.X_LB.R.T @ link.X_LB.p
        f, m = R_WL @ wrenches[i][:3].astype(float), R_WL @ wrenches[i][3:].astype(float)
        expected = -FORCE if i <= body else np.zeros(3)
        assert f == pytest.approx(expected, abs=1e-12)
        assert m == pytest.approx(np.cross(acting - p_WL, expected), abs=1e-12)


def test_reactions_at_rest_carry_the_weights_at_the_childs_joint_origin():
    """A welded chain of three: force and moment at each joint's point ``to`` from the weights of all that it carries."""
    made = vc.System("shelf", gravity=(0, 0, -9.81))
    parent, frames, R, p = "ground", [], np.eye(3), np.zeros(3)
    for i in range(3):
        made.add(vc.RigidBody(f"body{i}", MASS, COM, (0.2, 0.25, 0.3)))
        turn = Rotation.from_rotvec(0.4 * AXES[i]).as_matrix()
        at, to = (
            vc.Pose(AT[i], rotation=turn),
            vc.Pose(TO[i], rotation=Rotation.from_rotvec([0.1, 0.2, 0.3]).as_matrix()),
        )
        made.add(vc.Weld(f"weld{i}", parent, f"body{i}", at=at, to=to))
        joint, R = p + R @ AT[i], R @ turn @ to.R.T
        p = joint - R @ TO[i]
        frames.append((joint, p + R @ COM))
        parent = f"body{i}"
    motion = vc.simulate(made, 1.0)
    weight = np.array([0, 0, -9.81 * MASS])
    for i, (joint, _) in enumerate(frames):
        moments = sum(np.cross(center - joint, -weight) for _, center in frames[i:])
        assert motion.joint(f"weld{i}").reaction[-1] == pytest.approx([*(-(3 - i) * weight), *moments], abs=1e-12)
        assert motion.body(f"body{i}").point(TO[i]).position[-1] == pytest.approx(joint, abs=1e-12)


@pytest.mark.parametrize("tilt", [1e-3, 5e-3, 1e-6, 3e-8])
def test_axes_that_are_nearly_parallel_are_not_taken_for_parallel(tilt):
    """The pose of the second body, from the description: a tilt of the axis is kept to all digits."""
    made = vc.System("nearly parallel")
    axes = (np.array([0, 0, 1.0]), np.array([np.sin(tilt), 0, np.cos(tilt)]))
    made.add(vc.RigidBody("first", 1.0, inertia=(1, 1, 1)))
    made.add(vc.RigidBody("second", 1.0, (0.1, 0.2, 0.3), (1, 1, 1)))
    made.add(vc.Revolute("base", "ground", "first", axis=axes[0]))
    made.add(vc.Revolute("joint", "first", "second", axis=axes[1], at=(0.5, 0.2, 0.1)))
    motion = vc.simulate(made, 0.1, {"base": 0.3, "joint": 1.5})
    R = Rotation.from_rotvec(0.3 * axes[0]).as_matrix()
    expected = R @ Rotation.from_rotvec(1.5 * axes[1]).as_matrix()
    assert motion.body("second").rotation[0] == pytest.approx(expected, abs=1e-14)
    assert motion.body("second").position[0] == pytest.approx(R @ [0.5, 0.2, 0.1], abs=1e-14)
