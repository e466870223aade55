"""Cheremensky's (22)–(26), (35) and (36), and the reduction q = N q̃, against positions and closed forms."""

import numpy as np
import pytest

import vinculum as vc
from trees import random_inertia, random_pose, random_state
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.forms.boltzmann_hamel import energies_from_positions
from vinculum.equations.forms.lagrange import block_form, second_kind
from vinculum.scalars import directional, gradient, jacobian, substitute, symbol, symbols
from vinculum.screws import L_tw, Phi, Pose, axial, chart, skew

G = 9.81


def chain(charts, forces=False) -> vc.System:
    rng = np.random.default_rng(2)
    system, parent = vc.System("chain", gravity=(1.0, 2.0, -5.0)), "ground"
    more = {"damping": 0.2, "stiffness": 1.5} if forces else {}
    for k, name in enumerate(charts):
        body = system.add(vc.RigidBody(f"b{k}", 1.0 + k, 0.3 * rng.normal(size=3), random_inertia(rng)))
        system.add(vc.Free(f"j{k}", parent, body, chart=name, at=random_pose(rng), to=random_pose(rng), **more))
        parent = body
    return system


def free_joint_matrix(rotations, q, moving: bool = False) -> np.ndarray:
    r"""M (6, 3 + size) of a joint that frees all six directions, V = M q̇ with q = (d, λ). Cheremensky (35).

    .. math:: M = \begin{bmatrix} C^T & O\\ O & D\end{bmatrix},\qquad
              M = \begin{bmatrix} I & -d^\times D\\ O & D\end{bmatrix}

    The first holds for d in the parent's axes, the second (``moving``) for d in the child's axes.
    """
    X, D = Pose.of(rotations.matrix(q[3:]), q[:3]), rotations.D(q[3:])
    below = [np.zeros((3, 3)), D]
    if moving:
        return np.block([[np.eye(3), -(skew(X.p) @ D)], below])
    return np.block([[X.R.T, np.zeros((3, rotations.size))], below])


def values(inputs, outputs, rows):
    return arrays.evaluate(trace(inputs, outputs), rows)


@pytest.mark.parametrize("charts", [("xyz", "fedorov"), ("zxz", "xyz", "fedorov")])
def test_the_matrices_of_36_give_the_equations_of_euler_and_lagrange(charts):
    """𝒜 q̈ + ℬ q̇ − ℱ against d/dt ∂T/∂q̇ − ∂(T − U)/∂q with energies from positions only; 𝒜 > 0; q̇ᵀ(𝒜̇ − 2ℬ) q̇ = 0."""
    system = chain(charts)
    tree = system.tree()
    n = tree.nq
    q, q_dot, a, t = symbols("q", n), symbols("qd", n), symbols("a", n), symbol("t")
    blocks = block_form(tree, q, q_dot, t)
    v = np.concatenate([link.joint.kind.coordinates.velocities(q[link.q], q_dot[link.q]) for link in tree.links])
    u = symbols("u", n)
    T, U = energies_from_positions(tree, q, u, t)
    T = substitute([T], u, v)[0]
    p = gradient(T, q_dot)
    left = jacobian(p, q_dot) @ a + directional(p, q, q_dot) - gradient(T - U, q)
    right = blocks["A"] @ a + blocks["B"] @ q_dot - blocks["F"]
    power = q_dot @ (directional(blocks["A"], q, q_dot) - 2.0 * blocks["B"]) @ q_dot
    rng = np.random.default_rng(4)
    rows = [np.concatenate([random_state(tree, rng)[0], rng.normal(size=2 * n)]) for _ in range(3)]
    found = values({"q": q, "qd": q_dot, "a": a}, {"zero": left - right, "power": [power], "A": blocks["A"], "left": left},
                   np.stack(rows))  # fmt: skip
    size = np.abs(found[:, n + 1 :]).max()
    assert np.abs(found[:, : n + 1]).max() < 1e-12 * size
    for A in found[:, n + 1 : n + 1 + n * n].reshape(-1, n, n):
        assert pytest.approx(A.T, abs=1e-12 * size) == A
        assert np.linalg.eigvalsh(A).min() > 0


@pytest.mark.parametrize("moving", [False, True], ids=["parent's axes", "moving axes"])
@pytest.mark.parametrize("name", ["xyz", "zxz", "fedorov"])
def test_both_rows_of_the_table_of_M_give_the_relative_twist(name, moving):
    """M q̇ against the differentiated pose, for d in the parent's axes and in the child's."""
    kind = chart(name)
    q, q_dot = symbols("q", 6), symbols("qd", 6)
    R = kind.matrix(q[3:])
    X = Pose.of(R, R @ q[:3] if moving else q[:3])
    twist = np.concatenate([X.R.T @ directional(X.p, q, q_dot), axial(X.R.T @ directional(X.R, q, q_dot))])
    rng = np.random.default_rng(1)
    row = np.concatenate([rng.normal(size=3), rng.uniform(0.3, 1.0, 3), rng.normal(size=6)])[None]
    zero = values({"q": q, "qd": q_dot}, {"zero": twist - free_joint_matrix(kind, q, moving) @ q_dot}, row)
    assert np.abs(zero).max() < 1e-14


