"""Motions that walls do not allow, and what is said."""

import pytest

import vinculum as vc

h = vc.hamiltonian
WALL = h.Wall(lambda z: z)


def ball():
    return h.Hamiltonian("ball", ["z"], lambda z, p_z: p_z**2 / 2 + 9.81 * z)


@pytest.mark.parametrize("use", [
    lambda: h.lyapunov_spectrum(ball(), 5.0, [-1.0], [0.1], walls=[WALL]),
    lambda: h.lyapunov_spectrum(ball(), 5.0, [[1.0], [-1.0]], [0.1], walls=[WALL]),
    lambda: h.poincare_section(ball(), lambda p_z: p_z, [-1.0], [0.1], 5.0, walls=[WALL]),
    lambda: h.periodic_orbit(ball(), [-1.0], [0.1], 0.9, walls=[WALL]),
])  # fmt: skip
def test_a_start_behind_a_wall_is_refused(use):
    with pytest.raises(
        vc.errors.StartError, match=r"'ball': the gap of the wall is -1 at z = -1, p_z = 0.1, behind it; start where"
    ):
        use()


def test_the_wall_is_named_by_its_number():
    walls = [h.Wall(lambda z: 2.0 - z), WALL]
    with pytest.raises(vc.errors.StartError, match="the gap of wall 2 is -1 "):
        h.lyapunov_spectrum(ball(), 5.0, [-1.0], [0.1], walls=walls)


def test_a_ball_at_rest_on_a_wall_has_no_motion_of_impacts():
    with pytest.raises(vc.errors.RunError, match="infinitely many before t = 0, and the motion stays at the wall"):
        h.lyapunov_spectrum(ball(), 2.0, [0.0], [0.0], walls=[WALL])


def test_a_search_whose_trials_lie_behind_a_wall_ends():
    """At a level of H below the wall there is no orbit above it."""
    with pytest.raises(vc.errors.RunError, match="no periodic orbit was found"):
        h.periodic_orbit(ball(), [1.0], [0.1], 0.9, at_energy=-5.0, walls=[WALL])


def on_floor(impact=1.0, friction=None) -> vc.System:
    system = vc.System("bounded", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Prismatic("z", "ground", point, axis=(0, 0, 1)))
    system.add(vc.Unilateral.on_plane("floor", point, impact=impact, friction=friction))
    return system


@pytest.mark.parametrize(("use", "words"), [
    (lambda: h.Hamiltonian.of(on_floor(friction=0.2)), "'bounded': unilateral constraint 'floor' has friction, which no Hamiltonian"),
    (lambda: h.Hamiltonian.of(on_floor("inelastic")), "impacts of unilateral constraint 'floor' are inelastic.*an e above 0"),
    (lambda: h.integrate(h.Hamiltonian.of(on_floor()), 1.0, [1.0], [0.0], step=0.1), "as 'floor', and a symplectic method has no impacts"),
    (lambda: h.action_angles(h.Hamiltonian.of(on_floor()), [1.0], [0.0]), "as 'floor', and a round trip of action variables"),
    (lambda: h.polynomial_integrals(on_floor(), 2), r"'floor', and a bracket with H has no impacts; take .*with_contacts\(\{\}\)"),
    (lambda: h.poincare_section(h.Hamiltonian.of(on_floor()), lambda p_z: p_z, [-1.0], [0.1], 5.0), "the gap of 'floor' is -1 at z = -1"),
    (lambda: h.poincare_section(ball(), lambda p_z: p_z, [1.0], [0.1], 5.0, walls=[h.Wall(lambda p_z: p_z)]),
     "a wall's gap must be a function of coordinates, and of t if it moves"),
])  # fmt: skip
def test_what_has_no_impacts_here_says_so(use, words):
    with pytest.raises(vc.errors.VinculumError, match=words):
        use()


def test_walls_that_are_met_together_are_named():
    """A rod that falls flat on both of its ends: either impact turns it."""
    system = vc.System("rod", gravity=(0, -9.81, 0))
    rod = system.add(vc.RigidBody("rod", 1.0, (0, 0, 0), (0.01, 0.02, 0.02)))
    system.add(vc.Planar("fall", "ground", rod))
    for name, foot in (("left", (-0.5, 0, 0)), ("right", (0.5, 0, 0))):
        system.add(vc.Unilateral(name, [rod], gap=lambda one, foot=foot: one.point(foot)[1], impact=0.8))
    with pytest.raises(
        vc.errors.RunError, match=r"meets '(left|right)' and '(left|right)' at the same instant t = 0.319"
    ):
        h.poincare_section(h.Hamiltonian.of(system), lambda t: t - 1.0, [0.0, 0.5, 0.0], [0.0, 0.0, 0.0], 2.0)
