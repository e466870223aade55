"""Kinetic measures of several bodies, in other frames and behind two windows, in closed form. Moreau, sections 3 and 5."""

import numpy as np
import pytest

import vinculum as vc
from bouncing import FAST, FIRST, MASS, bouncing


def test_two_bodies_that_enter_a_window_bring_their_masses_and_momenta():
    """The divergence is φ m (1, v) summed over both entries."""
    rng = np.random.default_rng(1)
    ways = [(0.3, 0.5, 2.0), (-0.2, -0.7, 5.0)]
    paths = [
        vc.measures.KineticMeasure.trajectory(
            lambda t, a=a, v=v: (a + v * t[:, None], np.full((len(t), 1), v)), (-4.0, 4.0), mass
        )
        for a, v, mass in ways
    ]
    both = (paths[0] + paths[1]).restrict(vc.measures.Window.since(0.0))
    for _ in range(5):
        test = vc.measures.Bump.random(rng, (0.0, 0.0), (1.0, 1.5))
        came = sum(mass * np.array([1.0, v]) * test(np.array([[0.0, a]]))[0] for a, v, mass in ways)
        np.testing.assert_allclose(both.divergence(test), came, atol=1e-9)
        assert both.mass_input(test) == pytest.approx(came[0], abs=1e-9)


def test_a_stream_seen_from_another_frame_has_other_places_and_velocities():
    rng = np.random.default_rng(2)
    points, speeds, weights = rng.normal(size=(6, 3)), rng.normal(size=(6, 2)), rng.uniform(0.1, 1.0, 6)
    c, s = np.cos(0.7), np.sin(0.7)
    turn, wind, shift = np.array([[c, -s], [s, c]]), np.array([0.4, -1.1]), np.array([0.2, 1.0, -0.5])
    there = vc.measures.KineticMeasure.streams(points, speeds, weights).push_forward(
        vc.measures.change_of_frame(wind, turn, shift)
    )
    images = np.column_stack([points[:, 0], points[:, :1] * wind + points[:, 1:] @ turn.T]) + shift
    again = vc.measures.KineticMeasure.streams(images, speeds @ turn.T + wind, weights)
    np.testing.assert_allclose(there.total(), again.total(), rtol=1e-12)
    for _ in range(5):
        test = vc.measures.Bump.random(rng, images.mean(axis=0), (4.0, 4.0, 4.0))
        np.testing.assert_allclose(there.divergence(test), again.divergence(test), atol=1e-13)


@pytest.mark.parametrize("closed", [True, False])
def test_a_window_within_a_window_leaves_open_what_the_first_has_opened(closed):
    """What is seen of a hit at the beginning does not change with a later end: m v⁻ behind a closed face, m v⁺ behind an open one."""
    measure, efforts, _ = bouncing(0.6)
    first, second = vc.measures.Window.since(FIRST, closed=closed), vc.measures.Window.until(FIRST + 0.1)
    in_turn, at_once = measure.restrict(first).restrict(second), measure.restrict(first & second)
    speed = -FAST if closed else 0.6 * FAST
    for shown in (in_turn, at_once):
        np.testing.assert_allclose(shown.boundary_atoms().vectors[0], [MASS, 0.7 * MASS, speed * MASS], atol=1e-12)
    acting = efforts.restrict(first).restrict(second)
    assert len(acting.instants) == closed
