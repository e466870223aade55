"""One system by Newton and Euler in NumPy alone, by Lagrange's equations in Euler angles, and by simulation."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import vinculum as vc

M1, M2, J1, J2 = 1.3, 0.8, np.diag([0.10, 0.14, 0.09]), np.diag([0.05, 0.07, 0.06])
SOCKET1, SOCKET2 = np.array([0.4, 0.1, -0.2]), np.array([-0.3, 0.05, 0.1])
HOOK1, HOOK2 = np.array([-0.2, 0.3, 0.1]), np.array([0.25, -0.1, 0.2])
K, REST, UNTIL = 9.0, 0.3, 2.0


def system(chart: str) -> vc.System:
    """Two bodies joined by a ball and socket and by a spring, free in space."""
    made = vc.System("pair")
    one = made.add(vc.RigidBody("one", M1, inertia=J1))
    two = made.add(vc.RigidBody("two", M2, inertia=J2))
    made.add(vc.Free("flight", "ground", one, chart=chart))
    made.add(vc.Spherical("socket", one, two, chart=chart, at=SOCKET1, to=SOCKET2))
    made.add(vc.Spring("spring", one, two, stiffness=K, rest_length=REST, at=HOOK1, to=HOOK2))
    return made


def start(made: vc.System) -> tuple[vc.Motion, dict]:
    turn = Rotation.from_euler("ZXZ", [0.3, 1.1, -0.4])
    bend = Rotation.from_euler("ZXZ", [-0.5, 0.9, 0.6])
    given = {
        "flight": vc.At(vc.Pose((0.1, 0.2, 0.3), turn.as_matrix()), rate=(0.3, -0.1, 0.2, 0.8, -0.6, 0.4)),
        "socket": vc.At(bend.as_matrix(), rate=(-0.5, 0.7, 0.9)),
    }
    return vc.simulate(made, UNTIL, given, grid=21), given


def newton_euler(t, y):
    """Both bodies with six velocities each; the socket's force from its acceleration condition."""
    x, q, v, w = y[:6].reshape(2, 3), y[6:14].reshape(2, 4), y[14:20].reshape(2, 3), y[20:].reshape(2, 3)
    R = Rotation.from_quat(q, scalar_first=True).as_matrix()
    d = x[0] + R[0] @ HOOK1 - x[1] - R[1] @ HOOK2
    pull = -K * (np.linalg.norm(d) - REST) * d / np.linalg.norm(d)
    force = np.array([pull, -pull])
    moment = np.array([np.cross(R[0] @ HOOK1, pull), np.cross(R[1] @ HOOK2, -pull)])
    inertia = np.array([R[0] @ J1 @ R[0].T, R[1] @ J2 @ R[1].T])
    arms = np.array([R[0] @ SOCKET1, R[1] @ SOCKET2])
    free_a = force / np.array([[M1], [M2]])
    free_w = np.array([np.linalg.solve(inertia[i], moment[i] - np.cross(w[i], inertia[i] @ w[i])) for i in (0, 1)])
    at = [free_a[i] + np.cross(free_w[i], arms[i]) + np.cross(w[i], np.cross(w[i], arms[i])) for i in (0, 1)]
    skew = [np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]) for a in arms]
    give = sum(np.eye(3) / m - s @ np.linalg.solve(J, s) for m, s, J in zip((M1, M2), skew, inertia, strict=True))
    reaction = np.linalg.solve(give, at[1] - at[0])
    signs = (1.0, -1.0)
    a = [free_a[i] + signs[i] * reaction / (M1, M2)[i] for i in (0, 1)]
    alpha = [free_w[i] + np.linalg.solve(inertia[i], np.cross(arms[i], signs[i] * reaction)) for i in (0, 1)]
    q_dot = [0.5 * np.array([-w[i] @ q[i][1:], *(q[i][0] * w[i] + np.cross(w[i], q[i][1:]))]) for i in (0, 1)]
    return np.concatenate([v.ravel(), *q_dot, *a, *alpha])


def test_newton_and_euler_from_scratch_give_the_simulated_motion():
    motion, _ = start(system("quaternion"))
    names = ("one", "two")
    R = [motion.body(name).rotation[0] for name in names]
    twists = [motion.body(name).twist[0] for name in names]
    y = np.concatenate([
        *(motion.body(name).position[0] for name in names), *(Rotation.from_matrix(r).as_quat(scalar_first=True) for r in R),
        *(r @ t[:3] for r, t in zip(R, twists, strict=True)), *(r @ t[3:] for r, t in zip(R, twists, strict=True)),
    ])  # fmt: skip
    found = solve_ivp(newton_euler, (0, UNTIL), y, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=motion.time).y.T
    for i, name in enumerate(names):
        assert np.abs(found[:, 3 * i : 3 * i + 3] - motion.body(name).position).max() < 1e-10
        turned = Rotation.from_quat(found[:, 6 + 4 * i : 10 + 4 * i], scalar_first=True).as_matrix()
        assert np.abs(turned - motion.body(name).rotation).max() < 1e-10
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


def test_lagranges_equations_in_euler_angles_give_the_simulated_motion():
    reference, given = start(system("quaternion"))
    made = system("zxz")
    angles, _ = start(made)
    equations = vc.derive(made, "lagrange")
    n = angles.q.shape[1]
    h = 1e-6
    near = vc.simulate(made, 1e-3, given, grid=np.array([0.0, h, 2 * h, 3 * h, 4 * h]))
    rates = (-25 * near.q[0] + 48 * near.q[1] - 36 * near.q[2] + 16 * near.q[3] - 3 * near.q[4]) / (12 * h)
    assert equations.mass_matrix(angles.q[0]).shape == (n, n)

    def field(t, y):
        return np.concatenate([y[n:], equations.accelerations(y[:n], y[n:], np.zeros(n))])

    found = solve_ivp(
        field, (0, UNTIL), [*angles.q[0], *rates], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=angles.time
    ).y.T
    assert np.abs(found[:, :n] - angles.q).max() < 1e-7  # the starting rates are differences
    for name in ("one", "two"):
        assert np.abs(angles.body(name).position - reference.body(name).position).max() < 1e-11
        assert np.abs(angles.body(name).rotation - reference.body(name).rotation).max() < 1e-11
