"""Loops over pairs against the equations written out, and against double loops in NumPy made from the user's description."""

import numpy as np
import pytest

import vinculum as vc
from pair_loops import cloud, gravitation, has_pair_loop, looped, places, points, start, written_out
from vinculum.audits.balances import sensitivity
from vinculum.audits.tabled.sensitivity import tabled_sensitivities
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.targets import arrays
from vinculum.compile.targets.c99 import source
from vinculum.compile.targets.llvm import machine
from vinculum.compile.trace import trace
from vinculum.integrators.tabled.field import TableRates
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.rates import table_rates
from vinculum.motion.states import tape_groups
from vinculum.scalars import symbols

OF_CONSTRAINTS = {"acceleration_rows", "acceleration_sizes", "constraint_energy", "constraint_energy_size", "constraint_rate",
                  "constraint_rate_size", "constraint_time_slope", "inertia", "inertia_condition", "multiplier_rate_size",
                  "power_by_rows", "power_of_others", "reaction_sizes", "speeds"}  # fmt: skip
"""Quantities that only lines about constraints ask for; tables without constraints have not all of them."""


def lennard_jones(a, b):
    s = (a.radius + b.radius) / vc.math.norm(a.position - b.position)
    return 4.0 * vc.math.sqrt(a.depth * b.depth) * (s**12 - s**6)


def spring(a, b, t):
    d = a.position - b.position
    return 0.5 * (1.0 + 0.3 * vc.math.sin(2.0 * t)) * (vc.math.norm(d) - 0.4) ** 2


def rough(a, b):
    r = vc.math.norm(a.position - b.position)
    return vc.math.where(r < 1.0, (1.0 - r) ** 2, 0.0) + 0.1 * vc.math.exp(-r)


def rich(count: int) -> vc.System:
    """Everything that a pair loop may have: two pair energies, one of them on some points only; gravity, forces and potentials."""
    system = vc.System("rich", gravity=(0.1, -0.2, -0.5))
    p = points(system, count)
    G = vc.parameter("G", 0.7)
    rng = np.random.default_rng(3)
    numbers = {
        "radius": rng.uniform(0.1, 0.2, count - 3),
        "depth": [vc.parameter("depth", 0.2), *rng.uniform(0.1, 0.3, count - 4)],
    }
    system.add(vc.potentials.PairPotential("attraction", p, lambda a, b: G * gravitation(a, b)))
    system.add(vc.potentials.PairPotential("shells", p[:1:-1][: count - 3], lennard_jones, numbers))
    system.add(vc.potentials.PairPotential("springs", p[3:7], spring))
    system.add(vc.Force("drag", p[0], lambda a: vc.Wrench(force=-0.3 * a.velocity * vc.math.norm(a.velocity))))
    system.add(vc.Potential("well", [p[1]], lambda a, t: 0.5 * vc.math.cos(t) * vc.math.dot(a.position, a.position)))
    system.add(vc.Interaction("push", p[2], p[4], lambda a, b: vc.Wrench(force=0.2 * (a.position - b.position))))
    return system


def both(monkeypatch, make):
    """The model of a system as a loop, and written out."""
    looped(monkeypatch, 10)
    pair_loop = model_for(make())
    written_out(monkeypatch)
    return pair_loop, model_for(make())


def rows(model, count: int, many: int = 5, seed: int = 1) -> np.ndarray:
    states = np.stack([np.concatenate(places(count, seed + k)).ravel() for k in range(many)])
    values = model.parameter_values(None)
    return np.concatenate([states, np.linspace(0.1, 0.9, many)[:, None], np.tile(values, (many, 1))], axis=1)


CASES = {"gravitation": lambda: cloud(12), "everything": lambda: rich(12), "piecewise": lambda: cloud(13, rough),
         "timed": lambda: cloud(9, spring)}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_loop_gives_what_the_written_equations_give(monkeypatch, case):
    pair_loop, line = both(monkeypatch, CASES[case])
    assert has_pair_loop(pair_loop) and not has_pair_loop(line)
    assert pair_loop.parameters == line.parameters
    X = rows(line, len(line.layout.bodies))
    for tape in ("motion", "rates", "bodies", "balance"):
        found, wanted = (evaluate_groups(model.tape(tape), X) for model in (pair_loop, line))
        assert set(wanted) - set(found) <= OF_CONSTRAINTS
        for name in sorted(set(wanted) & set(found)):
            if name.endswith("size") or name == "reach":
                assert np.all(
                    found[name] >= 0.3 * np.abs(wanted[name]) - 1e-12 * np.abs(wanted[name]).max(initial=0.0)
                ), name
                continue
            size = max(float(name in ("power", "power_of_others")), np.abs(wanted[name]).max(initial=0.0))
            np.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=2e-13 * size, err_msg=name)


