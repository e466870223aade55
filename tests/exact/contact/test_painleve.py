"""A rod that slides on one end (Painlevé, C. R. Acad. Sci. Paris 121 (1895) 112; Génot and Brogliato, Eur. J. Mech. A 18 (1999) 653)."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G = 9.81
STEPPED = {"method": "moreau", "step": 1e-4, "progress": False}


def rod(mu):
    """One metre, one kilogram, in the plane (x, y) with gravity along −y; its end at −1/2 touches the floor."""
    system = vc.System("rod", gravity=(0, -G, 0))
    body = system.add(vc.RigidBody("rod", 1.0, inertia=(1e-3, 1 / 12, 1 / 12)))
    system.add(vc.Planar("plane", "ground", body))
    tip = lambda b: b.point((-0.5, 0, 0))
    system.add(
        vc.Unilateral("tip", [body], gap=lambda b: tip(b)[1], point=tip, impact=vc.Inelastic(), friction=vc.Coulomb(mu))
    )
    return system


def sliding(angle, speed, turn=0.0):
    x, y = 0.5 * np.cos(angle), 0.5 * np.sin(angle)
    return {"plane": vc.At((x, y, angle), rate=(speed - turn * y, turn * x, turn))}


def pressing(angle, mu, direction):
    """N / m over the force without friction's help: 1 + 3 cos θ (cos θ + s μ sin θ) for a slip in direction s."""
    return 1 + 3 * np.cos(angle) * (np.cos(angle) + direction * mu * np.sin(angle))


@pytest.mark.parametrize(
    "options", [pytest.param({"progress": False}, marks=needs_heyoka), STEPPED], ids=["events", "steps"]
)
@pytest.mark.parametrize(
    ("mu", "angle", "speed", "turn"), [(0.3, 1.0, 1.0, 0.5), (1.3, 1.0, -1.0, 0.0), (1.0, 1.8, 1.0, -1.0)]
)
def test_with_moderate_friction_accelerations_are_those_of_the_closed_form(mu, angle, speed, turn, options):
    motion = vc.simulate(
        rod(mu), 1e-3, sliding(angle, speed, turn), **{k: 1e-5 if k == "step" else x for k, x in options.items()}
    )
    N = (G - 0.5 * turn**2 * np.sin(angle)) / pressing(angle, mu, np.sign(speed))
    friction = -np.sign(speed) * mu * N
    expected = [friction, N - G, 6 * (-np.cos(angle) * N + np.sin(angle) * friction)]
    got = (motion.at([2e-4]).v[0] - motion.at([0.0]).v[0]) / 2e-4
    np.testing.assert_allclose(got, expected, rtol=5e-3)
    assert motion.audit().passed


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
@pytest.mark.parametrize("angle", [1.0, np.arctan(2.0), 1.2])
def test_the_paradox_is_named_just_beyond_the_friction_at_which_no_force_exists(angle, method):
    """There an impact without collision stops the tip: P = W⁻¹ (0, 1) with det W = 4."""
    critical = (1 + 3 * np.cos(angle) ** 2) / (3 * np.sin(angle) * np.cos(angle))
    assert critical >= 4 / 3 - 1e-12  # the least of all, at tan θ = 2
    c, s = np.cos(angle), np.sin(angle)
    for beyond in (-0.01, 0.01):
        motion = vc.simulate(rod(critical + beyond), 1e-4, sliding(angle, -1.0), method=method, progress=False)
        named = [line for line in motion.log if "Painlevé's paradox at unilateral constraint 'tip'" in line]
        assert len(named) == (beyond > 0.0)
        assert motion.audit().passed, str(motion.audit())
        if beyond > 0.0:
            impulse = motion.record.atoms.contact_impulses[0, :2]
            np.testing.assert_allclose(impulse, [3 * s * c / 4, (1 + 3 * c**2) / 4], rtol=0, atol=1e-6)
        else:
            assert not len(motion.record.atoms)


