"""Laws of affine bodies: what they conserve, how their points move, and that a falsified motion fails."""

import numpy as np
import pytest
from scipy.linalg import polar

import vinculum as vc
from audited import broken

ENERGIES = {
    "Saint Venant–Kirchhoff": vc.energies.SaintVenantKirchhoff(0.5, 3.0, 2.0),
    "neo-Hookean": vc.energies.NeoHookean(0.5, 3.0, 2.0),
    "fluid-like": vc.energies.FluidLike(0.5, 20.0),
    "invariants": vc.energies.Isotropic(
        lambda one, two, three: 0.4 * (one - 3) + 0.2 * (two - 3) - 0.8 * vc.math.log(three)
    ),
    "rigid limit": vc.energies.RigidLimit(5.0),
    "self-gravity and volume": lambda F: vc.energies.SelfGravity(1.0, 1.0, 1.0)(F) + vc.energies.FluidLike(1.0, 5.0)(F),
}


def deformed(seed, n=3, size=0.15):
    rng = np.random.default_rng(seed)
    return np.eye(n) + size * rng.uniform(-1, 1, (n, n)), rng.normal(size=(n, n))


def free(energy, moment=(0.5, 0.5, 0.5), **options):
    system = vc.System("free")
    system.add(vc.AffineBody("body", 2.0, moment, energy=energy, **options))
    return system


def run(system, seed=1, until=1.0, **options):
    F, rate = deformed(seed)
    start = {"body": vc.At(((0.3, -0.2, 0.5), F), ((1.0, 0.5, -0.3), rate))}
    return vc.simulate(system, until=until, start=start, **options)


def spin(F, F_dot, J):
    S = F_dot @ J @ np.swapaxes(F, 1, 2)
    return S - np.swapaxes(S, 1, 2)


def vorticity(F, F_dot, J):
    P = np.swapaxes(F, 1, 2) @ F_dot @ J
    return P - np.swapaxes(P, 1, 2)


@pytest.mark.parametrize("name", ENERGIES)
def test_spin_and_vorticity_are_kept_for_an_isotropic_body(name):
    system = free(ENERGIES[name])
    motion = run(system)
    F, F_dot = motion.body("body").affine.deformation, motion.body("body").affine.deformation_rate
    J = 0.5 * np.eye(3)
    for kept in (spin(F, F_dot, J), vorticity(F, F_dot, J)):
        assert np.abs(kept[0]).max() > 0.05
        assert np.abs(kept - kept[0]).max() < 1e-11
    found = [one.name for one in vc.first_integrals(system)]
    assert sum(one.startswith("vorticity") for one in found) == 3
    assert sum(one.startswith("angular momentum") for one in found) == 3
    assert motion.audit().passed


def test_vorticity_is_not_kept_for_an_uneven_second_moment_but_spin_is():
    J = np.diag([0.5, 0.3, 0.8])
    system = free(ENERGIES["neo-Hookean"], J)
    motion = run(system)
    F, F_dot = motion.body("body").affine.deformation, motion.body("body").affine.deformation_rate
    assert np.ptp(spin(F, F_dot, J), axis=0).max() < 1e-11
    assert np.ptp(vorticity(F, F_dot, J), axis=0).max() > 1e-2
    assert not any(one.name.startswith("vorticity") for one in vc.first_integrals(system))


def test_the_angular_momentum_holds_the_spin():
    J = np.diag([0.5, 0.3, 0.8])
    motion = run(free(ENERGIES["neo-Hookean"], J))
    seen = motion.body("body")
    S = spin(seen.affine.deformation, seen.affine.deformation_rate, J)
    own = np.stack([S[:, 2, 1], S[:, 0, 2], S[:, 1, 0]], axis=1)
    expected = own + np.cross(seen.position, 2.0 * seen.velocity)
    assert np.abs(seen.momentum[:, 3:] - expected).max() < 1e-12
    assert np.abs(seen.momentum[:, :3] - 2.0 * seen.velocity).max() < 1e-12


