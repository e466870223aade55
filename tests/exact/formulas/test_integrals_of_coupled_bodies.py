"""First integrals of bodies coupled by potentials, interactions and forces: which there are, and which must not be claimed."""

import numpy as np
import pytest

import vinculum as vc

m = vc.math
CENTERS = {f"mass center along {e} less its motion" for e in "xyz"}
MOMENTA = {f"momentum along {e}" for e in "xyz"} | CENTERS
MOMENTS = {f"angular momentum about the mass center along {e}" for e in "xyz"}


def points(count: int, gravity=(0, 0, 0)) -> tuple[vc.System, list]:
    system = vc.System("points", gravity=gravity)
    return system, [system.add(vc.MassPoint(f"p{i}", 1.0 + i)) for i in range(count)]


def names(system, **values) -> set[str]:
    return set(vc.first_integrals(system, values or None).names)


def attraction(a, b):
    return -5.0 / m.norm(a.position - b.position)


def kepler(*more) -> vc.System:
    """Two points that attract each other, and what else acts on the first."""
    system, ends = points(2)
    system.add(vc.Potential("attraction", ends, attraction))
    for action in more:
        system.add(action)
    return system


def test_two_points_that_attract_each_other_keep_ten_quantities():
    system = kepler()
    integrals = vc.first_integrals(system)
    assert set(integrals.names) == {"energy", *MOMENTA, *MOMENTS}
    x, v = np.array([[0.3, 0.1, 0.2], [1.5, -0.4, 0.6]]), np.array([[0.2, 0.9, -0.3], [0.1, -0.5, 0.4]])
    q, w = x.ravel(), v.ravel()
    mass = np.array([1.0, 2.0])[:, None]
    center = (mass * x).sum(axis=0) / 3.0
    assert integrals["momentum along y"].value(q, w) == pytest.approx((mass * v).sum(axis=0)[1])
    spin = np.cross(x - center, mass * v).sum(axis=0)
    for e, name in enumerate("xyz"):
        assert integrals[f"angular momentum about the mass center along {name}"].value(q, w) == pytest.approx(spin[e])
    energy = 0.5 * np.sum(mass * v**2) - 5.0 / np.linalg.norm(x[0] - x[1])
    assert integrals["energy"].value(q, w) == pytest.approx(energy)
    motion = vc.simulate(system, 2.0, {f"p{i}": vc.At(x[i], rate=v[i]) for i in range(2)})
    for one in integrals:
        assert np.ptp(one.along(motion)) < 1e-9


def test_three_points_on_two_springs_keep_ten_quantities_together_and_none_alone():
    system, (a, b, c) = points(3)
    system.add(vc.Potential("one", [a, b], lambda a, b: m.norm(a.position - b.position) ** 2))
    system.add(vc.Potential("two", [b, c], lambda b, c: (m.norm(b.position - c.position) - 1.0) ** 2))
    assert names(system) == {"energy", *MOMENTA, *MOMENTS}


def test_groups_that_do_not_act_on_each_other_keep_their_own():
    system, (a, b, _) = points(3)
    system.add(vc.Potential("one", [a, b], lambda a, b: m.norm(a.position - b.position) ** 2))
    found = names(system)
    assert {"energy of 'p0' and what it is coupled to", "energy of 'p2'"} <= found
    assert {f"momentum along {e} of 'p0' and 'p1'" for e in "xyz"} <= found
    assert {f"angular momentum about the mass center along {e} of 'p0' and 'p1'" for e in "xyz"} <= found
    assert {f"momentum along {e} of 'p2'" for e in "xyz"} <= found
    assert len(found) == 17


def test_a_point_on_a_central_spring_keeps_energy_and_moment_about_the_center():
    system, (a,) = points(1)
    system.add(
        vc.Potential("spring", [a, "ground"], lambda a, g: (m.norm(a.position - g.point((1.0, 2.0, 3.0))) - 0.5) ** 2)
    )
    assert names(system) == {"energy", *(f"angular momentum about {e} through (1, 2, 3)" for e in "xyz")}
    integrals = vc.first_integrals(system)
    x, v = np.array([0.2, 0.7, 1.0]), np.array([0.5, -0.4, 0.1])
    moment = np.cross(x - [1, 2, 3], v)
    assert integrals["angular momentum about x through (1, 2, 3)"].value(x, v) == pytest.approx(moment[0])


