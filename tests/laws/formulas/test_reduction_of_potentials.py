"""Invariant energies seen from a pivot: the same energy and the same efforts for every pivot, O'Reilly and Srinivasa (10)–(25)."""

import numpy as np
import pytest
import sympy

import vinculum as vc
from vinculum.equations.sampling.superposed_rates import superposed_rates
from vinculum.screws import exp
from vinculum.systems import free_views

m = vc.math
RNG = np.random.default_rng(12)
CY, CC = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3, 3))
C = RNG.normal(size=(3, 3, 3))
BODIES = [vc.RigidBody(name, 1.0, inertia=(1, 1, 1)) for name in "abcd"]
POINTS = [vc.MassPoint(name, 1.0) for name in "pqrs"]


def of_relative_places(y, Y):
    """A function of three relative positions and rotations that has no symmetry."""
    return (m.sin(CY[0] @ y[0]) + m.cos(CY[1] @ y[1]) * (CY[2] @ y[2]) + 0.5 * np.sum(CC[0] * Y[0]) ** 2
            + np.sum(CC[1] * Y[1]) * np.sum(CC[2] * (Y[2] @ Y[0])) + y[0] @ C[0] @ Y[1] @ y[1]
            + m.exp(0.1 * (y[2] @ C[1] @ y[0])))  # fmt: skip


def random_energy(a, b, c, d):
    """The same of four bodies, seen from the last."""
    R = d.rotation.T
    others = (a, b, c)
    return of_relative_places([R @ (k.position - d.position) for k in others], [R @ k.rotation for k in others])


RANDOM = vc.Potential("random", BODIES, random_energy)


def places(count=4, batch=()) -> tuple[np.ndarray, np.ndarray]:
    x = RNG.normal(size=(*batch, count, 3))
    turns = RNG.normal(size=(*batch, count, 3)).reshape(-1, 3)
    return x, np.array([exp(w) for w in turns]).reshape(*batch, count, 3, 3)


def plain_energy(x, Q) -> float:
    """The random energy with NumPy alone."""
    R = Q[3].T
    return float(of_relative_places([R @ (x[i] - x[3]) for i in range(3)], [R @ Q[i] for i in range(3)]))


def direct_efforts(potential, x, Q) -> tuple[np.ndarray, np.ndarray]:
    """−∂U/∂x and −u_Q of every body by differentiating the energy as the user wrote it."""
    free = free_views([body if isinstance(body, vc.RigidBody | vc.MassPoint) else None for body in potential.bodies])
    rates = superposed_rates(potential.law.energy_at(free.still, free.t), free.places, free.t)
    from vinculum.scalars import substitute, value

    letters = np.concatenate([[*p.ravel(), *(R.ravel() if R.dtype == object else [])] for p, R in free.places])
    numbers = np.concatenate(
        [[*x[i], *(Q[i].ravel() if R.dtype == object else [])] for i, (_, R) in enumerate(free.places)]
    )
    f, moment = (value(substitute(part, letters, numbers)) for part in (rates.forces, rates.moments))
    return -f, -(moment - np.cross(x, f))


def test_the_arguments_and_the_energy_do_not_change_in_a_hundred_superposed_motions():
    reduced = vc.potentials.reduce_invariant(RANDOM)
    x, Q = places(batch=(100,))
    S, s = np.array([exp(w) for w in RNG.normal(size=(100, 3))]), RNG.normal(size=(100, 1, 3))
    x_moved, Q_moved = np.einsum("bij,bnj->bni", S, x) + s, np.einsum("bij,bnjk->bnik", S, Q)
    y, Y = reduced.invariants(x, Q)
    y_moved, Y_moved = reduced.invariants(x_moved, Q_moved)
    assert np.abs(y - y_moved).max() < 1e-12
    assert np.abs(Y - Y_moved).max() < 1e-12
    assert reduced.energy(y, Y) == pytest.approx(reduced.energy(y_moved, Y_moved), rel=1e-10)
    assert reduced.energy(y, Y).shape == (100,)


@pytest.mark.parametrize("pivot", "abcd")
def test_the_reduced_energy_is_the_energy_for_every_pivot(pivot):
    reduced = vc.potentials.reduce_invariant(RANDOM, pivot=pivot)
    assert (reduced.pivot, reduced.proven) == (pivot, True)
    for _ in range(5):
        x, Q = places()
        assert reduced.energy(*reduced.invariants(x, Q)) == pytest.approx(plain_energy(x, Q), rel=1e-12)