def test_views_of_a_deforming_body_agree_with_their_definitions():
    motion = run(free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8)))
    seen = motion.body("body")
    F, F_dot, U = seen.affine.deformation, seen.affine.deformation_rate, seen.rotation
    for k in range(0, len(F), 5):
        assert np.abs(polar(F[k])[0] - U[k]).max() < 1e-12
        assert np.abs(seen.affine.affine_velocity[k] - F_dot[k] @ np.linalg.inv(F[k])).max() < 1e-12
        assert np.abs(seen.affine.comoving_velocity[k] - np.linalg.inv(F[k]) @ F_dot[k]).max() < 1e-12
        assert np.abs(seen.affine.green_tensor[k] - F[k].T @ F[k]).max() < 1e-12
    place = np.array([0.3, -0.4, 0.2])
    assert np.abs(seen.point(place).position - seen.position - F @ place).max() < 1e-12
    assert np.abs(seen.point(place).velocity - seen.velocity - F_dot @ place).max() < 1e-12


def test_the_angular_velocity_is_that_of_the_polar_rotation():
    system, h = free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8)), 1e-3
    motion = run(system, until=6 * h, grid=7)
    U = motion.body("body").rotation
    U_dot = (45 * (U[4] - U[2]) - 9 * (U[5] - U[1]) + (U[6] - U[0])) / (60 * h)
    S = U_dot @ U[3].T
    omega = np.array([S[2, 1], S[0, 2], S[1, 0]])
    assert np.abs(motion.body("body").angular_velocity[3] - omega).max() < 1e-10


def test_a_stiff_affine_body_tends_to_the_rigid_one():
    J = np.diag([0.5, 0.3, 0.8])
    moments = np.trace(J) * np.eye(3) - J
    w = np.array([0.4, 1.1, -0.6])
    spinning = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    rigid = vc.System("rigid")
    rigid.add(vc.RigidBody("body", 2.0, inertia=moments))
    known = (
        vc.simulate(rigid, until=2.0, start={"body": vc.At((0, 0, 0), (0, 0, 0, *w))}, grid=3).body("body").rotation[-1]
    )
    errors = []
    for stiffness in (400.0, 1600.0, 6400.0):
        system = free(vc.energies.RigidLimit(stiffness), J)
        start = {"body": vc.At(((0, 0, 0), np.eye(3)), ((0, 0, 0), spinning))}
        motion = vc.simulate(system, until=2.0, start=start, grid=3)
        errors.append(np.abs(motion.body("body").rotation[-1] - known).max())
    slopes = np.diff(np.log(errors)) / np.log(4.0)
    assert slopes == pytest.approx([-1.0, -1.0], abs=0.1)


def test_a_falsified_motion_fails_its_certificate():
    motion = run(free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8)))
    assert motion.audit().passed
    for other in (
        free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.81)),
        free(vc.energies.NeoHookean(0.5, 3.0, 2.02), (0.5, 0.3, 0.8)),
        free(None, (0.5, 0.3, 0.8)),
        free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8), dissipation=vc.energies.NewtonianViscosity(0.5, 0.01)),
    ):
        assert {"energy balance"} & broken(motion.replace(system=other).audit())


def test_an_energy_that_sees_the_world_changes_the_angular_momentum_from_outside():
    system = free(lambda F: ENERGIES["neo-Hookean"](F) + 0.3 * F[0, 0])
    motion = run(system)
    certificate = motion.audit()
    assert certificate.passed
    assert not any(
        one.name.startswith("angular momentum about the mass center along z") for one in vc.first_integrals(system)
    )
    assert motion.record.model.layout.actions["body energy"].external