def test_four_points_with_a_chiral_energy_keep_their_momenta():
    system, ends = points(4)
    system.add(vc.Potential("chiral", ends, lambda a, b, c, d: 2.0 * m.dot(
        m.cross(a.position - d.position, b.position - d.position), c.position - d.position)))  # fmt: skip
    assert names(system) == {"energy", *MOMENTA, *MOMENTS}


def test_rigid_bodies_on_a_spring_in_a_uniform_field_keep_the_moment_about_the_mass_center():
    system = vc.System("pair", gravity=(0, 0, -9.81))
    ends = [system.add(vc.RigidBody(name, 1.0, (0.1, 0.2, 0.0), (1.0, 2.0, 2.5))) for name in "ab"]
    system.add(vc.Potential("spring", ends, lambda a, b: (m.norm(a.point((1, 0, 0)) - b.point((0, 1, 0))) - 0.3) ** 2))
    expected = {
        "energy",
        "momentum along x",
        "momentum along y",
        "momentum along z less its weight's impulse",
        *MOMENTS,
        *CENTERS,
    }
    assert names(system) == expected


def test_a_hinged_body_and_a_free_one_keep_the_moment_about_the_hinge():
    system = vc.System("pair")
    a, b = (system.add(vc.RigidBody(name, 1.0, (0.1, 0.2, 0.0), (1.0, 2.0, 2.5))) for name in "ab")
    system.add(vc.Revolute("hinge", "ground", a, axis=(0, 0, 1), at=(1, 0, 0)))
    system.add(vc.Potential("spring", [a, b], lambda a, b: m.norm(a.point((1, 0, 0)) - b.position) ** 2))
    assert names(system) == {"energy", "angular momentum about z through (1, 0, 0)"}


def late(t):
    """Nothing before 100 s."""
    return m.where(t > 100.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("action", "kept"),
    [
        (vc.Force("push", "p0", vc.Wrench(force=(1.0, 0, 0))),
         {"momentum along y", "momentum along z", "momentum along x − t"}),
        (vc.Force("late push", "p0", lambda a, t: vc.Wrench(force=(late(t), 0, 0))), {"momentum along y", "momentum along z"}),
        (vc.Force("pulse", "p0", lambda a, t: vc.Wrench(force=(0, 0, m.exp(-(((t - 50.0) / 0.01) ** 2))))),
         {"momentum along x", "momentum along y"}),
        (vc.Force("drag", "p0", lambda a: vc.Wrench(force=-0.1 * a.velocity)),
         {f"momentum along {e} + 0.1 {e} of 'p0'" for e in "xyz"}),
        (vc.Potential("weight", ["p0"], lambda a: 9.81 * a.position[2]), {"energy", "momentum along x", "momentum along y"}),
        (vc.Potential("far wall", ["p0"], lambda a: m.where(a.position[2] < -50.0, (a.position[2] + 50.0) ** 2, 0.0)),
         {"energy", "momentum along x", "momentum along y"}),
        (vc.Potential("far stop", ["p0"], lambda a: m.maximum(a.position[2] - 50.0, 0.0) ** 2),
         {"energy", "momentum along x", "momentum along y"}),
        (vc.Potential("late spring", ["p0", "p1"], lambda a, b, t: late(t) * m.norm(a.position - b.position)), {*MOMENTA, *MOMENTS}),
        (vc.Potential("breathing", ["p0", "p1"], lambda a, b, t: m.sin(t) * m.norm(a.position - b.position)), {*MOMENTA, *MOMENTS}),
        (vc.Potential("clock", ["p0"], lambda a, t: m.cos(t)), {*MOMENTA, *MOMENTS}),
        (vc.Interaction("damper", "p0", "p1", lambda a, b: vc.Wrench(force=-(a.position - b.position) * m.dot(
            a.position - b.position, a.velocity - b.velocity))), {*MOMENTA, *MOMENTS}),
    ],
    ids=lambda x: x.name if hasattr(x, "name") else "",
)  # fmt: skip
def test_an_action_takes_away_what_it_changes_and_no_more(action, kept):
    found = names(kepler(action))
    kept = kept | {f"mass center along {name[-1]} less its motion" for name in kept if name in MOMENTA - CENTERS}
    assert {name for name in found if not name.startswith(("moment of", "angular momentum"))} == {
        name for name in kept if not name.startswith(("moment of", "angular momentum"))
    }
    assert kept <= found


