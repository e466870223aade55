"""Every form of the equations of motion gives the same accelerations, on random trees and against NumPy alone."""

import importlib.util

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from trees import KINDS, defaults, random_state, random_system
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.derivations.forms import IN_RATES, MODULES
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.models.types import model_of
from vinculum.scalars import directional, symbols

FORMS = [
    pytest.param(
        form, marks=pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"{module} is not here yet")
    )
    for form, module in MODULES.items()
]
CHARTS = tuple(kind for kind in KINDS if kind not in ("spherical", "free"))
BATCH = 3


def state_rows(tree, rng):
    states = [random_state(tree, rng) for _ in range(BATCH)]
    return np.stack([q for q, _ in states]), np.stack([v for _, v in states])


def reference(tree, q, v):
    """q̇, v̇ and q̈ by the kernels' own motion."""
    tape = model_of(tree).tape("motion")
    both = arrays.evaluate(tape, np.hstack([q, v, np.zeros((len(q), 1)), np.tile(defaults(tape), (len(q), 1))]))
    v_dot = both[:, tree.nq :]
    Q, V, A = symbols("q", tree.nq), symbols("v", tree.nv), symbols("a", tree.nv)
    q_dot = rates(tree, Q, V)
    q_ddot = directional(q_dot, np.concatenate([Q, V]), np.concatenate([q_dot, A]))
    found = arrays.evaluate(trace({"q": Q, "v": V, "a": A}, {"1": q_dot, "2": q_ddot}), np.hstack([q, v, v_dot]))
    return found[:, : tree.nq], v_dot, found[:, tree.nq :]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("group", range(6))
def test_every_form_gives_the_accelerations_of_the_motion(form, group):
    for seed in range(5 * group, 5 * group + 5):
        rng = np.random.default_rng(seed)
        kinds = CHARTS if form in IN_RATES else KINDS
        system = random_system(rng, int(rng.integers(1, 6)), kinds=kinds)
        tree = system.tree()
        if not tree.nv:
            continue
        q, v = state_rows(tree, rng)
        q_dot, v_dot, q_ddot = reference(tree, q, v)
        equations = vc.derive(system, form)
        given, expected = (q_dot, q_ddot) if form in IN_RATES else (v, v_dot)
        found = equations.accelerations(q, given)
        size = np.abs(expected).max() + np.abs(equations.bias(q, given)).max()
        condition = max(np.linalg.cond(m) for m in equations.mass_matrix(q))
        assert np.abs(found - expected).max() <= 1e-12 * size * max(1.0, condition)
        tau = rng.normal(size=given.shape)
        back = np.einsum("bij,bj->bi", equations.mass_matrix(q), equations.accelerations(q, given, tau))
        assert back + equations.bias(q, given) == pytest.approx(tau, abs=1e-11 * size * max(1.0, condition))


@pytest.mark.parametrize("form", FORMS)
def test_one_state_and_a_batch_compiled_or_not_give_the_same_numbers(form):
    rng = np.random.default_rng(3)
    system = random_system(rng, 4, kinds=("revolute", "prismatic", "universal"))
    q, v = state_rows(system.tree(), rng)
    plain, compiled = vc.derive(system, form), vc.derive(system, form)
    compiled.code.compile()
    batch = plain.accelerations(q, v)
    assert compiled.accelerations(q, v) == pytest.approx(batch, rel=1e-10)
    for i in range(BATCH):
        assert plain.accelerations(q[i], v[i]) == pytest.approx(batch[i], rel=1e-12)
        compiled.accelerations(q[i], v[i])
        assert compiled.accelerations(q[i], v[i]) == pytest.approx(batch[i], rel=1e-10)
        assert compiled.accelerations(list(q[i]), v[i]) == pytest.approx(batch[i], rel=1e-10)