@pytest.mark.parametrize("options", [{}, {"dimension": 2}, {"dimension": 1}, {"planar": True}], ids=str)
def test_a_dissipation_that_sees_the_world_brakes_the_body_from_outside(options):
    """½ c φ̇ : φ̇ brakes rigid motions too, as still air does; a Newtonian fluid within the body does not."""
    d = 2 if "planar" in options else options.get("dimension", 3)
    J = np.diag([0.5, 0.3, 0.8])[:d, :d]
    laws = {"air": lambda F, rate: 0.2 * np.sum(rate * rate), "fluid": vc.energies.NewtonianViscosity(0.5, 0.4, 0.2)}
    for name, law in laws.items():
        system = free(ENERGIES["neo-Hookean"], J, dissipation=law, **options)
        F, rate = (x[: len(x) - ("planar" in options), :d] for x in deformed(4))
        motion = vc.simulate(system, until=0.5, start={"body": vc.At((np.zeros(len(F)), F), (np.zeros(len(F)), rate))})
        certificate = motion.audit()
        assert certificate.passed, str(certificate)
        assert motion.record.model.layout.actions["body dissipation"].external == (name == "air")
        spun = motion.body("body").momentum[:, 5]
        assert (np.ptp(spun) < 1e-12) == (name == "fluid")
        assert motion.body("body").measures.balance().passed


def test_viscosity_takes_energy_but_no_angular_momentum():
    J = np.diag([0.5, 0.3, 0.8])
    motion = run(free(ENERGIES["neo-Hookean"], J, dissipation=vc.energies.NewtonianViscosity(0.5, 0.4, 0.2)), until=2.0)
    assert np.all(np.diff(motion.energy) < 1e-13)
    S = spin(motion.body("body").affine.deformation, motion.body("body").affine.deformation_rate, J)
    assert np.ptp(S, axis=0).max() < 1e-11
    assert motion.audit().passed


@pytest.mark.parametrize(
    "method", [{"method": "dop853"}, {"method": "rk4", "step": 2e-4}, {"method": "verlet", "step": 2e-4}], ids=str
)
def test_every_method_runs_affine_bodies(method):
    known = run(free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8))).q[-1]
    found = run(free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8)), **method).q[-1]
    assert np.abs(found - known).max() < 1e-6


def test_incompressible_bodies_keep_their_volume_in_every_realization():
    F = np.diag([1.25, 0.8, 1.0])
    rate = np.array([[0.5, 0.3, 0.1], [-0.2, 0.0, 0.4], [0.2, 0.1, -0.5 / 1.25]])
    rate[2, 2] = -(rate[0, 0] / F[0, 0] + rate[1, 1] / F[1, 1]) * F[2, 2]
    for realization, allowed in (("dalembert", 1e-12), (vc.Penalty(1e5), 1e-3)):
        system = free(ENERGIES["neo-Hookean"])
        system.add(vc.constraints.incompressible("volume", "body", realization=realization))
        motion = vc.simulate(system, until=1.0, start={"body": vc.At(((0, 0, 0), F), ((0, 0, 0), rate))})
        assert np.abs(np.linalg.det(motion.body("body").affine.deformation) - 1.0).max() < allowed
        assert motion.audit().passed


@pytest.mark.parametrize(
    "realization", ["dalembert", "chetaev", vc.Vakonomic(multipliers=[0.1, -0.2, 0.3]), vc.constraints.ViscousFriction(200.0),
                    vc.constraints.AddedInertia(50.0)], ids=str
)  # fmt: skip
def test_the_rotationless_constraint_runs_in_every_realization(realization):
    system = free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8))
    system.add(vc.constraints.rotationless("no curl", "body", realization=realization))
    F, W = np.diag([1.1, 0.9, 1.05]), np.array([[0.3, 0.2, 0.1], [0.2, -0.2, 0.3], [0.1, 0.3, 0.0]])
    motion = vc.simulate(system, until=0.5, start={"body": vc.At(((0, 0, 0), F), ((0, 0, 0), W @ F))})
    assert motion.audit().passed


