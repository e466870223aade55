"""Laws of linear equations: they do not depend on how a system is described, and they are the derivatives of what runs."""

import json
import re

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import vinculum as vc
from bicycle import bicycle, upright
from rolling import MASS, RADIUS, THIN, G, disc, disc_start
from trees import random_state, random_system
from vinculum.cli.app import app
from vinculum.compile.passes.derivatives import values_and_jacobians
from vinculum.compile.targets.casadi import casadi_function
from vinculum.models.model_cache import model_for

LEAN, YAW = 0.3, -1.1
SPIN = -(4 * G * np.sin(LEAN) / (5 * RADIUS) + np.sin(2 * LEAN) * YAW**2 / 2) / (6 / 5 * np.cos(LEAN) * YAW)


def matched(found, known):
    """The largest distance between two sets of eigenvalues, each with its nearest."""
    left, worst = list(known), 0.0
    for x in found:
        i = int(np.argmin([abs(x - y) for y in left]))
        worst = max(worst, abs(x - left.pop(i)))
    return worst


def restated(chart, shift, turn):
    """The disc on its circle, with another chart and another frame in its body, and its start."""
    system = vc.System("rolling disc", gravity=(0, 0, -G))
    R_BD = turn.as_matrix()  # axes of the disc in those of the body
    body = system.add(vc.RigidBody("disc", MASS, com=shift, inertia=R_BD @ np.diag(THIN) @ R_BD.T))
    system.add(vc.Free("flight", "ground", body, chart=chart))
    system.add(
        vc.constraints.Rolling.disc("rolling", body, RADIUS, axis=R_BD[:, 1], center=shift, realization=vc.DAlembert())
    )
    start = disc_start((0.4, LEAN, 0.7), (YAW, 0.0, SPIN))["disc"]
    R_WD = Rotation.from_quat(np.roll(start.position[3:], -1)).as_matrix()
    R_WB = R_WD @ R_BD.T
    v, w = R_BD @ np.array(start.rate[:3]), R_BD @ np.array(start.rate[3:])
    origin = np.array(start.position[:3]) - R_WB @ shift
    return system, {"flight": vc.At(vc.Pose(origin, R_WB), rate=(*(v - np.cross(w, shift)), *w))}


@pytest.mark.parametrize("chart", ["quaternion", "zxz", "xyz"])
@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (0.1, -0.2, 0.3)])
def test_eigenvalues_do_not_depend_on_the_chart_nor_on_the_frame_of_a_body(chart, shift):
    known = vc.linearize(disc(), disc_start((0.4, LEAN, 0.7), (YAW, 0.0, SPIN))).eigenvalues
    system, at = restated(chart, np.array(shift), Rotation.from_rotvec((0.4, -0.9, 0.5)))
    found = vc.linearize(system, at).eigenvalues
    assert len(found) == len(known) and matched(found, known) < 1e-5
    wobbles = [x for x in found if abs(x.imag) > 2]
    assert matched(wobbles, [x for x in known if abs(x.imag) > 2]) < 1e-9


