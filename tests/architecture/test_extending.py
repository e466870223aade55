"""A joint, an integrator, a body, an impact law and a target of one's own: each is one class or function, and a line of registration."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from vinculum.bodies import Body
from vinculum.bonds.joints.coordinates import FlatCoordinates
from vinculum.bonds.joints.gaps import shifts, turn_sides, turns
from vinculum.bonds.joints.joint import Joint
from vinculum.bonds.joints.kind import JointKind
from vinculum.bonds.unilaterals.impact_laws import ImpactLaw
from vinculum.compile.evaluate import evaluate
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.integrators.fixed_step.fixed_step import hermite
from vinculum.integrators.table import INTEGRATORS, Integrator, register
from vinculum.models.model_cache import model_for
from vinculum.motion.method import METHODS, Claims
from vinculum.motion.problem import Problem, Steps
from vinculum.screws import Pose

G = 9.81


def pendulum(body=None):
    system = vc.System("pendulum", gravity=(0, 0, -G))
    arm = system.add(body or vc.RigidBody("arm", mass=1.0, com=(0, 0, -0.5), inertia=np.diag([0.084, 0.084, 0.001])))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), to=(0, 0, 0.3) if body else (0, 0, 0)))
    return system


class ParabolaKind(JointKind):
    """Sliding on z = x²/2 without turning; the coordinate is x [m]."""

    coordinates = FlatCoordinates(("",), ("m",))

    def pose(self, q):
        return Pose.of(np.eye(3), np.array([q[0], 0.0, 0.5 * q[0] * q[0]]))

    def subspace(self, q):
        return np.array([1.0, 0.0, q[0], 0.0, 0.0, 0.0]).reshape(6, 1)

    def subspace_rate(self, q, v):
        return np.array([0.0, 0.0, v[0] * v[0], 0.0, 0.0, 0.0])

    def gaps(self, X):
        return [*shifts(X.p, "y"), *turns(X.R)]

    def sides(self, X):
        return turn_sides(X.R)


@dataclass(frozen=True, eq=False)
class Parabola(Joint):
    """A bead on a parabola."""

    def _read_kind(self, where):
        return ParabolaKind()


def test_a_joint_is_its_table_of_functions():
    """(1 + x²) ẍ + x ẋ² + g x = 0 for a bead on a parabola."""
    system = vc.System("bead", gravity=(0, 0, -G))
    system.add(Parabola("wire", "ground", system.add(vc.MassPoint("bead", 0.7))))
    motion = vc.simulate(system, 2.0, {"wire": 0.8}, grid=21, progress=False)
    by_hand = solve_ivp(lambda t, y: [y[1], -(y[0] * y[1] ** 2 + G * y[0]) / (1.0 + y[0] ** 2)], (0, 2), [0.8, 0], "DOP853",
                        motion.time, rtol=1e-12, atol=1e-13)  # fmt: skip
    np.testing.assert_allclose(motion["wire"], by_hand.y[0], rtol=0, atol=1e-10)
    assert motion.audit().passed


@dataclass(frozen=True, eq=False)
class Hoop(Body):
    """A thin ring about the z axis of its frame."""

    name: str
    mass: float
    radius: float
    measure = None
    center = np.zeros(3)
    turns = True

    @property
    def inertia_at_center(self):
        return self.mass * self.radius**2 * np.diag([0.5, 0.5, 1.0])

    def _check(self, values=None):
        assert self.mass > 0.0 and self.radius > 0.0


def test_a_body_is_one_class():
    one = vc.simulate(pendulum(Hoop("arm", 2.0, 0.4)), 1.0, {"hinge": 1.0}, grid=11, progress=False)
    inertia = 2.0 * 0.4**2 * np.diag([0.5, 0.5, 1.0])
    other = pendulum(vc.RigidBody("arm", mass=2.0, com=(0, 0, 0), inertia=inertia))
    np.testing.assert_array_equal(one.q, vc.simulate(other, 1.0, {"hinge": 1.0}, grid=11, progress=False).q)
    assert one.audit().passed


@dataclass(frozen=True)
class Worn(ImpactLaw):
    """Half of the speed is lost."""

    treatment = "simultaneous"
    restitution = 0.5


def test_an_impact_law_is_one_class():
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=Worn()))
    motion = vc.simulate(system, 1.0, {"ball": (0, 0, 1.0)}, method="dop853", progress=False)
    hit = motion.bond("floor").impulses
    assert hit.times[0] == pytest.approx(np.sqrt(2.0 / G), abs=1e-9)
    assert hit.normal[0] == pytest.approx(1.5 * np.sqrt(2.0 * G), rel=1e-9)
    assert motion.audit().passed


class WornByImpulses(ImpactLaw):
    """Half of the impulse of compression is given back."""

    treatment = "simultaneous"
    restitution = 0.5
    by_impulses = True


@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_an_impact_law_says_whether_its_ratio_is_one_of_impulses(method):
    def last(law):
        system = vc.System("cradle")
        a, b, c = (system.add(vc.MassPoint(name, mass)) for name, mass in (("a", 1.0), ("b", 2.0), ("c", 4.0)))
        for name, left, right, impact in (("ab", a, b, vc.Inelastic()), ("bc", b, c, law)):
            system.add(
                vc.Unilateral(name, [left, right], gap=lambda x, y: y.position[0] - x.position[0], impact=impact)
            )
        start = {"a": vc.At((-0.1, 0, 0), rate=(1, 0, 0)), "b": (0, 0, 0), "c": (0, 0, 0)}
        step = {"step": 1e-3} if method == "moreau" else {}
        motion = vc.simulate(system, 0.2, start, method=method, progress=False, **step)
        assert motion.audit().passed
        return motion.v[-1]

    assert np.allclose(last(WornByImpulses()), last(vc.Poisson(0.5)), atol=1e-12)
    assert not np.allclose(last(WornByImpulses()), last(vc.Newton(0.5)), atol=1e-2)


HEUN = Claims("heun", 2, False, False, "Heun, Z. Math. Phys. 45 (1900) 23")


def heun_steps(problem: Problem):
    def rates(x, t):
        return evaluate(problem.tape, problem.rows(x[None], np.array([t])))[0]

    count = round((problem.until - problem.begin) / problem.method.step)
    times = np.linspace(problem.begin, problem.until, count + 1)
    states = [problem.state]
    for t, h in zip(times, np.diff(times), strict=False):
        first = rates(states[-1], t)
        states.append(states[-1] + 0.5 * h * (first + rates(states[-1] + h * first, t + h)))
    values = np.array(states)
    yield Steps(times, hermite(times, values, evaluate(problem.tape, problem.rows(values, times))))


@pytest.fixture
def heun():
    register(Integrator(HEUN, heun_steps))
    yield "heun"
    del INTEGRATORS["heun"], METHODS["heun"]


def test_an_integrator_is_one_function_and_its_claims(heun, tmp_path):
    exact = vc.simulate(pendulum(), 1.0, {"hinge": 1.0}, grid=2, progress=False).q[-1, 0]
    motions = [vc.simulate(pendulum(), 1.0, {"hinge": 1.0}, method=heun, step=h, progress=False) for h in (0.01, 0.005)]
    errors = [abs(motion.q[-1, 0] - exact) for motion in motions]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(HEUN.order, abs=0.1)
    motions[0].save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert str(loaded.record.method) == "heun step 0.01 s"
    np.testing.assert_array_equal(loaded.q, motions[0].q)
    with pytest.raises(vc.errors.MethodError, match=r"use auto, taylor, .* moreau or heun"):
        vc.simulate(pendulum(), 1.0, {"hinge": 1.0}, method="huen", progress=False)


PYTHON = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}", "sin": "sin({})", "cos": "cos({})",
          "sqrt": "sqrt({})", "square": "{0} * {0}", "sq": "{0} * {0}", "twice": "2.0 * {}", "inv": "1.0 / {}"}  # fmt: skip


def python_target(tape: Tape):
    """A tape as a function of Python's floats."""
    names = [f"x[{i}]" for i in range(tape.n_in)] + [repr(float(c)) for c in tape.constants]
    names = [f"({name})" for name in names]
    lines = []
    for name, result, operands in tape.rows():
        lines.append(f"    v{result} = " + PYTHON[name].format(*(names[a] for a in operands)))
        names.append(f"v{result}")
    lines.append("    return [" + ", ".join(names[r] for r in tape.results.tolist()) + "]")
    found = {}
    exec("from math import cos, sin, sqrt\ndef function(x):\n" + "\n".join(lines), found)
    return found["function"]


def test_a_target_is_one_walk_along_a_tape():
    tape = model_for(pendulum()).tape("motion")
    x = np.random.default_rng(1).normal(size=tape.n_in)
    np.testing.assert_allclose(python_target(tape)(x.tolist()), arrays.evaluate(tape, x[None])[0], rtol=1e-14)
