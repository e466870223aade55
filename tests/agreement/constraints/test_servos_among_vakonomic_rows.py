"""Named efforts, constraints on accelerations and vakonomic rows in one system: printed, in numbers and by NumPy alone."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model_cache import model_for

m, J, g = 1.2, 0.7, 3.0
STATE = np.array([0.2, 0.3, 0.4, 0.15, 1.0, 0.5, 0.6])
"""x, y, θ, μ and the three velocities."""


def blade(realization, **program) -> vc.System:
    system = vc.System("steered blade", gravity=(g, 0, 0))
    body = system.add(vc.RigidBody("blade", m, inertia=(J, J, J)))
    system.add(vc.Planar("plane", "ground", body))
    system.add(vc.constraints.knife_edge("edge", body, realization=vc.Vakonomic(multipliers=0.15)))
    system.add(vc.Constraint("turn", ["plane"], realization=realization, **program))
    return system


def pushed() -> vc.Servo:
    return vc.Servo(vc.Force("push", "blade", lambda b: vc.Wrench(force=(0.3, 0, 0), moment=(0, 0, 1.0))))


PROGRAMS = {
    "by the joint": (lambda: vc.Servo("plane.angle"), {"velocity": lambda p, t: p.v[2] - 0.6 - t}, [0, 0, 1.0]),
    "by a force": (pushed, {"velocity": lambda p, t: p.v[2] - 0.6 - t}, [0.3, 0, 1.0]),
    "accelerations by a force": (pushed, {"acceleration": lambda p: p.a[2] - 1.0}, [0.3, 0, 1.0]),
    "accelerations by chetaev": (vc.Chetaev, {"acceleration": lambda p: p.a[2] - 1.0}, [0, 0, 1.0]),
}


def by_numpy(B) -> tuple[np.ndarray, float, float]:
    """Accelerations, μ̇ and λ from d/dt ∂(L + μF)/∂q̇ − ∂(L + μF)/∂q = Bᵀλ, F = −ẋ sin θ + ẏ cos θ, and θ̈ = 1."""
    (_, _, a, mu), (x, y, w) = STATE[:4], STATE[4:]
    s, c = np.sin(a), np.cos(a)
    K, right = np.zeros((5, 5)), np.zeros(5)
    K[:3, :3], K[:3, 3], K[:3, 4] = np.diag([m, m, J]), [-s, c, 0.0], -np.array(B)
    right[:3] = [m * g + mu * c * w, mu * s * w, mu * (-x * c - y * s)]
    K[3, :3], right[3] = [-s, c, 0.0], (x * c + y * s) * w
    K[4, 2], right[4] = 1.0, 1.0
    found = np.linalg.solve(K, right)
    return found[:3], found[3], found[4]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("form", ["lagrange", "newton-euler", "telegin"])
def test_derived_and_compiled_equations_are_those_of_the_variation(name, form):
    realization, program, B = PROGRAMS[name]
    faster, mu_dot, lam = by_numpy(B)
    system = blade(realization(), **program)
    derived = vc.derive(system, form)
    q, v = STATE[:4], STATE[4:]
    assert np.allclose(derived.accelerations(q, v), faster, atol=1e-12)
    assert np.allclose(derived.closure.multipliers(q, v), [mu_dot, lam], atol=1e-12)
    model = model_for(system)
    found = evaluate_groups(model.tape("motion"), np.concatenate([STATE, [0.0], model.parameter_values(None)])[None])
    assert np.allclose(found["v_dot"][0], faster, atol=1e-12) and np.isclose(found["q_dot"][0, 3], mu_dot, atol=1e-12)


@pytest.mark.parametrize("name", PROGRAMS)
def test_lines_hold_rates_of_multipliers_and_named_efforts(name):
    realization, program, B = PROGRAMS[name]
    derived = vc.derive(blade(realization(), **program))
    assert [one.plain for one in derived.graphs.unknowns()[3:]] == ["mu_edge_dot", "lambda_1"]
    lines = derived.lines()
    assert [r"\lambda_{1}" in row for row in lines] == [B[0] != 0.0, False, True, False, False]
    assert [r"\dot{\mu}" in row for row in lines] == [True, True, False, False, False]
    assert (r"\ddot{\theta}" in lines[4]) == ("acceleration" in program)


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_are_certified_and_their_energies_are_balanced(name):
    realization, program, _ = PROGRAMS[name]
    start = {"plane": vc.At((0.2, 0.3, 0.4), rate=(np.cos(0.4), np.sin(0.4), 0.6))}
    motion = vc.simulate(blade(realization(), **program), 1.0, start)
    assert motion.audit().passed, str(motion.audit())
    fallen = m * g * (motion.q[:, 0] - motion.q[0, 0])
    kinetic = 0.5 * m * (motion.v[:, 0] ** 2 + motion.v[:, 1] ** 2) + 0.5 * J * motion.v[:, 2] ** 2
    work = motion.bond("turn").work + motion.bond("edge").work
    assert np.abs(kinetic - kinetic[0] - fallen - work).max() < 1e-11
    assert np.abs(motion.bond("edge").energy).max() < 1e-12  # F is homogeneous, so that E[M] = μ F


def test_a_vakonomic_servo_starts_by_the_same_rules():
    bound = vc.constraints.Reaching({"plane": (1.6, None, None)}, at=1.5)
    start = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}
    found = []
    for realization in (vc.Vakonomic(multipliers=bound), vc.Servo(by="vakonomic", multipliers=bound)):
        system = vc.System("blade")
        body = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, J)))
        system.add(vc.Planar("plane", "ground", body))
        system.add(vc.constraints.knife_edge("edge", body, realization=realization))
        found.append(vc.simulate(system, 1.5, start))
    assert found[1].q[-1, 0] == pytest.approx(1.6, abs=1e-9)
    assert np.abs(found[0].q - found[1].q).max() < 1e-12
    assert "reaching plane[0] = 1.6" in found[1].record.log[0]
