"""Confinement by a strong potential: levels of the radial equation, their limits and slopes, and the geometric potential."""

import numpy as np
import pytest

import vinculum as vc

sin, cos = vc.math.sin, vc.math.cos
AROUND = (0.0, 2.0 * np.pi, "periodic")
CIRCLE = vc.geometry.Embedding("circle", ["s"], lambda s: (cos(s), sin(s)))
SPHERE = vc.geometry.Embedding(
    "sphere", ["theta", "phi"], lambda theta, phi: (sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta))
)
POLAR = {"theta": (0.0, np.pi, "poles"), "phi": AROUND}


def radial_level(l: int, kappa: float, number: int = 0, points: int = 90) -> float:
    """−½(ψ'' + ψ'/r − l²ψ/r²) + ½κ(r − 1)²ψ = Eψ by Chebyshev collocation over eight widths, an independent route."""
    k = np.arange(points + 1)
    x = np.cos(np.pi * k / points)
    c = np.where((k == 0) | (k == points), 2.0, 1.0) * (-1.0) ** k
    D = np.outer(c, 1.0 / c) / (x[:, None] - x + np.eye(points + 1))
    D -= np.diag(D.sum(axis=1))
    half = min(8.0 * kappa**-0.25, 0.99)
    r, D = 1.0 + half * x, D / half
    H = -0.5 * (D @ D + np.diag(1.0 / r) @ D) + np.diag(0.5 * l * l / r**2 + 0.5 * kappa * (r - 1.0) ** 2)
    return float(np.sort(np.linalg.eigvals(H[1:-1, 1:-1]).real)[number])


KAPPA = [1e3, 4e3, 1.6e4, 6.4e4, 2.56e5, 1.024e6]


@pytest.fixture(scope="module")
def circle():
    return vc.geometry.compare_confinement(vc.geometry.Quantization(CIRCLE, {"s": AROUND}), KAPPA, count=7)


def test_levels_of_the_confined_circle_are_those_of_the_radial_equation(circle):
    for kappa, row in zip(KAPPA, circle.levels, strict=True):
        expected = [radial_level(l, kappa) - 0.5 * np.sqrt(kappa) for l in (0, 1, 1, 2, 2, 3, 3)]
        assert row == pytest.approx(expected, abs=1e-6)


def test_levels_of_the_confined_circle_tend_to_those_with_the_geometric_potential(circle):
    """E − ½ω → ½(l² − ¼), with slope ¾(l² − ¼) in κ^(−1/2): a shift by −1/8."""
    l = np.array([0, 1, 1, 2, 2, 3, 3])
    assert circle.limits == pytest.approx(0.5 * (l**2 - 0.25), abs=1e-6)
    assert circle.slopes == pytest.approx(0.75 * (l**2 - 0.25), abs=1e-5)
    assert circle.shifts == pytest.approx(np.full(7, -0.125), abs=1e-6)
    assert circle.confined == pytest.approx(circle.limits, abs=1e-6)
    assert circle.errors.max() < 1e-6


def test_levels_at_a_million_are_within_a_hundredth_of_the_limits():
    tube = vc.geometry.confine(vc.geometry.Quantization(CIRCLE, {"s": AROUND}), 1e6)
    assert tube.states(5, tolerance=1e-11).levels - 500.0 == pytest.approx(
        [-0.125, 0.375, 0.375, 1.875, 1.875], abs=0.01
    )


def test_tangential_levels_meet_transversal_quanta_at_finite_stiffness():
    """At κ = 1500 one quantum is 38.7: tangential levels above it lie among states with a quantum, at κ = 10⁵ none of these does."""
    found = vc.geometry.compare_confinement(
        vc.geometry.Quantization(CIRCLE, {"s": AROUND}), [1500.0, 1e5], count=19, tolerance=1e-8
    )
    soft, stiff = found.quanta
    assert (soft > 0.5).any() and not (stiff > 0.5).any()
    first = int(np.argmax(soft > 0.5))
    quantum = radial_level(0, 1500.0, 1) - radial_level(0, 1500.0)
    assert found.spectra[0][first] - found.spectra[0][0] == pytest.approx(quantum, abs=1e-4)
    assert (soft[first:] < 0.5).any(), "tangential levels lie above the first quantum"
    assert "transversal quanta" in str(found)


def test_a_sphere_has_no_shift():
    operator = vc.geometry.Quantization(SPHERE, POLAR)
    found = vc.geometry.compare_confinement(operator, [4e3, 1.6e4, 6.4e4, 2.56e5], count=4)
    assert found.shifts == pytest.approx(np.zeros(4), abs=1e-6)
    assert found.confined == pytest.approx(found.intrinsic, abs=1e-9)


def test_an_ellipse_has_a_shift_that_differs_from_level_to_level():
    ellipse = vc.geometry.Embedding("ellipse", ["s"], lambda s: (1.2 * cos(s), 0.9 * sin(s)))
    found = vc.geometry.compare_confinement(
        vc.geometry.Quantization(ellipse, {"s": AROUND}), [4e3, 1.6e4, 6.4e4, 2.56e5], count=3
    )
    assert found.limits == pytest.approx(found.confined, abs=1e-6)
    assert found.shifts.max() < -0.07 and np.ptp(found.shifts) > 0.05


