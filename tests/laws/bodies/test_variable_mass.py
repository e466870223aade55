"""Laws of bodies of variable mass: their balances of mass, momentum and energy, and that falsified motions fail them."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken

RATE, JET = -0.4, np.array([0.3, 0.0, -3.0])


def rocket(rate=RATE, jet=JET, **options):
    system = vc.System("rocket", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("rocket", 2.0, sources=vc.MassSource(rate, relative=jet, **options)))
    return system


def judged(system, motion):
    """The certificate that a system gives to the states of another motion."""
    return vc.given_motion(system, motion.time, motion.q, motion.v, tolerance=1e-9).audit()


def test_the_right_motion_passes_as_a_given_one():
    motion = vc.simulate(rocket(), until=3.0, grid=np.linspace(0, 3, 200))
    assert judged(rocket(), motion).passed


def test_a_wrong_velocity_of_the_lost_mass_breaks_momentum_and_energy():
    motion = vc.simulate(rocket(jet=1.02 * JET), until=3.0, grid=np.linspace(0, 3, 200))
    found = broken(judged(rocket(), motion))
    assert {"momentum of 'rocket'", "momentum of the system", "energy balance"} <= found
    assert "mass balance of 'rocket'" not in found


def test_a_wrong_rate_breaks_the_balance_of_mass():
    motion = vc.simulate(rocket(rate=1.02 * RATE), until=3.0, grid=np.linspace(0, 3, 200))
    assert "mass balance of 'rocket'" in broken(judged(rocket(), motion))


def test_the_wrong_law_of_exchange_is_noticed():
    falling = {}
    for law in ("inelastic", "energy-conserving"):
        system = vc.System("chain", gravity=(0, 0, -9.81))
        source = vc.MassSource(lambda body: -0.7 * body.velocity[2], velocity=(0, 0, 0), law=law)
        system.add(vc.MassPoint("chain", 0.14, sources=source))
        falling[law] = system
    motion = vc.simulate(falling["inelastic"], until=1.0, grid=np.linspace(0, 1, 200))
    assert judged(falling["inelastic"], motion).passed
    assert {"momentum of 'chain'", "energy balance"} <= broken(judged(falling["energy-conserving"], motion))


def turning(transit, at=(0, 0, -1.2)):
    system = vc.System("turning")
    source = vc.MassSource(-1.0, relative=(1.0, 0, -40.0), at=at, transit=transit)
    system.add(
        vc.RigidBody(
            "rocket",
            10.0,
            com=lambda m: (0, 0, 0.02 * m),
            inertia=lambda m: (0.3 * m, 0.3 * m, 0.1 * m),
            sources=source,
        )
    )
    return system


def test_the_moment_of_a_misplaced_nozzle_is_noticed():
    grid = np.linspace(0, 3, 400)
    motion = vc.simulate(
        turning(True, (0, 0, -1.25)), until=3.0, grid=grid, start={"rocket": vc.At(rate=(5, 0, 0, 0.3, 0.2, 0.1))}
    )
    assert "momentum of 'rocket'" in broken(judged(turning(True), motion))


def test_the_momentum_in_transit_counts():
    grid = np.linspace(0, 3, 400)
    start = {"rocket": vc.At(rate=(5, 0, 0, 0.3, 0.2, 0.1))}
    motion = vc.simulate(turning(False), until=3.0, grid=grid, start=start)
    assert judged(turning(False), motion).passed
    assert "momentum of 'rocket'" in broken(judged(turning(True), motion))


def test_the_certificate_tells_the_parts_of_the_balance():
    """∫𝓕 dt + ∫𝓕ᵢ dt + ∫𝓕_c dt is the change of momentum; for a rocket on rails all three are there."""
    system = vc.System("rails", gravity=(0, 0, -9.81))
    sled = system.add(
        vc.RigidBody("sled", 4.0, inertia=(1, 1, 1), sources=vc.MassSource(-0.5, relative=(-20.0, 0, 0), at=(-1, 0, 0)))
    )
    system.add(vc.Prismatic("rail", "ground", sled, axis=(1, 0, 0)))
    motion = vc.simulate(system, until=2.0)
    certificate = motion.audit()
    assert certificate.passed
    lines = {line.law: line for line in certificate.lines}
    weight = 9.81 * (4.0 * 2.0 - 0.25 * 2.0**2)
    change = motion.body("sled").momentum[-1, 0]
    told = lines["momentum of 'sled'"].detail
    assert (
        told
        == f"∫𝓕 dt is {weight:.4g} N s, of the increment ∫𝓕ᵢ dt {change:.4g} N s, of constraints ∫𝓕_c dt {weight:.4g} N s"
    )
    assert lines["mass balance of 'sled'"].detail == "up to 0.5 N s in transit, whose own changes are left out"


def test_energy_is_balanced_with_what_mass_brings_and_takes():
    """A gun that fires into the wind: kinetic energy of rocket and exhaust grows by ½ |ν| c² [W]."""
    system = vc.System("rocket")
    system.add(vc.MassPoint("rocket", 2.0, sources=vc.MassSource(-0.4, relative=(0, 0, -3.0))))
    motion = vc.simulate(system, until=3.0)
    body = motion.body("rocket")
    kinetic = 0.5 * body.mass * body.velocity[:, 2] ** 2
    exhaust = [0.4 * 0.5 * v * v for v in body.velocity[:, 2] - 3.0]
    t = motion.time
    taken = np.concatenate([[0], np.cumsum(np.diff(t) * 0.5 * (np.array(exhaust)[1:] + np.array(exhaust)[:-1]))])
    assert np.abs(kinetic + taken - 0.5 * 0.4 * 9.0 * t).max() < 1e-3 * kinetic.max()
    assert motion.audit().passed


def test_no_first_integral_is_claimed_that_mass_breaks():
    names = [one.name for one in vc.first_integrals(rocket())]
    assert names == []
    gathering = vc.System("gathering")
    gathering.add(vc.MassPoint("dust", 1.0, sources=vc.MassSource(0.2, velocity=(0, 0, 0))))
    motion = vc.simulate(gathering, until=1.0, start={"dust": vc.At(rate=(1, 2, 3))})
    assert np.ptp(motion.body("dust").momentum[:, :3], axis=0).max() < 1e-14
    assert motion.audit().passed


@pytest.mark.parametrize("engine", ["taylor", "dop853", "moreau"])
def test_one_system_of_every_kind_of_mass(engine):
    """Points and rigid bodies of variable mass in a tree, with a spring, a force and a constant body."""
    system = vc.System("crane", gravity=(0, 0, -9.81))
    cart = system.add(vc.RigidBody("cart", 5.0, inertia=(1, 1, 1), sources=vc.MassSource(0.5, velocity=(0, 0, -3))))
    arm = system.add(vc.RigidBody("arm", 1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01)))
    leak = vc.MassSource(lambda b, t: -0.2 - 0.1 * vc.math.sin(t), at=(0.1, 0, -0.4), relative=(0, 0, -1))
    load = system.add(
        vc.RigidBody("load", 2.0, com=lambda m: (0, 0, -0.1 * m), inertia=lambda m: (0.1 * m,) * 3, sources=leak)
    )
    drop = system.add(
        vc.MassPoint("drop", 1.0, sources=vc.MassSource(0.1, velocity=(1, 0, 0), law="energy-conserving"))
    )
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0), damping=0.2))
    system.add(vc.Revolute("hinge", cart, arm, axis=(0, 1, 0)))
    system.add(vc.Revolute("hook", arm, load, at=(0, 0, -1), axis=(0, 1, 0)))
    system.add(vc.Spring("tie", load, drop, stiffness=10.0, rest_length=0.3))
    system.add(vc.Force("wind", drop, lambda b: vc.Wrench(force=-0.1 * b.velocity)))
    start = {"hinge": 0.5, "hook": -0.2, "drop": (0.5, 0.1, -1.5)}
    options = {"step": 1e-3} if engine == "moreau" else {}
    motion = vc.simulate(system, until=1.0, start=start, method=engine, **options)
    certificate = motion.audit()
    assert certificate.passed, certificate
    assert {f"mass balance of '{name}'" for name in ("cart", "load", "drop")} <= {
        line.law for line in certificate.lines
    }
