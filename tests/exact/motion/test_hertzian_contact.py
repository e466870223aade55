"""A ball that falls on a Hertzian spring, F = k d^(3/2) for a depth d > 0: roots that end at a switch, however they are written."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

m = vc.math
G, MASS, K, HEIGHT = 9.81, 0.1, 1e5, 0.3

WAYS = {
    "max": lambda z: K * m.maximum(-z, 0.0) ** 1.5,
    "where": lambda z: m.where(z < 0.0, K * (-z) ** 1.5, 0.0),
    "where with a size": lambda z: m.where(z < 0.0, K * abs(z) ** 1.5, 0.0),
    "where with a root": lambda z: m.where(z < 0.0, -K * z * m.sqrt(-z), 0.0),
}


def falling(force):
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", MASS))
    system.add(vc.Force("spring", ball, lambda b: vc.Wrench(force=(0.0, 0.0, force(b.position[2])))))
    return system


def deepest():
    """The depth at which the energy of the spring is that of the fall: 2/5 k d^(5/2) = m g (h + d)."""
    d = 1e-3
    for _ in range(60):
        d -= (0.4 * K * d**2.5 - MASS * G * (HEIGHT + d)) / (K * d**1.5 - MASS * G)
    return d


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
@pytest.mark.parametrize("way", WAYS)
def test_a_ball_bounces_on_a_hertzian_spring(way, method):
    turn = vc.Event("turn", ["ball"], lambda ball: ball.velocity[2])
    start = {"ball": (0, 0, HEIGHT)}
    motion = vc.simulate(falling(WAYS[way]), 1.02, start, method=method, events=turn, progress=False)
    turns = [crossing.time for crossing in motion.record.crossings if crossing.time > 0.0]
    heights = motion.at(turns).q[:, 2]
    np.testing.assert_allclose(heights[::2], -deepest(), rtol=1e-11)
    np.testing.assert_allclose(heights[1::2], HEIGHT, rtol=1e-12)
    assert len(turns) == 4
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
def test_a_root_that_has_no_value_within_its_own_branch_still_ends_the_run(method):
    """Continued beyond switches alone: here the argument of the root becomes negative far from them."""
    force = lambda z: m.where(z < 1.0, m.sqrt(z + 0.1), 0.0)
    with pytest.raises(vc.errors.RunError, match=r"the forces are not numbers after t = 0\.4") as caught:
        vc.simulate(falling(force), 1.0, {"ball": (0, 0, HEIGHT)}, method=method, progress=False)
    assert caught.value.motion.q[-1, 2] > -0.1


@pytest.mark.parametrize("method", ["rk4", "verlet"])
def test_steps_over_a_kink_are_admitted_and_a_wrong_spring_is_not(method):
    """Of many steps only some are doubled, and those with a kink always. A spring that is wrong by a thousandth is seen."""
    force = lambda z, k=1.0: m.maximum(k * 1e3 * m.asin(-z), 0.0)
    motion = vc.simulate(falling(force), 1.0, {"ball": (0, 0, HEIGHT)}, method=method, step=2.5e-5, progress=False)
    assert motion.audit().passed, str(motion.audit())
    wrong = motion.replace(system=falling(lambda z: force(z, 1.001)))
    assert not wrong.audit().passed


ENERGIES = {
    "max": lambda z: 0.4 * K * m.maximum(-z, 0.0) ** 2.5,
    "where": lambda z: m.where(z < 0.0, 0.4 * K * (-z) ** 2.5, 0.0),
    "where, not below": lambda z: m.where(z >= 0.0, 0.0, 0.4 * K * (-z) ** 2.5),
}


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
@pytest.mark.parametrize("way", ENERGIES)
def test_the_energy_of_the_spring_gives_the_same_motion(way, method):
    """Where a branch is not chosen, its derivative need not be a number."""
    energy, same = ENERGIES[way], {"method": method, "progress": False}
    plain = vc.simulate(falling(WAYS["max"]), 0.6, {"ball": (0, 0, HEIGHT)}, method="dop853", progress=False)
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", MASS))
    system.add(vc.Potential("spring", [ball], lambda b: energy(b.position[2])))
    lagrangian = vc.LagrangianSystem("ball", ["z"], lambda z, z_dot: 0.5 * MASS * z_dot**2 - MASS * G * z - energy(z))
    bodies = vc.simulate(system, 0.6, {"ball": (0, 0, HEIGHT)}, **same)
    coordinate = vc.simulate(lagrangian, 0.6, {"z": HEIGHT}, **same)
    for motion, z in ((bodies, bodies.q[:, 2]), (coordinate, coordinate.q[:, 0])):
        np.testing.assert_allclose(z, plain.q[:, 2], rtol=0, atol=1e-12)
        assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
def test_a_comparison_with_what_is_zero_for_a_while_is_right_there(method):
    """max(q, 0) <= 0 holds for all q ≤ 0, though both sides are equal there."""
    pushes = {}
    for name, condition in {"le": lambda q: m.maximum(q, 0.0) <= 0.0, "lt": lambda q: q < 0.0}.items():
        system = vc.System("slider")
        body = system.add(vc.MassPoint("body", 1.0))
        drive = lambda q, below=condition: m.where(below(q), 2.0, -3.0)
        system.add(vc.Prismatic("x", "ground", body, axis=(1, 0, 0), drive=drive))
        pushes[name] = vc.simulate(system, 3.0, {"x": vc.At(-1.0, rate=0.5)}, method=method, progress=False)
        assert pushes[name].audit().passed, str(pushes[name].audit())
    np.testing.assert_allclose(pushes["le"].q, pushes["lt"].q, rtol=0, atol=1e-11)