@pytest.mark.parametrize("mu", [1.4, 2.0])
def test_time_stepping_passes_the_paradox_by_an_impact_without_collision(mu):
    """The tip stops at once though it approaches nothing: P = W⁻¹ (0, 1) with det W = 4."""
    c, s = np.cos(1.0), np.sin(1.0)
    errors = []
    for h in (1e-4, 1e-5):
        motion = vc.simulate(rod(mu), 20 * h, sliding(1.0, -1.0), **STEPPED | {"step": h})
        errors.append(np.abs(motion.record.atoms.contact_impulses[0, :2] - [3 * s * c / 4, (1 + 3 * c**2) / 4]).max())
        (x_dot, y_dot, turn), angle = motion.v[-1], motion.q[-1, 2]
        tip = [x_dot + 0.5 * np.sin(angle) * turn, y_dot - 0.5 * np.cos(angle) * turn]
        assert np.abs(tip).max() < 2 * h
        assert motion.audit().passed, str(motion.audit())
    assert errors[1] < 1e-4 and errors[0] / errors[1] == pytest.approx(10.0, rel=0.05)


@needs_heyoka
def test_where_a_force_and_none_are_both_possible_the_rod_leaves():
    """Fast turning lifts the tip; beyond the critical friction pressing and leaving both solve the equations."""
    assert pressing(1.0, 2.0, -1.0) < 0.0 < 0.5 * 64.0 * np.sin(1.0) - G
    for options in ({"progress": False}, STEPPED):
        motion = vc.simulate(rod(2.0), 0.01, sliding(1.0, -1.0, 8.0), **options)
        assert not len(motion.record.atoms)
        height = motion.at([0.01]).body("rod").point((-0.5, 0, 0)).position[0, 1]
        free = 0.5 * np.sin(1.0) + 4.0 * np.cos(1.0) * 0.01 - 0.5 * G * 1e-4 - 0.5 * np.sin(1.08)
        assert height == pytest.approx(free, rel=1e-3)


@needs_heyoka
@pytest.mark.parametrize(("mu", "rear"), [(0.15, True), (0.4, False)])
def test_friction_tips_a_tall_box_so_that_its_rear_does_not_press(mu, rear):
    """Width 0.2 and height 1: the rear feet leave beyond μ = width / height."""
    system = vc.System("box", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.2, 0.3, 1.0)), mass=1.0))
    for k, x in enumerate((-0.1, 0.1)):
        for y in (-0.15, 0.15):
            foot = lambda b, p=(x, y, -0.5): b.point(p)
            system.add(vc.Unilateral(f"{'rear' if k == 0 else 'front'} {y}", [body], gap=lambda b, at=foot: at(b)[2], point=foot,
                                   impact=vc.Inelastic(), friction=vc.Coulomb(mu)))  # fmt: skip
    motion = vc.simulate(system, 1e-3, {"box": vc.At((0, 0, 0.5), rate=(1, 0, 0, 0, 0, 0))}, progress=False)
    assert any(name.startswith("rear") for name, _ in motion.record.phases[0].closed) == rear
    assert any(name.startswith("front") for name, _ in motion.record.phases[0].closed)


@needs_heyoka
@pytest.mark.parametrize("height", [0.5, 0.56])
def test_a_tripod_that_slides_on_anisotropic_friction_stands_on_the_feet_about_its_center_of_pressure(height):
    """Friction −(a² u₁, b² u₂) N / |(a u₁, b u₂)| moves the center of pressure to where its moment about the mass center is balanced."""
    a, b, u = 0.5, 0.1, np.array([1.0, 1.0])
    feet = {"left": (-0.3, -0.2), "right": (0.5, -0.2), "fore": (0.1, 0.15)}
    system = vc.System("tripod", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("tripod", 2.0, inertia=(0.3, 0.4, 0.5)))
    for name, p in feet.items():
        foot = lambda b, p=(*p, -height): b.point(p)
        system.add(vc.Unilateral(name, [body], gap=lambda b, at=foot: at(b)[2], point=foot, impact=vc.Inelastic(),
                               friction=vc.Coulomb(a, along=(1, 0, 0), mu_across=b)))  # fmt: skip
    motion = vc.simulate(system, 1e-3, {"tripod": vc.At((0, 0, height), rate=(*u, 0, 0, 0, 0))}, progress=False)
    center = height * np.array([a * a, b * b]) * u / np.hypot(*(np.array([a, b]) * u))
    shares = np.linalg.solve(np.vstack([np.array(list(feet.values())).T, np.ones(3)]), [*center, 1.0])
    assert (shares.min() > 0.0) == (height == 0.5) and np.abs(shares).min() < 0.03  # hardly, hardly not
    assert {name for name, _ in motion.record.phases[0].closed} == {
        n for n, x in zip(feet, shares, strict=True) if x > 0.0
    }
