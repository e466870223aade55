"""Formulas have the values of the graphs they come from, LaTeX parses, and the time limit is obeyed."""

import re
import shutil
import subprocess
from itertools import count

import numpy as np
import pytest
import sympy
from matplotlib.mathtext import MathTextParser

import vinculum as vc
from machines import MACHINES, cart_pole, double_pendulum, from_the_vertical
from trees import KINDS, random_state, random_system
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.derivations.printing import canonical
from vinculum.derivations.printing.formulas import Formulas, formulas_of
from vinculum.derivations.printing.named import NamedFormulas
from vinculum.errors import MethodError
from vinculum.scalars import directional, gradient

FLAT = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "translation")
FORMS = ("newton-euler", "lagrange", "hamilton")


def value_of(symbolic, matrix, q, v):
    table = dict(zip([*symbolic.coordinates, *symbolic.velocities], [*q, *v], strict=True))
    table[sympy.Symbol("t", real=True)] = 0.7
    for z, formula in symbolic.values:
        table[z] = formula.evalf(20, subs=table)
    return np.array(sympy.Matrix(matrix).evalf(20, subs=table).tolist(), dtype=float)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("seconds", [60.0, 0.0], ids=["simplified", "named"])
def test_formulas_have_the_values_of_the_equations(seed, seconds):
    rng = np.random.default_rng(seed)
    kinds = KINDS if seed < 4 else FLAT
    system = random_system(rng, 1 + seed % 2, kinds=kinds)
    tree = system.tree()
    if not tree.nv:
        return
    form = "newton-euler" if seed % 2 else ("lagrange" if tree.nq == tree.nv else "newton-euler")
    equations = vc.derive(system, form)
    q, v = random_state(tree, rng)
    found = equations.sympy(seconds)
    assert bool(found.values) <= (seconds == 0.0 or formulas_of(equations.graphs, seconds).__class__ is NamedFormulas)
    M, h = equations.mass_matrix(q), equations.bias(q, v, t=0.7)
    assert value_of(found, found.mass_matrix, q, v) == pytest.approx(M, abs=1e-11 * (1 + np.abs(M).max()))
    assert value_of(found, found.bias, q, v)[:, 0] == pytest.approx(h, abs=1e-11 * (1 + np.abs(h).max()))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.__name__)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seconds", [5.0, 0.0], ids=["simplified", "named"])
def test_latex_is_read_by_matplotlib(machine, form, seconds):
    system = machine()
    if form != "newton-euler" and system.tree().nq != system.tree().nv:
        pytest.skip("quaternions have no such form")
    equations = vc.derive(system, form)
    parser = MathTextParser("path")
    lines = equations.lines(seconds)
    for line in lines:
        assert line.count("{") == line.count("}")
        parser.parse(f"${line}$")
    assert equations.latex(seconds).startswith("\\begin{aligned}\n")
    assert equations.latex(seconds).count("&=") == len(lines)
    assert equations._repr_latex_().startswith("$$")
    assert equations.name in str(equations) and form in repr(equations)


def test_the_time_limit_is_obeyed_and_values_get_names(monkeypatch):
    rng = np.random.default_rng(2)
    system, parent = vc.System("chain", gravity=(1, 2, 3)), "ground"
    for i in range(6):
        body = system.add(vc.RigidBody(f"b{i}", 1.0, rng.normal(size=3), (0.3, 0.4, 0.5)))
        system.add(vc.Revolute(f"j{i}", parent, body, axis=rng.normal(size=3), at=rng.normal(size=3)))
        parent = body
    equations = vc.derive(system)
    looks = count()
    with monkeypatch.context() as patch:
        patch.setattr(canonical.time, "monotonic", lambda: 0.1 * next(looks))
        assert isinstance(formulas_of(equations.graphs, 0.35), NamedFormulas)
    assert next(looks) == 5  # the first look sets the limit, and the fourth after it is the last
    lines = equations.lines(0.1)
    named = [line.split(" = ")[0] for line in lines[6:]]
    assert all(re.fullmatch(r"z_\{\d+\}", name) for name in named)
    assert len(named) == len(set(named)) > 6
    assert all(line.endswith(" = 0") for line in lines[:6])


def test_short_equations_are_written_out():
    assert isinstance(formulas_of(vc.derive(double_pendulum()).graphs, 5.0), Formulas)


