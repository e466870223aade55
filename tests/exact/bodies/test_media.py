"""Multiphase and polar media: fields that are solutions obey (15) in every cell, and others do not."""

import numpy as np
import pytest

import vinculum as vc

BOX, WINDOW = ((0.1, -0.2, 0.3), (0.7, 0.5, 0.9)), (0.2, 0.8)
DRAG = 1.7


def _along_x(values):
    return np.column_stack([values, np.zeros_like(values), np.zeros_like(values)])


def _streams(drag=DRAG, exchanged=DRAG):
    """Two streams along x with densities 2 and 3 and drag k (w − v): their difference decays as exp(−k t (1/2 + 1/3)), their sum stays."""
    rate = drag * (1 / 2 + 1 / 3)
    difference = lambda t: 1.5 * np.exp(-rate * t)
    mean = 0.4  # (2 v + 3 w)/5
    v, w = (lambda t: mean + 0.6 * difference(t)), (lambda t: mean - 0.4 * difference(t))
    pull = lambda x, t: _along_x(exchanged * (w(t) - v(t)))
    return [
        vc.measures.Medium("gas", lambda x, t: np.full(len(t), 2.0), lambda x, t: _along_x(v(t)), exchange=pull),
        vc.measures.Medium(
            "dust", lambda x, t: np.full(len(t), 3.0), lambda x, t: _along_x(w(t)), exchange=lambda x, t: -pull(x, t)
        ),
    ]


def test_two_streams_with_drag_and_their_sum_obey_the_balance():
    certificate = vc.measures.audit_media(_streams(), BOX, WINDOW)
    assert certificate.passed, str(certificate)
    assert {"momentum of 'gas'", "exchange of phases", "angular momentum of the sum"} <= {
        line.law for line in certificate.lines
    }
    assert max(line.residual for line in certificate.lines) < 1e-13


def test_a_wrong_drag_breaks_each_stream_but_not_their_sum():
    found = {
        line.law: line.verdict for line in vc.measures.audit_media(_streams(exchanged=1.001 * DRAG), BOX, WINDOW).lines
    }
    assert found["momentum of 'gas'"] == found["momentum of 'dust'"] == "broken"
    assert found["exchange of phases"] == found["momentum of the sum"] == "holds"


def test_drag_that_is_not_skew_breaks_the_sum():
    gas, dust = _streams()
    other = vc.measures.Medium("dust", dust.density, dust.velocity, exchange=lambda x, t: 0.999 * dust.exchange(x, t))
    found = {line.law: line.verdict for line in vc.measures.audit_media([gas, other], BOX, WINDOW).lines}
    assert found["exchange of phases"] == "broken"
    assert found["momentum of the sum"] == "holds"


