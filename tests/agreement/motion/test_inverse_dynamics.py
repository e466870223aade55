"""Inverse dynamics by two forms, along motions, from the user's own description, and under external wrenches."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from actions import add_random_actions
from points import Clouds, joined
from trees import KINDS, random_inertia, random_pose, random_state, random_system
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.forms import telegin
from vinculum.models.model_cache import model_for
from vinculum.motion.states import tape_rows
from vinculum.scalars import symbol, symbols
from vinculum.systems import world_poses


def accelerations(motion) -> np.ndarray:
    return evaluate_groups(
        motion.record.model.tape("motion"), tape_rows(motion.record, motion.time, np.hstack([motion.q, motion.v]))
    )["v_dot"]


def start_of(tree, q, v) -> dict:
    return {k.joint.name: vc.At(q[k.q], rate=v[k.v]) for k in tree.links if k.joint.nv}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", [1, 5])
def test_telegin_and_the_recursion_give_the_same_forces_and_wrenches(kind, batch):
    for seed in range(4):
        rng = np.random.default_rng([seed, KINDS.index(kind)])
        system = random_system(rng, 5, (kind, "revolute", "prismatic"))
        tree = system.tree()
        q, v = (np.stack(x) for x in zip(*(random_state(tree, rng) for _ in range(batch)), strict=True))
        a = rng.normal(size=(batch, tree.nv))
        external = {"body0": rng.normal(size=6), "body3": rng.normal(size=(batch, 6)),
                    "body4": vc.Wrench(force=rng.normal(size=3), moment=rng.normal(size=(batch, 3)), at=rng.normal(size=3))}  # fmt: skip
        one, two = (
            vc.inverse_dynamics(system, q, v, a, external=external, form=f) for f in ("telegin", "newton-euler")
        )
        size = 1.0 + max(np.abs(two.wrench(joint)).max() for joint in tree.joints)
        assert one.forces.shape == (batch, tree.nv)
        assert np.abs(one.forces - two.forces).max(initial=0.0) < 1e-12 * size
        assert np.abs(one.missing - two.missing).max(initial=0.0) < 1e-12 * size
        for joint in tree.joints:
            assert one.wrench(joint).shape == (batch, 6)
            assert np.abs(one.wrench(joint) - two.wrench(joint)).max() < 1e-12 * size


@pytest.mark.parametrize("seed", range(6))
def test_reactions_along_a_run_are_those_of_its_accelerations(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 5)
    tree = system.tree()
    motion = vc.simulate(system, 0.05, start_of(tree, *random_state(tree, rng)))
    found = vc.inverse_dynamics(system, motion.q, motion.v, accelerations(motion), t=motion.time)
    size = 1.0 + max(np.abs(motion.joint(joint).reaction).max() for joint in tree.joints)
    assert np.abs(found.missing).max(initial=0.0) < 1e-10 * size
    for joint in tree.joints:
        assert np.abs(found.wrench(joint) - motion.joint(joint).reaction).max() < 1e-10 * size


def test_equations_hold_along_a_motion_of_an_independent_lagrange_solver():
    """M and h from the Jacobians of point masses, integrated by SciPy; the projected equations must vanish on it."""
    rng = np.random.default_rng(11)
    system = random_system(rng, 5, ("revolute", "prismatic", "cylindrical", "universal"), forces=False)
    tree = system.tree()
    n, clouds, still = tree.nv, Clouds(tree), np.zeros(tree.nv)

    def lagrange(q, v):
        *columns, now = (joined(row) for row in clouds.rows([[*q, *u, *still] for u in (*np.eye(n), v)]))
        J = np.stack([c.v.ravel() for c in columns], axis=1)
        W = np.repeat(now.mass, 3)
        return J.T @ (W[:, None] * J), J.T @ (W * (now.a - tree.gravity).ravel())

    def field(t, y):
        M, h = lagrange(y[:n], y[n:])
        return np.concatenate([y[n:], -np.linalg.solve(M, h)])

    def energy(y):
        now = joined(clouds(y[:n], y[n:], still))
        return 0.5 * now.mass @ np.sum(now.v**2, axis=1) - now.mass @ (now.x @ tree.gravity)

    q, v = random_state(tree, rng)
    run = solve_ivp(
        field, (0, 0.2), np.concatenate([q, v]), method="DOP853", rtol=1e-11, atol=1e-12, t_eval=[0, 0.1, 0.2]
    )
    Y = run.y.T
    a = np.stack([field(0.0, y)[n:] for y in Y])
    found = vc.inverse_dynamics(system, Y[:, :n], Y[:, n:], a)
    size = max(np.abs(lagrange(y[:n], y[n:])[1]).max() for y in Y)
    assert np.abs(found.forces).max() < 1e-9 * size
    assert abs(energy(Y[-1]) - energy(Y[0])) < 1e-8 * (1.0 + abs(energy(Y[0])))


def test_a_hinged_chain_from_the_users_description_alone():
    """Wrenches at the joints of a three-body chain with frames, by NumPy from positions differentiated in time."""
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(21)
    g = np.array([0.7, -1.1, -9.6])
    system, parts = vc.System("chain", gravity=g), []
    for i in range(3):
        at, to, axis = random_pose(rng), random_pose(rng), rng.normal(size=3)
        mass, com, J = rng.uniform(0.5, 2), 0.3 * rng.normal(size=3), random_inertia(rng)
        system.add(vc.RigidBody(f"b{i}", mass, com, J))
        kind = vc.Prismatic if i == 1 else vc.Revolute
        system.add(kind(f"j{i}", f"b{i - 1}" if i else "ground", f"b{i}", axis=axis, at=at, to=to))
        parts.append((at, to, axis / np.linalg.norm(axis), mass, com, J, i == 1))
    q, v, a = rng.normal(size=(3, 3))
    force, point = np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.2, -0.3])

    def placed(t):
        """Rotation, origin and joint origin of every body at a time around the instant."""
        R, p, found = np.eye(3), np.zeros(3), []
        for (at, to, axis, *_, slides), x in zip(parts, q + v * t + 0.5 * a * t * t, strict=True):
            turn = np.eye(3) if slides else Rotation.from_rotvec(axis * x).as_matrix()
            p_joint = p + R @ (at.p + at.R @ (axis * x if slides else np.zeros(3)))
            R = R @ at.R @ turn @ to.R.T
            p = p_joint - R @ to.p
            found.append((R, p, p_joint))
        return found

    h = 1e-3
    around = [placed(k * h) for k in (-3, -2, -1, 0, 1, 2, 3)]
    second = np.array([2, -27, 270, -490, 270, -27, 2]) / (180 * h * h)
    found = vc.inverse_dynamics(system, q, v, a, external={"b2": vc.Wrench(force=force, at=point)})
    for i in range(3):
        F, M, O = np.zeros(3), np.zeros(3), around[3][i][2]
        for k in range(i, 3):
            *_, mass, com, J, _ = parts[k]
            R = around[3][k][0]
            c = np.array([at[k][0] @ com + at[k][1] for at in around])
            spin = np.array([at[k][0] @ (np.trace(0.5 * J) * np.eye(3) - J) for at in around])
            pull = mass * (second @ c - g)
            H = np.tensordot(second, spin, 1) @ R.T
            turning = np.array([H[2, 1] - H[1, 2], H[0, 2] - H[2, 0], H[1, 0] - H[0, 1]])
            F, M = F + pull, M + turning + np.cross(c[3] - O, pull)
        R, p, _ = around[3][2]
        F, M = F - force, M - np.cross(p + R @ point - O, force)
        assert np.abs(found.wrench(f"j{i}") - np.concatenate([F, M])).max() < 1e-6
        R, to, axis = around[3][i][0], parts[i][1], parts[i][2]
        along = R @ to.R @ axis
        assert abs(found.forces[i] - along @ (F if parts[i][-1] else M)) < 1e-6


def test_inner_forces_on_one_line_load_only_what_lies_between():
    rng = np.random.default_rng(31)
    system = random_system(rng, 1, ("revolute",), forces=False)
    for i in range(1, 5):
        body = system.add(vc.RigidBody(f"body{i}", 1.0, 0.2 * rng.normal(size=3), random_inertia(rng)))
        system.add(vc.Revolute(f"joint{i}", f"body{i - 1}", body, axis=rng.normal(size=3), at=random_pose(rng)))
    tree = system.tree()
    q, v = random_state(tree, rng)
    a = rng.normal(size=tree.nv)
    ends = {"body2": rng.normal(size=3), "body4": rng.normal(size=3)}
    poses = world_poses(tree, q)
    place = {}
    for name, p in ends.items():
        i = tree.bodies[name]
        place[name] = (poses[i] @ tree.links[i].X_LB).apply(p)
    pull = 2.5 * (place["body4"] - place["body2"])
    pair = {"body2": vc.Wrench(force=pull, at=ends["body2"]), "body4": vc.Wrench(force=-pull, at=ends["body4"])}
    loose, pulled = vc.inverse_dynamics(system, q, v, a), vc.inverse_dynamics(system, q, v, a, external=pair)
    for i in range(3):
        assert np.abs(loose.wrench(f"joint{i}") - pulled.wrench(f"joint{i}")).max() < 1e-11
    for i in (3, 4):
        assert np.abs(loose.wrench(f"joint{i}") - pulled.wrench(f"joint{i}")).max() > 0.1


def test_a_joint_moved_along_its_axis_is_the_same_joint():
    axis, shift = np.array([1.0, 2.0, 2.0]) / 3, 0.7

    def arm(s):
        system = vc.System("arm", gravity=(0, 0, -9.81))
        for i in range(3):
            system.add(vc.RigidBody(f"b{i}", 1.0 + i, (0.1, 0.2 * i, -0.3), np.diag([0.1, 0.2, 0.15])))
        system.add(vc.Revolute("j0", "ground", "b0", axis=(0, 1, 0)))
        system.add(vc.Revolute("j1", "b0", "b1", axis=axis, at=np.array([0.3, 0, 0.1]) + s * axis, to=s * axis))
        system.add(vc.Revolute("j2", "b1", "b2", axis=(1, 0, 0), at=(0, 0.4, 0)))
        return system

    q, v, a = np.random.default_rng(41).normal(size=(3, 6, 3))
    here, there = (vc.inverse_dynamics(arm(s), q, v, a) for s in (0.0, shift))
    assert np.abs(here.forces - there.forces).max() < 1e-11
    assert np.abs(here.wrench("j1")[:, 3:] - there.wrench("j1")[:, 3:]).max() > 0.1
    start = {"j0": 0.3, "j1": vc.At(-0.4, rate=1.0), "j2": 0.2}
    one, two = (vc.simulate(arm(s), 0.5, start) for s in (0.0, shift))
    assert np.abs(one.q[-1] - two.q[-1]).max() < 1e-9


def test_parameters_drives_and_time_enter_the_forces():
    k = vc.parameter("k", 2.0)
    m = vc.parameter("m", 1.0)
    system = vc.System("driven", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("bob", m, (0, 0, -1), np.zeros((3, 3))))
    drive = lambda t, q: 3.0 * t - k * q
    system.add(vc.Revolute("pin", "ground", "bob", axis=(0, 1, 0), damping=0.5, stiffness=4.0, drive=drive))
    q, v, a, t = 0.3, 0.7, -0.2, np.array([0.0, 2.0])
    found = vc.inverse_dynamics(system, [q], [v], [a], t=t, parameters={"m": [1.0, 3.0], "k": 5.0})
    total = np.array([1.0, 3.0]) * (a + 9.81 * np.sin(q))
    supplied = -0.5 * v - 4.0 * q + 3.0 * t - 5.0 * q
    assert np.abs(found.forces[:, 0] - total).max() < 1e-13
    assert np.abs(found.drive("pin") - (total - supplied)).max() < 1e-13
    assert np.abs(found.missing[:, 0] - found.drive("pin")).max() == 0


def test_literal_vector_form_and_public_wrenches_agree():
    rng = np.random.default_rng(51)
    system = random_system(rng, 7)
    tree = system.tree()
    q, v = random_state(tree, rng)
    a = rng.normal(size=tree.nv)
    found = vc.inverse_dynamics(system, q, v, a)
    for name, F in zip(tree.joints, telegin.base_reactions(tree, q, v, a), strict=True):
        assert np.abs(found.wrench(name) - F).max() < 1e-11 * (1 + np.abs(F).max())


def test_long_batches_run_as_machine_code_and_keep_their_digits():
    rng = np.random.default_rng(61)
    system = random_system(rng, 6, ("revolute", "spherical", "prismatic"))
    tree = system.tree()
    q, v = (np.stack(x) for x in zip(*(random_state(tree, rng) for _ in range(64)), strict=True))
    a = rng.normal(size=(64, tree.nv))
    few = vc.inverse_dynamics(system, q, v, a).forces
    many = vc.inverse_dynamics(system, *(np.tile(x, (2000, 1)) for x in (q, v, a))).forces
    assert np.abs(many.reshape(2000, 64, -1) - few).max() < 1e-12 * (1 + np.abs(few).max())
    assert model_for(system).tree is tree


def test_parameters_in_places_axes_and_masses_are_symbols_to_both_forms():
    rng = np.random.default_rng(71)
    L, m, tilt = vc.parameter("L", 0.5), vc.parameter("m", 1.0), vc.parameter("tilt", 0.2)
    system = vc.System("parametric", gravity=(0, 0, -9.81))
    for i in range(5):
        system.add(vc.RigidBody(f"b{i}", m * (1.0 + i), (0.1, L, 0.2), np.diag([0.2, 0.3, 0.4]) * m))
    system.add(vc.Revolute("j0", "ground", "b0", axis=(tilt, 0, 1), at=(0, L, 0)))
    system.add(vc.Helical("j1", "b0", "b1", axis=(0, 1, tilt), pitch=0.1 * L, at=(L, 0, 0)))
    system.add(vc.Universal("j2", "b1", "b2", axes=((1, 0, tilt), (0, 1, 0)), at=(0, 0, L), to=(L, 0, 0)))
    system.add(vc.Prismatic("j3", "b0", "b3", axis=(1, 0, 0), at=(0, 0, -L)))
    system.add(vc.Revolute("j4", "b3", "b4", axis=(0, 1, 1), at=(0, L, -L)))
    q, v, a = rng.normal(size=(3, 4, 6))
    values = {"L": [0.3, 0.5, 0.7, 1.0], "m": 2.0, "tilt": -0.4}
    one, two = (vc.inverse_dynamics(system, q, v, a, parameters=values, form=f) for f in ("telegin", "newton-euler"))
    assert np.abs(one.forces - two.forces).max() < 1e-12 * np.abs(two.forces).max()
    for i in range(5):
        assert np.abs(one.wrench(f"j{i}") - two.wrench(f"j{i}")).max() < 1e-12 * np.abs(two.wrench("j0")).max()


def test_standard_form_and_residual_are_graphs_too():
    rng = np.random.default_rng(81)
    tree = random_system(rng, 5).tree()
    q, v, a, t = symbols("q", tree.nq), symbols("v", tree.nv), symbols("a", tree.nv), symbol("t")
    M, h = telegin.standard_form(tree, q, v, t)
    outputs = {"whole": telegin.projected_residual(tree, t, q, v, a), "parts": M @ a + h}
    tape = trace({"q": q, "v": v, "a": a, "t": np.array([t])}, outputs)
    found = arrays.evaluate(tape, np.concatenate([*random_state(tree, rng), rng.normal(size=tree.nv), [0.2]])[None])
    whole, parts = found.reshape(2, tree.nv)
    assert np.abs(whole - parts).max() < 1e-12 * (1 + np.abs(whole).max())


@pytest.mark.parametrize("seed", range(8))
def test_potentials_and_forces_act_besides_the_joints(seed):
    """Along a run with actions nothing is missing, both forms agree, and the wrenches are the run's reactions."""
    rng = np.random.default_rng(seed)
    system = random_system(rng, 4)
    if not any(body.turns for body in system.bodies.values()):
        system.add(vc.RigidBody("extra", 1.0, (0.1, 0.2, 0.3), (0.1, 0.2, 0.15)))
    add_random_actions(system, rng, 3)
    tree = system.tree()
    motion = vc.simulate(system, 0.05, start_of(tree, *random_state(tree, rng)), method="dop853", grid=11)
    for form in ("telegin", "newton-euler"):
        got = vc.inverse_dynamics(system, motion.q, motion.v, accelerations(motion), t=motion.time, form=form)
        size = 1.0 + max(np.abs(motion.joint(joint).reaction).max() for joint in tree.joints)
        assert np.abs(got.missing).max(initial=0.0) < 1e-10 * size
        for joint in tree.joints:
            assert np.abs(got.wrench(joint) - motion.joint(joint).reaction).max() < 1e-10 * size