def test_a_bicycle_rides_alike_in_every_direction():
    system, heading = bicycle(), 0.7
    straight, turned = upright(5.0), upright(5.0)
    turned["frame"] = vc.At((2.0, -3.0, 0.0, np.cos(heading / 2), 0, 0, np.sin(heading / 2)), rate=turned["frame"].rate)
    one, other = (vc.linearize(system, at, coordinates=("frame.wx", "steer")) for at in (straight, turned))
    np.testing.assert_allclose(other.A, one.A, rtol=0, atol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_at_rest_without_weight_answers_forces_by_its_inverse_mass_matrix(seed):
    rng = np.random.default_rng(seed)
    system = vc.System("weightless")
    for part in (described := random_system(rng, 5, forces=False)).bodies.values():
        system.add(part)
    for joint in described.joints.values():
        system.add(joint)
    model = model_for(system)
    q, _ = random_state(model.tree, rng)
    start = {link.joint.name: q[link.q] for link in model.tree.links if link.joint.nq}
    names, n = model.layout.v_names, model.nv
    linear = vc.linearize(system, start, inputs=names)
    inverse = np.linalg.inv(vc.derive(system, "newton-euler").mass_matrix(linear.about.q))
    order = [names.index(name) for name in linear.states.speeds]
    np.testing.assert_allclose(linear.B[-n:], inverse[order], rtol=1e-8, atol=1e-9 * np.abs(inverse).max())
    np.testing.assert_allclose(linear.A[n:], 0.0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(linear.A[:n, n:], np.eye(n), rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", ["motion", "rates", "balance"])
def test_slopes_of_a_tape_are_those_that_casadi_finds(name):
    import casadi as ca

    model = model_for(bicycle())
    tape = model.tape(name)
    rng = np.random.default_rng(3)
    x = rng.normal(size=tape.n_in) * 0.3
    x[3] += 1.0
    function, s = casadi_function(tape), ca.SX.sym("x", tape.n_in)
    known = np.array(ca.Function("J", [s], [ca.jacobian(function(s), s)])(x))
    found = values_and_jacobians(tape, x[None])
    np.testing.assert_allclose(found[0][0], np.ravel(function(x)), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found[1][0], known, rtol=1e-9, atol=1e-9 * np.abs(known).max())


def test_a_coin_pushed_off_its_circle_follows_the_linear_equations():
    """All eight states of a disc that spins and precesses, in full next to exp(A t): the error falls with the square of the push."""
    system = disc()
    at = disc_start((0.0, LEAN, 0.0), (YAW, 0.0, SPIN))
    linear = vc.linearize(system, at, coordinates=("disc.wx",))
    whole, until, apart = vc.simulate(system, 0.6, at, grid=2), 0.6, []
    for small in (2e-3, 1e-3):
        pushed = disc_start((0.0, LEAN, 0.0), (YAW, small, SPIN))
        run = vc.simulate(system, until, pushed, grid=2)
        first = run.v[0] - whole.v[0]
        x = np.zeros(len(linear.A))
        x[len(linear.states.coordinates) :] = [first[_place(system, name)] for name in linear.states.speeds]
        lean = np.arcsin(run.body("disc").rotation[-1, 2, 1]) - np.arcsin(whole.body("disc").rotation[-1, 2, 1])
        known = _lean(linear, expm(linear.A * until) @ x)
        apart.append(abs(lean - known) / small)
    assert apart[1] < 0.6 * apart[0] < 0.02


def _place(system, name):
    return model_for(system).layout.v_names.index(name)


def _lean(linear, x):
    """A turn about the axis ahead of the disc, which is its own x at the start and stays so in axes that do not spin."""
    return x[linear.states.coordinates.index("disc.wx")]


def test_vakonomic_multipliers_are_part_of_the_linear_equations():
    """A skate with μ F in its Lagrangian, straight on: ẋ cosθ + ẏ sinθ free, F = −ẋ sinθ + ẏ cosθ = 0, by hand at μ = μ₀.

    L = ½m(ẋ²+ẏ²) + ½Iω² + μF: about ẋ = u, θ = y = 0: mÿ + μ̇ = 0, ÿ = uθ̇ and Iθ̈ = −uμ up to squares, so θ̈ has Iθ⃜ = m u² θ̈.
    """
    u, m, I = 1.3, 2.0, 0.7
    system = vc.System("skate")
    blade = system.add(vc.RigidBody("blade", mass=m, inertia=(1, 1, I)))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, side=(0, 1, 0), realization=vc.Vakonomic(multipliers=0.0)))
    linear = vc.linearize(system, {"ice": vc.At((0, 0, 0), rate=(u, 0, 0))})
    assert linear.states.multipliers == ("edge.mu",) and len(linear.A) == 6
    np.testing.assert_allclose(linear.eigenvalues.real.max(), u * np.sqrt(m / I), rtol=1e-9)
    with pytest.raises(vc.errors.MethodError, match="not of second order"):
        linear.second_order  # noqa: B018


def test_the_command_line_gives_the_same_numbers(tmp_path):
    model = tmp_path / "pendulum.toml"
    model.write_text(
        '[system]\ngravity = [0, 0, -9.81]\n[bodies.bob]\nmass = 1.0\nkind = "point"\n'
        '[joints.hinge]\nkind = "revolute"\nparent = "ground"\nchild = "bob"\naxis = [0, 1, 0]\nto = [0, 0, 1]\n[start]\nhinge = 0.1\n'
        "[run]\nuntil = 1.0\n"
    )
    done = CliRunner().invoke(app, ["linearize", str(model), "--settle", "--input", "hinge", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    np.testing.assert_allclose(told["A"], [[0, 1], [-9.81, 0]], rtol=0, atol=1e-12)
    assert told["about"] == "rest" and told["q"] == pytest.approx([0.0], abs=1e-12) and told["B"] == [[0.0], [1.0]]
    plain = CliRunner().invoke(app, ["linearize", str(model)])
    assert plain.exit_code == 2 and "--settle" in plain.output
    assert "± 3.13209i" in CliRunner().invoke(app, ["linearize", str(model), "--settle"]).stdout


def damped_double_pendulum(length: float, mass: float, time: float) -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81 * length / time**2))
    inertia, parent, end = np.array([0.08, 0.08, 0.01]) * mass * length**2, "ground", (0.0, 0.0, 0.0)
    for k in range(2):
        body = system.add(vc.RigidBody(f"rod {k}", mass=mass, com=(0, 0, -0.5 * length), inertia=inertia))
        damping = 0.1 * mass * length**2 / time
        system.add(vc.Revolute(f"hinge {k}", parent, body, at=vc.Pose(end), axis=(0, 1, 0), damping=damping))
        parent, end = body, (0.0, 0.0, -length)
    return system


@pytest.mark.parametrize("units", [(1e-10, 1e-26, 1e-13), (1e9, 1e24, 1e7)], ids=["atoms", "orbits"])
def test_modes_do_not_depend_on_units(units):
    usual, found = (vc.linearize(damped_double_pendulum(*one)) for one in ((1.0, 1.0, 1.0), units))
    np.testing.assert_allclose(found.eigenvalues * units[2], usual.eigenvalues, rtol=1e-9)
    shown = [[re.split("  +", line)[2] for line in str(one).splitlines()[2:]] for one in (usual, found)]
    assert shown[0] == shown[1] == [f"{-x.real / abs(x):.4g}" for x in usual.eigenvalues[::2]]
