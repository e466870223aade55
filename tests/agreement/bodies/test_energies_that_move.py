"""An energy W(x, t) and constraints at rest: power prescribes nothing; virtual work and a prescribed body give the same efforts.

O'Reilly and Srinivasa (26)–(38).
"""

import numpy as np

import vinculum as vc

K = 3.0


def path(t) -> tuple:
    return (0.4 * vc.math.sin(2 * t), 0.3 * vc.math.cos(3 * t), 1.0)


def bowl(energy) -> vc.System:
    system = vc.System("bead in a bowl", gravity=(0, 0, -9.81))
    bead = system.add(vc.MassPoint("bead", 0.7))
    system.add(
        vc.constraints.point_on_surface(
            "bowl", bead, lambda x: x[0] ** 2 + x[1] ** 2 - x[2], realization=vc.DAlembert()
        )
    )
    energy(system, bead)
    return system


def by_virtual_work(system, bead) -> None:
    def W(b, t):
        d = b.position - np.array(path(t), dtype=object)
        return 0.5 * K * vc.math.dot(d, d)

    system.add(vc.Potential("W", [bead], W))


def by_a_prescribed_body(system, bead) -> None:
    hand = system.add(vc.PrescribedBody("hand", position=path))

    def U(b, h):
        d = b.position - h.position
        return 0.5 * K * vc.math.dot(d, d)

    system.add(vc.Potential("W", [bead, hand], U))


START = {"bead": vc.At((0.5, 0.2, 0.29), rate=(0.1, 0.3, 0.22))}


def test_virtual_work_and_a_prescribed_body_give_the_same_efforts_and_power_gives_none():
    work, driven = (vc.simulate(bowl(make), 2.0, START) for make in (by_virtual_work, by_a_prescribed_body))
    assert np.abs(work.body("bead").position - driven.body("bead").position).max() < 1e-11
    assert np.abs(work.bond("W").effort("bead") - driven.bond("W").effort("bead")).max() < 1e-10
    assert np.abs(work.bond("bowl").multiplier - driven.bond("bowl").multiplier).max() < 1e-10
    assert work.audit().passed and driven.audit().passed
    t = work.time
    p = np.stack([0.4 * np.sin(2 * t), 0.3 * np.cos(3 * t), np.ones_like(t)], axis=1)
    p_dot = np.stack([0.8 * np.cos(2 * t), -0.9 * np.sin(3 * t), np.zeros_like(t)], axis=1)
    x, v = work.body("bead").position, work.v
    assert np.abs(work.bond("W").effort("bead")[:, :3] + K * (x - p)).max() < 1e-12
    # the bowl is at rest, so its rows have no drift: no efforts at all have the power −dW/dt in every velocity it allows
    slope = -K * ((x - p) * p_dot).sum(axis=1)
    for i in (0, 300, 777):
        row = np.array([[2 * x[i, 0], 2 * x[i, 1], -1.0]])
        assert vc.constraints.solve_power_balance(row, [0.0], -slope[i]).status == "none"
        virtual = vc.constraints.solve_power_balance(row, [0.0], 0.0)
        assert virtual.status == "free"
        assert np.allclose(
            virtual.efforts(work.bond("bowl").multiplier[i : i + 1]), work.bond("bowl").effort("bead")[i, :3]
        )
    # T + W + V changes by ∂W/∂t alone, which is the power of the hand that moves the spring
    assert np.allclose(driven.body("hand").drive.power, slope, atol=1e-11)
    assert np.abs(np.gradient(work.energy, t, edge_order=2)[1:-1] - slope[1:-1]).max() < 1e-3
    assert np.abs((work.bond("bowl").effort("bead")[:, :3] * v).sum(axis=1)).max() < 1e-11
