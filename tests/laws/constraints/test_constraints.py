"""Laws of constraints on random trees of every joint kind."""

import numpy as np
import pytest

import vinculum as vc
from marks import mostly_slow
from trees import random_state, random_system
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.actions import project_wrenches
from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints import constrained
from vinculum.equations.constraints.closing_wrenches import sum_wrenches
from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.constraints.efforts import keeping, kept_power
from vinculum.equations.observables.loads import pushed_links
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars import directional, symbol, symbols
from vinculum.systems import placements

KINDS = ("distance", "plane", "slip", "speed", "clock")
BATCH = 3


def random_constraint(rng, name: str, kind: str, chosen: list) -> vc.Constraint:
    a, b, n = rng.normal(size=(3, 3))
    partner = chosen[1] if len(chosen) > 1 and rng.random() < 0.7 else "ground"
    if kind == "distance":
        return vc.Constraint(name, [chosen[0], partner], realization=vc.DAlembert(),
                             position=lambda A, B: vc.math.norm(A.point(a) - B.point(b)) - 1.3)  # fmt: skip
    if kind == "plane":
        return vc.Constraint(name, [chosen[0], partner], realization=vc.DAlembert(),
                             position=lambda A, B: vc.math.dot(B.rotation @ n, A.point(a) - B.point(b)))  # fmt: skip
    if kind == "slip":
        return vc.Constraint(name, [chosen[0], partner], realization=vc.DAlembert(), velocity=lambda A, B: [
            vc.math.dot(A.rotation[:, 0], A.point_velocity(a) - B.velocity),
            vc.math.dot(A.angular_velocity, A.rotation[:, 1])])  # fmt: skip
    if kind == "speed":
        return vc.Constraint(name, [chosen[0]], realization=vc.Chetaev(),
                             velocity=lambda A: vc.math.dot(A.point_velocity(a), A.point_velocity(a)) - 2.0)  # fmt: skip
    return vc.Constraint(name, [chosen[0], partner], realization=vc.DAlembert(),
                         position=lambda A, B, t: vc.math.dot(n, A.point(a) - B.position) - vc.math.sin(2 * t))  # fmt: skip


def machine(seed: int):
    rng = np.random.default_rng(seed)
    system = random_system(rng, int(rng.integers(2, 6)))
    system.add(vc.RigidBody("extra", 1.0, (0.1, 0.2, 0.3), (0.1, 0.2, 0.15)))
    bodies = [body for body in system.bodies.values() if body.turns]
    chosen = [bodies[-1], *(bodies[k] for k in rng.permutation(len(bodies) - 1))]
    system.add(random_constraint(rng, "held", KINDS[seed % len(KINDS)], chosen))
    tree = system.tree()
    x = np.stack([np.concatenate(random_state(tree, rng)) for _ in range(BATCH)])
    return system, tree, np.hstack([x, rng.uniform(0.0, 2.0, (BATCH, 1))]), rng


def found(tree, outputs, rows, **more):
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    inputs = {"q": q, "v": v, "t": np.array([t])} | {name: symbols(name, x.shape[1]) for name, x in more.items()}
    tape = trace(inputs, outputs(tree.at(t), q, v, t, *(inputs[name] for name in more)))
    Y = arrays.evaluate(tape, np.hstack([rows, *more.values()]))
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}


@pytest.mark.parametrize("seed", mostly_slow(30, 12))
def test_reactions_on_bodies_are_the_multipliers_along_the_rows(seed):
    """λ ∂F/∂v by differentiating rows with the velocities of the tree, and efforts on bodies carried back to its joints."""
    _, tree, rows, rng = machine(seed)
    (held,) = tree.constraints
    lam = rng.normal(size=(BATCH, held.count))

    def outputs(there, q, v, t, lam):
        placed = placements(there, q, v)
        by = keeping(there, held, placed, q, v, lam)
        carried = project_wrenches(there, q, sum_wrenches(there, pushed_links(there, held, placed, by)))
        at = conditions(there, q, v)
        return {"along": at.jacobians.T @ lam, "carried": carried, "power": [by.power],
                "again": [kept_power(there, held, by, placed, v)], "rates": at.jacobians @ v}  # fmt: skip

    got = found(tree, outputs, rows, lam=lam)
    size = np.abs(got["along"]).max(initial=1.0)
    assert np.abs(got["along"] - got["carried"]).max() < 1e-12 * size
    assert np.abs(got["power"] - got["again"]).max() < 1e-11 * size
    assert np.abs(got["power"][:, 0] - (lam * got["rates"]).sum(axis=1)).max() < 1e-11 * size


