"""Laws that hold on every tree, with every joint kind, at every state."""

import numpy as np
import pytest

from marks import mostly_slow
from trees import KINDS, defaults, random_state, random_system, tree_outputs
from vinculum.bonds.joints.joint import compliance_of
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms import boltzmann_hamel
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.models.types import model_of
from vinculum.scalars import directional, symbol, symbols
from vinculum.systems import placements

TREES, GROUPS = 200, 20
BATCH = 3


def states(tree, rng) -> np.ndarray:
    return np.stack([np.concatenate(random_state(tree, rng)) for _ in range(BATCH)])


@pytest.mark.parametrize("group", mostly_slow(GROUPS, 5))
def test_three_routes_to_the_accelerations_agree(group):
    for seed in range(group * TREES // GROUPS, (group + 1) * TREES // GROUPS):
        rng = np.random.default_rng(seed)
        tree = random_system(rng, int(rng.integers(1, 9))).tree()
        q, v, tau, a = symbols("q", tree.nq), symbols("v", tree.nv), symbols("tau", tree.nv), symbols("a", tree.nv)
        x = states(tree, rng)
        forces = rng.normal(size=(BATCH, tree.nv))
        inputs = {"q": q, "v": v, "tau": tau}
        rows = np.hstack([x, forces])
        by_articulated = arrays.evaluate(trace(inputs, {"a": articulated.accelerations(tree, q, v, tau)}), rows)
        by_composite = arrays.evaluate(trace(inputs, {"a": composite.accelerations(tree, q, v, tau)}), rows)
        M = arrays.evaluate(trace({"q": q}, {"M": composite.mass_matrix(tree, q)}), x[:, : tree.nq])
        M = M.reshape(BATCH, tree.nv, tree.nv)
        assert np.array_equal(M, np.swapaxes(M, 1, 2))
        condition = max(np.linalg.cond(m) for m in M) if tree.nv else 1.0
        size = np.abs(by_composite).max(initial=1.0)
        assert np.abs(by_articulated - by_composite).max(initial=0.0) <= 1e-12 * size * max(1.0, condition / 1e3)
        back, _ = inverse_dynamics(tree, q, v, a)
        again = arrays.evaluate(trace({"q": q, "v": v, "a": a}, {"tau": back}), np.hstack([x, by_articulated]))
        terms = np.abs(forces).max(initial=1.0) + np.abs(
            np.einsum("bij,bj->bi", np.abs(M), np.abs(by_articulated))
        ).max(initial=0)
        assert np.abs(again - forces).max(initial=0.0) <= 1e-12 * terms


@pytest.mark.parametrize("group", mostly_slow(GROUPS, 5))
def test_boltzmann_hamel_equations_hold(group):
    for seed in range(group * TREES // GROUPS, (group + 1) * TREES // GROUPS):
        rng = np.random.default_rng(seed)
        tree = random_system(rng, int(rng.integers(1, 7))).tree()
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        if not tree.nv:
            continue
        a = symbols("a", tree.nv)
        residual, size = boltzmann_hamel.residual(tree, t, q, v, a)
        law = trace({"q": q, "v": v, "a": a, "t": np.array([t])}, {"residual": residual, "size": size})
        motion = trace({"q": q, "v": v}, {"a": articulated.accelerations(tree, q, v, applied_forces(tree, t, q, v))})
        x = states(tree, rng)
        result = arrays.evaluate(law, np.hstack([x, arrays.evaluate(motion, x), np.zeros((BATCH, 1))]))
        assert np.abs(result[:, : tree.nv]).max() <= 1e-11 * result[:, tree.nv :].max()


@pytest.mark.parametrize("group", mostly_slow(GROUPS, 5))
def test_momentum_and_energy_change_as_forces_and_power_say(group):
    """The rates of momentum and energy, by differentiation, are the wrenches and powers of the model."""
    for seed in range(group * TREES // GROUPS, (group + 1) * TREES // GROUPS):
        rng = np.random.default_rng(seed)
        tree = random_system(rng, int(rng.integers(1, 7))).tree()
        if not tree.nv:
            continue
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        model = model_of(tree)
        balance, motion = model.tape("balance"), model.tape("motion")
        groups = tree_outputs(balance, [*q, *v, t, *defaults(balance)])
        v_dot = tree_outputs(motion, [*q, *v, t, *defaults(motion)])["v_dot"]
        balanced = np.concatenate([groups["momentum"], [groups["kinetic"][0] + groups["potential"][0]]])
        change = directional(balanced, np.concatenate([q, v]), np.concatenate([rates(tree, q, v), v_dot]))
        expected = np.concatenate([groups["wrench"], [groups["power"][0] + groups["dissipation"][0]]])
        law = trace(
            {"q": q, "v": v, "t": np.array([t])},
            {"change": change, "expected": expected, "size": groups["wrench_size"]},
        )
        Y = arrays.evaluate(law, np.hstack([states(tree, rng), np.zeros((BATCH, 1))]))
        m = len(expected)
        assert np.abs(Y[:, :m] - Y[:, m : 2 * m]).max() <= 1e-11 * (
            np.abs(Y[:, 2 * m :]).max() + np.abs(Y[:, : 2 * m]).max()
        )


@pytest.mark.parametrize("kind", KINDS)
def test_twists_are_the_rates_of_poses(kind):
    """S v and N v of a joint are derivatives of its pose; Ṡ v is the derivative of S."""
    rng = np.random.default_rng(7)
    for _ in range(4):
        tree = random_system(rng, 2, kinds=(kind,), forces=False).tree()
        if not tree.nv:
            continue
        q, v = symbols("q", tree.nq), symbols("v", tree.nv)
        q_dot = rates(tree, q, v)
        outputs = []
        for link, placed in zip(tree.links, placements(tree, q, v), strict=True):
            X = placed.X_WL
            outputs += [*(X.R @ placed.v - directional(X.p, q, q_dot))]
            w = placed.w
            spin = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
            outputs += [*np.ravel(X.R @ spin - directional(X.R, q, q_dot))]
            if link.joint.nv:
                S_rate = directional(link.joint.kind.subspace(q[link.q]), q, q_dot) @ v[link.v]
                outputs += [*(S_rate - link.joint.kind.subspace_rate(q[link.q], v[link.v]))]
        law = trace({"q": q, "v": v}, {"zero": outputs})
        assert np.abs(arrays.evaluate(law, states(tree, rng))).max() < 1e-13


@pytest.mark.parametrize("kind", KINDS)
def test_spring_forces_are_the_slopes_of_spring_energies(kind):
    from vinculum.scalars import gradient

    rng = np.random.default_rng(8)
    tree = random_system(rng, 1, kinds=(kind,)).tree()
    if not tree.nv:
        pytest.skip("a weld has no spring")
    q, v = symbols("q", tree.nq), symbols("v", tree.nv)
    joint = tree.links[0].joint
    power = (
        gradient(compliance_of(joint).spring_energy(q), q) @ rates(tree, q, v)
        + compliance_of(joint).spring_force(q) @ v
    )
    assert np.abs(arrays.evaluate(trace({"q": q, "v": v}, {"zero": [power]}), states(tree, rng))).max() < 1e-13