def _polar(couple=1.0):
    """A stress that is not symmetric and couple stresses, with the forces and couples that keep a turning, streaming medium in balance."""
    rho, j = 1.3, 0.2
    velocity = lambda x, t: np.column_stack([0.3 + 0.5 * x[:, 0], -0.5 * x[:, 1], 0.2 * np.ones(len(t))])  # div v = 0
    omega = lambda x, t: np.column_stack([np.sin(x[:, 0] + t), x[:, 1] * t, x[:, 2] ** 2])
    spin = lambda x, t: j * omega(x, t)

    def stress(x, t):
        T = np.zeros((len(t), 3, 3))
        T[:, 0, 1], T[:, 1, 0] = x[:, 0] * x[:, 1], 2.0 * t * x[:, 2]
        T[:, 2, 2] = x[:, 2] ** 2
        return T

    def couple_stress(x, t):
        C = np.zeros((len(t), 3, 3))
        C[:, 0, 0], C[:, 1, 2], C[:, 2, 0] = x[:, 0] ** 2, x[:, 2] * t, x[:, 1]
        return C

    def force(x, t):
        # ρ (∇v) v − div 𝒯, (div 𝒯)_i = ∂_j 𝒯_ij
        v, zero = velocity(x, t), np.zeros(len(t))
        carried = rho * np.column_stack([0.5 * v[:, 0], -0.5 * v[:, 1], zero])
        return carried - np.column_stack([x[:, 0], zero, 2.0 * x[:, 2]])

    def moment(x, t):
        # ∂q/∂t + (∇q) v + v × p − div 𝒞 − ax 𝒯, with v × ρ v = 0
        v, zero, one = velocity(x, t), np.zeros(len(t)), np.ones(len(t))
        changes = j * np.column_stack([np.cos(x[:, 0] + t), x[:, 1], zero])
        carried = j * np.column_stack([np.cos(x[:, 0] + t) * v[:, 0], t * v[:, 1], 2.0 * x[:, 2] * v[:, 2]])
        div_C = np.column_stack([2.0 * x[:, 0], t * one, zero])
        T = stress(x, t)
        ax = np.column_stack([T[:, 2, 1] - T[:, 1, 2], T[:, 0, 2] - T[:, 2, 0], T[:, 1, 0] - T[:, 0, 1]])
        return couple * (changes + carried - div_C - ax)

    density = lambda x, t: np.full(len(t), rho)
    return vc.measures.Medium("polar", density, velocity, force=force, stress=stress, spin=spin, couple=moment,
                              couple_stress=couple_stress)  # fmt: skip


@pytest.mark.parametrize("point", [(0.0, 0.0, 0.0), (3.0, -1.0, 2.0)])
def test_a_polar_medium_with_couple_stresses_obeys_the_balance_at_every_point(point):
    certificate = vc.measures.audit_media(_polar(), BOX, WINDOW, point=point)
    assert certificate.passed, str(certificate)
    assert max(line.residual for line in certificate.lines) < 1e-12


def test_a_wrong_couple_breaks_the_angular_momentum_alone():
    found = {line.law: line.verdict for line in vc.measures.audit_media(_polar(1.001), BOX, WINDOW).lines}
    assert found == {
        "mass of 'polar'": "holds",
        "momentum of 'polar'": "holds",
        "angular momentum of 'polar'": "broken",
    }


def test_sources_bring_mass_and_momentum():
    nu, u = 0.3, 0.7  # ρ = 1 + ν t at rest, and mass comes with the velocity u along y, held by a force −ν u
    along_y = lambda t, s: np.column_stack([np.zeros(len(t)), np.full(len(t), s), np.zeros(len(t))])
    medium = vc.measures.Medium(
        "snow", lambda x, t: 1.0 + nu * t, lambda x, t: np.zeros((len(t), 3)), source=lambda x, t: np.full(len(t), nu),
        increment=lambda x, t: along_y(t, nu * u), force=lambda x, t: along_y(t, -nu * u),
    )  # fmt: skip
    assert vc.measures.audit_media(medium, BOX, WINDOW).passed


def test_sampled_fields_are_judged_to_the_accuracy_of_their_samples():
    gas, _ = _streams(drag=0.0)
    axes = tuple(np.linspace(low, high, 9) for low, high in ((0.0, 1.0), (0.0, 1.0), (-0.5, 0.6), (0.2, 1.0)))
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 4)
    sampled = lambda f: vc.measures.SampledField(
        axes, (y := f(grid[:, 1:], grid[:, 0])).reshape(*(9,) * 4, *y.shape[1:])
    )
    medium = vc.measures.Medium("gas", sampled(gas.density), sampled(gas.velocity))
    assert vc.measures.audit_media(medium, BOX, WINDOW, cells=1).passed