@pytest.mark.parametrize("seed", mostly_slow(30, 12))
def test_accelerations_keep_the_constraint_and_differ_from_the_free_ones_along_its_rows(seed):
    """J v̇ + bias = 0, M v̇ + h − τ = Jᵀλ, and the change is orthogonal in the kinetic metric to what J allows (Gauss)."""
    _, tree, rows, _ = machine(seed)

    def outputs(there, q, v, t):
        at = conditions(there, q, v)
        tau = applied_forces(there, t, q, v)
        a, lam = constrained.accelerations(there, q, v, tau)
        needed, _ = inverse_dynamics(there, q, v, a)
        rate = directional(at.rates, [*q, *v, t], [*rates(there, q, v), *a, 1.0])
        return {"kept": at.jacobians @ a + at.biases, "rate": rate, "left": needed - tau - at.jacobians.T @ lam,
                "J": at.jacobians, "M": mass_matrix(there, q), "pull": at.jacobians.T @ lam, "size": needed}  # fmt: skip

    got = found(tree, outputs, rows)
    size = max(1.0, np.abs(got["size"]).max(), np.abs(got["pull"]).max())
    assert np.abs(got["kept"]).max() < 1e-9 * size
    assert np.abs(got["rate"]).max() < 1e-9 * size
    assert np.abs(got["left"]).max() < 1e-10 * size
    J = got["J"].reshape(BATCH, -1, tree.nv)
    free = np.linalg.svd(J)[2][:, np.linalg.matrix_rank(J[0]) :]
    assert np.abs(np.einsum("bkn,bn->bk", free, got["pull"])).max() < 1e-9 * size


@pytest.mark.parametrize("seed", range(10))
def test_motions_with_constraints_pass_their_certificate(seed):
    system, tree, rows, _ = machine(seed)
    start = {k.joint.name: vc.At(rows[0, k.q], rate=rows[0, tree.nq :][k.v]) for k in tree.links if k.joint.nv}
    motion = vc.simulate(system, 0.3, start, method="dop853", repair=True)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert any(line.law.startswith("constraints") for line in certificate.lines)


@pytest.mark.parametrize("chart", ["quaternion", "zxz"])
def test_a_function_of_the_attitude_of_a_ball_joint_acts_along_its_velocities(chart):
    """A body on a pivot whose axis stays at its height, written in the joint's own coordinates and as seen from outside."""

    def height(pin):
        if chart == "quaternion":
            w, x, y, z = pin.q
            return w * w - x * x - y * y + z * z - np.cos(0.7)
        return pin.q[1] - 0.7

    runs = []
    for things, function in (["pin"], height), (["top"], lambda top: top.rotation[2, 2] - np.cos(0.7)):
        system = vc.System("top", gravity=(0, 0, -9.81))
        system.add(vc.RigidBody("top", 1.2, com=(0.1, 0, 0.4), inertia=(0.3, 0.4, 0.2)))
        system.add(vc.Spherical("pin", "ground", "top", chart=chart))
        system.add(vc.Constraint("height", things, position=function, realization=vc.DAlembert()))
        tilted = vc.Pose(rotation=(np.cos(0.35), np.sin(0.35), 0, 0))
        motion = vc.simulate(system, 1.0, {"pin": vc.At(tilted, rate=(0, 2 * np.sin(0.7), 2 * np.cos(0.7)))}, grid=11)
        assert motion.audit().passed
        runs.append(motion)
    np.testing.assert_allclose(runs[0].body("top").rotation, runs[1].body("top").rotation, rtol=0, atol=1e-11)
