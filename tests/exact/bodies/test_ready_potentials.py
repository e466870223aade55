"""Ready potentials against closed forms: frequencies, moments, dipoles, orbits, and bodies that attract as they are shaped."""

import numpy as np
import pytest
from scipy.integrate import tplquad
from scipy.spatial.transform import Rotation
from tests.laws.bodies.test_ready_potentials import Efforts

import vinculum as vc
from marks import TAYLOR, needs_heyoka, weak_without_heyoka
from vinculum.errors import RunError
from vinculum.models.model_cache import model_for
from vinculum.screws.rotation_angles import rotation_vector, squared_angle


def points(masses, bond) -> vc.System:
    system = vc.System("points")
    bodies = [system.add(vc.MassPoint("ab"[i] if len(masses) == 2 else f"body{i}", m)) for i, m in enumerate(masses)]
    system.add(bond(bodies))
    return system


def force_on(system, names, places):
    """Forces of the one action on the bodies of a system at rest there, (n, 3)."""
    return Efforts(system).at({name: vc.At(x) for name, x in zip(names, places, strict=True)})[0][:, :3]


class TestSprings:
    def test_two_points_on_a_slack_spring_swing_through_each_other_at_their_frequency(self):
        m, n, k = 1.3, 0.4, 7.0
        system = points([m, n], lambda b: vc.Spring("spring", *b, stiffness=k))
        motion = vc.simulate(system, 10.0, {"a": (0.5, 0, 0), "b": (-0.25, 0.0, 0)})
        d = motion.body("a").position - motion.body("b").position
        w = np.sqrt(k * (1 / m + 1 / n))
        assert np.abs(d[:, 0] - 0.75 * np.cos(w * motion.time)).max() < 2e-13
        assert motion.audit().passed

    def test_two_coaxial_bodies_on_a_torsion_spring_swing_at_their_frequency(self):
        one, other, k = 0.7, 0.2, 2.3
        system = vc.System("shaft")
        bodies = [system.add(vc.RigidBody(n, 1.0, inertia=(J, J, J))) for n, J in (("a", one), ("b", other))]
        for body in bodies:
            system.add(vc.Revolute(f"bearing of {body.name}", "ground", body))
        system.add(vc.potentials.TorsionSpring("shaft", *bodies, stiffness=k))
        motion = vc.simulate(system, 10.0, {"bearing of a": 1.1, "bearing of b": -0.4})
        w = np.sqrt(k * (1 / one + 1 / other))
        assert np.abs(motion.q[:, 0] - motion.q[:, 1] - 1.5 * np.cos(w * motion.time)).max() < 1e-13
        assert motion.audit().passed

    @needs_heyoka
    def test_a_free_body_turns_through_rest_on_a_torsion_spring_to_machine_precision(self):
        """A round body that starts at rest turned about any axis keeps to it: θ̈ = −(k/J) θ, through θ = 0 again and again."""
        J, k, axis = 0.5, 2.0, np.array([2.0, -1.0, 2.0]) / 3
        system = vc.System("body")
        body = system.add(vc.RigidBody("body", 1.0, inertia=(J, J, J)))
        system.add(vc.potentials.TorsionSpring("spring", "ground", body, stiffness=k))
        motion = vc.simulate(system, 20.0, {"body": vc.Pose((0, 0, 0), Rotation.from_rotvec(2.6 * axis).as_matrix())})
        turned = Rotation.from_matrix(motion.body("body").rotation).as_rotvec()
        assert np.abs(turned - 2.6 * np.cos(2.0 * motion.time)[:, None] * axis).max() < 2e-13
        assert motion.audit().passed

    def test_the_moment_of_a_torsion_spring_is_stiffness_times_angle_along_the_axis(self):
        axis = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])
        system = vc.System("two")
        bodies = [system.add(vc.RigidBody(n, 1.0, inertia=(1, 1, 1))) for n in "ab"]
        system.add(vc.potentials.TorsionSpring("spring", *bodies, stiffness=2.3))
        efforts = Efforts(system)
        base = Rotation.from_rotvec([0.4, 0.2, -0.7])
        turned = base * Rotation.from_rotvec(1.1 * axis)
        found, _ = efforts(np.zeros((2, 3)), np.array([base.as_matrix(), turned.as_matrix()]))
        assert np.abs(found[1, 3:] + 2.53 * base.apply(axis)).max() < 1e-14
        still, _ = efforts(np.zeros((2, 3)), np.array([base.as_matrix()] * 2))
        assert np.abs(still).max() < 1e-15

    @pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 0.1, 1.0, 2.5, 3.0, 3.1])
    def test_angles_and_rotation_vectors_are_those_of_the_matrix(self, angle):
        axis = np.array([-2.0, 6.0, 3.0]) / 7
        R = Rotation.from_rotvec(angle * axis).as_matrix()
        assert abs(squared_angle(R) - angle**2) < 3e-15 * max(1.0, 1.0 / (np.pi - angle))
        assert np.abs(rotation_vector(R) - angle * axis).max() < 1e-15 * max(angle, 1.0 / (np.pi - angle) ** 2)

    @needs_heyoka
    def test_a_run_stops_where_a_torsion_spring_has_turned_half_a_turn(self):
        system = vc.System("rotor")
        rotor = system.add(vc.RigidBody("rotor", 1.0, inertia=(1, 1, 2)))
        system.add(vc.Revolute("bearing", "ground", rotor))
        system.add(vc.potentials.TorsionSpring("spring", "ground", rotor, stiffness=0.5))
        for method in ("taylor", "dop853", "series"):
            with pytest.raises(
                RunError, match="spring 'spring': 'rotor' has turned half a turn relative to 'ground'"
            ) as error:
                vc.simulate(system, 10.0, {"bearing": vc.At(0.0, rate=4.0)}, method=method)
            w = 0.5
            assert abs(error.value.motion.time[-1] - np.arcsin((np.pi - 0.002) * w / 4.0) / w) < 2e-2
            assert np.pi - 0.0021 < error.value.motion.q[-1, 0] < np.pi

    @pytest.mark.parametrize("method", [TAYLOR, "dop853", "series"])
    def test_a_bead_passes_straight_through_the_end_of_its_spring(self, method):
        """On a wire through the end, m ẍ = −k (x − ℓ₀ sign x): parts of two harmonic motions, joined where x = 0."""
        x, v, rest, w = 1.0, -2.0, 0.5, 1.5
        system = vc.System("bead")
        bead = system.add(vc.MassPoint("bead", 2.0))
        system.add(vc.Prismatic("wire", "ground", bead, axis=(1, 0, 0)))
        system.add(vc.Spring("spring", bead, "ground", stiffness=2.0 * w**2, rest_length=rest))
        passing = [vc.Event("end", ["wire"], lambda wire: wire.q)] if method != "series" else []
        motion = vc.simulate(system, 6.0, {"wire": vc.At(x, rate=v)}, method=method, events=passing)
        expected, t0, side, passages = np.empty_like(motion.time), 0.0, 1.0, []
        while t0 < 6.0:
            a, b = x - side * rest, v / w
            size, phase = np.hypot(a, b), np.arctan2(b, a)
            inside = motion.time >= t0
            expected[inside] = side * rest + size * np.cos(w * (motion.time[inside] - t0) - phase)
            turn = np.arccos(-side * rest / size)
            later = [(phase + sign * turn + 2 * np.pi * n) / w for sign in (-1, 1) for n in (0, 1, 2)]
            hit = min(t for t in later if t > 1e-9)
            t0, x, v, side = t0 + hit, 0.0, -size * w * np.sin(w * hit - phase), -side
            passages.append(t0)
        assert np.abs(motion.q[:, 0] - expected).max() < (1e-12 if method != "dop853" else 1e-11)
        assert len(passages) > 3 and np.diff(motion.record.pieces.times).min() > 0.0
        if passing:
            assert np.allclose([c.time for c in motion.record.crossings], passages[:-1], rtol=0, atol=1e-11)
        assert motion.audit().passed

    @weak_without_heyoka("dop853 keeps energy only to 2e-9 through the end of a spring")
    def test_an_arm_whose_tip_goes_through_the_end_of_its_spring_is_certified(self):
        arm = vc.System("arm", gravity=(0, 0, -9.81))
        upper = arm.add(vc.RigidBody("upper", mass=1.0, com=(0, 0, -0.5), inertia=(0.084, 0.084, 0.001)))
        lower = arm.add(vc.RigidBody("lower", mass=0.5, com=(0, 0, -0.4), inertia=(0.030, 0.030, 0.001)))
        arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
        arm.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
        arm.add(
            vc.Spring(
                "spring", upper, "ground", stiffness=40.0, rest_length=0.2, at=(0, 0, -1), to=(1, 0, 0), damping=0.1
            )
        )
        motion = vc.simulate(arm, 5.0, {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)})
        assert motion.audit().passed
        assert motion.q[:, 0].min() < -np.pi / 2 - 0.5

    @needs_heyoka
    def test_a_damper_takes_what_its_closed_form_says(self):
        system = vc.System("bead")
        bead = system.add(vc.MassPoint("bead", 2.0))
        system.add(vc.Prismatic("wire", "ground", bead, axis=(1, 0, 0)))
        system.add(vc.Damper("damper", bead, "ground", 0.6, to=(-3.0, 0, 0)))
        motion = vc.simulate(system, 5.0, {"wire": vc.At(0.0, rate=1.0)})
        assert np.abs(motion.v[:, 0] - np.exp(-0.3 * motion.time)).max() < 1e-14
        assert motion.audit().passed

    @needs_heyoka
    def test_a_spring_acts_between_the_points_that_it_is_fixed_to(self):
        """A pendulum on a spring from (0, 0, −1) of the arm to (1, 0.3, 0) of the ground, energy against NumPy."""
        arm = vc.System("arm", gravity=(0, 0, -9.81))
        upper = arm.add(vc.RigidBody("upper", 2.0, (0, 0, -0.5), (0.2, 0.2, 0.01)))
        arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
        arm.add(vc.Spring("spring", upper, "ground", stiffness=40.0, rest_length=0.2, at=(0, 0, -1), to=(1, 0.3, 0)))
        motion = vc.simulate(arm, 5.0, {"shoulder": 0.3})
        q, w = motion.q[:, 0], motion.v[:, 0]
        tip = np.stack([-np.sin(q), 0 * q, -np.cos(q)], axis=1)
        length = np.linalg.norm(tip - [1, 0.3, 0], axis=1)
        energy = 0.5 * (0.2 + 0.5) * w**2 - 2 * 9.81 * 0.5 * np.cos(q) + 20.0 * (length - 0.2) ** 2
        assert np.abs(energy - energy[0]).max() < 1e-12
        assert motion.audit().passed