def _random_stress(seed: int):
    """A stress 𝒯 that is a random polynomial of third degree and not symmetric, div 𝒯 with (div 𝒯)_i = ∂_j 𝒯_ij, and ax 𝒯; over one
    position (3,)."""
    rng = np.random.default_rng(seed)
    powers = np.array([e for e in np.ndindex(4, 4, 4) if sum(e) <= 3])
    c = rng.normal(size=(3, 3, len(powers)))

    def terms(x, along=None):
        e = powers - (0 if along is None else np.eye(3, dtype=int)[along])
        factor = 1.0 if along is None else powers[:, along]
        return factor * np.prod(np.asarray(x) ** np.maximum(e, 0), axis=1)

    stress = lambda x: c @ terms(x)
    divergence = lambda x: sum(c[:, j] @ terms(x, j) for j in range(3))

    def ax(x):
        T = stress(x)
        return np.array([T[2, 1] - T[1, 2], T[0, 2] - T[2, 0], T[1, 0] - T[0, 1]])

    return stress, divergence, ax


def _sphere():
    """A ball, and its surface with normals."""
    R = 0.7
    surface = lambda a, b: (
        R * vc.math.sin(a) * vc.math.cos(b), R * vc.math.sin(a) * vc.math.sin(b), R * vc.math.cos(a)
    )  # fmt: skip
    shell = vc.Measure.surface(surface, over=((0.0, np.pi), (0.0, 2.0 * np.pi)), density=1.0)
    return vc.Measure.solid(vc.shapes.Sphere(R), density=1.0), [(shell, lambda x: np.asarray(x) / R)], 1e-8


def _tetrahedron():
    """A tetrahedron, and its faces with normals."""
    corners = np.array([[0.1, 0.0, 0.2], [1.3, 0.2, 0.0], [0.2, 1.1, -0.1], [0.4, 0.3, 0.9]])
    triangles = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    faces = []
    for own in triangles:
        a, b, c = corners[own]
        normal = np.cross(b - a, c - a)
        normal = normal / np.linalg.norm(normal)
        assert normal @ (corners.mean(axis=0) - a) < 0.0
        faces.append((vc.Measure.surface(corners, [own], density=1.0), lambda x, n=normal: n))
    return vc.Measure.mesh(corners, triangles, density=1.0), faces, 1e-12


@pytest.mark.parametrize("region", [_sphere, _tetrahedron])
@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (3.0, -1.0, 2.0)])
def test_the_wrench_of_any_stress_on_a_surface_is_that_of_its_divergence_with_ax_of_its_skew_part(region, at):
    r"""∮ {𝒯n, r × 𝒯n} = ∫ {div 𝒯, r × div 𝒯 + ax 𝒯}: Cheremensky, On Concept of Mechanical System, section 2.3."""
    solid, faces, accuracy = region()
    stress, divergence, ax = _random_stress(4)
    pulls = [face.integrate(lambda x, n=n: stress(x) @ n(x), at=at) for face, n in faces]
    outside = np.sum([np.concatenate([one.p, one.q]) for one in pulls], axis=0)
    within = solid.integrate(divergence, ax, at=at)
    assert outside == pytest.approx(np.concatenate([within.p, within.q]), abs=accuracy * np.abs(outside).max())
    without = solid.integrate(divergence, at=at)
    assert np.abs(np.concatenate([without.p, without.q]) - outside).max() > 0.01


def _held_stress(seed: int, share: float):
    """A medium at rest under a stress, held by −div 𝒯 and a ``share`` of −ax 𝒯."""
    stress, divergence, ax = _random_stress(seed)
    each = lambda f: lambda x, t: np.array([f(one) for one in x])
    held, turned = each(lambda x: -divergence(x)), each(lambda x: -share * ax(x))
    return vc.measures.Medium("held", lambda x, t: np.ones(len(t)), lambda x, t: np.zeros((len(t), 3)), force=held,
                              couple=turned, stress=each(stress))  # fmt: skip


def test_faces_of_cells_get_the_wrench_of_a_stress_with_ax_of_its_skew_part():
    assert vc.measures.audit_media(_held_stress(2, 1.0), BOX, WINDOW, cells=1).passed
    found = {line.law: line for line in vc.measures.audit_media(_held_stress(2, 0.999), BOX, WINDOW, cells=1).lines}
    assert found["momentum of 'held'"].verdict == "holds"
    assert found["angular momentum of 'held'"].verdict == "broken"
