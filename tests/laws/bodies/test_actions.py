"""Laws of potentials, forces and interactions on random trees of every joint kind."""

import numpy as np
import pytest

import vinculum as vc
from actions import KINDS, add_random_actions, random_views
from audited import broken
from trees import random_state, random_system
from vinculum.bonds.body_view import change_view
from vinculum.compile.passes.switches import play
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.actions import exerted_efforts
from vinculum.equations.applied import action_forces, action_wrenches, applied_forces
from vinculum.equations.forms import boltzmann_hamel, newton_euler_blocks, telegin
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.models.types import model_of
from vinculum.scalars import directional, symbol, symbols
from vinculum.screws import Pose, exp
from vinculum.systems import Placement, ground_view, placements

SEEDS, BATCH = 40, 3


def machine(seed: int, kinds=KINDS):
    rng = np.random.default_rng(seed)
    system = random_system(rng, int(rng.integers(2, 7)))
    if not any(body.turns for body in system.bodies.values()):
        system.add(vc.RigidBody("extra", 1.0, (0.1, 0.2, 0.3), (0.1, 0.2, 0.15)))
    add_random_actions(system, rng, int(rng.integers(1, 4)), kinds)
    tree = system.tree()
    x = np.stack([np.concatenate(random_state(tree, rng)) for _ in range(BATCH)])
    return system, tree, np.hstack([x, rng.uniform(0.0, 2.0, (BATCH, 1))])


def found(tree, outputs, rows, **more):
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    inputs = {"q": q, "v": v, "t": np.array([t])} | {name: symbols(name, x.shape[1]) for name, x in more.items()}
    tape = trace(inputs, outputs(q, v, t, *(inputs[name] for name in more)))
    Y = arrays.evaluate(tape, np.hstack([rows, *more.values()]))
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_route_to_the_accelerations_agrees(seed):
    """Forces projected on the joints, wrenches carried through both recursions, Telegin's form and the block equations."""
    _, tree, rows = machine(seed)

    def outputs(q, v, t):
        whole = applied_forces(tree, t, q, v)
        alone = whole - action_forces(tree, t, q, v)
        acting = action_wrenches(tree, placements(tree, q, v), t)
        solved = []
        for form in (telegin, newton_euler_blocks):
            M, h = form.standard_form(tree, q, v, t)
            solved.append((M, h))
        return {
            "projected": articulated.accelerations(tree, q, v, whole),
            "carried": articulated.accelerations(tree, q, v, alone, acting),
            "composite": composite.accelerations(tree, q, v, alone, acting),
        } | {f"{name}{i}": x for i, pair in enumerate(solved) for name, x in zip("Mh", pair, strict=True)}

    got = found(tree, outputs, rows)
    size = np.abs(got["projected"]).max(initial=1.0)
    M = got["M0"].reshape(BATCH, tree.nv, tree.nv)
    slack = 1e-12 * size * max(1.0, max((np.linalg.cond(m) for m in M), default=1.0) / 1e3)
    for name in ("carried", "composite"):
        assert np.abs(got[name] - got["projected"]).max(initial=0.0) <= slack
    for i in (0, 1):
        M = got[f"M{i}"].reshape(BATCH, tree.nv, tree.nv)
        by_form = np.linalg.solve(M, -got[f"h{i}"][:, :, None])[:, :, 0]
        assert np.abs(by_form - got["projected"]).max(initial=0.0) <= 10.0 * slack


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_energies_alone_give_the_same_equations(seed):
    _, tree, rows = machine(seed)
    if not tree.nv:
        return
    a = found(tree, lambda q, v, t: {"a": articulated.accelerations(tree, q, v, applied_forces(tree, t, q, v))}, rows)[
        "a"
    ]
    law = found(tree, lambda q, v, t, a: dict(zip(("left", "size"), boltzmann_hamel.residual(tree, t, q, v, a), strict=True)),
                rows, a=a)  # fmt: skip
    assert np.abs(law["left"]).max() <= 1e-11 * law["size"].max()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_momenta_and_energy_change_by_wrenches_and_powers(seed):
    _, tree, rows = machine(seed)
    if not tree.nv:
        return
    model = model_of(tree)
    values = [x for _, x in model.tape("balance").parameters]

    def outputs(q, v, t):
        def of(tape):
            results = play(tape, [*q, *v, t, *values])
            flat = [results[r] for r in tape.results.tolist()]
            return {name: np.array(flat[place], dtype=object) for name, place in tape.slices(tape.outputs).items()}

        balance, motion = of(model.tape("balance")), of(model.tape("motion"))
        along = [*rates(tree, q, v), *motion["v_dot"], 1.0]
        whole = np.concatenate(
            [balance["momentum"], [balance["kinetic"][0] + balance["potential"][0]], balance["kinetic"]]
        )
        power = balance["power"][0] + balance["dissipation"][0]
        expected = np.concatenate([balance["wrench"], [power, power + balance["work"][0]]])
        return {"change": directional(whole, [*q, *v, t], along), "expected": expected, "size": balance["wrench_size"]}

    got = found(tree, outputs, rows)
    scale = np.abs(got["expected"]).max() + got["size"].max()
    assert np.abs(got["change"] - got["expected"]).max() <= 1e-11 * scale