@pytest.mark.parametrize("moving", [False, True], ids=["parent's axes", "moving axes"])
def test_36_holds_for_one_free_body_with_both_rows_of_the_table(moving):
    """𝒜 q̈ + ℬ q̇ against the Lagrangian of a body, T = ½ m ċ² + ½ ω J ω."""
    kind, J, m, c = chart("xyz"), np.diag([0.3, 0.4, 0.6]), 1.7, np.array([0.2, -0.1, 0.3])
    q, q_dot, a = symbols("q", 6), symbols("qd", 6), symbols("a", 6)
    M = free_joint_matrix(kind, q, moving)
    V = M @ q_dot
    r = skew(c)
    Theta = np.block([[m * np.eye(3), -m * r], [m * r, J - m * r @ r]])
    A, B, _ = second_kind(Theta, Phi(V) @ Theta, np.eye(6), np.zeros((6, 6)), M, directional(M, q, q_dot), np.zeros(6))
    R = kind.matrix(q[3:])
    center = (R @ q[:3] if moving else q[:3]) + R @ c
    speed, spin = directional(center, q, q_dot), axial(R.T @ directional(R, q, q_dot))
    T = 0.5 * m * (speed @ speed) + 0.5 * (spin @ (J @ spin))
    p = gradient(T, q_dot)
    left = jacobian(p, q_dot) @ a + directional(p, q, q_dot) - gradient(T, q)
    rng = np.random.default_rng(1)
    row = np.concatenate([rng.normal(size=3), rng.uniform(0.3, 1.0, 3), rng.normal(size=12)])[None]
    assert np.abs(values({"q": q, "qd": q_dot, "a": a}, {"zero": left - A @ a - B @ q_dot}, row)).max() < 1e-12


def test_the_mass_matrix_of_quaternion_coordinates_has_rank_six_and_the_quaternion_in_its_kernel():
    system = vc.System("free")
    system.add(vc.RigidBody("brick", 1.3, (0.1, 0.2, -0.3), (0.3, 0.4, 0.5)))
    tree = system.tree()
    q, q_dot = symbols("q", 7), symbols("qd", 7)
    A = block_form(tree, q, q_dot, symbol("t"))["A"]
    rng = np.random.default_rng(0)
    place, _ = random_state(tree, rng)
    found = values({"q": q}, {"A": A}, place[None]).reshape(7, 7)
    assert found.shape == (7, 7)
    assert np.linalg.matrix_rank(found, tol=1e-12) == 6
    assert np.abs(found @ np.concatenate([np.zeros(3), place[3:]])).max() < 1e-14


def double_pendulum() -> vc.System:
    system = vc.System("double pendulum", gravity=(0, -G, 0))
    for name, mass in (("first", 1.1), ("second", 0.7)):
        system.add(vc.MassPoint(name, mass))
    system.add(vc.Revolute("one", "ground", "first", axis=(0, 0, 1), to=(0, 1.3, 0)))
    system.add(vc.Revolute("two", "first", "second", axis=(0, 0, 1), to=(0, 0.8, 0)))
    return system


@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "hamilton"])
def test_the_double_pendulum_in_angles_from_the_vertical_has_the_accelerations_of_the_paper(form):
    equations = vc.derive(double_pendulum(), form, coordinates=lambda a, b: {"one": a, "two": b - a})
    found = equations.accelerations([0.4, -0.9], [0.7, 1.1])
    assert found == pytest.approx([-3.99277068, 12.10837934], abs=1e-8)


def test_a_reduction_to_fewer_coordinates_is_the_motion_of_a_locked_system():
    """Both hinges tied, q₁ = 2x, q₂ = −x: one coordinate, T = ½ Ã ẋ² from the velocities of the two points."""
    equations = vc.derive(double_pendulum(), coordinates=lambda x: {"one": 2 * x, "two": -1 * x})
    x = 0.3

    def points(x):
        first = 1.3 * np.array([np.sin(2 * x), -np.cos(2 * x)])
        return first, first + 0.8 * np.array([np.sin(x), -np.cos(x)])

    h = 1e-5
    speeds = [(a - b) / (2 * h) for a, b in zip(points(x + h), points(x - h), strict=True)]
    expected = sum(m * s @ s for m, s in zip((1.1, 0.7), speeds, strict=True))
    assert equations.mass_matrix([x]) == pytest.approx(np.array([[expected]]), rel=1e-8)
    slope = sum(m * G * s[1] for m, s in zip((1.1, 0.7), speeds, strict=True))
    assert equations.bias([x], [0.0]) == pytest.approx([slope], rel=1e-8)


