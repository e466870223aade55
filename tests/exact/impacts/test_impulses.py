"""Given impulses: closed forms, worked out from the description alone."""

import numpy as np
import pytest

import vinculum as vc

METHODS = [{}, {"method": "dop853"}, {"method": "series"}, {"method": "idas"}, {"method": "rk4", "step": 1e-3},
           {"method": "verlet", "step": 1e-3}, {"method": "midpoint", "step": 1e-3}]  # fmt: skip
G = 9.81


@pytest.mark.parametrize("options", METHODS, ids=lambda x: x.get("method", "auto"))
def test_a_free_body_struck_off_centre_moves_and_turns_by_the_impulse(options):
    mass, com, J = 2.0, np.array([0.1, -0.05, 0.2]), np.diag([0.3, 0.4, 0.2]) + 0.02
    f, m, at = np.array([1.0, 2.0, 3.0]), np.array([0.1, -0.2, 0.05]), np.array([0.3, 0.1, 0.0])
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    system = vc.System("body")
    body = system.add(vc.RigidBody("body", mass=mass, com=com, inertia=J))
    system.add(vc.Impulse("kick", body, vc.Wrench(force=f, moment=m, at=at), at=0.0))
    motion = vc.simulate(system, until=0.01, start={"body": vc.Pose(np.zeros(3), R)}, progress=False, **options)
    arm = R @ (at - com)
    omega = R @ np.linalg.solve(J, R.T @ (np.cross(arm, f) + m))
    velocity = f / mass - np.cross(omega, R @ com)
    np.testing.assert_allclose(R @ motion.v[0, :3], velocity, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(R @ motion.v[0, 3:], omega, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(
        motion.bond("kick").impulses.wrench[0], np.concatenate([f, m + np.cross(R @ at, f)]), atol=1e-14
    )


@pytest.mark.parametrize("above", [-0.3, 0.1, 0.4])
def test_a_billiard_ball_struck_at_seven_fifths_of_its_radius_rolls_at_once(above):
    mass, r, P = 0.2, 0.03, 0.1
    system = vc.System("billiards", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(r), mass=mass))
    system.add(vc.Unilateral("table", [ball], gap=lambda b: b.position[2] - r, impact=vc.Inelastic(), friction=vc.Coulomb(0.2),
                           point=lambda b: b.position - np.array([0, 0, r])))  # fmt: skip
    system.add(vc.Impulse("cue", ball, vc.Wrench(force=(P, 0, 0), at=(0, 0, above * r)), at=0.1))
    motion = vc.simulate(system, until=0.11, start={"ball": (0, 0, r)}, progress=False, grid=np.linspace(0, 0.11, 12))
    x_dot, spin = motion.v[-2, 0], motion.v[-2, 4]
    np.testing.assert_allclose([x_dot, spin], [P / mass, above * r * P / (0.4 * mass * r**2)], rtol=1e-12)
    assert (abs(x_dot - r * spin) < 1e-13) == (above == 0.4)  # 7r/5 above the table
    assert motion.audit().passed


def test_a_ballistic_pendulum_rises_as_high_as_its_impulse_says():
    mass, length, P = 3.0, 0.8, 4.0
    system = vc.System("pendulum", gravity=(0, 0, -G))
    bob = system.add(
        vc.RigidBody("bob", mass=mass, com=(0, 0, -length), inertia=np.zeros((3, 3)) + np.diag([1e-9] * 3))
    )
    system.add(vc.Revolute("pivot", "ground", bob, axis=(0, 1, 0)))
    system.add(vc.Impulse("bullet", bob, vc.Wrench(force=(P, 0, 0), at=(0, 0, -length)), at=0.25))
    motion = vc.simulate(system, until=2.0, progress=False, grid=20001)
    top = motion.body("bob").center[:, 2].max() + length
    inertia = mass * length**2 + 1e-9
    assert top == pytest.approx(0.5 * (P * length) ** 2 / inertia / (mass * G), rel=1e-7)
    assert motion.bond("bullet").impulses.work[0] == pytest.approx(0.5 * (P * length) ** 2 / inertia, rel=1e-12)
    np.testing.assert_allclose(np.diff(motion.energy[motion.time < 0.2499]), 0.0, atol=1e-12)


def test_a_double_pendulum_struck_at_the_tip_answers_with_its_mass_matrix():
    masses, lengths, inertias = (1.0, 0.5), (1.0, 0.8), (0.09, 0.03)
    a, b, P = 0.4, -0.9, np.array([0.7, 0.0, -0.3])
    system = vc.System("double pendulum", gravity=(0, 0, -G))
    rods = [
        system.add(vc.RigidBody(f"rod {k}", mass=m, com=(0, 0, -0.5 * x), inertia=np.diag([J, J, 0.001])))
        for k, (m, x, J) in enumerate(zip(masses, lengths, inertias, strict=True))
    ]
    system.add(vc.Revolute("shoulder", "ground", rods[0], axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", rods[0], rods[1], axis=(0, 1, 0), at=(0, 0, -lengths[0])))
    system.add(vc.Impulse("tip", rods[1], vc.Wrench(force=P, at=(0, 0, -lengths[1])), at=0.0))
    system.add(vc.Impulse("motor", "elbow", 0.25, at=0.0))
    motion = vc.simulate(system, until=0.01, start={"shoulder": a, "elbow": b}, progress=False)

    def slopes(x):
        """∂x/∂(a, b) of a point (x, z) = R(a) p or R(a) e + R(a + b) p, by central differences."""
        h = 1e-6
        return np.array([(x(a + h, b) - x(a - h, b)) / (2 * h), (x(a, b + h) - x(a, b - h)) / (2 * h)]).T

    def down(angle, length):
        return -length * np.array([np.sin(angle), 0.0, np.cos(angle)])

    first = slopes(lambda a, b: down(a, 0.5 * lengths[0]))
    second = slopes(lambda a, b: down(a, lengths[0]) + down(a + b, 0.5 * lengths[1]))
    tip = slopes(lambda a, b: down(a, lengths[0]) + down(a + b, lengths[1]))
    turns = np.array([[1.0, 0.0], [1.0, 1.0]])
    M = masses[0] * first.T @ first + masses[1] * second.T @ second + turns.T @ np.diag(inertias) @ turns
    expected = np.linalg.solve(M, tip.T @ P + [0.0, 0.25])
    np.testing.assert_allclose(motion.v[0], expected, rtol=1e-8)


@pytest.mark.parametrize("share", [0.4, 2 / 3, 0.9])
def test_the_hinge_feels_no_blow_at_the_centre_of_percussion(share):
    mass, L, P = 2.0, 1.5, 3.0
    system = vc.System("rod")
    rod = system.add(
        vc.RigidBody("rod", mass=mass, com=(0, 0, -L / 2), inertia=np.diag([mass * L**2 / 12] * 2 + [1e-3]))
    )
    system.add(vc.Revolute("hinge", "ground", rod, axis=(0, 1, 0)))
    system.add(vc.Impulse("hit", rod, vc.Wrench(force=(P, 0, 0), at=(0, 0, -share * L)), at=0.3))
    motion = vc.simulate(system, until=0.5, progress=False)
    found = motion.bond("hinge").impulses
    np.testing.assert_allclose(found.times, [0.3])
    np.testing.assert_allclose(found.wrench[0], [P * (1.5 * share - 1.0), 0, 0, 0, 0, 0], atol=1e-13)


@pytest.mark.parametrize("share", [0.4, 2 / 3, 0.9])
@pytest.mark.parametrize("rough", [False, True])
def test_a_hinge_feels_no_blow_across_the_rod_of_a_peg_at_the_centre_of_percussion(share, rough):
    mass, L, rate = 2.0, 1.5, 1.2
    system = vc.System("rod")
    rod = system.add(
        vc.RigidBody("rod", mass=mass, com=(0, 0, -L / 2), inertia=np.diag([mass * L**2 / 12] * 2 + [1e-3]))
    )
    system.add(vc.Revolute("hinge", "ground", rod, axis=(0, 1, 0)))
    rubbing = {"friction": vc.Coulomb(0.3), "point": lambda b: b.point((0, 0, -share * L))} if rough else {}
    system.add(
        vc.Unilateral(
            "peg", [rod], gap=lambda b: 0.1 - b.point((0, 0, -share * L))[0], impact=vc.Newton(0.5), **rubbing
        )
    )
    motion = vc.simulate(system, until=0.2, start={"hinge": vc.At(-0.05 / (share * L), rate=-rate)}, progress=False)
    hit, felt = motion.bond("peg").impulses, motion.bond("hinge").impulses.wrench[0]
    lean = -float(motion.at(hit.times)["hinge"][0])
    across = np.array([np.cos(lean), 0, np.sin(lean)])
    push = np.array(
        [-hit.normal[0], hit.tangential[0, 0], -hit.tangential[0, 1]]
    )  # the normal is −x, the tangents are y and −z
    spin = share * L * (push @ across) / (mass * L**2 / 3)
    np.testing.assert_allclose(felt[:3], mass * L / 2 * spin * across - push, atol=1e-11)
    assert (abs(felt[:3] @ across) < 1e-11) == (share == 2 / 3)
    assert rough == bool(np.any(hit.tangential))


LAWS = [(vc.Inelastic(), 0.0), (vc.Newton(0.5), 0.0), (vc.Elastic(), 0.0), (vc.Poisson(0.5), 0.5)]
BLOWS = [(*one, options) for options in ({}, {"method": "moreau", "step": 1e-3}) for one in LAWS]


@pytest.mark.parametrize("law, rebound, options", BLOWS)
def test_a_ball_struck_against_the_floor_it_lies_on_follows_the_impact_law(law, rebound, options):
    # Newton's ratio is of speeds before, which are none; Poisson's is of impulses, and gives half of the blow back
    mass, mu = 1.3, 0.3
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", mass=mass))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], point=lambda b: b.position, impact=law,
                           friction=vc.Coulomb(mu)))  # fmt: skip
    system.add(vc.Impulse("slap", ball, vc.Wrench(force=(1.0, 0, -2.6)), at=0.5))
    motion = vc.simulate(system, until=0.6, start={"ball": (0, 0, 0)}, progress=False, **options)
    after = motion.at([0.5]).v[0]
    slip = max(0.0, 1.0 - mu * (1.0 + rebound) * 2.6) / mass
    np.testing.assert_allclose(after, [slip, 0, rebound * 2.6 / mass], atol=2e-2 if options and rebound else 1e-9)
    assert motion.audit().passed


def test_a_floor_that_pressed_in_the_last_step_answers_a_blow_at_once_though_the_step_left_its_gap_open():
    # the fall from 0.1 m ends in the step to 0.143 s, half of whose way is left
    mass, mu, h = 1.3, 0.3, 1e-3
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", mass=mass))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], point=lambda b: b.position, impact=vc.Inelastic(),
                           friction=vc.Coulomb(mu)))  # fmt: skip
    system.add(vc.Impulse("slap", ball, vc.Wrench(force=(1.0, 0, -2.6)), at=0.143))
    motion = vc.simulate(
        system, 0.16, {"ball": (0, 0, 0.1)}, method="moreau", step=h, impacts="stepped", progress=False
    )
    here, felt = motion.at([0.143]), motion.bond("floor").impulses
    assert here.q[0, 2] == pytest.approx(0.1 - 0.5 * G * 0.142**2 - 0.5 * h * G * 0.142, rel=1e-9)
    np.testing.assert_allclose(here.v[0], [(1.0 - mu * 2.6) / mass, 0, 0], atol=1e-12)
    at_once = felt.times == 0.143
    np.testing.assert_allclose(felt.normal[at_once], [2.6], rtol=1e-12)
    np.testing.assert_allclose(felt.tangential[at_once], [[-mu * 2.6, 0]], rtol=1e-12, atol=1e-15)
    assert motion.audit().passed