def test_a_ball_joint_keeps_a_point_of_an_affine_body():
    system = vc.System("hung", gravity=(0, 0, -9.81))
    body = system.add(vc.AffineBody("body", 2.0, (0.05, 0.05, 0.05), energy=vc.energies.NeoHookean(1.0, 50.0, 20.0)))
    rod = system.add(vc.RigidBody("rod", 1.0, inertia=(0.1, 0.1, 0.02)))
    system.add(vc.Spherical("hook", "ground", body, at=(0, 0, 1), to=(0.2, 0.2, 0.2)))
    system.add(vc.Spherical("pin", body, rod, at=(-0.2, -0.2, -0.2), to=(0, 0, 0.3)))
    motion = vc.simulate(system, until=1.0, start={"body": (-0.2, -0.2, 0.8), "rod": (-0.4, -0.4, 0.3)})
    assert np.abs(motion.body("body").point((0.2, 0.2, 0.2)).position - (0, 0, 1)).max() < 1e-12
    apart = motion.body("body").point((-0.2, -0.2, -0.2)).position - motion.body("rod").point((0, 0, 0.3)).position
    assert np.abs(apart).max() < 1e-12
    assert motion.audit().passed


@pytest.mark.parametrize("friction", [None, 0.3])
def test_affine_bodies_bounce_at_their_points(friction):
    system = vc.System("bouncing", gravity=(0, 0, -9.81))
    body = system.add(vc.AffineBody.solid("body", vc.shapes.Box((0.4, 0.4, 0.4)), mass=2.0,
                                          energy=vc.energies.NeoHookean(0.064, 4000.0, 2000.0)))  # fmt: skip
    for i, corner in enumerate([(0.2, 0.2, -0.2), (-0.2, 0.2, -0.2), (0.0, -0.2, -0.2)]):
        rough = {} if friction is None else {"friction": friction, "point": lambda b, p=corner: b.point(p)}
        system.add(vc.Unilateral(f"corner {i}", body, gap=lambda b, p=corner: b.point(p)[2], impact=0.5, **rough))
    motion = vc.simulate(system, until=0.4, start={"body": vc.At((0, 0, 0.5), ((0.5, 0, 0), np.zeros((3, 3))))})
    assert motion.body("body").velocity[-1, 2] > -9.81 * 0.4
    assert min(motion.bond(f"corner {i}").gap.min() for i in range(3)) > -1e-12
    assert motion.audit().passed


def test_a_stored_run_keeps_its_deformations(tmp_path):
    motion = run(free(ENERGIES["neo-Hookean"], (0.5, 0.3, 0.8)))
    motion.save(tmp_path / "run")
    loaded = vc.load(tmp_path / "run")
    assert np.array_equal(loaded.body("body").affine.deformation, motion.body("body").affine.deformation)
    assert loaded.audit().passed


def test_an_ensemble_varies_deformations_and_parameters():
    k = vc.parameter("k", 3.0)
    system = free(vc.energies.NeoHookean(0.5, k, k))
    F = np.stack([deformed(seed)[0] for seed in range(4)])
    runs = vc.ensemble(
        system, until=1.0, start={"body": vc.At(((0, 0, 0), F))}, parameters={"k": np.linspace(2.0, 4.0, 4)}
    )
    one = vc.simulate(system, until=1.0, start={"body": vc.At(((0, 0, 0), F[3]))}, parameters={"k": 4.0})
    assert np.abs(runs.q[3, -1] - one.q[-1]).max() < 1e-11


def test_an_event_sees_a_point_of_an_affine_body():
    system = vc.System("falling", gravity=(0, 0, -9.81))
    body = system.add(vc.AffineBody("body", 2.0, (0.5, 0.5, 0.5)))
    down = vc.Event("down", body, lambda b: b.point((0, 0, -0.2))[2], stop=True)
    motion = vc.simulate(system, until=2.0, start={"body": (0, 0, 1.2)}, events=[down])
    assert motion.record.crossings[0].time == pytest.approx(np.sqrt(2.0 / 9.81), abs=1e-12)


