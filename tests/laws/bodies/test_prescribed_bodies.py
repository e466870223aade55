"""Laws that hold on every tree with a prescribed root, with every joint kind, at every state and instant."""

import numpy as np
import pytest

import vinculum as vc
from marks import mostly_slow
from trees import defaults, random_prescribed, random_state, random_system, tree_outputs
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms import boltzmann_hamel, hamilton, lagrange, newton_euler_blocks, telegin
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.augmented_bodies import augmented_forces
from vinculum.equations.recursions.coordinate_rates import rates, rates_are_velocities
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.models.types import model_of
from vinculum.scalars import directional, ldl_solve, symbol, symbols
from vinculum.systems import placements

TREES, GROUPS = 100, 10
BATCH = 3


def driven(seed: int, most: int = 7):
    """A random tree with a prescribed root at the symbol t, its symbols, and rows (q, v, t) of numbers."""
    rng = np.random.default_rng(seed)
    tree = random_system(rng, int(rng.integers(1, most)), driven=True).tree()
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    rows = [np.concatenate([*random_state(tree, rng), rng.uniform(0, 3, 1)]) for _ in range(BATCH)]
    return tree.at(t), q, v, t, np.stack(rows)


def seeds(group: int) -> range:
    return range(group * TREES // GROUPS, (group + 1) * TREES // GROUPS)


@pytest.mark.parametrize("group", mostly_slow(GROUPS, 2))
def test_all_routes_to_the_accelerations_agree(group):
    for seed in seeds(group):
        tree, q, v, t, rows = driven(seed)
        if not tree.nv:
            continue
        tau = applied_forces(tree, t, q, v)
        found = {
            "articulated": articulated.accelerations(tree, q, v, tau),
            "composite": composite.accelerations(tree, q, v, tau),
        }
        for form in (telegin, newton_euler_blocks):
            M, h = form.standard_form(tree, q, v, t)
            found[form.__name__] = ldl_solve(M[::-1, ::-1], -h[::-1])[::-1]
        if rates_are_velocities(tree):
            for form in (lagrange, hamilton):
                M, h = form.standard_form(tree, q, v, t)
                found[form.__name__] = ldl_solve(M[::-1, ::-1], -h[::-1])[::-1]
        tape = trace({"q": q, "v": v, "t": np.array([t])}, found)
        numbers = arrays.evaluate(tape, rows).reshape(BATCH, len(found), tree.nv)
        M = arrays.evaluate(trace({"q": q}, {"M": composite.mass_matrix(tree, q)}), rows[:, : tree.nq])
        condition = max(np.linalg.cond(m) for m in M.reshape(BATCH, tree.nv, tree.nv))
        size = np.abs(numbers).max()
        assert np.abs(numbers - numbers[:, :1]).max() <= 1e-12 * size * max(1.0, condition / 1e3)


@pytest.mark.parametrize("group", mostly_slow(GROUPS, 2))
def test_boltzmann_hamel_equations_hold(group):
    for seed in seeds(group):
        tree, q, v, t, rows = driven(seed)
        if not tree.nv:
            continue
        a = symbols("a", tree.nv)
        residual, size = boltzmann_hamel.residual(tree, t, q, v, a)
        inputs = {"q": q, "v": v, "t": np.array([t])}
        law = trace(inputs | {"a": a}, {"residual": residual, "size": size})
        motion = trace(inputs, {"a": articulated.accelerations(tree, q, v, applied_forces(tree, t, q, v))})
        result = arrays.evaluate(law, np.hstack([rows, arrays.evaluate(motion, rows)]))
        assert np.abs(result[:, : tree.nv]).max() <= 1e-11 * result[:, tree.nv :].max()


@pytest.mark.parametrize("group", mostly_slow(GROUPS, 2))
def test_momentum_and_energy_change_as_forces_and_powers_say(group):
    """Rates by differentiation along q̇, v̇ and ṫ = 1 are the wrenches and powers of the model, drives included."""
    for seed in seeds(group):
        tree, q, v, t, rows = driven(seed, most=6)
        model = model_of(tree)
        balance, motion = model.tape("balance"), model.tape("motion")
        groups = tree_outputs(balance, [*q, *v, t, *defaults(balance)])
        v_dot = tree_outputs(motion, [*q, *v, t, *defaults(motion)])["v_dot"]
        balanced = np.concatenate([groups["momentum"], [groups["kinetic"][0] + groups["potential"][0]]])
        change = directional(balanced, [*q, *v, t], [*rates(tree, q, v), *v_dot, 1.0])
        expected = np.concatenate([groups["wrench"], [groups["power"][0] + groups["dissipation"][0]]])
        law = trace({"q": q, "v": v, "t": np.array([t])},
                    {"change": change, "expected": expected, "size": groups["wrench_size"]})  # fmt: skip
        Y = arrays.evaluate(law, rows)
        m = len(expected)
        assert np.abs(Y[:, :m] - Y[:, m : 2 * m]).max() <= 1e-11 * np.abs(Y).max()


@pytest.mark.parametrize("seed", range(12))
def test_twists_are_the_rates_of_poses(seed):
    tree, q, v, t, rows = driven(seed)
    outputs = []
    for placed in placements(tree, q, v):
        X, w = placed.X_WL, placed.w
        along = ([*q, t], [*rates(tree, q, v), 1.0])
        spin = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        outputs += [*(X.R @ placed.v - directional(X.p, *along)), *np.ravel(X.R @ spin - directional(X.R, *along))]
    zero = arrays.evaluate(trace({"q": q, "v": v, "t": np.array([t])}, {"zero": outputs}), rows)
    assert np.abs(zero).max() < 1e-12 * (1 + np.abs(rows).max() ** 2)


@pytest.mark.parametrize("seed", range(24))
def test_telegin_and_newton_euler_give_the_same_joint_wrenches(seed):
    tree, q, v, t, rows = driven(seed)
    a = symbols("a", tree.nv)
    poles = [np.zeros(3) for _ in tree.links]
    placed = placements(tree, q, v)
    by_poles = [np.concatenate([at.X_WL.R.T @ F[:3], at.X_WL.R.T @ F[3:]])
                for at, F in zip(placed, telegin.base_reactions(tree, q, v, a, poles=poles), strict=True)]  # fmt: skip
    found = {"recursion": np.concatenate(inverse_dynamics(tree, q, v, a)[1]),
             "augmented": np.concatenate(augmented_forces(tree, q, v, a)[1]), "poles": np.concatenate(by_poles)}  # fmt: skip
    tape = trace({"q": q, "v": v, "t": np.array([t]), "a": a}, found)
    numbers = arrays.evaluate(tape, np.hstack([rows, np.random.default_rng(seed).normal(size=(BATCH, tree.nv))]))
    numbers = numbers.reshape(BATCH, 3, -1)
    assert np.abs(numbers - numbers[:, :1]).max() < 1e-11 * (1 + np.abs(numbers).max())


@pytest.mark.parametrize("seed", range(6))
def test_a_motion_with_a_prescribed_root_is_certified(seed):
    rng = np.random.default_rng(100 + seed)
    system = random_system(rng, 3, driven=True)
    motion = vc.simulate(system, 1.0, progress=False)
    certificate = motion.audit()
    assert certificate.passed, certificate
    assert "prescribed bodies" in {line.law for line in certificate.lines}


@pytest.mark.parametrize("seed", range(4))
def test_a_prescribed_body_alone_moves_and_is_certified(seed):
    rng = np.random.default_rng(seed)
    system = vc.System("alone", gravity=(0.3, 0, -9.81))
    body = system.add(random_prescribed(rng))
    motion = vc.simulate(system, 2.0, progress=False)
    path = [body.position(float(t)) for t in motion.time]
    assert np.abs(motion.body("driven").position - np.array(path, dtype=float)).max() < 1e-14
    assert motion.audit().passed, motion.audit()


@pytest.mark.parametrize(
    "realization",
    [
        vc.Vakonomic(multipliers=0.4),
        vc.constraints.AddedInertia(3.0),
        vc.constraints.ViscousFriction(20.0),
        vc.Chetaev(),
    ],
)
def test_the_drive_of_a_prescribed_body_supplies_what_a_constraint_takes_from_it(realization):
    sin, at, side = vc.math.sin, np.array([0.2, 0.1, -0.1]), np.array([0, 0.6, 0.8])
    system = vc.System("carried", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("b", 1.3, com=(0.1, -0.2, 0.3), inertia=(0.4, 0.5, 0.7)))
    system.add(vc.PrescribedBody("d", lambda t: (0.3 * sin(t), 0, 0.2 * t), ((0.6, 0, 0.8), lambda t: 0.7 * t)))

    def slip(b, d, t):
        there = d.point_velocity(d.rotation.T @ (b.point(at) - d.position))
        return vc.math.dot(b.rotation @ side, b.point_velocity(at) - there) - 0.2 * sin(t)

    system.add(vc.Constraint("slip", ["b", "d"], velocity=slip, realization=realization))
    start = {"b": vc.At((0.5, 0.4, 0.3, 1, 0, 0, 0), rate=(0.3, 0.1, -0.2, 0.5, -0.8, 0.6))}
    motion = vc.simulate(system, 0.8, start, repair=True)
    pull = motion.bond("slip").effort("d")
    np.testing.assert_allclose(motion.joint("d").reaction, -pull, rtol=0, atol=1e-10)
    place, w = (
        np.stack([0.3 * np.cos(motion.time), 0 * motion.time, 0 * motion.time + 0.2], 1),
        0.7 * np.array([0.6, 0, 0.8]),
    )
    power = -np.sum(pull[:, :3] * place, 1) - pull[:, 3:] @ w
    np.testing.assert_allclose(motion.body("d").drive.power, power, rtol=0, atol=1e-10)
    assert motion.audit().passed