@pytest.mark.parametrize("method", ["rk4", "verlet", "dop853"])
def test_a_run_goes_where_the_written_equations_go(monkeypatch, method):
    x, v = places(12)
    how = {"method": method} | ({"step": 0.01} if method != "dop853" else {})
    looped(monkeypatch)
    one = vc.simulate(cloud(12), 0.5, start(x, v), grid=6, progress=False, **how)
    written_out(monkeypatch)
    other = vc.simulate(cloud(12), 0.5, start(x, v), grid=6, progress=False, **how)
    assert has_pair_loop(one.record.model) and not has_pair_loop(other.record.model)
    np.testing.assert_allclose(one.q, other.q, rtol=0, atol=1e-13)
    np.testing.assert_allclose(one.v, other.v, rtol=0, atol=1e-13)
    np.testing.assert_allclose(one.body().momentum, other.body().momentum, rtol=0, atol=1e-13)
    np.testing.assert_allclose(one.energy, other.energy, rtol=0, atol=1e-13)


@pytest.mark.parametrize("count", [41, 42, 47, 48, 49, 130])
def test_forces_are_those_of_a_double_loop(count):
    """U = −m m'/√(r² + 0.01) + q q'/r by hand, for every number of points in the last block."""
    rng = np.random.default_rng(count)
    charge = rng.normal(size=count)

    def energy(a, b):
        return gravitation(a, b) + a.charge * b.charge / vc.math.norm(a.position - b.position)

    system = cloud(count, energy, gravity=(0.0, 0.3, -1.0), numbers={"charge": charge})
    model = model_for(system)
    assert has_pair_loop(model)
    x, v = places(count, seed=count)
    mass = (1.0 + np.arange(count) / count) / count
    force, potential = np.zeros((count, 3)), -float(np.sum(mass * (x @ [0.0, 0.3, -1.0])))
    for i in range(count):
        for j in range(count):
            if i != j:
                d = x[i] - x[j]
                r, soft = np.linalg.norm(d), np.sqrt(d @ d + 0.01)
                force[i] += -mass[i] * mass[j] * d / soft**3 + charge[i] * charge[j] * d / r**3
                potential += 0.5 * (-mass[i] * mass[j] / soft + charge[i] * charge[j] / r)
    X = np.concatenate([x.ravel(), v.ravel(), [0.0]])[None]
    found = evaluate_groups(model.tape("motion"), X)["v_dot"].reshape(count, 3)
    wanted = force / mass[:, None] + [0.0, 0.3, -1.0]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13 * np.abs(wanted).max())
    balance = evaluate_groups(model.tape("balance"), X)
    assert balance["potential"][0, 0] == pytest.approx(potential, rel=1e-13)
    assert balance["kinetic"][0, 0] == pytest.approx(0.5 * float(np.sum(mass * (v**2).sum(axis=1))), rel=1e-14)


def test_the_sensitivities_of_points_are_those_of_differences(monkeypatch):
    looped(monkeypatch)
    x, v = places(6)
    motion = vc.simulate(cloud(6), 0.3, start(x, v), grid=4, progress=False)
    sizes = np.abs(np.random.default_rng(2).normal(size=36)) + 0.1
    closed = tabled_sensitivities(motion.record, sizes, (sizes,))[0]
    differences = sensitivity.sensitivities(motion.record, sizes, (sizes,))[0][0]
    np.testing.assert_allclose(closed, differences, rtol=2e-5, atol=1e-9)


@pytest.mark.parametrize("exponent", [-8.5, -2.5, -1.5, -0.5, 1.5, 3.5])
def test_half_powers_are_products_with_a_root(exponent):
    x = symbols("x", 1)
    tape = trace({"x": x}, {"y": [x[0] ** exponent]})
    X = np.geomspace(1e-12, 1e12, 400)[:, None]
    wanted = arrays.evaluate(tape, X)
    np.testing.assert_allclose(machine.compile_tape(tape)(X), wanted, rtol=4e-15)
    assert "v_pow" not in machine.assembly(tape).text
    assert "pow(" not in source(tape) and "sqrt(" in source(tape)


def test_other_powers_stay_powers():
    x = symbols("x", 1)
    assert "v_pow" in machine.assembly(trace({"x": x}, {"y": [x[0] ** 1.3]})).text


def test_every_action_of_a_pair_loop_can_be_asked(monkeypatch):
    x, v = places(12)
    how = {"grid": 3, "progress": False, "method": "rk4", "step": 0.001}
    looped(monkeypatch, 10)
    one = vc.simulate(rich(12), 0.01, start(3.0 * x, v), **how)
    written_out(monkeypatch)
    other = vc.simulate(rich(12), 0.01, start(3.0 * x, v), **how)
    for name, entry in other.record.model.layout.actions.items():
        assert one.record.model.layout.actions[name] == entry
        np.testing.assert_allclose(one.bond(name).energy, other.bond(name).energy, rtol=0, atol=1e-12, err_msg=name)
        for body in entry.bodies:
            found, wanted = (motion.bond(name).effort(body) for motion in (one, other))
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * max(1.0, np.abs(wanted).max()), err_msg=name)


