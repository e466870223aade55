"""The order that every integrator claims is the order that is measured."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.fixed_step.one_step import advance
from vinculum.models.types import model_of
from vinculum.motion.method import METHODS


def top() -> vc.System:
    system = vc.System("top", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 0.5, com=(0, 0, 0.2), inertia=(0.03, 0.025, 0.01), about="origin"))
    system.add(vc.Spherical("foot", "ground", body, damping=0.002))
    return system


START = {"foot": vc.At((0.9, 0.3, 0.2, 0.1), rate=(1.0, -2.0, 12.0))}


@pytest.mark.parametrize("name", ["rk4", "verlet", "midpoint"])
def test_fixed_steps_converge_at_the_order_they_claim(name):
    exact = vc.simulate(top(), 0.5, START)
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        motion = vc.simulate(top(), 0.5, START, method=name, step=step)
        errors.append(np.abs(np.hstack([motion.q, motion.v])[-1] - np.hstack([exact.q, exact.v])[-1]).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(METHODS[name].order, abs=0.15)


def test_dop853_converges_at_the_order_it_claims():
    """Error per step ∝ tolerance, so the global error falls with the tolerance, and steps grow like tolerance^(−1/8)."""
    exact = vc.simulate(top(), 0.5, START)
    errors, steps = [], []
    for tolerance in (1e-6, 1e-8, 1e-10):
        motion = vc.simulate(top(), 0.5, START, method="dop853", tolerance=tolerance)
        errors.append(np.abs(motion.q[-1] - exact.q[-1]).max())
        steps.append(len(motion.record.pieces))
    orders = -np.diff(np.log(errors)) / np.diff(np.log(steps))
    assert np.all(orders > METHODS["dop853"].order - 1.5)


def test_the_series_method_adapts_order_and_step_to_its_tolerance():
    """Order ⌈1 − ½ ln ε⌉ makes steps of nearly one length, whatever the tolerance; the error follows it."""
    exact = vc.simulate(top(), 0.5, START)
    motions = [vc.simulate(top(), 0.5, START, method="series", tolerance=e) for e in (1e-5, 1e-9, 1e-13)]
    orders = [motion.record.pieces.coefficients.shape[2] - 1 for motion in motions]
    errors = [np.abs(motion.q[-1] - exact.q[-1]).max() for motion in motions]
    steps = [len(motion.record.pieces) for motion in motions]
    assert METHODS["series"].adaptive and orders == [7, 12, 16]
    assert max(steps) < 2 * min(steps)
    assert errors[0] < 1e-3 and errors[1] < 1e-7 and errors[2] < 1e-11


@pytest.mark.parametrize("name", ["verlet", "midpoint"])
def test_symplectic_methods_keep_the_energy_near_for_long(name):
    assert METHODS[name].symplectic
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 1)))
    motion = vc.simulate(system, 500.0, {"hinge": 1.0}, method=name, step=0.01)
    energy = motion.energy
    late, early = np.abs(energy[500:] - energy[0]).max(), np.abs(energy[:500] - energy[0]).max()
    assert late < 1.2 * early < 0.02


def planar_arm() -> vc.System:
    system = vc.System("arm", gravity=(0, 0, -9.81))
    for i in range(2):
        system.add(vc.RigidBody(f"rod{i}", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
        parent, at = ("ground", (0, 0, 0)) if i == 0 else ("rod0", (0, 0, -1.0))
        system.add(vc.Revolute(f"hinge{i}", parent, f"rod{i}", axis=(0, 1, 0), at=at))
    return system


@pytest.mark.parametrize("name", sorted(n for n, c in METHODS.items() if n in ("rk4", "verlet", "midpoint")))
def test_one_step_is_symplectic_where_that_is_claimed(name):
    """DᵀJD = J for the derivative D of a step in (q, p), though the mass matrix depends on q; for RK4 it is not."""
    from vinculum.compile.evaluate import evaluate

    system = planar_arm()
    model = model_of(system.tree())
    J = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])

    def step(z):
        v = evaluate(model.tape("velocities"), np.append(z, 0.0)[None])[0]
        start = {f"hinge{i}": vc.At(z[i], rate=v[i]) for i in range(2)}
        end = vc.simulate(system, 0.1, start, method=name, step=0.1)
        p = evaluate(model.tape("momenta"), np.concatenate([end.q[-1], end.v[-1], [0.0]])[None])[0]
        return np.concatenate([end.q[-1], p])

    z, e = np.array([0.7, -0.9, 1.1, 0.4]), 1e-4
    D = np.stack([(8 * (step(z + e * d) - step(z - e * d)) - (step(z + 2 * e * d) - step(z - 2 * e * d))) / (12 * e)
                  for d in np.eye(4)], axis=1)  # fmt: skip
    broken = np.abs(D.T @ J @ D - J).max()
    assert broken < 1e-9 if METHODS[name].symplectic else broken > 1e-7


@pytest.mark.parametrize("name", ["rk4", "verlet", "midpoint"])
def test_the_compiled_loops_take_the_same_steps_as_their_numpy_twins(name):
    system = top()
    model = model_of(system.tree())
    motion = vc.simulate(system, 0.01, START, method=name, step=1e-3)
    tape = model.tape("motion")

    def field(t, x):
        groups = evaluate_groups(tape, np.concatenate([x, t[:, None]], axis=1))
        return np.concatenate([groups["q_dot"], groups["v_dot"]], axis=1)

    x = np.hstack([motion.q, motion.v])[:1]
    for k in range(10):
        x = advance(name, field, np.array([k * 1e-3]), x, np.array([1e-3]), model.nq)
    assert np.abs(x[0] - np.hstack([motion.q, motion.v])[-1]).max() < 1e-13
