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
    system, balls = crowd()
    hinged = system.add(vc.RigidBody.solid("hinged", vc.shapes.Sphere(0.05), density=1000))
    system.add(vc.Revolute("hinge", balls[0], hinged, at=(0.2, 0, 0)))
    system.add(vc.Constraint("stop", ["hinge"], position=lambda hinge: hinge.q, realization="dalembert"))
    told = (
        r"600 are the most with constraints on joints or accelerations.* \(constraint 'stop'\); use fewer bodies, or "
    )
    with pytest.raises(vc.errors.ModelError, match=told + "describe them by positions or velocities of bodies"):
        system.tree()
    system, balls = crowd()
    system.add(
        vc.AffineBody.solid("jelly", vc.shapes.Sphere(0.05), density=1000, energy=vc.energies.NeoHookean(5e-4, 1e4))
    )
    system.add(vc.constraints.distance("rod", balls[0], balls[1], 0.2, realization="dalembert"))
    with pytest.raises(
        vc.errors.ModelError, match=r"next to bodies that deform \(constraint 'rod'\); .* use stiff springs"
    ):
        system.tree()
    system, balls = crowd()
    hinged = system.add(vc.RigidBody.solid("hinged", vc.shapes.Sphere(0.05), density=1000))
    limits = vc.constraints.Limits(-1.0, 1.0, impact=vc.Poisson(0.5))
    system.add(vc.Revolute("hinge", "ground", hinged, axis=(0, 1, 0), to=(0, 0, 0.3), limits=limits))
    for k, friction in enumerate((vc.Coulomb(0.1, rolling=1e-3), vc.Coulomb(0.1, along=(1, 0, 0), mu_across=0.2))):
        system.add(vc.Unilateral.on_plane(f"foot {k}", balls[k], (0, 0, -0.1), impact="inelastic", friction=friction))
    stops = r"'hinge lower stop', .*'hinge upper stop', .*'foot 0' and 1 more\); .* Newton's law and vc.Coulomb\(mu\)"
    with pytest.raises(vc.errors.ModelError, match=r"by Poisson's law \(unilateral constraint " + stops):
        system.tree()
    system, balls = crowd()
    turned = system.add(vc.RigidBody.solid("turned", vc.shapes.Sphere(0.05), density=1000))
    system.add(vc.Spherical("ball joint", "ground", turned, chart="zyx"))
    with pytest.raises(
        vc.errors.ModelError, match=r"change their charts \(joint 'ball joint'\); .* use chart='quaternion'"
    ):
        system.tree()


def test_starts_beyond_stops_and_unilateral_constraints_are_refused():
    system, balls = crowd()
    system.add(vc.Spring("spring", balls[0], balls[1], stiffness=1.0))
    system.add(vc.Unilateral.on_plane("foot", balls[0], (0, 0, -1e3), impact="inelastic"))
    with pytest.raises(
        vc.errors.StartError, match=r"the gap of unilateral constraint 'foot' is -\d+.* must not be negative"
    ):
        vc.simulate(system, 0.1, start(balls), progress=False)


def test_settings_that_blocks_in_contact_do_not_have_are_refused():
    system, balls = crowd()
    system.add(vc.Spring("spring", balls[0], balls[1], stiffness=1.0))
    for options, message in (
        ({"theta": 0.7}, "theta 0.7: steps of many blocks in contact"),
        ({"impacts": "locate"}, "is not known; did you mean 'located'?"),
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


def test_starts_that_miss_a_constraint_or_a_loop_are_refused():
    system, balls = crowd()
    system.add(vc.constraints.distance("rod", balls[0], balls[1], 0.25, realization="dalembert"))
    with pytest.raises(vc.errors.StartError, match="the start does not meet its constraints: 'rod'"):
        vc.simulate(system, 0.01, start(balls), step=1e-3, progress=False)
    system.add(vc.Spherical("tie", balls[2], balls[3], at=(0.1, 0, 0), to=(-0.1, 0, 0)))
    system.add(vc.Spherical("knot", balls[3], balls[2], at=(0, 0.5, 0), to=(0, -0.7, 0)))
    with pytest.raises(vc.errors.StartError, match="closing joint 'knot' cannot be met"):
        vc.simulate(system, 0.01, start(balls[:3] + balls[4:]), step=1e-3, progress=False, repair=True)


def test_rows_of_contacts_that_do_not_fit_into_memory_are_refused(monkeypatch):
    from vinculum.compile import memory

    system, balls = crowd()
    for k in range(len(balls) - 1):
        system.add(vc.constraints.distance(f"rod {k}", balls[k], balls[k + 1], 0.2, realization="dalembert"))
    low = {ball.name: (0.2 * k, 0, 0.05) for k, ball in enumerate(balls)}
    vc.simulate(system, 0.002, low, step=1e-3, progress=False)
    monkeypatch.setattr(memory, "_free_of_machine", lambda: 10**6)
    from vinculum.integrators.blocks_in_contact.contacts import BlockContacts

    monkeypatch.setattr(BlockContacts, "_make_rows", _make_few_rows(BlockContacts._make_rows))
    with pytest.raises(vc.errors.VinculumError, match=r"rows of \d+ contacts between blocks of up to 660 velocities"):
        vc.simulate(system, 0.002, low, step=1e-3, progress=False)


def _make_few_rows(usual):
    """Rows for few numbers at first, so that more are needed."""
    return lambda self, entries: usual(self, min(entries, 1000))