@pytest.mark.parametrize("pivot", "abcd")
def test_efforts_do_not_depend_on_the_pivot_and_are_those_of_direct_differentiation(pivot):
    """(23) with μ = 0 for all four bodies, the pivot included."""
    reduced = vc.potentials.reduce_invariant(RANDOM, pivot=pivot)
    for _ in range(5):
        x, Q = places()
        F, M = reduced.efforts(x, Q)
        F_direct, M_direct = direct_efforts(RANDOM, x, Q)
        assert np.abs(F - F_direct).max() < 1e-11 * np.abs(F).max()
        assert np.abs(M - M_direct).max() < 1e-11 * np.abs(M).max()
        assert np.abs(F.sum(axis=0)).max() < 1e-11 * np.abs(F).max()
        assert np.abs((M + np.cross(x, F)).sum(axis=0)).max() < 1e-11 * np.abs(M).max()


def test_efforts_are_the_slopes_of_the_energy_taken_by_differences():
    reduced = vc.potentials.reduce_invariant(RANDOM)
    x, Q = places()
    F, M = reduced.efforts(x, Q)
    h = 1e-3
    for i in range(4):
        for e in np.eye(3):
            slopes = []
            for moved in (lambda k, i=i, e=e: (x + k * h * np.eye(4)[i][:, None] * e, Q),
                          lambda k, i=i, e=e: (x, np.array([exp(k * h * e) @ R if j == i else R for j, R in enumerate(Q)]))):  # fmt: skip
                f = {k: plain_energy(*moved(k)) for k in (-2, -1, 1, 2)}
                slopes.append((8.0 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12.0 * h))
            assert [F[i] @ e, M[i] @ e] == pytest.approx([-slopes[0], -slopes[1]], abs=1e-6)


def test_the_rate_of_the_energy_needs_the_minus_sign_and_the_printed_plus_is_off_at_order_one():
    """(14): dU/dt = Σ f·(v − v_p) + Σ m·(ω − ω_p) − Σ (r × f)·ω_p."""
    reduced = vc.potentials.reduce_invariant(RANDOM)
    x, Q = places()
    v, w = RNG.normal(size=(2, 4, 3))
    F, M = reduced.efforts(x, Q)
    h = 1e-3
    f = {
        k: plain_energy(x + k * h * v, np.array([exp(k * h * u) @ R for u, R in zip(w, Q, strict=True)]))
        for k in (-2, -1, 1, 2)
    }
    rate = (8.0 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12.0 * h)
    slope, turn, arm = -F[:3], -M[:3], np.cross(x[:3] - x[3], -F[:3]).sum(axis=0)
    common = np.sum(slope * (v[:3] - v[3])) + np.sum(turn * (w[:3] - w[3]))
    assert common - arm @ w[3] == pytest.approx(rate, rel=1e-6)
    assert abs(common + arm @ w[3] - rate) > 0.1 * abs(rate)
    assert -(np.sum(F * v) + np.sum(M * w)) == pytest.approx(rate, rel=1e-6)


def newton(a, b):
    return -3.0 / m.norm(a.position - b.position)


def test_pair_distances_of_points_read_as_roots_of_inner_products():
    reduced = vc.potentials.reduce_invariant(vc.potentials.PairPotential("newton", POINTS[:3], newton))
    G11, G12, G22 = sympy.symbols("G11 G12 G22", real=True)
    assert reduced.pivot == "r"
    expected = -3 / sympy.sqrt(G11) - 3 / sympy.sqrt(G22) - 3 / sympy.sqrt(G11 - 2 * G12 + G22)
    assert sympy.simplify(reduced.formula - expected) == 0
    assert reduced.arguments["G12"] == "r_p · r_q, with r the position relative to 'r'"
    assert "mathbf r_{p}" in reduced.latex()