def test_the_equations_are_formulas():
    k = vc.parameter("k", 3.0)
    system = free(vc.energies.RigidLimit(k), (1.0, 0.5), planar=True)
    for form in ("newton-euler", "lagrange", "telegin", "hamilton"):
        text = vc.derive(system, form=form).latex()
        assert "F_{11" in text and "k" in text


@pytest.mark.parametrize("dimension", [2, 1])
def test_flat_and_rodlike_bodies_move_as_thin_solids_do(dimension):
    """A body of lower dimension has the motion of the columns of φ that it has."""
    energy = vc.energies.NeoHookean(1.0, 3.0, 2.0)
    J = np.diag([0.5, 0.3, 0.8])[:dimension, :dimension]
    system = vc.System("thin", gravity=(0.1, 0.2, -9.81))
    body = system.add(vc.AffineBody("body", 2.0, J, energy=energy, dimension=dimension))
    system.add(vc.Spring("spring", body, "ground", 5.0, at=(0.3, 0.0, 0.0), to=(1, 1, 1)))
    F, rate = (x[:, :dimension] for x in deformed(3))
    motion = vc.simulate(system, until=1.0, start={"body": vc.At(((0, 0, 0), F), ((0, 0, 0), rate))})
    assert motion.audit().passed
    assert np.abs(motion.body("body").affine.deformation[:, :, dimension:]).max() == 0.0
    S = (
        motion.body("body").affine.deformation_rate[:, :, :dimension]
        @ J
        @ np.swapaxes(motion.body("body").affine.deformation[:, :, :dimension], 1, 2)
    )
    own = np.stack([S[:, 2, 1] - S[:, 1, 2], S[:, 0, 2] - S[:, 2, 0], S[:, 1, 0] - S[:, 0, 1]], axis=1)
    momentum = motion.body("body").momentum
    expected = own + np.cross(motion.body("body").position, momentum[:, :3])
    assert np.abs(momentum[:, 3:] - expected).max() < 1e-12


def test_gravitation_acts_on_the_second_moments_of_a_deformed_body():
    """MacCullagh's formula for two bodies that are far apart, against the quadrupole of the deformed one by hand."""
    G, F = 1.0, np.diag([1.3, 0.9, 0.8])
    system = vc.System("tide")
    moon = system.add(vc.AffineBody("moon", 1.0, (0.2, 0.2, 0.2)))
    planet = system.add(vc.MassPoint("planet", 50.0))
    bond = system.add(vc.potentials.Gravitation("gravity", [moon, planet], G=G))
    start = {"moon": vc.At(((0, 0, 0), F)), "planet": (10.0, 3.0, -2.0)}
    motion = vc.simulate(system, until=0.1, start=start)
    d = np.array([10.0, 3.0, -2.0])
    r, S = np.linalg.norm(d), F @ (0.2 * np.eye(3)) @ F.T
    energy = -G * 50.0 / r - 0.5 * G * 50.0 * (3 * d @ S @ d / r**5 - np.trace(S) / r**3)
    assert motion.bond(bond.name).energy[0] == pytest.approx(energy, rel=1e-13)
    assert motion.audit().passed


def test_a_body_without_stress_flies_with_a_certificate():
    """Nothing but round-off is left of the forces of its energy, which must not count as forces."""
    turn = np.array([[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]]) @ np.array(
        [[0.28, -0.96, 0], [0.96, 0.28, 0], [0, 0, 1]]
    )
    for name, energy in ENERGIES.items():
        if "gravity" in name or name == "invariants":
            continue
        motion = vc.simulate(
            free(energy), until=0.5, start={"body": vc.At(((0, 0, 0), turn), ((1, 2, 3), np.zeros((3, 3))))}
        )
        assert motion.audit().passed, name
