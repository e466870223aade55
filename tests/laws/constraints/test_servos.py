"""Laws of named efforts and of constraints on accelerations, on random trees of every joint kind."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import four_bar
from trees import random_state, random_system
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.actions import project_wrenches
from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints import constrained
from vinculum.equations.constraints.closing_wrenches import sum_wrenches
from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.constraints.efforts import keeping, kept_power
from vinculum.equations.constraints.named_efforts import named_efforts
from vinculum.equations.observables.loads import pushed_links
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars import directional, gradient, qr_solve, symbol, symbols
from vinculum.systems import body_acceleration, body_view, placements, twist_rates

BATCH = 3
LEVELS = ("position", "velocity", "acceleration")


def program(level: str, a, n):
    if level == "position":
        return lambda A, t: [vc.math.dot(n, A.point(a)) - vc.math.sin(t), A.rotation[0, 1] - 0.1 * t]
    if level == "velocity":
        return lambda A, t: [
            vc.math.dot(n, A.point_velocity(a)) - vc.math.sin(t),
            vc.math.dot(A.velocity, A.velocity) - 2.0,
        ]
    return lambda A, t: [
        vc.math.dot(n, A.point_acceleration(a)) - vc.math.sin(t),
        vc.math.dot(A.angular_acceleration, A.rotation[:, 0]),
    ]


def machine(seed: int, named: bool = True, driven: bool = True):
    rng = np.random.default_rng(seed)
    system = random_system(rng, int(rng.integers(2, 6)), driven=driven and seed % 4 == 0)
    extra = system.add(vc.RigidBody("extra", 1.0, (0.1, 0.2, 0.3), (0.1, 0.2, 0.15)))
    bodies = [body for body in system.bodies.values() if body.turns and body.name != "extra"]
    partner = bodies[int(rng.integers(len(bodies)))] if bodies else "ground"
    a, n, f, m, p = rng.normal(size=(5, 3))
    thrust = vc.Force("thrust", extra, lambda body: vc.Wrench(force=body.rotation @ f + 0.3 * body.velocity, at=p))
    pair = vc.Interaction("pair", extra, partner, vc.Wrench(force=m, moment=n))
    realization = vc.Servo(thrust, pair) if named else vc.Servo(by="chetaev")
    level = LEVELS[seed % 3]
    system.add(vc.Constraint("program", [extra], realization=realization, **{level: program(level, a, n)}))
    tree = system.tree()
    x = np.stack([np.concatenate(random_state(tree, rng)) for _ in range(BATCH)])
    return system, tree, np.hstack([x, rng.uniform(0.0, 2.0, (BATCH, 1))]), rng


def found(tree, outputs, rows, **more):
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    inputs = {"q": q, "v": v, "t": np.array([t])} | {name: symbols(name, x.shape[1]) for name, x in more.items()}
    tape = trace(inputs, outputs(tree.at(t), q, v, t, *(inputs[name] for name in more)))
    Y = arrays.evaluate(tape, np.hstack([rows, *more.values()]))
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}


@pytest.mark.parametrize("seed", range(18))
def test_accelerations_keep_the_program_by_the_named_efforts_alone(seed):
    """M v̇ + h − τ = Bᵀλ, where Bᵀλ is the gradient by velocities of the power of λ times the named wrenches, and the program holds."""
    _, tree, rows, _ = machine(seed)
    (held,) = tree.constraints

    def outputs(there, q, v, t):
        tau, at = applied_forces(there, t, q, v), conditions(there, q, v)
        a, lam = constrained.accelerations(there, q, v, tau)
        by, w = named_efforts(there, held, placements(there, q, v), v, lam), symbols("w", there.nv)
        force = gradient(kept_power(there, held, by, placements(there, q, w), w), w)
        carried = kept_power(there, held, by, placements(there, q, 0.0 * v), 0.0 * v)  # along prescribed bodies alone
        needed, _ = inverse_dynamics(there, q, v, a)
        rate = at.jacobians @ a + at.biases
        if held.constraint.level == 1:
            rate = directional(at.rates, [*q, *v, t], [*rates(there, q, v), *a, 1.0])
        return {"left": needed - tau - force, "rate": rate, "size": needed, "force": at.along.T @ lam,
                "apart": at.along.T @ lam - force, "power": [by.power - force @ v - carried]}  # fmt: skip

    got = found(tree, outputs, rows)
    size = max(1.0, np.abs(got["size"]).max(), np.abs(got["force"]).max())
    for what in ("left", "rate", "apart", "power"):
        assert np.abs(got[what]).max() < 1e-8 * size, what


@pytest.mark.parametrize("seed", range(12))
def test_accelerations_of_bodies_are_the_rates_of_their_velocities(seed):
    _, tree, rows, rng = machine(seed)

    def outputs(there, q, v, t, a):
        placed = placements(there, q, v)
        faster = twist_rates(there, placed, q, v, a)
        result = {}
        for link, at, rate in zip(there.links, placed, faster, strict=True):
            motion = np.concatenate(body_view(link, at)._state.motion)
            along = directional(motion, [*q, *v, t], [*rates(there, q, v), *a, 1.0])
            result[link.body.name] = along - np.concatenate(body_acceleration(link, at, rate))
        return result

    got = found(tree, outputs, rows, a=rng.normal(size=(BATCH, tree.nv)))
    assert max(np.abs(x).max() for x in got.values()) < 1e-10


@pytest.mark.parametrize("seed", range(2, 32, 3))
def test_reactions_on_accelerations_are_the_multipliers_along_the_slopes(seed):
    """Gauss: λ ∂F/∂v̇ by differentiating rows with the accelerations of the tree, and efforts on bodies carried back to its joints."""
    _, tree, rows, rng = machine(seed, named=False)
    (held,) = tree.constraints
    lam, a = rng.normal(size=(BATCH, held.count)), rng.normal(size=(BATCH, tree.nv))

    def outputs(there, q, v, t, lam, a):
        placed = placements(there, q, v)
        by = keeping(there, held, placed, q, v, lam, a)
        carried = project_wrenches(there, q, sum_wrenches(there, pushed_links(there, held, placed, by)))
        at = conditions(there, q, v)
        return {"along": at.jacobians.T @ lam, "carried": carried, "power": [by.power - (at.jacobians.T @ lam) @ v]}

    got = found(tree, outputs, rows, lam=lam, a=a)
    size = np.abs(got["along"]).max(initial=1.0)
    assert np.abs(got["along"] - got["carried"]).max() < 1e-12 * size
    assert np.abs(got["power"]).max() < 1e-11 * size * max(1.0, np.abs(rows).max())


@pytest.mark.parametrize("seed", range(6))
def test_motions_of_servos_pass_their_certificate_and_their_work_is_accounted_for(seed):
    system, tree, rows, _ = machine(seed, driven=False)
    start = {k.joint.name: vc.At(rows[0, k.q], rate=rows[0, tree.nq :][k.v]) for k in tree.links if k.joint.nv}
    motion = vc.simulate(system, 0.02, start, method="dop853", repair=True)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    work = motion.bond().work
    assert work[0] == 0.0 and np.abs(
        np.gradient(work, motion.time)[5:-5] - motion.bond().power[5:-5]
    ).max() < 1e-3 * max(1.0, np.abs(motion.bond().power).max())


@pytest.mark.parametrize("n", range(1, 7))
def test_matrices_without_symmetry_are_solved_without_pivots(n):
    rng = np.random.default_rng(n)
    for A in (
        rng.normal(size=(n, n)),
        np.eye(n)[::-1].copy(),
        np.roll(np.eye(n), 1, axis=0) + 1e-3 * rng.normal(size=(n, n)),
    ):
        b, units = rng.normal(size=n), 10.0 ** rng.integers(-9, 9, n)
        assert np.allclose(
            np.asarray(qr_solve(A * units[:, None], b * units), dtype=float),
            np.linalg.solve(A, b),
            rtol=1e-10,
            atol=1e-12,
        )
        assert np.allclose(np.asarray(qr_solve(A, b), dtype=float), np.linalg.solve(A, b), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_grip_of_efforts_is_what_they_move_of_what_they_keep_in_no_units(seed):
    """det² of J M⁻¹ Bᵀ over that of J M⁻¹ Jᵀ, times the squared lengths of the rows of J over those of B, in NumPy."""
    _, tree, rows, _ = machine(seed)

    def outputs(there, q, v, t):
        at = conditions(there, q, v)
        grip = constrained.grip(there, q, v)
        return {"grip": [grip], "J": at.jacobians.ravel(), "B": at.along.ravel(), "M": mass_matrix(there, q).ravel()}

    got = found(tree, outputs, rows)
    for k in range(len(rows)):
        J, B = got["J"][k].reshape(2, -1), got["B"][k].reshape(2, -1)
        inverse = np.linalg.inv(got["M"][k].reshape(tree.nv, tree.nv))
        sizes = [np.prod(np.diag(X @ inverse @ X.T)) for X in (J, B)]
        cosine = np.linalg.det(J @ inverse @ B.T) / np.linalg.det(J @ inverse @ J.T)
        np.testing.assert_allclose(got["grip"][k, 0], cosine**2 * sizes[0] / sizes[1], rtol=1e-7)


def test_multipliers_of_a_servo_and_of_a_loop_balance_the_equations_in_their_own_units():
    """M v̇ + h = Bᵀλ, where the gaps of the loop are lengths and the servo turns its crank."""
    system = four_bar()
    program = lambda crank, t: crank.q - 0.4 * vc.math.sin(t)
    system.add(vc.Constraint("program", ["A"], position=program, realization=vc.Servo("D")))
    equations = vc.derive(system, "lagrange")
    q, v = np.array([0.7, -0.4, 0.5]), np.array([0.3, 0.2, -0.1])
    a, lam, closure = equations.accelerations(q, v), equations.closure.multipliers(q, v), equations.closure.at(q, v)
    left = equations.mass_matrix(q) @ a + equations.bias(q, v) - closure["B"].T @ lam
    np.testing.assert_allclose(left, 0.0, atol=1e-10 * np.abs(lam).max())
