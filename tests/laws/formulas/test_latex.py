"""What is printed has the value of what is computed: LaTeX is read back as a reader reads it."""

import numpy as np
import pytest

import vinculum as vc
from formulas.latex_values import latex_value
from machines import MACHINES, double_pendulum, from_the_vertical
from trees import KINDS, random_state, random_system
from vinculum.derivations.printing.letters import letter

KINDS_WITH_RATES = tuple(kind for kind in KINDS if kind not in ("spherical", "free", "weld"))


def letters(equations, q, v, a, p):
    state = equations.graphs.state
    values = dict(
        zip([one.latex for one in (*state.q_letters, *state.v_letters, *state.a_letters)], [*q, *v, *a], strict=True)
    )
    if equations.graphs.canonical:
        values |= dict(zip([one.latex for one in state.p_letters], p, strict=True))
    return values | {letter(name).latex: value for name, value in equations.parameters.items()} | {"t": 0.7}


def check(equations, q, v, rng, seconds):
    a, p = rng.normal(size=(2, len(equations.graphs.state.v)))
    values = letters(equations, q, v, a, p)
    lines = equations.lines(seconds)
    named = lines[(1 + 2 * len(p)) if equations.graphs.canonical else len(p) :]
    for line in named:
        name, right = line.split(" = ")
        values[name] = latex_value(right, values)
    if equations.graphs.canonical:
        expected = [
            equations.canonical.hamiltonian(q, p),
            *equations.canonical.velocities(q, p),
            *equations.canonical.momenta_rates(q, p, t=0.7),
        ]
        found = [latex_value(line.split(" = ")[1], values) for line in lines[: len(expected)]]
    else:
        expected = equations.mass_matrix(q) @ a + equations.bias(q, v, t=0.7)
        found = [latex_value(line.removesuffix(" = 0"), values) for line in lines[: len(a)]]
    assert found == pytest.approx(list(expected), rel=1e-8, abs=1e-9 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.__name__)
@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "hamilton"])
@pytest.mark.parametrize("seconds", [20.0, 0.0], ids=["simplified", "named"])
def test_the_latex_of_machines_has_the_value_of_their_equations(machine, form, seconds):
    system = machine()
    tree = system.tree()
    if form != "newton-euler" and tree.nq != tree.nv:
        pytest.skip("quaternions have no such form")
    rng = np.random.default_rng(1)
    check(vc.derive(system, form), *random_state(tree, rng), rng, seconds)


@pytest.mark.parametrize("form", ["lagrange", "hamilton"])
def test_the_latex_of_other_coordinates_has_the_value_of_their_equations(form):
    rng = np.random.default_rng(2)
    check(vc.derive(double_pendulum(), form, coordinates=from_the_vertical), *rng.normal(size=(2, 2)), rng, 20.0)


@pytest.mark.parametrize("form", ["lagrange", "hamilton"])
def test_the_latex_of_fractions_has_the_value_of_the_equations(form):
    """Fedorov's vector-parameter brings sums into denominators, with numbers before and behind them."""
    system = vc.System("body")
    body = system.add(vc.RigidBody("body", vc.parameter("m", 2.0), com=(0.1, 0, 0), inertia=(1, 2, 2.5)))
    system.add(vc.Spherical("pin", "ground", body, chart="fedorov"))
    rng = np.random.default_rng(2)
    check(vc.derive(system, form), *random_state(system.tree(), rng), rng, 20.0)


@pytest.mark.parametrize("kind", KINDS_WITH_RATES)
@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "hamilton"])
def test_the_latex_of_every_joint_has_the_value_of_its_equations(kind, form):
    for count in (1, 2):
        rng = np.random.default_rng(count)
        system = random_system(rng, count, kinds=(kind,))
        check(vc.derive(system, form), *random_state(system.tree(), rng), rng, 5.0)


@pytest.mark.parametrize("form", ["lagrange", "hamilton"])
@pytest.mark.parametrize("name", ["t", "H", "1a", "lambda_1"])
def test_no_joint_is_written_as_time_or_energy_or_a_number(name, form):
    import sympy

    system = vc.System("swing", gravity=(0, -9.81, 0))
    system.add(vc.RigidBody("bob", 1.0, (1, 0, 0), np.eye(3)))
    system.add(vc.Revolute(name, "ground", "bob", drive=lambda t, q, v: vc.math.sin(3 * t)))
    found = vc.derive(system, form=form).sympy()
    coordinate = found.coordinates[0]
    assert str(coordinate) not in ("t", "H" if form == "hamilton" else "t") and not str(coordinate)[0].isdigit()
    last = found.equations[-1]
    assert {coordinate, sympy.Symbol("t")} <= {sympy.Symbol(s.name) for s in last.free_symbols} | {coordinate}
    assert last.has(sympy.cos(coordinate))


def test_a_joint_called_lambda_is_not_taken_for_a_multiplier():
    system = vc.System("door", gravity=(0, -9.81, 0))
    for name, at in (("upper", 0.0), ("lower", 1.0)):
        system.add(vc.RigidBody(name, 1.0, (1, 0, 0), np.eye(3)))
        system.add(vc.Revolute("lambda_1" if at == 0.0 else "b", "ground", name, at=(at, 0, 0)))
    system.add(vc.RigidBody("bar", 1.0, (0.5, 0, 0), np.eye(3)))
    system.add(vc.Revolute("c", "upper", "bar", at=(1, 0, 0)))
    system.add(vc.Revolute("d", "lower", "bar", at=(1, 0, 0), to=(1, 0, 0)))
    found = vc.derive(system).sympy()
    assert len({str(s) for s in found.coordinates} | {"lambda_1"}) == 4
