"""What has no Hamiltonian, and runs that cannot be made, are refused with the reason."""

import numpy as np
import pytest

import vinculum as vc
from hamiltonians import double_pendulum_bodies, henon_heiles, pendulum
from vinculum import math as m

h = vc.hamiltonian
free = lambda p: p @ p / 2


def lagrangian(function, **more) -> vc.LagrangianSystem:
    return vc.LagrangianSystem("odd", ["x", "y", "z"], function, **more)


def damped() -> vc.System:
    system = vc.System("damped")
    body = system.add(vc.MassPoint("body", 1.0))
    system.add(vc.Revolute("joint", "ground", body, to=(0, 1, 0), damping=0.1))
    return system


def quaternion() -> vc.System:
    system = vc.System("top")
    body = system.add(vc.RigidBody("body", 1.0, (0, 0, 0.1), (0.1, 0.1, 0.1)))
    system.add(vc.Spherical("foot", "ground", body))
    return system


@pytest.mark.parametrize(("use", "words"), [
    (lambda: h.Hamiltonian.of(lagrangian(lambda x_dot, y_dot, z_dot: (x_dot + y_dot) ** 2 + z_dot**2)),
     r"rank 2 of 3 everywhere, so momenta do not determine x_dot, y_dot; give each of these a kinetic energy"),
    (lambda: h.Hamiltonian.of(lagrangian(lambda x_dot, y: x_dot**2 - y**2)), "do not determine y_dot, z_dot"),
    (lambda: h.Hamiltonian.of(lagrangian(lambda x, y, z, x_ddot, v: x_ddot**2 + v @ v)), "do not determine y_ddot, z_ddot"),
    (lambda: h.Hamiltonian.of(lagrangian(lambda v: v @ v, dissipation=lambda v: -v)), r"forces D act.*canonical\(\)"),
    (lambda: h.Hamiltonian.of(lagrangian(lambda v: v @ v, constraints={"blade": (lambda v, x: v[0] - x * v[1], vc.DAlembert())})),
     "'blade' binds velocities by reactions.*vc.Vakonomic has one"),
    (lambda: h.Hamiltonian.of(damped()), "dampers, drives or forces act"),
    (lambda: h.Hamiltonian.of(quaternion()), "'foot' has 4 coordinates for 3 velocities.*chart='zyx'"),
    (lambda: h.Hamiltonian("a", ["x", "p_x"], lambda p: p @ p), "'p_x' of a coordinate is that of a momentum"),
    (lambda: h.Hamiltonian("a", ["x"], lambda y: y), "has the argument 'y'; name arguments q, p"),
    (lambda: h.Hamiltonian("a", ["x"], lambda p: p), None),
    (lambda: h.Hamiltonian("a", ["x", "y"], lambda p: p), "return one number"),
    (lambda: h.Hamiltonian("a", ["x", "y"], free, {"gauge": lambda p_x: p_x}), "gauge have vanishing brackets.*first class"),
    (lambda: h.Hamiltonian("a", ["x"], free, {"still": lambda t: t}), "'still' depends neither on coordinates nor on momenta"),
    (lambda: pendulum().dirac_bracket(lambda theta: theta, lambda p_theta: p_theta), "has no constraints"),
    (lambda: pendulum().momentum([0.1], [0.2]), "was given by a formula; give momenta"),
    (lambda: pendulum()([0.1, 0.2], [0.3]), r"q has shape \(2,\); give 1 numbers for theta"),
    (lambda: pendulum().bracket(henon_heiles().energy, lambda theta: theta), "belongs to 'Henon-Heiles'"),
    (lambda: h.integrate(h.Hamiltonian.of(double_pendulum_bodies()), 1.0, [1, 1], [0, 0], step=0.1, method="splitting"),
     r"no sum T\(p\) \+ V\(q, t\).*method='gauss'"),
    (lambda: h.integrate(pendulum(), 1.0, [1], [0], step=0.1, method="variational"), "has no Lagrangian"),
    (lambda: h.integrate(pendulum(), 1.0, [1], [0], step=0.1, order=3), "order is 3; choose one of 2, 4, 6, 8"),
    (lambda: h.integrate(h.Hamiltonian("quartic", ["x"], lambda x, p_x: p_x**2 / 2 + x**8), 10.0, [2.0], [0], step=1.0),
     "a step of 1 is too long"),
    (lambda: h.integrate(h.Hamiltonian("ball", ["x", "y"], free, {"c": lambda q: q @ q - 1}), 1.0, [1, 0], [0, 1], step=0.1),
     "has constraints, on which collocation is not symplectic"),
    (lambda: h.integrate(h.Hamiltonian("ball", ["x", "y"], free, {"c": lambda q: q @ q - 1}), 1.0, [1, 0.2], [0, 1], step=0.1),
     "constraint 'c' is 0.04 at"),
    (lambda: h.poincare_section(pendulum(), lambda: 1.0, [1], [0], 3.0), "the section is 1.0 everywhere"),
    (lambda: h.periodic_orbit(henon_heiles(), [0.4, 0.4], [0.3, 0.1], 1.0, at_energy=40.0), "no periodic orbit was found|too short"),
    (lambda: h.action_angles(henon_heiles(), [0.1, 0.2], [0.3, 0.1]), "x and y move each other"),
    (lambda: h.action_angles(pendulum(), [0.5], [2.5]), "does not return to its start.*name it in angles="),
    (lambda: h.action_angles(pendulum(), [0.0], [0.0]), "theta is at rest"),
    (lambda: h.polynomial_integrals(henon_heiles(), 12), "more than 600 coefficients"),
    (lambda: h.Wall(lambda x: x, restitution=1.5), "restitution is 1.5"),
    (lambda: h.lyapunov_spectrum(h.Hamiltonian("ball", ["x", "y"], free, {"c": lambda q: q @ q - 1}), 1.0, [1, 0], [0, 1]),
     "has constraints, and a Lyapunov spectrum is for free coordinates"),
])  # fmt: skip
def test_bad_input_is_refused(use, words):
    if words is None:
        use()
        return
    with pytest.raises(vc.errors.VinculumError, match=words):
        use()


