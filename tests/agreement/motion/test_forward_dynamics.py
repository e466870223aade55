"""Forward dynamics by its one door: the inverse of inverse dynamics, the same by every route, wherever the arrays lie."""

import numpy as np
import pytest

import vinculum as vc
from actions import add_random_actions
from trees import KINDS, random_inertia, random_state, random_system
from vinculum.compile.evaluate import compile_for_again
from vinculum.compile.targets import arrays
from vinculum.compile.targets.llvm.gathered import empty_blocks, evaluate_gathered, in_rows
from vinculum.derivations.forward_dynamics.tapes import accelerations_tape
from vinculum.models.model_cache import model_for


def states(tree, rng, batch: int):
    return (np.stack(x) for x in zip(*(random_state(tree, rng) for _ in range(batch)), strict=True))


def chain(count: int = 3, **parameters) -> vc.System:
    rng = np.random.default_rng(count)
    system = vc.System("chain", gravity=(0, 0, -9.81))
    for i in range(count):
        system.add(
            vc.RigidBody(f"b{i}", parameters.get("mass", 1.0), rng.normal(size=3), random_inertia(rng) + np.eye(3))
        )
        system.add(
            vc.Revolute(
                f"j{i}", f"b{i - 1}" if i else "ground", f"b{i}", axis=rng.normal(size=3), at=rng.normal(size=3)
            )
        )
    return system


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_inverse_of_inverse_dynamics(kind, compiled):
    rng = np.random.default_rng([1, KINDS.index(kind)])
    system = random_system(rng, 4, (kind, "revolute", "prismatic"))
    tree = system.tree()
    q, v = states(tree, rng, 5)
    tau = rng.normal(size=(5, tree.nv))
    external = {"body0": rng.normal(size=6), "body3": rng.normal(size=(5, 6))}
    if compiled:
        compile_for_again(accelerations_tape(model_for(system), (0, 3), True))
    a = vc.forward_dynamics(system, q, v, tau, t=0.3, external=external)
    needed = vc.inverse_dynamics(system, q, v, a, t=0.3, external=external)
    size = 1.0 + np.abs(needed.forces).max(initial=0.0) + np.abs(a).max(initial=0.0)
    assert a.shape == tau.shape
    assert np.abs(needed.missing - tau).max(initial=0.0) < 1e-10 * size


@pytest.mark.parametrize("seed", range(4))
def test_it_gives_what_derived_equations_give(seed):
    rng = np.random.default_rng([7, seed])
    system = random_system(rng, 4)
    add_random_actions(system, rng, 3)
    tree = system.tree()
    q, v = states(tree, rng, 6)
    tau = rng.normal(size=v.shape)
    equations = vc.derive(system, "newton-euler")
    for given in (None, tau, tau[0]):
        there = equations.accelerations(q, v, None if given is None else np.broadcast_to(given, v.shape), t=0.4)
        here = vc.forward_dynamics(system, q, v, given, t=0.4)
        assert np.abs(here - there).max(initial=0.0) < 1e-9 * (1.0 + np.abs(there).max(initial=0.0))


def test_parameters_and_instants_may_differ_from_row_to_row():
    system = chain(mass=vc.parameter("m", 1.0))
    system.add(vc.Force("push", "b2", lambda body, t: vc.Wrench(force=(vc.math.sin(t), 0, 0))))
    rng = np.random.default_rng(0)
    q, v, tau = rng.normal(size=(3, 6, 3))
    masses, t = rng.uniform(1, 2, 6), rng.normal(size=6)
    together = vc.forward_dynamics(system, q, v, tau, t=t, parameters={"m": masses})
    alone = [vc.forward_dynamics(system, q[i], v[i], tau[i], t=t[i], parameters={"m": masses[i]}) for i in range(6)]
    assert np.allclose(together, alone, rtol=1e-12)
    assert not np.allclose(together, vc.forward_dynamics(system, q, v, tau))


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 600, 1203])
@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (3, 1), (4, 4), (5, 9), (7, 8), (13, 6)])
def test_arrays_are_read_where_they_lie(sizes, rows):
    """Outputs of machine code over several arrays, broadcast or with gaps between rows, are bit by bit those over packed rows."""
    from vinculum.compile.targets.llvm.machine import compile_tape
    from vinculum.compile.trace import trace
    from vinculum.scalars import symbols

    rng = np.random.default_rng([rows, *sizes])
    x, y = symbols("x", sizes[0]), symbols("y", sizes[1])
    outputs = [vc.math.sin(x[i % len(x)]) * y[(i + 1) % len(y)] - y[i % len(y)] for i in range(max(sizes))]
    code = compile_tape(trace({"x": x, "y": y}, {"z": outputs}))
    wide, single = rng.normal(size=(rows, sizes[0] + 3)), rng.normal(size=sizes[1])
    room = np.full((rows, len(outputs) + 2), 9.0)
    for parts in ([wide[:, 1 : 1 + sizes[0]], single], [np.ascontiguousarray(wide[:, : sizes[0]]), np.tile(single, (rows, 1))],
                  [wide[::-1, : sizes[0]], single]):  # fmt: skip
        packed = np.hstack([np.broadcast_to(p, (rows, p.shape[-1])) for p in parts])
        out, kept = room[:, 1:-1], empty_blocks(rows, sum(sizes))
        assert evaluate_gathered(code, parts, rows, out, kept)
        assert np.array_equal(out, code(packed)) and np.array_equal(in_rows(kept, rows), packed)
        assert np.all(room[:, [0, -1]] == 9.0)
        assert np.allclose(out, arrays.evaluate(code.tape, packed), rtol=1e-13, atol=1e-15)
    for bad in (np.nan, np.inf, -np.inf):
        spoiled = wide[:, : sizes[0]].copy()
        spoiled[rng.integers(rows), rng.integers(sizes[0])] = bad
        assert not evaluate_gathered(code, [spoiled, single], rows, room[:, 1:-1].copy())