def test_joints_that_are_not_named_keep_their_coordinates():
    equations = vc.derive(double_pendulum(), coordinates=lambda u: {"one": 2 * u})
    assert equations.coordinates == ("u", "two")
    plain = vc.derive(double_pendulum())
    M = plain.mass_matrix([0.6, 0.2])
    N = np.diag([2.0, 1.0])
    assert equations.mass_matrix([0.3, 0.2]) == pytest.approx(N @ M @ N)


def test_blocks_are_those_of_the_bodies_own_frames():
    """A from the description, V_a = L V_r and F from NumPy; M = Sᵀ Lᵀ A L S and h from the blocks."""
    system = chain(("xyz", "fedorov"))
    tree = system.tree()
    rng = np.random.default_rng(7)
    q, v = random_state(tree, rng)
    equations = vc.derive(system, "newton-euler")
    blocks = equations.blocks(q, v)
    assert equations.graphs.bodies == ("b0", "b1")
    motion = vc.given_motion(system, [0.0, 1.0], np.stack([q, q]), np.stack([v, v]))
    twists = np.concatenate([motion.body(name).twist[0] for name in equations.graphs.bodies])
    relative = blocks["S"] @ v
    assert blocks["L"] @ relative == pytest.approx(twists, abs=1e-10)
    for k, body in enumerate(system.bodies.values()):
        rows = slice(6 * k, 6 * k + 6)
        c = skew(body.center)
        Theta = np.block([[body.mass * np.eye(3), -body.mass * c],
                          [body.mass * c, body.inertia_at_center - body.mass * c @ c]])  # fmt: skip
        assert blocks["A"][rows, rows] == pytest.approx(Theta, abs=1e-12)
        g = motion.body(body.name).rotation[0].T @ np.array([1.0, 2.0, -5.0])
        assert blocks["F"][rows] == pytest.approx(Theta @ np.concatenate([g, np.zeros(3)]), abs=1e-10)
    X = vc.Pose(motion.body("b1").position[0], motion.body("b1").rotation[0]).inverse() @ vc.Pose(
        motion.body("b0").position[0], motion.body("b0").rotation[0]
    )
    assert blocks["L"][6:, :6] == pytest.approx(L_tw(X), abs=1e-10)
    LS = blocks["L"] @ blocks["S"]
    assert LS.T @ blocks["A"] @ LS == pytest.approx(equations.mass_matrix(q), abs=1e-11)
    wanted = LS.T @ ((blocks["A"] @ blocks["L_dot"] + blocks["B"] @ blocks["L"]) @ relative - blocks["F"])
    assert wanted == pytest.approx(equations.bias(q, v), abs=1e-10)


def test_a_free_floating_tree_keeps_momentum_and_energy_under_the_reduced_36():
    """Equations (36) of a hinged free-floating pair, integrated with SciPy: momentum screw and energy stay to 1e-7."""
    from scipy.integrate import solve_ivp

    system = vc.System("floating")
    a = system.add(vc.RigidBody("a", 1.4, (0.1, 0, 0.2), (0.3, 0.4, 0.5)))
    b = system.add(vc.RigidBody("b", 0.8, (0, 0.2, 0.1), (0.2, 0.15, 0.1)))
    system.add(vc.Free("base", "ground", a, chart="xyz"))
    system.add(vc.Revolute("hinge", a, b, axis=(1, 1, 0), at=(0.3, 0, 0.1), to=(0, -0.2, 0)))
    equations = vc.derive(system)
    equations.code.compile()
    rng = np.random.default_rng(3)
    start = np.concatenate([0.2 * rng.normal(size=7), 0.5 * rng.normal(size=7)])

    def rate(_, y):
        return np.concatenate([y[7:], equations.accelerations(y[:7].copy(), y[7:].copy())])

    found = solve_ivp(rate, (0, 2), start, method="DOP853", rtol=1e-11, atol=1e-12)
    q, q_dot = found.y[:7].T, found.y[7:].T
    tree = system.tree()
    v = np.stack([np.concatenate([link.joint.kind.coordinates.velocities(x[link.q], y[link.q]) for link in tree.links]).astype(float)
                  for x, y in zip(q, q_dot, strict=True)])  # fmt: skip
    motion = vc.given_motion(system, found.t, q, v)
    momentum, energy = motion.body().momentum, motion.energy
    assert np.abs(momentum - momentum[0]).max() < 1e-7
    assert np.abs(energy - energy[0]).max() < 1e-7
