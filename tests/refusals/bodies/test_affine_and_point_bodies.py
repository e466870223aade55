"""Affine bodies and point-bodies with impossible numbers, laws or starts."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import FileError, ModelError, StartError

ENERGY = vc.energies.NeoHookean(1.0, 2.0, 1.0)


def blob_with(**options):
    return vc.AffineBody("blob", 1.0, (1, 1, 1), **options)


BODIES = {
    "no mass": (lambda: vc.AffineBody("blob", 0.0, (1, 1, 1)), "body 'blob': mass 0 kg is not positive"),
    "singular": (lambda: vc.AffineBody("blob", 1.0, (1, 1, 0)), "second_moment has the principal values .*0, 1, 1.* dimension=3; a flat"),
    "indefinite": (lambda: vc.AffineBody("blob", 1.0, (1, 1, -0.2)), r"principal values \(-0.2, 1, 1\)"),
    "skew": (lambda: vc.AffineBody("blob", 1.0, [[1, 0.2, 0], [0, 1, 0], [0, 0, 1]]), "second_moment is not symmetric: entry"),
    "thick": (lambda: blob_with(dimension=2), "dimension=2, but second_moment is .* mass lies off"),
    "dimension": (lambda: blob_with(dimension=4), "dimension 4 is not 1, 2 or 3"),
    "planar rod": (lambda: vc.AffineBody("blob", 1.0, [1.0], dimension=1, planar=True), "a planar body is flat"),
    "nan": (lambda: vc.AffineBody("blob", 1.0, (1, np.nan, 1)), "second_moment is .*nan.* not finite"),
    "shape of moment": (lambda: vc.AffineBody("blob", 1.0, (1, 1, 1, 1)), r"second_moment has shape \(4,\)"),
    "off center": (lambda: vc.AffineBody.of("blob", vc.Measure.solid(vc.shapes.Sphere(1.0), mass=1.0, at=(1, 0, 0))),
                   "mass center of its measure is at .* shift the measure"),
    "no measure": (lambda: vc.AffineBody.of("blob", 3.0), "is not a mass measure"),
    "energy is a number": (lambda: blob_with(energy=3.0), "energy is 3.0: give one of vc.energies, or a function of φ"),
    "constant energy": (lambda: blob_with(energy=lambda F: 3.0), "energy is always 3.0, which is not a function of φ"),
    "energy of something else": (lambda: blob_with(energy=lambda F: vc.parameter("k", 2.0) ** 2), "does not depend on φ"),
    "energy is a matrix": (lambda: blob_with(energy=lambda F: F @ F), r"energy has shape \(3, 3\); return one number"),
    "energy is nan": (lambda: blob_with(energy=lambda F: float("nan")), "energy is NaN"),
    "energy fails": (lambda: blob_with(energy=lambda F: F[3, 3]), "energy failed on symbols: IndexError"),
    "energy undefined": (lambda: blob_with(energy=lambda F: vc.math.log(F[0, 0] - 2.0)), "energy is nan J near φ = 1"),
    "dissipation supplies": (lambda: blob_with(dissipation=lambda F, D: -np.sum(D * D)), "dissipation supplies energy"),
    "dissipation of F": (lambda: blob_with(dissipation=lambda F, D: F[0, 0]), "does not depend on φ̇"),
    "negative shear": (lambda: vc.energies.NeoHookean(1.0, -2.0), "NeoHookean: shear is -2, but it must be positive"),
    "flat self-gravity": (lambda: vc.AffineBody("blob", 1.0, (1, 1), planar=True, energy=vc.energies.SelfGravity(1.0, 1.0, 1.0)),
                          "the deformation is 2×2, but an ellipsoid has three dimensions"),
    "no function": (lambda: vc.energies.Isotropic(3.0), "function is 3.0; give a function"),
    "indefinite point-body": (lambda: vc.PointBody("point", 1.0, 2.0, 1.0), "A, B, C are not positive definite: with the velocity"),
    "skew point-body": (lambda: vc.PointBody("point", [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], 0.0, 1.0, mass=1.0), "A is not symmetric"),
    "which mass": (lambda: vc.PointBody("point", (1, 2, 3), 0.0, 1.0), "not a multiple of 1, so it does not tell which mass"),
    "point-body without spin": (lambda: vc.PointBody("point", 1.0, 0.0, (1.0, 1.0, 0.0)), "A, B, C are not positive definite"),
    "nan point-body": (lambda: vc.PointBody("point", 1.0, 0.0, (1.0, np.nan, 1.0)), "C is .*nan.* not finite"),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_impossible_bodies_are_refused(name):
    make, message = BODIES[name]
    with pytest.raises(ModelError, match=message):
        make()


def blob(**options):
    system = vc.System("one")
    body = system.add(blob_with(energy=ENERGY, **options))
    return system, body


STARTS = {
    "inside out": (
        ((0, 0, 0), np.diag([1, 1, -1])),
        r"det φ = -1, but a body cannot be flattened or turned inside out",
    ),
    "flattened": (((0, 0, 0), np.diag([1, 1, 0])), r"det φ = 0"),
    "shape": (((0, 0, 0), np.eye(2)), r"deformation has shape \(2, 2\)"),
    "count": ((0, 0, 0, 1), r"its position is a pair of 3 numbers and a 3×3 matrix"),
    "nan": (((0, 0, np.nan), np.eye(3)), "not finite"),
    "text": ("here", "not numeric"),
}


@pytest.mark.parametrize("name", STARTS)
def test_impossible_starts_are_refused(name):
    given, message = STARTS[name]
    system, _ = blob()
    with pytest.raises(StartError, match=message):
        vc.simulate(system, until=1.0, start={"blob": given})


def test_a_planar_body_cannot_start_out_of_its_plane():
    system = vc.System("plane")
    system.add(vc.AffineBody("plate", 1.0, (1, 1), planar=True))
    for start in ((0, 0, 1), vc.At(((0, 0, 0), np.eye(3)), ((0, 0, 1), np.zeros((3, 3))))):
        with pytest.raises(StartError, match=r"planar, but its (position|rate) leaves the x-y plane"):
            vc.simulate(system, until=1.0, start={"plate": start})


def test_joints_that_keep_attitudes_are_refused_at_a_body_that_deforms():
    for joint in (vc.Revolute, vc.Weld, vc.Planar, vc.Translation, vc.Universal):
        system, body = blob()
        with pytest.raises(
            ModelError,
            match=f"joint 'joint' is a {joint.__name__} and keeps the attitudes .* join one of its points with vc.Spherical",
        ):
            system.add(joint("joint", "ground", body))
        assert not system.joints and not system.constraints
    system, body = blob()
    with pytest.raises(ModelError, match="keeps nothing"):
        system.add(vc.Free("joint", "ground", body))
    with pytest.raises(ModelError, match="no coordinates for its spring, damper or drive"):
        system.add(vc.Spherical("joint", "ground", body, damping=0.1))


def test_a_pure_moment_on_a_body_that_deforms_is_refused():
    system, body = blob()
    with pytest.raises(ModelError, match="body 'blob' deforms, so a pure moment does not say"):
        system.add(vc.Force("turn", body, vc.Wrench(moment=(0, 0, 1))))
    system.add(vc.Force("push", body, vc.Wrench(force=(0, 0, 1), at=(0.1, 0, 0))))
    with pytest.raises(ModelError, match="deforms"):
        system.add(vc.potentials.TorsionSpring("twist", body, "ground", 2.0, damping=0.1))


def test_constraints_on_deformations_ask_for_a_body_that_deforms():
    system = vc.System("rigid")
    system.add(vc.RigidBody("body", 1.0, inertia=(1, 1, 1)))
    with pytest.raises(ModelError, match="'body' does not deform, so its volume is constant"):
        system.add(vc.constraints.incompressible("volume", "body", realization="dalembert"))


def test_a_rodlike_body_has_no_rotation():
    system = vc.System("rod")
    system.add(vc.AffineBody("rod", 1.0, [1.0], dimension=1))
    motion = vc.simulate(system, until=0.1)
    with pytest.raises(StartError, match="'rod' is rod-like and has no rotation"):
        _ = motion.body("rod").rotation


def test_block_matrices_of_twists_refuse_bodies_that_deform():
    system, _ = blob()
    with pytest.raises(vc.errors.MethodError, match="body 'blob' deforms"):
        vc.derive(system, form="newton-euler").blocks([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], np.zeros(12))


TABLES = {
    'kind = "affine"\nmass = 1.0': "needs mass and second_moment, or a shape",
    'kind = "affine"\nshape = {kind = "sphere", radius = 0.1}': "needs either density or mass",
    'kind = "affine"\nmass = 1.0\nsecond_moment = [1, 1, 0]': "dimension=2",
    'kind = "affine"\nmass = 1.0\nshape = {kind = "sphere", radius = 0.1}\ndimension = 2': "leave dimension and planar out",
    'kind = "affine"\nmass = 1.0\nshape = {kind = "sphere", radius = 0.1}\nplanar = true': "leave dimension and planar out",
    'kind = "affine"\nmass = 1.0\nsecond_moment = [1, 1, 1]\nenergy = {kind = "rubber"}': "rubber",
    'kind = "affine"\nmass = 1.0\nsecond_moment = [1, 1]\nplanar = true\nenergy = "F33**2"': "F33 is not an entry of this",
    'kind = "point_body"\nA = [1, 2, 3]\nC = 1.0': "does not tell which mass",
}


@pytest.mark.parametrize("table", TABLES)
def test_tables_of_such_bodies_are_checked(table, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(f"[bodies.blob]\n{table}\n")
    with pytest.raises(FileError, match=TABLES[table]):
        vc.read_model(path)


def test_a_start_with_a_deformation_asks_for_a_body_that_deforms(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text('[bodies.mass]\nkind = "point"\nmass = 1.0\n[start.mass]\ndeformation = [[1, 0], [0, 1]]\n')
    with pytest.raises(FileError, match="'mass' does not deform"):
        vc.read_model(path)


def test_a_body_that_is_crushed_ends_its_run():
    system = vc.System("soft")
    system.add(vc.AffineBody("blob", 1.0, (1, 1, 1), energy=vc.energies.SaintVenantKirchhoff(1.0, 1.0, 0.5)))
    start = {"blob": vc.At(((0, 0, 0), np.eye(3)), ((0, 0, 0), np.diag([-3.0, 0.1, 0.2])))}
    with pytest.raises(vc.errors.RunError, match="body 'blob' is crushed flat, det φ = 0") as told:
        vc.simulate(system, until=5.0, start=start)
    assert np.linalg.det(told.value.motion.body("blob").affine.deformation).min() > -1e-9
