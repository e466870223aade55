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