def test_momenta_that_no_velocity_has_are_refused():
    """L = √(1 + v²) has momenta below one."""
    H = h.Hamiltonian.of(vc.LagrangianSystem("bounded", ["x"], lambda x_dot: m.sqrt(1 + x_dot**2)))
    assert H([0.0], [0.6]) == pytest.approx(-0.8, rel=1e-12)
    with pytest.raises(
        vc.errors.StartError, match=r"not finite at x = 0, p_x = 1.2.*momenta that some velocities have"
    ):
        H([0.0], [1.2])


def test_a_state_at_which_momenta_do_not_determine_a_velocity_names_it():
    bead = vc.LagrangianSystem("bead", ["x", "y"], lambda x, x_dot, y_dot: x * x_dot**2 / 2 + y_dot**2 / 2)
    H = h.Hamiltonian.of(bead)
    with pytest.raises(
        vc.errors.StartError, match=r"at x = 0, .*singular, so that momenta do not determine x_dot; choose"
    ):
        H([0.0, 0.0], [0.1, 0.2])
    assert H([2.0, 0.0], [0.1, 0.2]) == pytest.approx(0.0025 + 0.02, rel=1e-14)


def test_momenta_that_several_velocities_have_are_refused():
    """v³ − v = 0.1 has three roots, and v³ − v = 1 has one."""
    H = h.Hamiltonian.of(vc.LagrangianSystem("folded", ["x"], lambda x_dot: x_dot**4 / 4 - x_dot**2 / 2))
    roots = np.sort(np.roots([1.0, 0.0, -1.0, -0.1]).real)
    words = "; ".join(f"{x:.6g}" for x in roots)
    for use in (lambda: H([0.0], [0.1]), lambda: H.rates([0.0], [0.1]), lambda: H([[0.0], [0.0]], [[2.0], [0.1]])):
        with pytest.raises(vc.errors.StartError, match=f"not single-valued.*x_dot = {words}; choose momenta"):
            use()
    v = float(np.roots([1.0, 0.0, -1.0, -1.0])[0].real)
    assert H([0.0], [1.0]) == pytest.approx(v - v**4 / 4 + v**2 / 2, rel=1e-12)


def test_coordinates_that_do_not_separate_are_named():
    """Kepler's H separates in polar coordinates, and not in Cartesian ones."""
    kepler = h.Hamiltonian("kepler", ["x", "y", "z"], lambda q, p: p @ p / 2 - 1 / m.sqrt(q @ q))
    with pytest.raises(
        vc.errors.MethodError, match=r"[xyz] and [xyz] move each other.*by Levi-Civita's condition; find coor"
    ):
        h.action_angles(kepler, [1.0, 0.2, 0.1], [0.1, 0.9, 0.2])


def test_a_weak_coupling_does_not_pass_for_a_sum():
    H = h.Hamiltonian("two", ["x", "y"], lambda x, y, p: p @ p / 2 + (x**2 + 2 * y**2) / 2 + 1e-6 * x**2 * y)
    with pytest.raises(vc.errors.MethodError, match="x and y move each other"):
        h.action_angles(H, [0.3, 0.2], [0.1, 0.1])


@pytest.mark.parametrize("angles", [(), ("theta",)])
def test_a_pendulum_on_its_separatrix_has_no_action(angles):
    """From θ = 0 with p = 2 it tends to the upper equilibrium, in infinite time."""
    H = h.Hamiltonian("pendulum", ["theta"], lambda theta, p_theta: p_theta**2 / 2 - m.cos(theta))
    with pytest.raises(
        vc.errors.RunError, match=r"theta does not return .* separatrix, .* has no action: start beside it"
    ):
        h.action_angles(H, [0.0], [2.0], angles=angles)


def test_pickles_need_functions_of_modules():
    import pickle

    with pytest.raises(pickle.PicklingError, match="because of hamiltonian"):
        pickle.dumps(pendulum())
    assert np.isfinite(pendulum()([0.1], [0.2]))
