"""Actions, frequencies and angles of separable Hamiltonians, against closed forms and motions."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import vinculum as vc

h, sin, cos, cosh = vc.hamiltonian, vc.math.sin, vc.math.cos, vc.math.cosh


def spherical(potential):
    def energy(r, theta, p_r, p_theta, p_phi):
        return (p_r**2 + p_theta**2 / r**2 + p_phi**2 / (r**2 * sin(theta) ** 2)) / 2 + potential(r)

    return h.Hamiltonian("spherical", ["r", "theta", "phi"], energy)


def spherical_pendulum():
    energy = lambda theta, p_theta, p_phi: (p_theta**2 + p_phi**2 / sin(theta) ** 2) / 2 - cos(theta)
    return h.Hamiltonian("spherical pendulum", ["theta", "phi"], energy)


def two_centers():
    """Attraction by masses 1 and 0.6 at the foci of elliptic coordinates."""
    energy = lambda xi, eta, p: (p @ p / 2 - 1.6 * cosh(xi) - 0.4 * cos(eta)) / (cosh(xi) ** 2 - cos(eta) ** 2)
    return h.Hamiltonian("two centers", ["xi", "eta"], energy)


@pytest.mark.parametrize("p_phi", [0.8, -0.8])
def test_actions_of_kepler_in_space(p_phi):
    """J_r + J_θ + |J_φ| = k/√(−2E), J_θ + |J_φ| = L, and all frequencies are (−2E)^(3/2)/k, that of φ with its sign."""
    H, q, p = spherical(lambda r: -1.5 / r), [1.0, 1.4, 0.3], [0.2, 0.5, p_phi]
    found, E = h.action_angles(H, q, p, angles=["phi"]), H(q, p)
    L = np.hypot(0.5, 0.8 / np.sin(1.4))
    assert found.actions == pytest.approx([1.5 / np.sqrt(-2 * E) - L, L - 0.8, p_phi], abs=1e-13)
    assert found.frequencies == pytest.approx((-2 * E) ** 1.5 / 1.5 * np.array([1, 1, np.sign(p_phi)]), rel=1e-12)


def test_actions_of_an_oscillator_in_space():
    """H = 2 J_r + J_θ + |J_φ|."""
    H, q, p = spherical(lambda r: r**2 / 2), [1.0, 1.4, 0.3], [0.2, 0.5, 0.8]
    found = h.action_angles(H, q, p, angles=["phi"])
    assert found.frequencies == pytest.approx([2.0, 1.0, 1.0], rel=1e-12)
    assert found.actions @ [2, 1, 1] == pytest.approx(H(q, p), rel=1e-13)


@pytest.mark.parametrize(("H", "q", "p", "angles"), [
    (spherical(lambda r: -1.0 / r + 0.05 / r**2), [1.0, 1.4, 0.3], [0.2, 0.5, 0.8], ["phi"]),
    (spherical_pendulum(), [1.0, 0.3], [0.2, -0.6], ["phi"]),
    (two_centers(), [1.0, 0.7], [0.2, 1.0], ["eta"]),
], ids=["space", "pendulum", "centers"])  # fmt: skip
def test_actions_stay_and_angles_grow_evenly(H, q, p, angles):
    before = h.action_angles(H, q, p, angles=angles)
    end = h.integrate(H, 3.0, q, p, step=0.002, order=8, every=1500)
    after = h.action_angles(H, end.q[-1], end.p[-1], angles=angles)
    assert after.actions == pytest.approx(before.actions, abs=1e-11)
    assert np.exp(1j * (after.angles - before.angles)) == pytest.approx(np.exp(3j * before.frequencies), abs=1e-10)


def test_frequencies_are_those_of_the_action():
    """ω = ∂H/∂J, by differences of actions at neighboring states."""
    H, q, p = two_centers(), np.array([1.0, 0.7]), np.array([0.2, 1.0])
    found, step = h.action_angles(H, q, p, angles=["eta"]), 1e-4
    for d in np.eye(2):
        values = [h.action_angles(H, q, p + side * step * d, angles=["eta"]).actions for side in (1, -1)]
        change = H(q, p + step * d) - H(q, p - step * d)
        assert (values[0] - values[1]) @ found.frequencies == pytest.approx(change, abs=1e-7 * step)


def test_frequencies_of_a_spherical_pendulum_are_those_of_its_motion():
    """x + i y has lines at ω_φ + m ω_θ."""
    H, q, p = spherical_pendulum(), [1.0, 0.3], [0.2, 0.6]
    action = h.action_angles(H, q, p, angles=["phi"])
    motion = h.integrate(H, 600.0, q, p, step=0.05, order=8)
    found = h.frequencies(np.sin(motion["theta"]) * np.exp(1j * motion["phi"]), 0.05, count=3).frequencies
    lines = action.frequencies[1] + action.frequencies[0] * np.arange(-2, 3)
    assert np.abs(found[:, None] - lines).min(axis=1) == pytest.approx(0.0, abs=1e-7)
    assert len(set(np.abs(found[:, None] - lines).argmin(axis=1))) == 3


def test_the_action_of_a_spherical_pendulum_is_its_integral():
    H, q, p = spherical_pendulum(), [1.0, 0.3], [0.2, 0.6]
    E = H(q, p)
    square = lambda theta: 2 * (E + np.cos(theta)) - 0.36 / np.sin(theta) ** 2
    low, high = brentq(square, 1e-3, 1.0), brentq(square, 1.0, 3.0)
    middle, half = (high + low) / 2, (high - low) / 2
    integrand = lambda a: np.sqrt(max(square(middle - half * np.cos(a)), 0.0)) * half * np.sin(a)
    exact = quad(integrand, 0.0, np.pi, epsabs=1e-13)[0] / np.pi
    assert h.action_angles(H, q, p).actions[0] == pytest.approx(exact, abs=1e-10)


def test_a_system_in_other_coordinates_has_actions_too():
    """A point on a string in space, in spherical coordinates."""
    system = vc.LagrangianSystem(
        "point", ["theta", "phi"], lambda theta, v: (v[0] ** 2 + sin(theta) ** 2 * v[1] ** 2) / 2 + cos(theta)
    )
    one = h.action_angles(h.Hamiltonian.of(system), [1.0, 0.3], [0.2, 0.6])
    other = h.action_angles(spherical_pendulum(), [1.0, 0.3], [0.2, 0.6])
    assert one.actions == pytest.approx(other.actions, rel=1e-13)
    assert one.frequencies == pytest.approx(other.frequencies, rel=1e-12)


def test_a_particle_in_a_magnetic_field_turns_with_the_sign_of_its_momentum():
    """H = (p − 2 − cos q)²/2 turns backward where p < 2 + cos q; its action is the mean of p, here 1.9 of 2 + cos q − 0.1."""
    H = h.Hamiltonian("ring", ["q1"], lambda q1, p_q1: (p_q1 - 2.0 - cos(q1)) ** 2 / 2)
    found = h.action_angles(H, [0.0], [2.9], angles=["q1"])
    assert found.actions[0] == pytest.approx(1.9, rel=1e-12)
    assert found.frequencies[0] == pytest.approx(-0.1, rel=1e-12)
