"""Laws of ready constraints: they see relative motions alone, and push both of their bodies alike."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.equations.sampling.frame_dependence import notices_frame

D = vc.DAlembert()
EGG = lambda u: vc.math.sqrt(0.04 * u[0] ** 2 + 0.09 * u[1] ** 2 + 0.01 * u[2] ** 2)
READY = {
    "distance": lambda a, b: vc.constraints.distance("c", a, b, 1.0, at=(0.1, 0, 0), to=(0, 0.3, 0), realization=D),
    "surface": lambda a, b: vc.constraints.point_on_surface(
        "c", a, lambda x: x[2] - x[0] ** 2, at=(0.1, 0, 0), of=b, realization=D
    ),
    "curve": lambda a, b: vc.constraints.point_on_curve(
        "c", a, lambda x: (x[2] - x[0], x[1]), at=(0.1, 0, 0), of=b, realization=D
    ),
    "knife edge": lambda a, b: vc.constraints.knife_edge("c", a, at=(0.1, 0, 0), on=b, realization=D),
    "no twist": lambda a, b: vc.constraints.no_twist("c", a, b, axis=(1, 2, 0), realization=D),
    "speed": lambda a, b: vc.constraints.constant_speed(
        "c", a, 1.0, at=(0, 0.2, 0), against=b, realization=vc.Chetaev()
    ),
    "disc": lambda a, b: vc.constraints.Rolling.disc(
        "c", a, 0.3, center=(0.1, 0, 0), on=b, normal=(1, 2, 2), realization=D
    ),
    "sphere": lambda a, b: vc.constraints.Rolling.sphere("c", a, 0.3, on=b, through=(0.1, 0, 0.4), realization=D),
    "egg": lambda a, b: vc.constraints.Rolling("c", a, EGG, on=b, realization=D),
}


def pair(make) -> vc.System:
    system = vc.System("pair")
    for name in "ab":
        system.add(vc.RigidBody(name, 1.0, com=(0.1, 0, 0.2), inertia=(0.4, 0.5, 0.6)))
    system.add(make("a", "b"))
    return system


@pytest.mark.parametrize("make", READY.values(), ids=READY)
def test_rigid_motions_of_both_bodies_together_change_nothing(make):
    """O'Reilly and Srinivasa, (19)."""
    tree = pair(make).tree()
    for held in tree.constraints:
        assert not notices_frame(tree, held)


@pytest.mark.parametrize("make", READY.values(), ids=READY)
def test_free_bodies_keep_their_momenta_and_energy_whatever_holds_them_together(make):
    start = {"a": vc.At((0.3, 0.2, 0.9, 1, 0.2, 0.1, 0), rate=(0.3, -0.2, 0.1, 0.5, 0.7, -0.4)),
             "b": vc.At((0, 0, 0, 1, 0, 0, 0.1), rate=(0, 0.1, 0, 0.2, -0.1, 0.3))}  # fmt: skip
    motion = vc.simulate(pair(make), 1.0, start, repair=True, grid=51)
    momentum = motion.body("a", "b").momentum
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), rtol=0, atol=1e-11)
    if make is not READY["speed"]:  # the one constraint here whose reactions work
        np.testing.assert_allclose(motion.energy, motion.energy[0], rtol=1e-11)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


def test_a_ball_on_a_plank_that_is_pulled_gains_two_sevenths_of_its_acceleration():
    m, M, r, force = 0.6, 1.5, 0.2, 3.0
    system = vc.System("plank", gravity=(0, 0, -9.81))
    plank = system.add(vc.RigidBody("plank", M, inertia=(1, 1, 1)))
    ball = system.add(vc.RigidBody("ball", m, inertia=(0.4 * m * r**2,) * 3))
    system.add(vc.Prismatic("rail", "ground", plank, axis=(1, 0, 0)))
    system.add(vc.Force("rope", plank, lambda plank: vc.Wrench(force=(force, 0, 0))))
    system.add(vc.constraints.Rolling.sphere("rolling", ball, r, on=plank, through=(0, 0, 0.1), realization=D))
    motion = vc.simulate(system, 1.5, {"ball": (0, 0, 0.1 + r, 1, 0, 0, 0)})
    pulled = force / (M + 2 * m / 7)
    np.testing.assert_allclose(motion["rail"], pulled * motion.time**2 / 2, rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.body("ball").position[:, 0], pulled * motion.time**2 / 7, rtol=0, atol=1e-12)
    assert motion.audit().passed


def test_numbers_of_ready_constraints_may_be_parameters():
    length = vc.parameter("l", 1.0)
    system = vc.System("rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", length, realization=D))
    motion = vc.simulate(system, 1.0, {"bob": (1.5, 0, 0)}, parameters={"l": 1.5})
    np.testing.assert_allclose(np.linalg.norm(motion.q, axis=1), 1.5, rtol=0, atol=1e-12)