def test_parameters_and_time_reach_the_numbers():
    m, system = vc.parameter("m", 2.0), vc.System("driven", gravity=(0, 0, -9.81))
    cart = system.add(vc.MassPoint("cart", m))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(0, 0, 1), drive=lambda t: 3.0 * t))
    equations = vc.derive(system)
    equations.code.compile()
    q, v = np.zeros(1), np.zeros(1)
    for _ in range(2):
        assert equations.accelerations(q, v, t=4.0) == pytest.approx([6.0 - 9.81])
        assert equations.accelerations(q, v) == pytest.approx([-9.81])
        assert equations.accelerations(q, v, [1.0], t=4.0, parameters={"m": 4.0}) == pytest.approx([13 / 4 - 9.81])
    swept = equations.accelerations(q, v, t=4.0, parameters={"m": np.array([1.0, 2.0, 3.0])})
    assert swept == pytest.approx(12.0 / np.array([[1.0], [2.0], [3.0]]) - 9.81)
    assert equations.accelerations(q, v, t=np.array([0.0, 4.0])) == pytest.approx(np.array([[-9.81], [6 - 9.81]]))


def skewed(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


@pytest.mark.parametrize("form", FORMS)
def test_mass_matrix_and_bias_follow_from_the_description_alone(form):
    """Kinetic and potential energy of two hinged bodies, rebuilt with SciPy's rotations and differentiated numerically."""
    rng = np.random.default_rng(5)
    axes, at, to = rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    turns = [Rotation.random(random_state=k) for k in range(4)]
    com, J = rng.normal(size=(2, 3)), [np.diag([0.3, 0.4, 0.5]), np.diag([0.2, 0.25, 0.3])]
    mass, gravity = (1.3, 0.7), np.array([1.0, -2.0, -9.0])
    system, parent = vc.System("two", gravity=gravity), "ground"
    for k in range(2):
        body = system.add(vc.RigidBody(f"b{k}", mass[k], com[k], J[k]))
        places = {"at": vc.Pose(at[k], turns[2 * k].as_matrix()), "to": vc.Pose(to[k], turns[2 * k + 1].as_matrix())}
        system.add(vc.Revolute(f"j{k}", parent, body, axis=axes[k], **places))
        parent = body

    def centers_and_rotations(q):
        R, p, found = np.eye(3), np.zeros(3), []
        for k in range(2):
            n = axes[k] / np.linalg.norm(axes[k])
            here, there = turns[2 * k].as_matrix(), turns[2 * k + 1].as_matrix()
            joint = p + R @ at[k]
            R = R @ here @ Rotation.from_rotvec(q[k] * n).as_matrix() @ there.T
            p = joint - R @ to[k]
            found.append((p + R @ com[k], R))
        return found

    def jacobians(q, step=1e-5):
        result = []
        for i in range(2):
            e = np.eye(2)[i] * step
            result.append([((a[0] - b[0]) / (2 * step), (a[1] - b[1]) @ c[1].T / (2 * step))
                           for a, b, c in zip(centers_and_rotations(q + e), centers_and_rotations(q - e),
                                              centers_and_rotations(q), strict=True)])  # fmt: skip
        return result

    def matrix(q):
        M = np.zeros((2, 2))
        moved, now = jacobians(q), centers_and_rotations(q)
        for i in range(2):
            for j in range(2):
                for k in range(2):
                    (u, W), (w, Z) = moved[i][k], moved[j][k]
                    a, b = (np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2 for S in (W, Z))
                    M[i, j] += mass[k] * u @ w + a @ (now[k][1] @ J[k] @ now[k][1].T) @ b
        return M

    def potential(q):
        return -sum(m * gravity @ c for m, (c, _) in zip(mass, centers_and_rotations(q), strict=True))

    q, v, step = np.array([0.4, -0.9]), np.array([0.7, 1.1]), 1e-4
    slopes = [(matrix(q + e) - matrix(q - e)) / (2 * step) for e in np.eye(2) * step]
    pull = np.array([(potential(q + e) - potential(q - e)) / (2 * step) for e in np.eye(2) * step])
    bias = sum(slopes[i] * v[i] for i in range(2)) @ v - 0.5 * np.array([v @ s @ v for s in slopes]) + pull
    equations = vc.derive(system, form)
    assert equations.mass_matrix(q) == pytest.approx(matrix(q), abs=1e-8)
    assert equations.bias(q, v) == pytest.approx(bias, abs=1e-5)