@pytest.mark.parametrize("seed", range(SEEDS))
def test_efforts_are_the_slopes_of_the_energy_by_places_and_turns(seed):
    """From the user's own function: the body shifted and turned a little in NumPy, the energy differenced."""
    rng = np.random.default_rng(seed)
    system = vc.System("free")
    for i in range(3):
        system.add(vc.RigidBody(f"b{i}", 1.0, 0.3 * rng.normal(size=3), (0.2, 0.25, 0.3)))
    (action,) = add_random_actions(system, rng, 1, ("springs", "attitudes", "three bodies", "field", "clock", "pairs"))
    tree = system.tree()
    (acting,) = tree.actions
    views, t = random_views([tree.links[i].body if i >= 0 else None for i in acting.links], rng), 0.7
    if acting.links[-1] < 0:
        views[-1] = ground_view()
    placed = [None] * len(tree.links)
    for i, view in zip(acting.links, views, strict=True):
        if i >= 0:
            X = view._state.X_WB @ tree.links[i].X_LB.inverse()
            placed[i] = Placement(X, np.zeros(3), np.zeros(3))
    does = exerted_efforts(tree, acting, placed, t)
    for k, effort in enumerate(does.potential):
        for unit in np.eye(3):
            for part, shift, turn in ((0, unit, np.zeros(3)), (1, np.zeros(3), unit)):
                slope = -sloped(action, views, k, shift, turn, t)
                assert abs(effort[part] @ unit - slope) < 1e-8 * (1.0 + abs(slope))
    residual = (
        sum(f for f, _ in does.potential),
        sum(m + np.cross(v.position, f) for v, (f, m) in zip(views, does.potential)),
    )
    if not action.name.startswith("field"):
        assert max(np.abs(np.array(part, dtype=float)).max() for part in residual) < 1e-10


def sloped(action, views, k, shift, turn, t, h=1e-5):
    def energy(s):
        X = views[k]._state.X_WB
        moved = change_view(views[k], X_WB=Pose.of(np.asarray(exp(s * turn)) @ X.R, X.p + s * shift))
        return float(action.law.energy_at([*views[:k], moved, *views[k + 1 :]], t))

    return (8.0 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12.0 * h)


@pytest.mark.parametrize("seed", range(12))
def test_motions_with_actions_pass_their_certificate_and_falsified_ones_fail(seed):
    system, tree, rows = machine(100 + seed)
    start = {k.joint.name: vc.At(rows[0, k.q], rate=rows[0, tree.nq :][k.v]) for k in tree.links if k.joint.nv}
    motion = vc.simulate(system, 0.5, start, method="dop853")
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    laws = {line.law for line in certificate.lines}
    assert "Newton's third law" in laws
    weaker = vc.System("weaker", gravity=system.gravity)
    for thing in (*system.bodies.values(), *system.joints.values()):
        weaker.add(thing)
    assert broken(motion.replace(system=weaker).audit()), "the motion does not notice its actions"


def test_a_constant_wrench_turns_a_hinged_body_as_by_hand():
    """One rigid body on a hinge with a constant wrench: the hinge's moment by hand."""
    system = vc.System("flag")
    body = system.add(vc.RigidBody("flag", 2.0, (0.5, 0.0, 0.0), (0.1, 0.2, 0.3)))
    system.add(vc.Revolute("hinge", "ground", body, axis=(0, 0, 1)))
    system.add(vc.Force("wind", body, vc.Wrench(force=(1.0, 2.0, 3.0), at=(1.0, 0.0, 0.0))))
    tree = system.tree()
    J = 0.3 + 2.0 * 0.25
    got = found(
        tree,
        lambda q, v, t: {"a": articulated.accelerations(tree, q, v, applied_forces(tree, t, q, v))},
        np.zeros((1, 3)),
    )
    assert np.isclose(got["a"][0, 0], 2.0 / J, rtol=1e-14)
    motion = vc.simulate(system, 0.1, {"hinge": 0.0})
    reaction = motion.joint("hinge").reaction[0]
    acceleration = np.array([0.0, 0.5 * 2.0 / J, 0.0])
    assert np.allclose(reaction[:3], 2.0 * acceleration - np.array([1.0, 2.0, 3.0]), rtol=0, atol=1e-13)
    assert np.allclose(reaction[3:], [0.0, 3.0, 0.0], rtol=0, atol=1e-13)
    tau, _ = inverse_dynamics(
        tree,
        np.zeros(1),
        np.zeros(1),
        np.array([2.0 / J]),
        action_wrenches(tree, placements(tree, np.zeros(1), np.zeros(1)), 0.0),
    )
    assert abs(tau[0]) < 1e-14