class TestJointAndSpring:
    """Two bodies with ball and socket and a spring, isolated."""

    def test_energy_momenta_and_gap_are_kept_and_the_moments_of_the_joint_are_not_opposite(self):
        system = vc.System("isolated")
        a = system.add(vc.RigidBody("a", 1.2, inertia=(0.3, 0.4, 0.5)))
        b = system.add(vc.RigidBody("b", 0.8, inertia=(0.1, 0.25, 0.2)))
        arm_a, arm_b = np.array([0.5, 0.1, 0.0]), np.array([-0.4, 0.0, 0.2])
        system.add(vc.Spherical("socket", a, b, at=arm_a, to=arm_b))
        system.add(vc.Spring("spring", a, b, stiffness=15.0, rest_length=0.3, at=(0, 0.4, 0), to=(0.1, 0.3, 0.3)))
        motion = vc.simulate(system, 5.0, {"a": vc.At((0, 0, 0), rate=(0.1, -0.2, 0.3, 0.6, -0.4, 0.5)),
                                           "socket": vc.At((1, 0, 0, 0), rate=(-0.5, 0.8, 0.3))})  # fmt: skip
        assert motion.audit().passed
        x, R = ([getattr(motion.body(n), what) for n in "ab"] for what in ("position", "rotation"))
        twists = [np.einsum("tij,tkj->tki", R[i], motion.body(n).twist.reshape(-1, 2, 3)) for i, n in enumerate("ab")]
        v, w = ([twist[:, k] for twist in twists] for k in (0, 1))
        mass, J = (1.2, 0.8), (np.diag([0.3, 0.4, 0.5]), np.diag([0.1, 0.25, 0.2]))
        spin = [np.einsum("tij,jk,tlk,tl->ti", R[i], J[i], R[i], w[i]) for i in (0, 1)]
        momentum = sum(mass[i] * v[i] for i in (0, 1))
        moment = sum(spin[i] + mass[i] * np.cross(x[i], v[i]) for i in (0, 1))
        d = x[0] + R[0] @ [0, 0.4, 0] - x[1] - R[1] @ [0.1, 0.3, 0.3]
        kinetic = sum(mass[i] * (v[i] ** 2).sum(1) + (spin[i] * w[i]).sum(1) for i in (0, 1)) / 2
        energy = kinetic + 7.5 * (np.linalg.norm(d, axis=1) - 0.3) ** 2
        for kept in (momentum, moment, energy):
            assert np.abs(kept - kept[0]).max() < 2e-12
        assert np.abs(x[0] + R[0] @ arm_a - x[1] - R[1] @ arm_b).max() < 1e-12
        u = -15.0 * (1 - 0.3 / np.linalg.norm(d, axis=1))[:, None] * d
        on_b = motion.joint("socket").reaction[:, :3]
        p, h = mass[1] * v[1], motion.time[1]
        rate = (8 * (p[3:-1] - p[1:-3]) - p[4:] + p[:-4]) / (12 * h)
        assert np.abs(rate - (on_b - u)[2:-2]).max() < 5e-3
        joint = [np.cross(R[0] @ arm_a, -on_b), np.cross(R[1] @ arm_b, on_b)]
        assert np.abs(joint[0] + joint[1]).max() > 0.1
        assert np.abs(joint[1] + joint[0] - np.cross(x[0] - x[1], on_b)).max() < 1e-11


