"""Levels of curves and surfaces that are known in closed form, or by an ordinary differential equation."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipe

import vinculum as vc

sin, cos = vc.math.sin, vc.math.cos
AROUND = (0.0, 2.0 * np.pi, "periodic")
ELLIPSE = vc.geometry.Embedding("ellipse", ["s"], lambda s: (1.5 * cos(s), 0.8 * sin(s)))
TORUS = vc.geometry.Embedding(
    "torus", ["u", "w"], lambda u, w: ((2 + cos(u)) * cos(w), (2 + cos(u)) * sin(w), sin(u))
)  # fmt: skip
SPHERE = vc.geometry.Embedding(
    "sphere", ["theta", "phi"], lambda theta, phi: (sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta))
)
POLAR = {"theta": (0.0, np.pi, "poles"), "phi": AROUND}
ROUND = {"u": AROUND, "w": AROUND}
"""With mass ½ and ħ = 1 the operator is −Δ."""


def torus_levels(count: int, R: float = 2.0, r: float = 1.0, points: int = 121) -> np.ndarray:
    """−Δ on a torus of revolution by separation: −(p f')'/(r² p) + m²/p² f = E f with p = R + r cos u, in Fourier collocation
    at an odd number of points."""
    u = 2.0 * np.pi * np.arange(points) / points
    j = np.arange(points)
    apart = (j[:, None] - j) * np.pi / points
    with np.errstate(divide="ignore"):
        D = np.where(j[:, None] == j, 0.0, 0.5 * (-1.0) ** (j[:, None] - j) / np.sin(apart))
    p = R + r * np.cos(u)
    found = []
    for m in range(12):
        A = -np.diag(1.0 / (r * r * p)) @ D @ np.diag(p) @ D + np.diag(m * m / p**2)
        levels = np.sort(np.linalg.eigvals(A).real)
        found += [*levels[:count], *(levels[:count] if m else ())]
    return np.sort(found)


def test_levels_of_a_closed_curve_depend_on_its_length_alone():
    """(2πn/ℓ)², twice for n ≥ 1; the ellipse (1.5, 0.8) has length 7.39397902 and first level 0.72210992."""
    length = 4.0 * 1.5 * ellipe(1.0 - (0.8 / 1.5) ** 2)
    assert length == pytest.approx(7.39397902, abs=5e-9)
    states = vc.geometry.Quantization(ELLIPSE, {"s": AROUND}, mass=0.5).states(7)
    expected = [(2.0 * np.pi * n / length) ** 2 for n in (0, 1, 1, 2, 2, 3, 3)]
    assert states.levels == pytest.approx(expected, abs=1e-8)
    assert [count for _, count in states.multiplicities()] == [1, 2, 2, 2]
    assert states.levels[1] == pytest.approx(0.72210992, abs=5e-9)


def test_levels_of_the_sphere_are_l_times_l_plus_one():
    states = vc.geometry.Quantization(SPHERE, POLAR, mass=0.5).states(25)
    found = states.multiplicities()
    assert [count for _, count in found] == [1, 3, 5, 7, 9]
    assert [level for level, _ in found] == pytest.approx([0, 2, 6, 12, 20], abs=1e-6)


def test_levels_of_a_torus_are_those_of_its_separated_equation():
    published = [
        0.0,
        *[0.24936806] * 2,
        *[0.79456780] * 2,
        0.97673131,
        1.12228827,
        *[1.26371695] * 2,
        *[1.54515083] * 2,
    ]
    states = vc.geometry.Quantization(TORUS, ROUND, mass=0.5).states(11)
    apart = torus_levels(11)
    assert apart[:11] == pytest.approx(published, abs=1e-8)
    assert states.levels == pytest.approx(apart[:11], abs=1e-6)
    assert states.errors.max() < 1e-8


@pytest.mark.parametrize(
    ("space", "ranges", "resolution"),
    [(ELLIPSE, {"s": AROUND}, 160), (SPHERE, POLAR, 48), (TORUS, ROUND, 48)],
    ids=lambda x: str(x)[:20],
)
def test_finite_elements_agree_with_expansions_within_their_errors(space, ranges, resolution):
    pytest.importorskip("skfem")
    operator = vc.geometry.Quantization(space, ranges, mass=0.5)
    spectral, elements = operator.states(5), operator.states(5, method="finite elements", resolution=resolution)
    apart = np.abs(spectral.levels - elements.levels)
    assert np.all(apart <= 1.5 * elements.errors + 1e-9)
    assert apart.max() < 2e-5 * spectral.levels.max() + 1e-9
    place = [[0.7, 0.4], [2.0, 3.0]] if len(ranges) == 2 else [[0.7], [2.0]]
    ground = np.abs(spectral.values(place)[:, 0]) - np.abs(elements.values(place)[:, 0])
    assert np.abs(ground).max() < 1e-6


def test_the_error_of_finite_elements_falls_with_the_fourth_power_of_their_size():
    pytest.importorskip("skfem")
    operator = vc.geometry.Quantization(TORUS, ROUND, mass=0.5)
    exact = operator.states(4).levels[3]
    errors = [operator.states(4, method="finite elements", resolution=k).levels[3] - exact for k in (16, 32)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.15)


def test_walls_and_free_ends_of_an_interval():
    line = vc.geometry.Metric("line", ["x"], lambda: [[1.0]])
    walls = vc.geometry.Quantization(line, {"x": (0.0, 2.0, "walls")}, mass=0.5).states(4)
    free = vc.geometry.Quantization(line, {"x": (0.0, 2.0, "free")}, mass=0.5).states(4)
    assert walls.levels == pytest.approx([(np.pi * k / 2.0) ** 2 for k in (1, 2, 3, 4)], abs=1e-8)
    assert free.levels == pytest.approx([(np.pi * k / 2.0) ** 2 for k in (0, 1, 2, 3)], abs=1e-8)
    x = np.linspace(0.0, 2.0, 9)[:, None]
    assert np.abs(walls.values(x)[:, 1]) == pytest.approx(np.abs(np.sin(np.pi * x[:, 0])), abs=1e-7)


def test_a_pendulum_on_a_circle_has_the_levels_of_mathieu():
    from scipy.special import mathieu_a, mathieu_b

    q = 1.7
    circle = vc.geometry.Metric("circle", ["x"], lambda: [[1.0]])
    states = vc.geometry.Quantization(circle, {"x": AROUND}, lambda x: 2 * q * cos(2 * x), mass=0.5).states(5)
    expected = sorted([mathieu_a(0, q), mathieu_b(1, q), mathieu_a(1, q), mathieu_b(2, q), mathieu_a(2, q)])
    assert states.levels == pytest.approx(expected, abs=1e-8)


def test_the_kinetic_metric_of_a_constrained_system_has_the_levels_of_a_rotor():
    """A mass point on a rod, as a constraint: ħ²/2J l²."""
    system = vc.System("rotor")
    system.add(vc.MassPoint("p", 2.0))
    system.add(vc.Planar("plane", "ground", "p"))
    system.add(vc.constraints.distance("rod", "ground", "p", length=1.5, realization=vc.DAlembert()))
    metric = vc.geometry.Metric.of(
        system, coordinates=lambda angle: {"plane": (1.5 * cos(angle), 1.5 * sin(angle), 0.0 * angle)}
    )
    states = vc.geometry.Quantization(metric, {"angle": AROUND}).states(5)
    assert states.levels == pytest.approx([l * l / (2.0 * 2.0 * 1.5**2) for l in (0, 1, 1, 2, 2)], abs=1e-9)


def test_states_are_orthonormal_in_the_volume_of_the_metric():
    states = vc.geometry.Quantization(ELLIPSE, {"s": AROUND}).states(4)
    speed = lambda s: np.hypot(1.5 * np.sin(s), 0.8 * np.cos(s))
    for i in range(4):
        for j in range(4):
            found = quad(lambda s, i=i, j=j: speed(s) * np.prod(states.values([s])[[i, j]]), 0.0, 2.0 * np.pi)[0]
            assert found == pytest.approx(float(i == j), abs=1e-7)


def test_a_packet_is_that_of_its_phases_and_returns_after_a_period():
    """On the unit circle Ψ(t + 4π) = Ψ(t); at other times the sum over e^{ikx} by hand."""
    circle = vc.geometry.Metric("circle", ["x"], lambda: [[1.0]])
    operator = vc.geometry.Quantization(circle, {"x": AROUND})
    shape = lambda x: np.exp(4.0 * (np.cos(x - 1.0) - 1.0) + 3j * x)
    packet = operator.evolve(lambda q: shape(q[:, 0]), [0.0, 0.7, 4.0 * np.pi])
    x = 2.0 * np.pi * np.arange(128) / 128
    start = shape(x) / np.sqrt(np.mean(np.abs(shape(x)) ** 2) * 2.0 * np.pi)
    k = np.fft.fftfreq(128, 1.0 / 128)
    later = np.fft.ifft(np.fft.fft(start) * np.exp(-0.5j * k**2 * 0.7))
    values = packet.values(x[:, None])
    assert packet.norms == pytest.approx(np.ones(3), abs=1e-13)
    assert packet.error < 1e-9
    for found, expected in zip(values, (start, later, start), strict=True):
        assert np.abs(found - expected).max() < 1e-8


def test_a_packet_on_a_sphere_keeps_its_norm_and_energy():
    operator = vc.geometry.Quantization(SPHERE, POLAR, lambda theta: 0.5 * cos(theta))

    def psi(q):
        theta, phi = q.T
        return np.exp(3.0 * (np.sin(theta) * np.cos(phi) - 1.0)) * np.exp(2j * np.cos(theta))

    packet = operator.evolve(psi, np.linspace(0.0, 3.0, 4), tolerance=1e-7)
    assert np.abs(packet.norms - 1.0).max() < 1e-13
    assert packet.error <= 1e-7