def test_reactions_of_a_struck_four_bar_linkage_balance_its_momentum():
    system = vc.System("linkage", gravity=(0, 0, -G))
    lengths = (1.0, 1.5, 1.2)
    bars = [system.add(vc.RigidBody(f"bar {k}", mass=1.0 + k, com=(x / 2, 0, 0), inertia=np.diag([0.01, 0.1, 0.1])))
            for k, x in enumerate(lengths)]  # fmt: skip
    system.add(vc.Revolute("left", "ground", bars[0], axis=(0, 1, 0)))
    system.add(vc.Revolute("knee", bars[0], bars[1], axis=(0, 1, 0), at=(lengths[0], 0, 0)))
    system.add(vc.Revolute("right", "ground", bars[2], axis=(0, 1, 0), at=(1.4, 0, 0)))
    system.add(vc.Revolute("pin", bars[1], bars[2], axis=(0, 1, 0), at=(lengths[1], 0, 0), to=(lengths[2], 0, 0)))
    P = np.array([0.3, 0.0, 2.0])
    system.add(vc.Impulse("hit", bars[1], vc.Wrench(force=P, at=(0.4, 0, 0)), at=0.3))
    motion = vc.simulate(system, until=0.6, start={"left": -1.2}, progress=False)
    here = motion.at([0.3])
    tip = here.body("bar 1").point((lengths[1], 0, 0)).position - here.body("bar 2").point((lengths[2], 0, 0)).position
    np.testing.assert_allclose(tip, 0.0, atol=1e-12)
    jumps = {}
    for k in range(3):
        p, J = np.array([lengths[k] / 2, 0, 0]), np.array([0.01, 0.1, 0.1])
        sides = []
        for v in (here.at(here.time, side="left").v, here.v):
            rates = {"bar 0": v[0, 0], "bar 1": v[0, 0] + v[0, 1], "bar 2": v[0, 2]}[f"bar {k}"] * np.array([0, 1.0, 0])
            knee = np.cross(v[0, 0] * np.array([0, 1.0, 0]), here.body("bar 1").position[0]) if k == 1 else np.zeros(3)
            R = here.body(f"bar {k}").rotation[0]
            sides.append(((1.0 + k) * (knee + np.cross(rates, R @ p)), J * rates))
        jumps[k] = sides[1][0] - sides[0][0], sides[1][1] - sides[0][1], here.body(f"bar {k}").rotation[0] @ p
    left, right, pin, knee = (motion.bond(name).impulses.wrench[0] for name in ("left", "right", "pin", "knee"))
    np.testing.assert_allclose(left[:3] - knee[:3], jumps[0][0], atol=1e-12)
    np.testing.assert_allclose(knee[:3] - pin[:3] + P, jumps[1][0], atol=1e-12)
    np.testing.assert_allclose(right[:3] + pin[:3], jumps[2][0], atol=1e-12)
    arm = here.body("bar 0").rotation[0] @ np.array([lengths[0], 0, 0])
    spin = np.cross(-jumps[0][2], left[:3]) - np.cross(arm - jumps[0][2], knee[:3])
    np.testing.assert_allclose(spin[1], jumps[0][1][1], atol=1e-12)
    assert motion.audit().passed


def test_a_free_sphere_is_struck_off_centre():
    from free_bodies import free_bodies

    system = free_bodies([vc.shapes.Sphere(0.1)] * 2, walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.3)
    mass = 4 / 3 * np.pi * 0.1**3 * 1000
    system.add(vc.Impulse("kick", "b0", vc.Wrench(force=(0.0, 0, 8.0), at=(0.05, 0, 0)), at=0.1005))
    motion = vc.simulate(system, until=0.2, start={"b0": (0, 0, 0.1), "b1": (0.5, 0, 0.1)}, step=1e-3, progress=False)
    after = motion.at([0.1005 + 1e-12]).v[0, :6]
    np.testing.assert_allclose(after, [0, 0, 8.0 / mass, 0, -0.4 / (0.4 * mass * 0.01), 0], atol=1e-8)
    assert motion.audit().passed
    falsified = motion.replace(impulses=1.01 * motion.record.atoms.given).audit()
    assert not falsified.passed