def test_geometric_potentials_of_curves_and_surfaces():
    """−k²/4 and −(H² − K), in units of ħ²/2m."""
    a, b, s = 1.5, 0.8, 0.7
    ellipse = vc.geometry.Embedding("ellipse", ["s"], lambda s: (a * cos(s), b * sin(s)))
    k = a * b / (a**2 * np.sin(s) ** 2 + b**2 * np.cos(s) ** 2) ** 1.5
    assert ellipse.geometric_potential([s]) == pytest.approx(-(k**2) / 4.0, rel=1e-12)
    helix = vc.geometry.Embedding("helix", ["s"], lambda s: (2.0 * cos(s), 2.0 * sin(s), 0.5 * s))
    assert helix.geometric_potential([s]) == pytest.approx(-((2.0 / (4.0 + 0.25)) ** 2) / 4.0, rel=1e-12)
    torus = vc.geometry.Embedding(
        "torus", ["u", "w"], lambda u, w: ((2 + cos(u)) * cos(w), (2 + cos(u)) * sin(w), sin(u))
    )
    one, two = 1.0, np.cos(0.6) / (2.0 + np.cos(0.6))
    assert torus.geometric_potential([0.6, 0.3]) == pytest.approx(-0.25 * (one - two) ** 2, rel=1e-10)
    assert SPHERE.geometric_potential([0.6, 0.3]) == pytest.approx(0.0, abs=1e-12)


def test_on_a_torus_with_radii_two_and_one_the_geometric_potential_undoes_one_turn():
    """−(H² − K) = −1/p² with p = 2 + cos u, so that confined levels with m = 1 are intrinsic ones with m = 0."""
    torus = vc.geometry.Embedding(
        "torus", ["u", "w"], lambda u, w: ((2 + cos(u)) * cos(w), (2 + cos(u)) * sin(w), sin(u))
    )
    confined = vc.geometry.Quantization(torus, {"u": AROUND, "w": AROUND}, mass=0.5, confined=True).states(11)
    pairs = [level for level, count in confined.multiplicities() if count == 2]
    assert [pairs[0], *pairs[2:4]] == pytest.approx([0.0, 0.97673131, 1.12228827], abs=1e-8)


def test_a_stiffness_that_varies_adds_half_a_quantum_along_the_manifold():
    """The difference from the particle in the plane falls with κ, and is far below that without ½ħω(x)."""
    line = vc.geometry.Embedding("line", ["s"], lambda s: (s, 0.0 * s))
    apart = []
    for kappa in (1e3, 1e5):
        omega = lambda s, kappa=kappa: kappa**0.5 * (1.0 + 0.1 * cos(s))
        operator = vc.geometry.Quantization(line, {"s": AROUND})
        full = vc.geometry.confine(operator, lambda s, omega=omega: omega(s) ** 2).states(3, tolerance=1e-11).levels
        along = (
            vc.geometry.Quantization(line, {"s": AROUND}, confined=True, frequency=omega)
            .states(3, tolerance=1e-11)
            .levels
        )
        apart.append(np.abs(full - along).max())
        without = operator.states(3).levels + 0.5 * kappa**0.5
        assert np.abs(full - without).min() > 1e3 * apart[-1]
    assert apart[1] < 0.35 * apart[0] < 1e-5


def test_in_units_of_length_mass_and_action_levels_scale():
    """R = 2, m = 3, ħ = 0.5: everything is ħ²/(m R²) times that of the unit circle, κ in units of ħ²/(m R⁴)."""
    R, m, hbar = 2.0, 3.0, 0.5
    large = vc.geometry.Embedding("circle", ["s"], lambda s: (R * cos(s), R * sin(s)))
    unit = hbar**2 / (m * R**2)
    operator = vc.geometry.Quantization(large, {"s": AROUND}, mass=m, hbar=hbar)
    tube = vc.geometry.confine(operator, 4e3 * hbar**2 / (m * R**4)).states(3, tolerance=1e-11)
    assert tube.levels / unit == pytest.approx([radial_level(l, 4e3) for l in (0, 1, 1)], abs=1e-6)


def test_levels_around_a_circle_in_space_are_radial_ones_and_those_of_an_oscillator():
    """The same circle in a tilted plane of space has a second normal, along which nothing is curved."""
    tilted = vc.geometry.Embedding("tilted", ["s"], lambda s: (cos(s), 0.6 * sin(s), 0.8 * sin(s)))
    tube = vc.geometry.confine(vc.geometry.Quantization(tilted, {"s": AROUND}), 1e4)
    found = tube.states(3, resolution=(4, 9, 9))
    assert found.levels - 50.0 == pytest.approx([radial_level(l, 1e4) for l in (0, 1, 1)], abs=1e-7)
    quanta = vc.geometry.quantum.confinement.transversal_quanta(found)
    assert quanta.max() < 0.01


@pytest.mark.slow
def test_levels_around_a_curve_with_torsion_tend_to_those_with_the_geometric_potential():
    """A closed curve on a cylinder, and a piece of a helix, whose curvature is 0.8: the limits know curvature, not torsion."""
    wave = vc.geometry.Embedding("wave", ["s"], lambda s: (cos(s), sin(s), 0.3 * cos(2.0 * s)))
    helix = vc.geometry.Embedding("helix", ["s"], lambda s: (cos(s), sin(s), 0.5 * s))
    for curve, ends, count in ((wave, AROUND, 3), (helix, (0.0, 3.0, "walls"), 2)):
        operator = vc.geometry.Quantization(curve, {"s": ends})
        found = vc.geometry.compare_confinement(operator, [1.6e4, 6.4e4, 2.56e5], count=count, tolerance=1e-8)
        assert found.limits == pytest.approx(found.confined, abs=2e-6)
        assert np.abs(found.shifts).min() > 0.05
    assert found.shifts == pytest.approx(np.full(2, -0.125 * 0.8**2), abs=2e-6)