@pytest.mark.parametrize("seed", range(6))
def test_hamilton_s_equations_are_the_slopes_of_the_hamiltonian(seed):
    rng = np.random.default_rng(seed)
    kinds = (*FLAT, "spherical-fedorov", "spherical-xyz")
    system = random_system(rng, 3, kinds=kinds, forces=seed % 2 == 1)
    tree = system.tree()
    equations = vc.derive(system, "hamilton")
    canonical, state = equations.graphs.canonical, equations.graphs.state
    q, q_dot = random_state(tree, rng)[0], rng.normal(size=tree.nq)
    p = equations.canonical.momenta(q, q_dot)
    assert p == pytest.approx(equations.mass_matrix(q) @ q_dot, rel=1e-9, abs=1e-10)
    velocities = equations.canonical.velocities(q, p)
    assert velocities == pytest.approx(q_dot, rel=1e-8, abs=1e-9)
    H = canonical["hamiltonian"][0]
    slopes = trace({"q": state.q, "p": canonical["p"]}, {"p": gradient(H, canonical["p"]), "q": gradient(H, state.q)})
    by_p, by_q = np.split(arrays.evaluate(slopes, np.concatenate([q, p])[None])[0], 2)
    assert velocities == pytest.approx(by_p, rel=1e-9, abs=1e-9)
    force = equations.canonical.momenta_rates(q, p) + by_q
    h, M = equations.bias(q, q_dot), equations.mass_matrix(q)
    drift = arrays.evaluate(
        trace(
            {"q": state.q, "v": state.v}, {"x": directional(canonical["momentum_matrix"] @ state.v, state.q, state.v)}
        ),
        np.concatenate([q, q_dot])[None],
    )[0]
    assert equations.canonical.momenta_rates(q, p) == pytest.approx(drift - h, rel=1e-8, abs=1e-8)
    if seed % 2 == 0:
        assert np.abs(force).max() < 1e-8
    assert np.isfinite(equations.canonical.hamiltonian(q, p))
    assert equations.canonical.hamiltonian(np.stack([q, q]), np.stack([p, p])).shape == (2,)
    assert M.shape == (tree.nq, tree.nq)


def test_momenta_of_other_coordinates_change_as_forces_say():
    """ṗ of Hamilton's form, with damper and drive, is d/dt of M ẋ along the accelerations of Lagrange's."""
    system, new = cart_pole(), lambda s, phi: {"rail": 2.0 * s + vc.math.sin(phi), "phi": phi}
    lagrange, hamilton = (vc.derive(system, form, coordinates=new) for form in ("lagrange", "hamilton"))
    x, v, t, step = np.array([0.3, 0.7]), np.array([0.5, -0.8]), 0.4, 1e-5
    a = lagrange.accelerations(x, v, t=t)
    assert hamilton.accelerations(x, v, t=t) == pytest.approx(a, rel=1e-12)
    ahead, behind = (hamilton.canonical.momenta(x + s * v + 0.5 * s * s * a, v + s * a) for s in (step, -step))
    p = hamilton.canonical.momenta(x, v)
    assert hamilton.canonical.velocities(x, p) == pytest.approx(v, rel=1e-12)
    assert hamilton.canonical.momenta_rates(x, p, t=t) == pytest.approx((ahead - behind) / (2 * step), rel=1e-6)


def test_only_hamilton_s_form_has_momenta():
    with pytest.raises(MethodError, match=r'has no momenta; use derive\(system, form="hamilton"\)'):
        vc.derive(double_pendulum()).canonical.hamiltonian([0.1, 0.2], [0.3, 0.4])


def test_sharing_saves_operations():
    counts = vc.derive(double_pendulum(), coordinates=from_the_vertical).code.count_operations()
    assert 0 < counts["shared"] < counts["written"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler here")
@pytest.mark.parametrize("form", FORMS)
def test_the_c_function_gives_the_same_digits(form, tmp_path):
    equations = vc.derive(double_pendulum(), form)
    source, header = equations.code.c99(tmp_path / "pendulum.c")
    assert (source.name, header.name) == ("pendulum.c", "pendulum.h")
    inputs = [0.4, -0.9, 0.7, 1.1, 0.3, -0.2, 0.0, *(value for _, value in sorted(equations.parameters.items()))]
    listed = ", ".join(float(x).hex() for x in inputs)
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "pendulum.h"\n'
        f"int main(void) {{ const double in[PENDULUM_INPUTS] = {{{listed}}}; double out[PENDULUM_OUTPUTS]; pendulum(in, out);\n"
        'for (int i = 0; i < PENDULUM_OUTPUTS; ++i) printf("%.17g\\n", out[i]);\nreturn 0; }\n'
    )
    flags = ["-std=c99", "-pedantic", "-Wall", "-Werror", "-O1", "-ffp-contract=off"]
    subprocess.run(["gcc", *flags, "main.c", "pendulum.c", "-o", "run", "-lm"], cwd=tmp_path, check=True)
    printed = subprocess.run([str(tmp_path / "run")], capture_output=True, text=True, check=True).stdout
    q, v, tau = np.array(inputs[:2]), np.array(inputs[2:4]), np.array(inputs[4:6])
    expected = [*equations.mass_matrix(q).ravel(), *equations.bias(q, v), *equations.accelerations(q, v, tau)]
    assert [float(x) for x in printed.split()] == pytest.approx(expected, rel=1e-14)
    for name in ("q", "v", "tau", "mass_matrix", "bias", "accelerations", "m1"):
        assert name in header.read_text()