def mixed(count: int = 12, kicked: bool = False) -> tuple[vc.System, np.ndarray, np.ndarray]:
    """Points of which all act on all, some of them tied by springs, by a rod or to a rail, among rigid bodies on a hinge and a spring."""
    system = vc.System("mixed", gravity=(0.0, 0.3, -1.0))
    p, (x, v) = points(system, count), places(count)
    system.add(vc.potentials.PairPotential("attraction", p, gravitation))
    system.add(vc.potentials.PairPotential("springs between all", p[2:8], lambda a, b, t: spring(a, b, t)))
    for i in range(3):
        system.add(vc.Spring(f"spring {i}", p[i], p[i + 4], stiffness=2.0 + i, rest_length=0.3, damping=0.1))
    length = float(np.linalg.norm(x[8] - x[9]))
    v[9] = v[8]
    system.add(vc.constraints.distance("rod", p[8], p[9], length, realization="dalembert"))
    system.add(vc.Prismatic("rail", "ground", p[10], axis=(0.6, 0.8, 0.0)))
    arm = system.add(vc.RigidBody("arm", 1.5, (0.1, 0, -0.3), inertia=(0.3, 0.2, 0.25)))
    free = system.add(vc.RigidBody("free", 0.7, (0, 0.1, 0), inertia=(0.1, 0.1, 0.15)))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(2.0, 0, 0)))
    system.add(vc.Spring("to the arm", p[11], arm, stiffness=3.0, rest_length=0.5, to=(0, 0, -0.6)))
    system.add(
        vc.Potential(
            "well", [free, p[3]], lambda a, b: vc.math.dot(a.center, a.center) + a.rotation[0, 1] * b.position[2]
        )
    )
    if kicked:
        system.add(vc.Impulse("kick", p[8], vc.Wrench(force=(0.1, -0.2, 0.3)), at=0.1))
    return system, x, v


def start_of_mixed(x: np.ndarray, v: np.ndarray) -> dict:
    given = start(x, v)
    del given["p10"]
    return given | {"rail": vc.At(0.7, rate=-0.2), "hinge": vc.At(0.4, rate=0.3), "free": (-2.0, 0, 0, 1, 0, 0, 0)}


@pytest.mark.parametrize("kicked", [False, True])
def test_points_that_are_tied_and_among_rigid_bodies_move_as_written_out(monkeypatch, kicked):
    system, x, v = mixed(kicked=kicked)
    how = {"method": "dop853", "tolerance": 1e-12, "grid": 5, "progress": False}
    looped(monkeypatch, 10)
    one = vc.simulate(system, 0.2, start_of_mixed(x, v), **how)
    written_out(monkeypatch)
    other = vc.simulate(mixed(kicked=kicked)[0], 0.2, start_of_mixed(x, v), **how)
    assert has_pair_loop(one.record.model) and not has_pair_loop(other.record.model)
    found, wanted = (
        tape_groups(motion.record, "motion", other.time, np.concatenate([other.q, other.v], axis=1))["v_dot"]
        for motion in (one, other)
    )
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())
    field, rates = TableRates(one.record.model, one.record.values), np.empty(one.q.shape[1] + one.v.shape[1])
    for t, state, own in zip(other.time, np.concatenate([other.q, other.v], axis=1), wanted, strict=True):
        table_rates(field.tables, state, t, rates)
        np.testing.assert_allclose(rates[one.q.shape[1] :], own, rtol=0, atol=1e-12 * np.abs(wanted).max())
    np.testing.assert_allclose(one.q, other.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(one.v, other.v, rtol=0, atol=1e-10)
    certificate = one.audit()
    assert certificate.passed, str(certificate)
    laws = [line.law for line in certificate.lines]
    assert {"Newton's third law", "forces of the pairs", "power of potentials"} <= set(laws)
    assert len(set(laws)) == len(laws)


def test_points_of_which_one_is_on_a_rail_are_pulled_where_it_is(monkeypatch):
    """A rail leads a point away from the numbers of its coordinates: its position is not one of them."""
    looped(monkeypatch, 10)
    model = model_for(mixed()[0])
    rng = np.random.default_rng(4)
    row = np.concatenate([rng.normal(size=model.nq + model.nv), [0.3]])[None]
    at = {
        name: evaluate_groups(model.tape("bodies"), row)[f"{name}/position"][0] for name in (f"p{i}" for i in range(12))
    }
    mass = np.array([1.0 + i / 12 for i in range(12)])
    d = at["p10"] - np.stack(list(at.values()))
    pull = -(mass[10] * mass[:, None] * d / ((d**2).sum(axis=1) + 0.01)[:, None] ** 1.5).sum(axis=0)
    found = evaluate_groups(model.tape("bonds"), row)["attraction/efforts"].reshape(12, 6)[10]
    np.testing.assert_allclose(found[:3], pull, rtol=1e-13)