@pytest.mark.parametrize("pivot", "pqrs")
def test_points_have_the_same_forces_for_every_pivot(pivot):
    def energy(p, q, r, s):
        a, b, c = (k.position - s.position for k in (p, q, r))
        volume = m.dot(m.cross(a, b), c)
        bend = m.acos(m.dot(a, b) / (m.norm(a) * m.norm(b)))
        return bend**2 + 0.3 * volume * m.norm(a - c) + m.exp(-m.norm(b - c)) + m.cos(m.dot(a, c)) * volume**2

    potential = vc.Potential("points", POINTS, energy)
    reduced = vc.potentials.reduce_invariant(potential, pivot=pivot)
    x, Q = places(batch=(6,))
    F, M = reduced.efforts(x)
    assert not M.any()
    for one in range(6):
        assert F[one] == pytest.approx(direct_efforts(potential, x[one], Q[one])[0], rel=1e-9, abs=1e-9)
    energies = reduced.energy(*reduced.invariants(x))
    assert energies == pytest.approx(
        vc.potentials.reduce_invariant(potential).energy(*vc.potentials.reduce_invariant(potential).invariants(x)),
        rel=1e-9,
    )


def test_a_chiral_energy_is_a_triple_product_and_odd_under_reflection():
    potential = vc.Potential("chiral", POINTS, lambda p, q, r, s: 2.0 * m.dot(
        m.cross(p.position - s.position, q.position - s.position), r.position - s.position))  # fmt: skip
    reduced = vc.potentials.reduce_invariant(potential)
    assert str(reduced.formula) == "2*T123"
    x, _ = places()
    G, T = reduced.invariants(x)
    mirrored = reduced.invariants(x * [1, 1, -1])
    assert np.abs(G - mirrored[0]).max() < 1e-14
    assert reduced.energy(G, T) == pytest.approx(-reduced.energy(*mirrored))
    assert reduced.energy(G, T) == pytest.approx(2.0 * np.linalg.det(x[:3] - x[3]))


def test_what_is_no_polynomial_falls_back_on_vectors_with_the_same_products():
    """√x² hides the square of a component from exact arithmetic, so the energy is written with stand-in vectors."""
    potential = vc.Potential("odd", POINTS[:3], lambda p, q, r: m.sqrt((p.position - r.position)[0] ** 2) ** 2
                             + (p.position - r.position)[1:] @ (p.position - r.position)[1:] + m.norm(q.position - r.position))  # fmt: skip
    reduced = vc.potentials.reduce_invariant(potential)
    x, _ = places(3)
    expected = np.sum((x[0] - x[2]) ** 2) + np.linalg.norm(x[1] - x[2])
    assert reduced.energy(*reduced.invariants(x)) == pytest.approx(expected, rel=1e-12)


def test_a_body_and_a_point_are_seen_from_the_body():
    a, p = BODIES[0], POINTS[0]
    potential = vc.Potential("hook", [a, p], lambda a, p: 4.0 * m.norm(a.point((1, 0, 0)) - p.position))
    reduced = vc.potentials.reduce_invariant(potential)
    assert reduced.pivot == "a"
    assert set(reduced.arguments) == {"y_p1", "y_p2", "y_p3"}
    assert reduced.energy([[1.0, 3.0, 4.0]]) == pytest.approx(20.0)
    x, Q = places(2)
    F, M = reduced.efforts(x, Q)
    assert M[0] == pytest.approx(-np.cross(x[1] - x[0], F[1]))
    assert not M[1].any()


def test_the_ground_is_a_pivot_where_it_is_a_body():
    weight = vc.Potential(
        "weight", [POINTS[0], "ground"], lambda p, g: 9.81 * m.dot(g.rotation[:, 2], p.position - g.position)
    )
    reduced = vc.potentials.reduce_invariant(weight)
    assert reduced.pivot == "ground"
    assert str(reduced.formula) == "981*y_p3/100"
    F, M = reduced.efforts([[1.0, 0, 0], [0, 0, 0]], [np.eye(3)] * 2)
    assert F.tolist() == [[0, 0, -9.81], [0, 0, 9.81]]
    assert M[1] == pytest.approx([0, -9.81, 0])


def test_names_need_a_system_and_parameters_keep_their_names():
    k = vc.parameter("k", 2.0)
    system = vc.System("two")
    system.add(vc.MassPoint("one", 1.0))
    system.add(vc.MassPoint("two", 1.0))
    spring = system.add(
        vc.Potential("spring", ["one", "two"], lambda a, b: 0.5 * k * m.norm(a.position - b.position) ** 2)
    )
    with pytest.raises(vc.errors.ModelError, match="'one' is the name of a body; give system="):
        vc.potentials.reduce_invariant(spring)
    reduced = vc.potentials.reduce_invariant(spring, system=system)
    assert str(reduced.formula) == "G11*k/2"
    assert reduced.energy([[4.0]]) == pytest.approx(4.0)
    assert reduced.energy([[4.0]], parameters={"k": 3.0}) == pytest.approx(6.0)


