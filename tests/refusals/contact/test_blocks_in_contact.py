"""Large systems in contact with something that must be written out are refused, and so are starts and settings that cannot be."""

import pytest

import vinculum as vc

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def crowd(count: int = 110, friction=None):
    system = vc.System("crowd", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.05), density=1000)) for i in range(count)]
    system.add(vc.Contact("contact", balls, walls=[FLOOR], impact=vc.Inelastic(), friction=friction))
    return system, balls


def start(balls):
    return {ball.name: (0.2 * k, 0, 0.06) for k, ball in enumerate(balls)}


def test_what_must_be_written_out_is_named():
    system, _ = crowd(friction=vc.Coulomb(0.3, rolling=1e-3))
    with pytest.raises(
        vc.errors.ModelError, match="660 velocities, and 600 are the most with resistance to rolling or spinning"
    ):
        system.tree()
    system, balls = crowd()
    system.add(
        vc.Constraint(
            "rod", balls[:2], position=lambda a, b: a.position[0] - b.position[0] + 0.2, realization="dalembert"
        )
    )
    with pytest.raises(vc.errors.ModelError, match="600 are the most with constraints"):
        system.tree()
    system, balls = crowd()
    system.add(vc.Spring("spring", balls[0], balls[1], stiffness=1.0))
    system.add(vc.Impulse("kick", balls[0], vc.Wrench(force=(1, 0, 0)), at=0.1))
    with pytest.raises(vc.errors.ModelError, match=r"impulse 'kick'.*600 are the most with applied impulses"):
        vc.simulate(system, 0.2, start(balls), progress=False)


def test_settings_that_blocks_in_contact_do_not_have_are_refused():
    system, balls = crowd()
    system.add(vc.Spring("spring", balls[0], balls[1], stiffness=1.0))
    for options, message in (
        ({"theta": 0.7}, "theta 0.7: steps of many blocks in contact"),
        ({"impacts": "located"}, "are not located"),
        ({"tolerance": 2.0}, "is the residual of the impulses"),
        ({"method": "rk4", "step": 1e-3}, "does not support contact"),
    ):
        with pytest.raises(vc.errors.MethodError, match=message):
            vc.simulate(system, 0.1, start(balls), progress=False, **options)
    with pytest.raises(vc.errors.MethodError, match="not written out"):
        vc.derive(system)


def test_a_start_in_penetration_is_refused_or_moved_apart():
    system, balls = crowd()
    system.add(vc.Spring("spring", balls[0], balls[1], stiffness=1.0))
    inside = start(balls) | {"b1": (0.08, 0, 0.06)}
    with pytest.raises(vc.errors.StartError, match=r"'b0' and 'b1' start 0\.02 m inside each other"):
        vc.simulate(system, 0.01, inside, method="moreau", step=1e-3, progress=False)
    motion = vc.simulate(system, 0.01, inside, method="moreau", step=1e-3, resolve=True, progress=False)
    apart = motion.body("b1").position[0] - motion.body("b0").position[0]
    assert (apart @ apart) ** 0.5 == pytest.approx(0.1, abs=1e-6)


def test_a_mass_point_is_no_box():
    with pytest.raises(vc.errors.ModelError, match=r"body 'p': shape is .* can only be a sphere"):
        vc.MassPoint("p", 1.0, shape=vc.shapes.Box((1, 1, 1)))