class TestGravitation:
    def test_unit_masses_ten_apart_attract_with_a_hundredth(self):
        system = points([1.0, 1.0], lambda b: vc.potentials.Gravitation("g", b, G=1.0))
        forces = force_on(system, "ab", [(0, 0, 0), (10, 0, 0)])
        assert np.abs(forces - [[0.01, 0, 0], [-0.01, 0, 0]]).max() < 1e-16

    @pytest.mark.parametrize("degree", [None, 0, 2, 5])
    def test_a_homogeneous_ball_attracts_as_a_point(self, degree):
        system = vc.System("ball")
        ball = system.add(vc.RigidBody.solid("a", vc.shapes.Sphere(1.0), density=1.0))
        point = system.add(vc.MassPoint("b", 1.0))
        law = system.add(vc.potentials.Gravitation("g", [ball, point], G=1.0, degree=degree))
        forces = force_on(system, "ab", [(0, 0, 0, 1, 0, 0, 0), (0, 2.5, 0)])
        assert np.abs(forces[1] - [0, -4 * np.pi / 3 / 6.25, 0]).max() < 1e-15
        assert round(-forces[1, 1], 6) == 0.670206
        assert law.truncation(ball, point, 2.5) == 0.0
        assert "R of" not in repr(model_for(system).layout)

    def test_the_moment_on_a_body_with_second_moments_is_that_of_maccullagh(self):
        G, M, J = 1.3, 5.0, np.diag([0.5, 0.9, 1.2])
        system = vc.System("satellite")
        body = system.add(vc.RigidBody("a", 2.0, inertia=J))
        system.add(vc.potentials.Gravitation("g", [body, system.add(vc.RigidBody("b", M, inertia=(1, 1, 1)))], G=G))
        x = np.array([[0.2, -0.1, 0.4], [3.0, 1.0, -2.0]])
        R = Rotation.from_rotvec([0.4, 0.9, -0.3]).as_matrix()
        found, _ = Efforts(system)(x, np.array([R, np.eye(3)]))
        r = x[1] - x[0]
        moment = 3 * G * M / np.linalg.norm(r) ** 5 * np.cross(r, R @ J @ R.T @ r)
        assert np.abs(found[0, 3:] - moment).max() < 1e-15
        assert np.abs(found[0, 3:] + np.cross(r, found[1, :3])).max() < 1e-15

    def test_a_rod_of_atoms_is_exact_and_a_thin_rod_tends_to_its_logarithm(self):
        """Potential of a homogeneous rod of length 2 on its axis at z: (M/2) ln((z + 1)/(z − 1)); force by differentiation."""
        z, M = 3.0, 1.7
        exact = M / (z**2 - 1)
        for degree, bound in ((2, 2e-2), (5, 5e-4), (11, 5e-7), (21, 2e-11)):
            x, w = np.polynomial.legendre.leggauss(degree // 2 + 1)
            rod = vc.Measure.atoms(np.stack([0 * x, 0 * x, x], axis=1), M * w / 2)
            system = vc.System("rod")
            a, b = system.add(vc.RigidBody.of("a", rod)), system.add(vc.MassPoint("b", 1.0))
            system.add(vc.potentials.Gravitation("g", [a, b], G=1.0))
            system.add(vc.Prismatic("guide", "ground", b, axis=(0, 0, 1)))
            system.add(vc.Weld("fixed", "ground", a))
            force = Efforts(system).at({"guide": z})[0][1, 2]
            assert abs(force + exact) < bound * exact

    def test_a_box_attracts_as_its_integral_says_and_better_with_every_degree(self):
        """Force of the box (2, 1, 0.6) on a point at (1.9, 0.8, 1.1): ∫ (y − x)/|y − x|³ ρ dV."""
        size, place = np.array([2.0, 1.0, 0.6]), np.array([1.9, 0.8, 1.1])

        def pull(k):
            return tplquad(lambda z, y, x: (np.array([x, y, z]) - place)[k] / np.linalg.norm(np.array([x, y, z]) - place) ** 3,
                           -1.0, 1.0, -0.5, 0.5, -0.3, 0.3, epsabs=1e-10, epsrel=1e-10)[0]  # fmt: skip

        exact = np.array([pull(k) for k in range(3)])
        errors = []
        for degree in (0, 2, 5, 9):
            system = vc.System("box")
            box = system.add(vc.RigidBody.solid("a", vc.shapes.Box(size), density=1.0))
            point = system.add(vc.MassPoint("b", 1.0))
            law = system.add(vc.potentials.Gravitation("g", [box, point], G=1.0, degree=degree))
            force = force_on(system, "ab", [(0, 0, 0), place])[1]
            errors.append(np.linalg.norm(force - exact) / np.linalg.norm(exact))
            assert errors[-1] < (degree + 2) * law.truncation(box, point, float(np.linalg.norm(place)))
        assert errors[1] < 0.3 * errors[0] and errors[2] < 0.2 * errors[1] and errors[3] < 0.05 * errors[2]
        assert errors[3] < 1e-5
        system = vc.System("box")
        box = system.add(vc.RigidBody.solid("a", vc.shapes.Box(size), density=1.0))
        point = system.add(vc.MassPoint("b", 1.0))
        nearest = float(np.linalg.norm(place))
        law = system.add(vc.potentials.Gravitation("g", [box, point], G=1.0, accuracy=0.01, nearest=nearest))
        assert law.truncation(box, point, nearest) < 0.01 < law.truncation(box, point, 0.8 * nearest)
        assert np.linalg.norm(force_on(system, "ab", [(0, 0, 0), place])[1] - exact) < 0.01 * np.linalg.norm(exact)

    def test_two_boxes_attract_and_turn_each_other_as_a_fine_sum_does(self):
        sizes = np.array([[1.0, 0.5, 0.3], [0.4, 0.8, 0.6]])
        x = np.array([[0.0, 0, 0], [1.6, 0.7, -0.5]])
        R = Rotation.from_rotvec([[0.3, -0.4, 0.5], [-0.6, 0.2, 0.9]]).as_matrix()
        nodes, weights = np.polynomial.legendre.leggauss(10)
        grid = np.stack(np.meshgrid(nodes, nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 3)
        weight = np.einsum("i,j,k->ijk", weights, weights, weights).ravel() / 8
        clouds = [x[i] + (0.5 * sizes[i] * grid) @ R[i].T for i in (0, 1)]
        d = clouds[1][None] - clouds[0][:, None]
        pair = (weight[:, None] * weight[None])[..., None] * 2.0 * 3.0 * d / np.linalg.norm(d, axis=2)[..., None] ** 3
        force = pair.sum((0, 1))
        moments = [np.cross(clouds[0] - x[0], pair.sum(1)).sum(0), np.cross(clouds[1] - x[1], -pair.sum(0)).sum(0)]
        expected = np.array([np.concatenate([force, moments[0]]), np.concatenate([-force, moments[1]])])
        errors = []
        for settings in ({"degree": 2}, {"degree": 3}, {"degree": 5}):
            system = vc.System("boxes")
            bodies = [
                system.add(vc.RigidBody.solid(n, vc.shapes.Box(s), mass=m))
                for n, s, m in zip("ab", sizes, (2, 3), strict=True)
            ]
            system.add(vc.potentials.Gravitation("g", bodies, G=1.0, **settings))
            found, _ = Efforts(system)(x, R)
            assert np.abs(found[0, :3] + found[1, :3]).max() < 1e-14
            assert np.abs(found[:, 3:].sum(0) + np.cross(x[1] - x[0], found[1, :3])).max() < 1e-13
            errors.append(np.abs(found - expected).max())
        assert errors[0] < 0.05 and errors[2] < 2e-3

    def test_softened_points_attract_as_plummer_says(self):
        system = points([2.0, 3.0], lambda b: vc.potentials.Gravitation("g", b, G=1.0, softening=0.5))
        forces = force_on(system, "ab", [(0, 0, 0), (0.3, 0.4, 0)])
        assert np.abs(forces[0] - 6.0 * np.array([0.3, 0.4, 0]) / 0.5**1.5).max() < 1e-14

    def test_the_equations_of_points_hold_one_power_for_each_pair_and_no_root_or_quotient(self):
        system = points(np.arange(1.0, 7.0), lambda b: vc.potentials.Gravitation("g", b, G=1.0))
        operations = [row[0] for row in model_for(system).tape("motion").rows()]
        assert operations.count("pow") == 15
        assert "sqrt" not in operations and "div" not in operations

    def test_gravitating_points_keep_their_momentum_screw_and_know_no_place_or_speed(self):
        """x' = R x + u t + a moves the whole motion along."""
        system = points([1.0, 2.0, 0.5], lambda b: vc.potentials.Gravitation("g", b, G=1.0))
        rng = np.random.default_rng(4)
        x, v = 2.0 * rng.normal(size=(3, 3)), 0.3 * rng.normal(size=(3, 3))
        R, u, a = (
            Rotation.from_rotvec([0.3, -1.0, 0.5]).as_matrix(),
            np.array([0.2, -0.1, 0.4]),
            np.array([3.0, 1.0, -2.0]),
        )

        def run(x, v):
            return vc.simulate(system, 4.0, {f"body{i}": vc.At(x[i], rate=v[i]) for i in range(3)}, grid=101)

        one, other = run(x, v), run(x @ R.T + a, v @ R.T + u)
        screw = one.body().momentum
        assert np.abs(screw - screw[0]).max() < 1e-12
        for i in range(3):
            carried = one.body(f"body{i}").position @ R.T + np.outer(one.time, u) + a
            assert np.abs(other.body(f"body{i}").position - carried).max() < 1e-10

    def test_a_prescribed_star_attracts_what_goes_round_it(self):
        """A star on a circle of radius s turning at w, and a planet that stays on the line beyond: G M/(r − s)² = w² r."""
        w, s, r = 0.7, 0.4, 2.0
        system = vc.System("circling")
        star = system.add(
            vc.PrescribedBody("star", lambda t: (s * vc.math.cos(w * t), s * vc.math.sin(w * t), 0), mass=3.0)
        )
        planet = system.add(vc.MassPoint("planet", 1.0))
        system.add(vc.potentials.Gravitation("g", [star, planet], G=w**2 * r * (r - s) ** 2 / 3.0))
        motion = vc.simulate(system, 3.0, {"planet": vc.At((r, 0, 0), rate=(0, w * r, 0))})
        t = motion.time
        assert (
            np.abs(motion.body("planet").position - r * np.stack([np.cos(w * t), np.sin(w * t), 0 * t], axis=1)).max()
            < 1e-11
        )
        assert motion.audit().passed

    def test_fifty_points_attract_as_the_sum_over_their_pairs(self):
        rng = np.random.default_rng(6)
        mass, x = rng.uniform(0.5, 2.0, 50), 3.0 * rng.normal(size=(50, 3))
        system = points(mass, lambda b: vc.potentials.Gravitation("g", b, G=0.1, softening=0.2))
        motion = vc.simulate(system, 0.05, {f"body{i}": x[i] for i in range(50)}, grid=[0.0, 0.05])
        d = x[None] - x[:, None]
        pull = 0.1 * (mass[None, :, None] * d / (((d**2).sum(2) + 0.04)[..., None] ** 1.5)).sum(1)
        moved = (motion.q[-1].reshape(50, 3) - x) / (0.5 * 0.05**2)
        assert np.abs(moved - pull).max() < 1e-3 * np.abs(pull).max()
        assert np.abs(motion.body().momentum[-1]).max() < 1e-12

    @needs_heyoka
    def test_an_eccentric_orbit_closes(self):
        """e = 0.6, a = 1, two periods: back at the start to 1e-12, and the energy is −G m M/2a."""
        G, M, m, e = 1.0, 2.0, 0.5, 0.6
        system = points([M, m], lambda b: vc.potentials.Gravitation("g", b, G=G))
        speed = np.sqrt(G * (M + m) * (1 + e) / (1 - e))
        share = m / (M + m)
        start = {"a": vc.At((-share * (1 - e), 0, 0), rate=(0, -share * speed, 0)),
                 "b": vc.At(((1 - share) * (1 - e), 0, 0), rate=(0, (1 - share) * speed, 0))}  # fmt: skip
        period = 2 * np.pi / np.sqrt(G * (M + m))
        motion = vc.simulate(system, 2 * period, start)
        assert np.abs(motion.q[-1] - motion.q[0]).max() < 1e-12
        assert np.abs(motion.v[-1] - motion.v[0]).max() < 5e-12
        d = np.linalg.norm(motion.body("a").position - motion.body("b").position, axis=1)
        assert abs(d.max() - 1.6) < 1e-5
        assert motion.audit().passed

    @needs_heyoka
    def test_points_that_fall_on_each_other_stop_at_the_instant_of_the_closed_form(self):
        G, M, m, r0 = 1.0, 2.0, 1.0, 1.5
        system = points([M, m], lambda b: vc.potentials.Gravitation("attraction", b, G=G))
        fall = np.pi / 2 * r0**1.5 / np.sqrt(2 * G * (M + m))
        for method in ("taylor", "dop853"):
            with pytest.raises(
                RunError, match=r"'a' and 'b' are .* apart, the nearest bodies of gravitation 'attraction'"
            ) as e:
                vc.simulate(system, 5.0, {"a": (0, 0, 0), "b": (0, r0, 0)}, method=method)
            assert abs(e.value.motion.time[-1] - fall) < 1e-9


class TestOtherPotentials:
    def test_charges_scatter_by_rutherfords_angle(self):
        """A charge that comes from far with speed v and impact parameter b turns by 2 atan(K e e'/(m v² b))."""
        K, e, f, m, v, b, far = 2.0, 1.5, 0.8, 1.2, 3.0, 0.25, 1e6
        system = vc.System("scattering")
        target, probe = system.add(vc.RigidBody("target", 1.0, inertia=(1, 1, 1))), system.add(vc.MassPoint("probe", m))
        system.add(vc.Weld("fixed", "ground", target))
        system.add(vc.potentials.CoulombCharges("charges", [target, probe], [e, f], constant=K))
        motion = vc.simulate(system, 2 * far / v, {"probe": vc.At((-far, b, 0), rate=(v, 0, 0))}, grid=2)
        out = motion.v[-1]
        angle = 2 * np.arctan(K * e * f / (m * v**2 * b))
        assert abs(np.arctan2(out[1], out[0]) - angle) < 5e-6

    def test_atoms_near_the_bottom_of_their_well_swing_at_its_frequency(self):
        """U'' at 2^(1/6) σ is 72 ε / (2^(1/3) σ²); the period's change with amplitude is of second order."""
        depth, size, m, n = 0.8, 1.3, 1.0, 3.0
        system = points([m, n], lambda b: vc.potentials.LennardJones("atoms", b, depth, size))
        rest = 2 ** (1 / 6) * size
        w = np.sqrt(72 * depth / (2 ** (1 / 3) * size**2) * (1 / m + 1 / n))
        check_small_swing(system, rest, w)

    def test_a_morse_bond_swings_at_its_frequency(self):
        depth, width, rest, m, n = 0.8, 0.3, 1.3, 1.0, 3.0
        system = points([m, n], lambda b: vc.potentials.Morse("bond", b, depth, width, rest))
        check_small_swing(system, rest, np.sqrt(2 * depth / width**2 * (1 / m + 1 / n)))

    def test_a_morse_bond_swings_with_its_exact_period(self):
        """Period 2π √(μ w²/2|E|) for the energy E < 0 of the relative motion."""
        depth, width, rest, m, n = 0.8, 0.3, 1.3, 1.0, 3.0
        system = points([m, n], lambda b: vc.potentials.Morse("bond", b, depth, width, rest))
        apart = rest + 0.2
        E = depth * ((1 - np.exp(-0.2 / width)) ** 2 - 1)
        period = 2 * np.pi * np.sqrt(m * n / (m + n) * width**2 / (2 * abs(E)))
        motion = vc.simulate(system, period, {"a": (0, 0, 0), "b": (apart, 0, 0)})
        assert np.abs(motion.q[-1] - motion.q[0]).max() < 1e-12

    def test_dipoles_push_and_turn_each_other_as_textbooks_say(self):
        c, d1, d2 = 0.7, np.array([1.0, -0.5, 0.8]), np.array([0.3, 0.9, -0.6])
        system = vc.System("magnets")
        bodies = [system.add(vc.RigidBody(n, 1.0, inertia=(1, 1, 1))) for n in "ab"]
        system.add(vc.potentials.MagneticDipoles("magnets", *bodies, [d1, d2], constant=c))
        x = np.array([[0.1, 0.2, -0.3], [1.4, -0.8, 0.9]])
        R = Rotation.from_rotvec([[0.3, -0.4, 0.5], [-0.6, 0.2, 0.9]]).as_matrix()
        a, b, r = R[0] @ d1, R[1] @ d2, x[1] - x[0]
        L = np.linalg.norm(r)
        n = r / L
        force_on_b = 3 * c / L**4 * ((a @ n) * b + (b @ n) * a + (a @ b) * n - 5 * (a @ n) * (b @ n) * n)
        field_at_b = c / L**3 * (3 * (a @ n) * n - a)
        field_at_a = c / L**3 * (3 * (b @ n) * n - b)
        found, _ = Efforts(system)(x, R)
        assert np.abs(found[1] - np.concatenate([force_on_b, np.cross(b, field_at_b)])).max() < 1e-15
        assert np.abs(found[0] - np.concatenate([-force_on_b, np.cross(a, field_at_a)])).max() < 1e-15


def check_small_swing(system, rest, w):
    small = 1e-5
    motion = vc.simulate(system, 6 * np.pi / w, {"a": (0, 0, 0), "b": (0, rest + small, 0)})
    stretch = np.linalg.norm(motion.body("a").position - motion.body("b").position, axis=1) - rest
    assert np.abs(stretch - small * np.cos(w * motion.time)).max() < 20 * small**2 / rest


class TestReferences:
    """Points of reference and constants of nature."""

    def test_a_mass_without_moments_attracts_from_its_mass_center(self):
        com = np.array([0.3, -0.2, 0.1])
        for degree in (0, 1):
            system = vc.System("two")
            a, b = (system.add(vc.RigidBody(n, 2.0, com=com, inertia=(0.1, 0.2, 0.25))) for n in "ab")
            system.add(vc.potentials.Gravitation("attraction", [a, b], G=1.7, degree=degree))
            R = Rotation.from_rotvec([0.4, 0.3, -0.8]).as_matrix()
            found = Efforts(system).at({"b": vc.Pose((1.5, 0.4, 2.0), R)})[0]
            d = com - (np.array([1.5, 0.4, 2.0]) + R @ com)
            force = -1.7 * 4.0 * d / np.linalg.norm(d) ** 3
            expected = [[*force, *np.cross(com, force)], [*-force, *np.cross(R @ com, -force)]]
            assert np.abs(found - expected).max() < 1e-14

    def test_softened_moments_are_those_of_softened_points(self):
        """Two halves at ±h attract as the second moments m h² do, but for h⁴."""
        h, m, softening, place = 1e-2, 2.0, 0.8, np.array([1.1, 0.6, -0.4])
        system = vc.System("dumbbell")
        rod = system.add(vc.RigidBody("a", m, inertia=(0.0, m * h * h, m * h * h)))
        point = system.add(vc.MassPoint("b", 1.3))
        system.add(vc.potentials.Gravitation("attraction", [rod, point], G=1.7, softening=softening))
        found = Efforts(system).at({"b": vc.At(place)})[0][1, :3]
        halves = [np.array([s * h, 0, 0]) - place for s in (1, -1)]
        pull = [1.7 * 1.3 * 0.5 * m * d / (d @ d + softening**2) ** 1.5 for d in halves]
        bare = 1.7 * 1.3 * m * -place / (place @ place + softening**2) ** 1.5
        assert np.abs(found - sum(pull)).max() < 1e-3 * np.abs(found - bare).max()

    def test_magnets_and_masses_of_the_si_attract_as_measured(self):
        """3 μ₀ m m'/(2π r⁴) on one axis with μ₀ = 1.25663706212e-6 N/A² (CODATA 2018), and G = 6.67430e-11."""
        system = vc.System("magnets")
        bodies = [system.add(vc.RigidBody(n, 1.0, inertia=(1, 1, 1))) for n in "ab"]
        system.add(vc.potentials.MagneticDipoles("magnets", *bodies, [(0, 0, 2.0), (0, 0, 3.0)]))
        found = Efforts(system).at({"b": vc.At((0, 0, 0.5))})[0][0, 2]
        assert np.isclose(found, 3 * 1.25663706212e-6 * 6.0 / (2 * np.pi * 0.5**4), rtol=2e-11, atol=0.0)
        system = points([5.0, 7.0], lambda b: vc.potentials.Gravitation("attraction", b))
        assert np.isclose(
            force_on(system, "ab", [(0, 0, 0), (0.5, 0, 0)])[0, 0], 6.67430e-11 * 35 / 0.25, rtol=1e-15, atol=0.0
        )
