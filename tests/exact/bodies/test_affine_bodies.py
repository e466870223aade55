"""Affine bodies against closed forms, published digits and second-order equations written by hand. Gołubowska et al., section 4."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.linalg import solve_sylvester, sqrtm
from scipy.optimize import brentq

import vinculum as vc
from vinculum.bodies.affine.algebra import polar_angular_velocity, polar_rotation

K = 0.8
J2 = np.diag([1.0, 0.4])
F2 = np.array([[1.3, 0.2], [0.2, 0.9]])
W2 = np.array([[0.3, 0.5], [0.5, -0.4]])


def barrier(F):
    """½ k (tr G − d − ln det G)."""
    size = vc.math.log(F[0, 0] * F[1, 1] - F[0, 1] * F[1, 0])
    return 0.5 * K * (np.sum(F * F) - 2.0 - 2.0 * size)


def planar_blob(realization, F=F2, J=J2):
    system = vc.System("blob")
    body = system.add(vc.AffineBody("blob", 1.0, J, energy=barrier, planar=True))
    system.add(vc.constraints.rotationless("no curl", body, realization=realization))
    return system, {"blob": vc.At(((0, 0), F), ((0, 0), W2 @ F))}


def planar_deformation(motion):
    return motion.body("blob").affine.deformation[:, :2, :2]


def test_a_rotationless_body_moves_as_dalembert_says():
    system, start = planar_blob("dalembert")
    motion = vc.simulate(system, until=3.0, start=start)
    known = [[0.60020905, -0.40455722], [-0.23145498, 0.83816092]]
    assert np.abs(planar_deformation(motion)[-1] - known).max() < 1e-8
    assert np.ptp(motion.energy) < 1e-12
    assert motion.audit().passed


def test_a_rotationless_body_moves_vakonomically_with_vanishing_spin():
    system, start = planar_blob(vc.Vakonomic(multipliers=[vakonomic_start(0.0)]))
    motion = vc.simulate(system, until=3.0, start=start)
    known = [[0.70018003, -0.40763065], [-0.28357975, 0.77426027]]
    assert np.abs(planar_deformation(motion)[-1] - known).max() < 1e-8
    assert np.ptp(motion.energy) < 1e-12
    assert motion.audit().passed


def vakonomic_start(spin):
    """μ₃ of the vakonomic spin Σ: Λ = Σ − ½ [Ω, I], of which μ is Λ₂₁."""
    inertia = F2 @ J2 @ F2.T
    return spin - 0.5 * (W2 @ inertia - inertia @ W2)[1, 0]


@pytest.mark.parametrize("spin", [0.0, 0.3])
def test_the_vakonomic_spin_is_constant(spin):
    system, start = planar_blob(vc.Vakonomic(multipliers=[vakonomic_start(spin)]))
    motion = vc.simulate(system, until=3.0, start=start)
    F, W = planar_deformation(motion), motion.body("blob").affine.affine_velocity[:, :2, :2]
    inertia = F @ J2 @ np.swapaxes(F, 1, 2)
    found = motion.bond("no curl").multiplier + 0.5 * (W @ inertia - inertia @ W)[:, 1, 0]
    assert np.abs(found - spin).max() < 1e-12


def reduced_motion(A, A_dot, J, until):
    r"""φ at the end, from the reduced Lagrangian ⅛ tr J (Ȧ + B)ᵀ(Ȧ + B) − V(A²), B = A⁻¹ȦA, and U̇ = U ½ [A⁻¹, Ȧ] ((107), (106))."""
    basis = [np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.0, 0.0], [0.0, 1.0]])]

    def matrix(x):
        return sum(c * e for c, e in zip(x, basis, strict=True))

    def mass(x):
        A = matrix(x)
        columns = [e + np.linalg.solve(A, e @ A) for e in basis]
        return np.array([[0.25 * np.trace(J @ a.T @ b) for b in columns] for a in columns])

    def potential(x):
        A = matrix(x)
        return 0.5 * K * (np.sum(A * A) - 2.0 - 2.0 * np.log(np.linalg.det(A)))

    def slope(f, x, h=1e-5):
        shifts = h * np.eye(3)
        return np.array([(8.0 * (f(x + d) - f(x - d)) - (f(x + 2 * d) - f(x - 2 * d))) / (12.0 * h) for d in shifts])

    def rates(t, y):
        x, v, U = y[:3], y[3:6], y[6:].reshape(2, 2)
        M_by_x = slope(mass, x)
        force = (
            0.5 * np.einsum("kij,i,j->k", M_by_x, v, v) - np.einsum("kij,k,j->i", M_by_x, v, v) - slope(potential, x)
        )
        A, A_dot = matrix(x), matrix(v)
        inverse = np.linalg.inv(A)
        return [*v, *np.linalg.solve(mass(x), force), *(U @ (0.5 * (inverse @ A_dot - A_dot @ inverse))).ravel()]

    x, v = ([M[0, 0], M[0, 1], M[1, 1]] for M in (A, A_dot))
    y = solve_ivp(rates, (0, until), [*x, *v, 1, 0, 0, 1], rtol=1e-10, atol=1e-11, method="DOP853").y[:, -1]
    return y[6:].reshape(2, 2) @ matrix(y[:3])


def test_the_reduced_lagrangian_gives_the_motion_of_vanishing_spin_alone():
    # φ₀ is symmetric, so U = 1, and Ȧ is the solution of A Ȧ + Ȧ A = Ġ
    F_dot = W2 @ F2
    A_dot = solve_sylvester(F2, F2, F_dot.T @ F2 + F2.T @ F_dot)
    reduced = reduced_motion(F2, A_dot, J2, 3.0)
    for spin, agrees in ((0.0, True), (0.3, False)):
        system, start = planar_blob(vc.Vakonomic(multipliers=[vakonomic_start(spin)]))
        found = planar_deformation(vc.simulate(system, until=3.0, start=start))[-1]
        assert (np.abs(found - reduced).max() < 1e-6) == agrees


def test_diagonal_motions_are_the_same_in_every_realization():
    F, W = np.diag([1.3, 0.9]), np.diag([0.3, -0.4])
    found = []
    for realization in ("dalembert", vc.Vakonomic(multipliers=[0.0])):
        system, _ = planar_blob(realization)
        start = {"blob": vc.At(((0, 0), F), ((0, 0), W @ F))}
        found.append(planar_deformation(vc.simulate(system, until=3.0, start=start))[-1])
    A_dot = W @ F
    assert np.abs(found[0] - found[1]).max() < 1e-12
    assert np.abs(found[0] - reduced_motion(F, A_dot, J2, 3.0)).max() < 1e-6


def test_compare_realizations_shows_how_far_they_come_apart():
    system, start = planar_blob("dalembert")
    comparison = vc.constraints.compare_realizations(
        system, "no curl", ["dalembert", vc.Vakonomic(multipliers=[vakonomic_start(0.0)])], until=3.0, start=start
    )
    ends = [planar_deformation(motion)[-1] for motion in comparison.motions]
    assert 0.05 < np.abs(ends[0] - ends[1]).max() < 0.2


def test_a_closed_loop_of_stretches_turns_a_body_by_its_holonomy():
    s, until = 0.45, 1.0
    system = vc.System("loop")
    body = system.add(vc.AffineBody("blob", 1.0, (1.0, 1.0), planar=True))
    system.add(vc.constraints.rotationless("no curl", body, realization="dalembert"))

    def stretch(b, t):
        # the Green tensor of A = R(ψ) diag(eˢ, e⁻ˢ) R(ψ)ᵀ, with ψ from 0 to π
        G, psi = b.affine.green_tensor, vc.math.pi * t / until
        c, n = vc.math.cos(2.0 * psi), vc.math.sin(2.0 * psi)
        return [
            G[0, 0] - np.cosh(2 * s) - np.sinh(2 * s) * c,
            G[1, 1] - np.cosh(2 * s) + np.sinh(2 * s) * c,
            G[0, 1] - np.sinh(2 * s) * n,
        ]

    system.add(vc.Constraint("driven", body, position=stretch, realization="dalembert"))
    A = np.diag([np.exp(s), np.exp(-s)])
    psi_dot = np.pi / until
    spin = np.array([[0.0, -1.0], [1.0, 0.0]])
    A_dot = psi_dot * (spin @ A - A @ spin)
    turn = psi_dot * (np.cosh(2 * s) - 1.0)
    start = {"blob": vc.At(((0, 0), A), ((0, 0), A_dot + turn * spin @ A))}
    motion = vc.simulate(system, until=until, start=start)
    U = motion.body("blob").rotation[:, :2, :2]
    angle = np.unwrap(np.arctan2(U[:, 1, 0], U[:, 0, 0]))
    assert angle[-1] - angle[0] == pytest.approx(np.pi * (np.cosh(0.9) - 1.0), abs=1e-9)
    assert angle[-1] - angle[0] == pytest.approx(1.360581, abs=1e-6)


@pytest.mark.parametrize("n", [2, 3])
def test_polar_kinematics_and_the_kinetic_energy_in_polar_factors(n):
    rng = np.random.default_rng(n)
    for _ in range(5):
        F = np.eye(3)
        F[:n, :n] += 0.25 * rng.uniform(-1, 1, size=(n, n))
        F_dot = np.zeros((3, 3))
        F_dot[:n, :n] = rng.normal(size=(n, n))
        J = np.diag(rng.uniform(0.5, 2.0, 3))
        U = np.asarray(polar_rotation(F), dtype=float)
        A = U.T @ F
        assert np.abs(A - np.real(sqrtm(F.T @ F))).max() < 1e-12
        omega = np.asarray(polar_angular_velocity(F, F_dot, U), dtype=float)
        spin = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
        W = U.T @ spin @ U
        A_dot = solve_sylvester(A, A, F_dot.T @ F + F.T @ F_dot)
        # φ̇ = U (ω̂ A + Ȧ), and (105)
        assert np.abs(U @ (W @ A + A_dot) - F_dot).max() < 1e-12
        T = (
            0.5 * np.trace(J @ A_dot.T @ A_dot)
            + np.trace(J @ (W @ A).T @ A_dot)
            + 0.5 * np.trace(J @ (W @ A).T @ W @ A)
        )
        assert pytest.approx(0.5 * np.trace(J @ F_dot.T @ F_dot), abs=1e-12) == T
        # (106): a symmetric Ω has ω̂ = ½ [A⁻¹, Ȧ]; and (107), the kinetic energy with that
        S = F_dot @ np.linalg.inv(F)
        S = 0.5 * (S + S.T)
        F_dot = S @ F
        omega = np.asarray(polar_angular_velocity(F, F_dot, U), dtype=float)
        spin = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
        A_dot = solve_sylvester(A, A, F_dot.T @ F + F.T @ F_dot)
        inverse = np.linalg.inv(A)
        assert np.abs(U.T @ spin @ U - 0.5 * (inverse @ A_dot - A_dot @ inverse)).max() < 1e-12
        whole = A_dot + inverse @ A_dot @ A
        assert pytest.approx(0.5 * np.trace(J @ F_dot.T @ F_dot), abs=1e-12) == np.trace(J @ whole.T @ whole) / 8


MASS, RADIUS, GRAVITY = 2.0, 1.5, 0.7
DENSITY = MASS / (4.0 / 3.0 * np.pi * RADIUS**3)


def drop():
    system = vc.System("drop")
    energy = vc.energies.SelfGravity(MASS, RADIUS, G=GRAVITY)
    body = system.add(vc.AffineBody.solid("drop", vc.shapes.Sphere(RADIUS), mass=MASS, energy=energy))
    system.add(vc.constraints.incompressible("volume", body, realization="dalembert"))
    return system


def turning(axes, rate):
    spin = np.array([[0.0, -rate, 0.0], [rate, 0.0, 0.0], [0.0, 0.0, 0.0]])
    return {"drop": vc.At(((0, 0, 0), np.diag(axes)), ((0, 0, 0), spin @ np.diag(axes)))}


def test_maclaurins_spheroid_keeps_its_figure():
    e = 0.81267
    square = 2 * np.sqrt(1 - e * e) / e**3 * (3 - 2 * e * e) * np.arcsin(e) - 6 * (1 - e * e) / e**2
    assert square == pytest.approx(0.37423, abs=5e-6)
    a = (1 - e * e) ** (-1 / 6)
    start = turning((a, a, 1 / a**2), np.sqrt(square * np.pi * GRAVITY * DENSITY))
    motion = vc.simulate(drop(), until=10.0, start=start)
    G = motion.body("drop").affine.green_tensor
    assert np.abs(G - G[0]).max() < 1e-9
    assert motion.audit().passed
    slower = vc.simulate(drop(), until=10.0, start=turning((a, a, 1 / a**2), np.sqrt(0.36 * np.pi * GRAVITY * DENSITY)))
    assert np.ptp(slower.body("drop").affine.green_tensor, axis=0).max() > 1e-3


def test_jacobis_ellipsoid_keeps_its_figure():
    def integral(f, axes):
        return quad(lambda s: f(s) / np.sqrt(np.prod(np.square(axes) + s)), 0, np.inf, epsabs=1e-13, epsrel=1e-12)[0]

    def unequal(c, b=0.7):
        # a₁² a₂² A₁₂ = a₃² A₃, Chandrasekhar, Ellipsoidal Figures of Equilibrium, ch. 6
        axes = np.array([1.0, b, c])
        return integral(lambda s: b**2 / ((1 + s) * (b**2 + s)) - c**2 / (c**2 + s), axes)

    c = brentq(unequal, 0.2, 0.69, xtol=1e-14)
    axes = np.array([1.0, 0.7, c])
    square = 2 * np.prod(axes) * integral(lambda s: s / ((1 + s) * (0.49 + s)), axes)
    shape = axes / np.prod(axes) ** (1 / 3)
    motion = vc.simulate(drop(), until=5.0, start=turning(shape, np.sqrt(square * np.pi * GRAVITY * DENSITY)))
    G = motion.body("drop").affine.green_tensor
    assert np.abs(G - G[0]).max() < 1e-8


def test_the_self_gravity_of_a_ball_and_of_a_spheroid():
    energy = vc.energies.SelfGravity(MASS, RADIUS, G=GRAVITY)
    assert float(energy(np.eye(3))) == pytest.approx(-0.6 * GRAVITY * MASS**2 / RADIUS, rel=1e-14)
    e, a = 0.9, 1.4
    oblate = np.diag([a, a, a * np.sqrt(1 - e * e)])
    assert float(energy(oblate)) == pytest.approx(-0.6 * GRAVITY * MASS**2 / (a * RADIUS) * np.arcsin(e) / e, rel=1e-13)


@pytest.mark.parametrize(
    ("axes", "allowed"),
    [
        ((2, 1, 0.5), 1e-14),
        ((2, 2, 0.5), 1e-14),
        ((0.5, 0.5, 2), 1e-14),
        ((4, 4, 0.25), 1e-10),
        ((0.25, 0.25, 4), 1e-10),
    ],
)
def test_the_self_gravity_is_as_accurate_as_it_says(axes, allowed):
    nodes, weights = np.polynomial.legendre.leggauss(400)
    u, w = 0.5 * (nodes + 1), 0.5 * weights
    fine = sum(w * 2 / np.sqrt(np.prod([u * u * a * a + 1 - u * u for a in axes], axis=0)))
    found = float(vc.energies.SelfGravity(1.0, 1.0, 1.0)(np.diag(np.array(axes, dtype=float))))
    assert abs(found + 0.3 * fine) < allowed * abs(found) + 1e-15


def test_an_affine_body_obeys_its_twelve_equations_written_by_hand():
    rng = np.random.default_rng(3)
    m, J = 2.0, np.array([[1.0, 0.2, 0.1], [0.2, 0.8, -0.1], [0.1, -0.1, 0.6]])
    volume, shear, lame, viscosity, stiffness, g = 0.7, 1.3, 2.1, 0.05, 4.0, np.array([0, 0, -9.81])
    hook, top = np.array([0.4, -0.2, 0.3]), np.array([0.0, 0.0, 2.0])
    F0 = np.eye(3) + 0.2 * rng.normal(size=(3, 3))
    F0_dot, r0, v0 = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)

    def rates(t, y):
        r, v, F, F_dot = y[:3], y[3:6], y[6:15].reshape(3, 3), y[15:].reshape(3, 3)
        inverse = np.linalg.inv(F)
        size = np.linalg.det(F)
        Q = -volume * (shear * (F - inverse.T) + lame * np.log(size) * inverse.T)
        W = F_dot @ inverse
        D = 0.5 * (W + W.T)
        Q = Q - volume * size * 2 * viscosity * (D - np.trace(D) / 3 * np.eye(3)) @ inverse.T
        pull = -stiffness * (r + F @ hook - top)
        Q = Q + np.outer(pull, hook)
        return np.concatenate([v, g + pull / m, F_dot.ravel(), (Q @ np.linalg.inv(J)).ravel()])

    y = solve_ivp(
        rates, (0, 2), np.concatenate([r0, v0, F0.ravel(), F0_dot.ravel()]), rtol=1e-12, atol=1e-13, method="DOP853"
    ).y[:, -1]
    system = vc.System("hung", gravity=g)
    body = system.add(vc.AffineBody("blob", m, J, energy=vc.energies.NeoHookean(volume, shear, lame),
                                    dissipation=vc.energies.NewtonianViscosity(volume, viscosity)))  # fmt: skip
    system.add(vc.Spring("spring", body, "ground", stiffness, at=hook, to=top))
    motion = vc.simulate(system, until=2.0, start={"blob": vc.At((r0, F0), (v0, F0_dot))})
    seen = motion.body("blob")
    found = np.concatenate(
        [
            seen.position[-1],
            seen.velocity[-1],
            seen.affine.deformation[-1].ravel(),
            seen.affine.deformation_rate[-1].ravel(),
        ]
    )
    assert np.abs(found - y).max() < 1e-9
    assert motion.audit().passed