@pytest.mark.parametrize(
    ("potential", "options", "message"),
    [
        (vc.Potential("w", POINTS[:1], lambda p: 9.81 * p.position[2]), {}, "translation along z, rotation about x and y"),
        (vc.Potential("t", POINTS[:2], lambda p, q, t: t * m.norm(p.position - q.position)), {}, "changes under time"),
        (vc.Potential("steps", POINTS[:1], lambda p: m.floor(p.position[0])), {}, "CONTRADICTION"),
        (RANDOM, {"pivot": "e"}, "the pivot 'e' is none of its bodies"),
        (vc.Potential("h", [BODIES[0], POINTS[0]], lambda a, p: m.norm(a.position - p.position)), {"pivot": "p"}, "no axes"),
        (vc.Force("f", BODIES[0], vc.Wrench(force=(1, 0, 0))), {}, "no energy"),
        ("spring", {}, "is not a potential"),
    ],
)  # fmt: skip
def test_what_cannot_be_reduced_is_refused_with_the_reason(potential, options, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        vc.potentials.reduce_invariant(potential, **options)


def test_places_of_the_wrong_shape_are_refused():
    reduced = vc.potentials.reduce_invariant(RANDOM)
    with pytest.raises(vc.errors.ModelError, match=r"give their rotations Q"):
        reduced.efforts(np.zeros((4, 3)))
    with pytest.raises(vc.errors.ModelError, match=r"x has shape \(3, 3\); it must end in \(4, 3\)"):
        reduced.efforts(np.zeros((3, 3)), np.zeros((4, 3, 3)))
    with pytest.raises(vc.errors.ModelError, match="some of its bodies turn"):
        reduced.energy(np.zeros((3, 3)))


def test_seen_from_the_ground_the_arguments_are_the_places_in_the_world():
    reduced = vc.potentials.reduce_invariant(RANDOM, pivot="ground")
    assert reduced.bodies == ("a", "b", "c", "d", "ground")
    x, Q = places()
    x_all, Q_all = np.concatenate([x, np.zeros((1, 3))]), np.concatenate([Q, np.eye(3)[None]])
    y, Y = reduced.invariants(x_all, Q_all)
    assert np.array_equal(y, x)
    assert np.array_equal(Y, Q)
    assert reduced.energy(y, Y) == pytest.approx(plain_energy(x, Q), rel=1e-12)
    F, M = reduced.efforts(x_all, Q_all)
    F_own, M_own = vc.potentials.reduce_invariant(RANDOM).efforts(x, Q)
    assert np.abs(F[:4] - F_own).max() < 1e-10
    assert np.abs(M[:4] - M_own).max() < 1e-10
    assert max(np.abs(F[4]).max(), np.abs(M[4]).max()) < 1e-10


@pytest.mark.parametrize("bodies", [BODIES[:1], POINTS[:1], [BODIES[0], POINTS[0]], POINTS[:2]])
def test_a_constant_energy_has_no_arguments_that_matter_and_no_efforts(bodies):
    reduced = vc.potentials.reduce_invariant(vc.Potential("constant", bodies, lambda *all_of_them: 4.0))
    x, Q = places(len(bodies))
    assert reduced.energy(*reduced.invariants(x, Q)) == 4.0
    F, M = reduced.efforts(x, Q)
    assert F.shape == M.shape == x.shape
    assert not F.any()
    assert not M.any()
    assert str(reduced).endswith("U = 4")


def test_forty_points_are_reduced_pair_by_pair():
    cloud = [vc.MassPoint(f"p{i}", 1.0) for i in range(40)]
    reduced = vc.potentials.reduce_invariant(vc.potentials.PairPotential("cloud", cloud, newton))
    assert reduced.proven
    x = RNG.normal(size=(40, 3))
    distances = np.linalg.norm(x[:, None] - x[None], axis=2)[np.triu_indices(40, 1)]
    assert reduced.energy(*reduced.invariants(x)) == pytest.approx(np.sum(-3.0 / distances), rel=1e-10)