@pytest.mark.parametrize("compiled", [False, True])
def test_results_go_where_they_are_asked_for(compiled):
    system = chain()
    if compiled:
        compile_for_again(accelerations_tape(model_for(system), (), True))
    q, v, tau = np.random.default_rng(1).normal(size=(3, 20, 3))
    expected = vc.forward_dynamics(system, q, v, tau)
    out = np.empty((20, 3))
    assert vc.forward_dynamics(system, q, v, tau, out) is out and np.array_equal(out, expected)
    every_other, columns = np.empty((40, 3))[::2], np.empty((3, 20)).T
    for room in (every_other, columns):
        assert vc.forward_dynamics(system, q, v, tau, room) is room and np.array_equal(room, expected)
    one = np.empty(3)
    assert vc.forward_dynamics(system, q[0], v[0], tau[0], one) is one and np.allclose(one, expected[0], rtol=1e-13)
    assert vc.forward_dynamics(system, q[:0], v[:0], tau[:0]).shape == (0, 3)
    for shift in (0, 1):  # results over the memory of an input, row upon row or between
        memory = np.zeros((21, 3))
        memory[:20] = tau
        assert np.array_equal(vc.forward_dynamics(system, q, v, memory[:20], memory[shift : 20 + shift]), expected)


def test_states_may_be_named_and_of_other_kinds_of_numbers():
    system = chain()
    named = vc.forward_dynamics(system, {"j0": 1.0}, {"j1": 2.0}, {"j2": 3.0})
    assert np.array_equal(named, vc.forward_dynamics(system, [1, 0, 0], (0, 2, 0), np.array([0, 0, 3], dtype=np.int32)))
    q, v = np.random.default_rng(2).normal(size=(2, 5, 3)).astype(np.float32)
    fine = vc.forward_dynamics(system, q.astype(float), v.astype(float))
    assert np.array_equal(vc.forward_dynamics(system, q, v), fine)
    assert np.array_equal(vc.forward_dynamics(system, np.asfortranarray(q, dtype=float), v), fine)


def four_bar() -> vc.System:
    system = vc.System("four-bar", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0)):
        system.add(vc.RigidBody(name, length, (length / 2, 0, 0), (1e-3, 0.1, 0.1)))
    system.add(vc.Revolute("A", "ground", "crank"))
    system.add(vc.Revolute("B", "crank", "coupler", at=(1.0, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2.0, 0, 0)))
    return system


@pytest.mark.parametrize("make", [four_bar, lambda: pendulum_on_a_rod()])
def test_loops_and_constraints_are_kept_by_the_accelerations(make):
    system = make()
    rng = np.random.default_rng(5)
    equations = vc.derive(system, "newton-euler")
    n = len(equations.coordinates)
    q, v, tau = rng.normal(size=(3, 4, n))
    a = vc.forward_dynamics(system, q, v, tau)
    there = equations.closure.at(q, v)
    assert np.abs(np.einsum("bij,bj->bi", there["J"], a) + there["closing_bias"]).max() < 1e-9
    left = np.einsum("bij,bj->bi", equations.mass_matrix(q), a) + equations.bias(q, v) - tau
    reaction = np.einsum("bij,bi->bj", there["J"], equations.closure.multipliers(q, v, tau))
    assert np.abs(left - reaction).max() < 1e-9 * (1.0 + np.abs(reaction).max())
    out = np.empty_like(a)
    assert vc.forward_dynamics(system, q, v, tau, out) is out and np.array_equal(out, a)


def pendulum_on_a_rod() -> vc.System:
    system = vc.System("rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    return system


def test_a_call_that_is_repeated_gives_what_the_first_gave():
    """Repeated calls take a shorter way: with and without τ, into new arrays, old ones and over inputs; and trees stay light."""
    import pickle

    system = chain(4)
    rng = np.random.default_rng(8)
    q, v, tau = rng.normal(size=(3, 600, 4))
    for given in (None, tau):
        compile_for_again(accelerations_tape(model_for(system), (), given is not None))
        first = vc.forward_dynamics(system, q, v, given)
        for rows in (600, 3, 0):
            part = None if given is None else given[:rows]
            assert np.array_equal(vc.forward_dynamics(system, q[:rows], v[:rows], part), first[:rows])
        over = v.copy()
        assert vc.forward_dynamics(system, q, over, given, over) is over and np.array_equal(over, first)
        assert np.array_equal(
            vc.forward_dynamics(system, q[::-2], v[::-2], None if given is None else given[::-2]), first[::-2]
        )
        assert not np.array_equal(vc.forward_dynamics(system, q, v, given, external={"b0": np.ones(6)}), first)
        with pytest.raises(vc.errors.StartError, match=r"v of system 'chain' is nan at \[599, 3\]"):
            vc.forward_dynamics(system, q, np.where(np.arange(2400).reshape(600, 4) == 2399, np.nan, v), given)
        fixed = first.copy()
        fixed.flags.writeable = False
        with pytest.raises(vc.errors.StartError, match="out must be a writable float array"):
            vc.forward_dynamics(system, q, v, given, fixed)
    needed = [vc.inverse_dynamics(system, q, v, first) for _ in range(8)]
    assert all(np.allclose(one.missing, tau) and np.allclose(one.forces, needed[0].forces) for one in needed)
    assert np.allclose(needed[0].wrench("j2"), needed[-1].wrench("j2"))
    assert np.array_equal(vc.forward_dynamics(pickle.loads(pickle.dumps(system)), q, v, tau), first)