def test_a_force_across_the_velocity_keeps_the_energy():
    system, (a,) = points(1)
    system.add(vc.Force("magnet", a, lambda a: vc.Wrench(force=m.cross(a.velocity, (0, 0, 1.0 + a.position[0])))))
    assert names(system) == {
        "energy",
        "momentum along z",
        "mass center along z less its motion",
        "momentum along y + x of 'p0' + 0.5 x² of 'p0'",
    }


def test_a_moment_about_the_center_is_kept_under_a_force_along_it():
    """Thrust along x at a point has no moment along x about the mass center."""
    found = names(kepler(vc.Force("push", "p0", vc.Wrench(force=(1.0, 0, 0)))))
    assert "angular momentum about the mass center along x" in found
    assert "angular momentum about the mass center along y" not in found


def test_what_is_found_is_constant_along_motions_with_actions():
    system, ends = points(3, gravity=(0, 0, -1.0))
    system.add(vc.potentials.PairPotential("pairs", ends, lambda a, b: m.norm(a.position - b.position) ** 2))
    system.add(vc.Interaction("rub", *ends[:2], lambda a, b: vc.Wrench(force=-0.3 * (a.position - b.position) * m.dot(
        a.position - b.position, a.velocity - b.velocity))))  # fmt: skip
    integrals = vc.first_integrals(system)
    assert len(integrals) == 9
    start = {f"p{i}": vc.At((i, 0.3 * i * i, -0.2), rate=(0.1, -0.4 * i, 0.2)) for i in range(3)}
    motion = vc.simulate(system, 2.0, start)
    for one in integrals:
        assert np.ptp(one.along(motion)) < 1e-9


@pytest.mark.parametrize("moving", [False, True])
def test_points_on_springs_to_a_driven_body_keep_energy_and_moment_only_if_it_stands(moving):
    system, (p, q) = points(2)
    place = (lambda t: (m.sin(t), 2.0, 3.0)) if moving else (1.0, 2.0, 3.0)
    cam = system.add(vc.PrescribedBody("cam", position=place))
    for name, end in (("one", p), ("two", q)):
        system.add(vc.Potential(name, [end, cam], lambda p, c: m.norm(p.position - c.position) ** 2))
    system.add(vc.Potential("between", [p, q], lambda p, q: m.norm(p.position - q.position)))
    still = {"energy", *(f"angular momentum about {e} through (1, 2, 3)" for e in "xyz")}
    found = {name.partition(" of 'p0'")[0] for name in names(system)}
    assert (found & still) == (set() if moving else still)
    assert len(found) == (1 if moving else 4)


@pytest.mark.parametrize(
    ("energy", "jumps"),
    [
        (lambda a: m.where(a.position[0] > 0.5, 1.0, 0.0), True),
        (lambda a: m.where(a.position[0] > 40.0, 1.0, 0.0), True),
        (lambda a: m.floor(a.position[2]), True),
        (lambda a: m.where(a.position[1] < 0.0, a.position[1] ** 2, 0.2), True),
        (lambda a: m.where(a.position[1] < 0.0, a.position[1] ** 2, 0.0), False),
        (lambda a: m.sign(a.position[0]) * a.position[0], False),
        (lambda a: m.where(m.norm(a.position) < 20.0, m.norm(a.position), 20.0), False),
        (lambda a: m.maximum(a.position[2] - 50.0, 0.0) ** 2, False),
    ],
)
def test_an_energy_that_jumps_is_not_called_conserved(energy, jumps):
    system, (a,) = points(1)
    system.add(vc.Potential("U", [a], energy))
    assert ("energy" in names(system)) == (not jumps)


@pytest.mark.parametrize("depth, size", [(1.0, 1.0), (1.65e-21, 3.4e-10)])
@pytest.mark.parametrize("count", [2, 8, 13])
def test_atoms_have_the_ten_integrals_and_no_more_however_near_some_of_the_samples_are(count, depth, size):
    cluster = vc.System("cluster")
    atoms = [cluster.add(vc.MassPoint(f"atom{i}", 1.0 + i)) for i in range(count)]
    cluster.add(vc.potentials.LennardJones("atoms", atoms, depth=depth, size=size))
    assert list(vc.first_integrals(cluster).names) == [
        "energy",
        *sorted(MOMENTA - CENTERS),
        *sorted(MOMENTS),
        *sorted(CENTERS),
    ]
