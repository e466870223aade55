"""One constraint, realized in different ways: closed forms and digits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from marks import needs_heyoka

G = 9.81


def knife_edge(realization) -> vc.System:
    system = vc.System("knife edge")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.Constraint("edge", [blade, "ground"], realization=realization, velocity=lambda b, g: vc.math.dot(
        b.velocity - g.velocity - vc.math.cross(g.angular_velocity, b.position - g.position), b.rotation[:, 1])))  # fmt: skip
    return system


EDGE = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}


@needs_heyoka
def test_dalemberts_knife_edge_runs_in_a_circle():
    motion = vc.simulate(knife_edge(vc.DAlembert()), 4.0, EDGE)
    angle = 0.9 * motion.time
    circle = 1.3 / 0.9 * np.stack([np.sin(angle), 1 - np.cos(angle)], axis=1)
    assert np.abs(motion.q - np.column_stack([circle, angle])).max() < 1e-14
    assert np.abs(motion.bond("edge").multiplier - 1.3 * 0.9).max() < 1e-13
    force = motion.bond("edge").effort("blade")
    assert np.allclose(np.linalg.norm(force[:, :3], axis=1), 1.3 * 0.9, rtol=1e-13)
    assert motion.audit().passed


def test_friction_tends_to_dalembert_as_one_over_its_coefficient():
    ideal = vc.simulate(knife_edge(vc.DAlembert()), 2.0, EDGE)
    errors = [
        np.abs(vc.simulate(knife_edge(vc.constraints.ViscousFriction(k)), 2.0, EDGE).q - ideal.q).max()
        for k in (1e2, 1e3, 1e4)
    ]
    assert np.allclose(errors, [3.02e-2, 3.06e-3, 3.06e-4], rtol=2e-3)


def test_chetaevs_point_of_fixed_speed_falls_on_its_curve():
    """x = (c²/g) gd(g t/c), y = −(c²/g) ln cosh(g t/c): Gołubowska (77)."""
    system = vc.System("fixed speed", gravity=(0, -G, 0))
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(
        vc.Constraint(
            "speed", [point], velocity=lambda p: vc.math.dot(p.velocity, p.velocity) - 4.0, realization=vc.Chetaev()
        )
    )
    motion = vc.simulate(system, 1.0, {"point": vc.At((0, 0, 0), rate=(2, 0, 0))})
    s = G * motion.time / 2
    exact = 4 / G * np.stack([np.arctan(np.sinh(s)), -np.log(np.cosh(s)), 0 * s], axis=1)
    assert np.abs(motion.q - exact).max() < 1e-13
    assert np.allclose(motion.q[-1, :2], [0.634446, -1.717394], rtol=0, atol=1e-6)
    assert np.abs(2 * motion.bond("speed").multiplier * 4.0 - G * motion.v[:, 1]).max() < 1e-12  # λ' = V̇/c²
    assert motion.audit().passed, str(motion.audit())


def test_a_cone_of_directions_falls_uniformly_and_keeps_its_energy():
    """Appell–Hamel ẋ² + ẏ² = α² ż² in gravity: z̈ = −g/(1 + α²)."""
    alpha = 0.8
    system = vc.System("cone", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Constraint("cone", [point], realization=vc.Chetaev(), velocity=lambda p: (
        p.velocity[0] ** 2 + p.velocity[1] ** 2 - alpha**2 * p.velocity[2] ** 2)))  # fmt: skip
    motion = vc.simulate(system, 1.0, {"point": vc.At((0, 0, 0), rate=(alpha * 0.6, alpha * 0.8, -1.0))})
    fall = -motion.time - 0.5 * G / (1 + alpha**2) * motion.time**2
    assert np.abs(motion.q[:, 2] - fall).max() < 1e-13
    assert np.ptp(motion.energy) < 1e-13
    assert motion.audit().passed


def rod(realization, length=lambda t: 1.0) -> vc.System:
    system = vc.System("rod", gravity=(0, 0, -G))
    bob = system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Force("drag", bob, lambda b: vc.Wrench(force=-0.3 * b.velocity)))
    system.add(vc.Constraint("rod", [bob, "ground"], realization=realization,
                             position=lambda b, g, t: vc.math.norm(b.position - g.position) - length(t)))  # fmt: skip
    return system


@pytest.mark.parametrize("chart", ["still", "driven"])
def test_a_rod_with_drag_is_the_pendulum_of_the_book(chart):
    def length(t):
        return 1.0 + (0.1 * vc.math.sin(3 * t) if chart == "driven" else 0.0)

    rate = 0.3 if chart == "driven" else 0.0
    start = {"bob": vc.At((np.sin(1.2), 0, -np.cos(1.2)), rate=tuple(rate * np.array([np.sin(1.2), 0, -np.cos(1.2)])))}
    motion = vc.simulate(rod(vc.DAlembert(), length), 5.0, start)

    def book(t, y):
        size, speed = (1.0 + 0.1 * np.sin(3 * t), 0.3 * np.cos(3 * t)) if chart == "driven" else (1.0, 0.0)
        return [y[1], -2 * speed * y[1] / size - G / size * np.sin(y[0]) - 0.3 * y[1]]

    angle = solve_ivp(book, (0, 5), [1.2, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=motion.time).y[0]
    assert np.abs(np.arctan2(motion.q[:, 0], -motion.q[:, 2]) - angle).max() < 1e-11
    assert motion.audit().passed, str(motion.audit())


def test_a_penalty_errs_in_positions_by_one_over_its_stiffness_and_in_velocities_by_the_root_where_loaded():
    start = {"bob": (np.sin(1.2), 0, -np.cos(1.2))}
    ideal = vc.simulate(rod(vc.DAlembert()), 1.0, start)
    kappa = np.array([1e4, 4e4, 1.6e5, 6.4e5])
    runs = [vc.simulate(rod(vc.Penalty(k)), 1.0, start) for k in kappa]
    q, v = (np.array([np.abs(getattr(run, what) - getattr(ideal, what)).max() for run in runs]) for what in "qv")
    assert abs(np.polyfit(np.log(kappa), np.log(q), 1)[0] + 1.0) < 0.1
    assert abs(np.polyfit(np.log(kappa), np.log(v), 1)[0] + 0.5) < 0.1
    reaction = runs[-1].bond("rod").multiplier
    assert (
        abs(reaction.mean() - ideal.bond("rod").multiplier.mean()) < 0.02 * np.abs(ideal.bond("rod").multiplier).max()
    )
    assert all(run.audit().passed for run in runs[:2])


def test_a_penalty_that_starts_without_load_errs_in_velocities_by_one_over_its_stiffness():
    # a horizontal pendulum at rest needs no reaction
    start = {"bob": (1.0, 0, 0)}
    ideal = vc.simulate(rod(vc.DAlembert()), 1.0, start)
    kappa = np.array([1e4, 4e4, 1.6e5])
    runs = [vc.simulate(rod(vc.Penalty(k)), 1.0, start) for k in kappa]
    q, v = (np.array([np.abs(getattr(run, what) - getattr(ideal, what)).max() for run in runs]) for what in "qv")
    assert abs(np.polyfit(np.log(kappa), np.log(q), 1)[0] + 1.0) < 0.1
    assert abs(np.polyfit(np.log(kappa), np.log(v), 1)[0] + 1.0) < 0.1


def test_the_reaction_of_a_penalty_converges_in_the_mean_and_not_at_single_instants():
    start = {"bob": (np.sin(1.2), 0, -np.cos(1.2))}
    ideal = vc.simulate(rod(vc.DAlembert()), 1.0, start).bond("rod").multiplier
    means, most = [], []
    for kappa in (1e4, 4e4, 1.6e5):
        off = vc.simulate(rod(vc.Penalty(kappa)), 1.0, start).bond("rod").multiplier - ideal
        means.append(abs(off.mean()))
        most.append(np.abs(off).max())
    # it swings about the ideal one by as much as the load at the start
    assert min(most) > 0.8 * max(most) > 0.3 * np.abs(ideal[0])
    assert max(means) < 0.05 * max(most)


def test_two_rods_of_one_length_are_one_and_of_two_lengths_none():
    for second, message in ((1.0, None), (1.2, "cannot be met")):
        system = rod(vc.DAlembert())
        system.add(vc.Constraint("again", ["bob", "ground"], realization=vc.DAlembert(),
                                 position=lambda b, g, second=second: vc.math.norm(b.position - g.position) - second))  # fmt: skip
        start = {"bob": (np.sin(1.2), 0, -np.cos(1.2))}
        if message is None:
            motion = vc.simulate(system, 1.0, start)
            assert np.abs(motion.q - vc.simulate(rod(vc.DAlembert()), 1.0, start).q).max() < 1e-12
            assert any("again" in line for line in motion.log)
        else:
            with pytest.raises(vc.errors.StartError, match=message):
                vc.simulate(system, 1.0, start, repair=True)
