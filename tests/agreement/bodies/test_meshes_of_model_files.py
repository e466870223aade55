"""Bodies of a model file whose mass comes from a mesh, beside those of Python; and what such a table refuses."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import vinculum as vc
from vinculum.cli.app import app
from vinculum.errors import FileError
from vinculum.scalars import value

HANDLE = Path(__file__).resolve().parents[3] / "examples" / "tee_handle.obj"
OPEN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"


def model(folder, text):
    (folder / "parts").mkdir(exist_ok=True)
    (folder / "parts" / "handle.obj").write_text(HANDLE.read_text())
    (folder / "parts" / "open.obj").write_text(OPEN)
    (folder / "model.toml").write_text(text)
    return vc.read_model(folder / "model.toml")


def test_a_mesh_has_a_path_beside_the_file_a_scale_and_a_density(tmp_path):
    read = model(tmp_path, """
[parameters]
rho = 2700
[bodies.handle]
mesh = {file = "parts/handle.obj", scale = "1 cm"}
density = "rho"
at = [0, 0.01, 0]
shape = {kind = "sphere", radius = "3 cm"}
[bodies.heavy]
mesh = "parts/handle.obj"
mass = "3 kg"
[bodies.soft]
kind = "affine"
mesh = {file = "parts/handle.obj", scale = 0.01}
at = [0, "-5.5 cm", 0]
mass = "1 kg"
energy = {kind = "neo_hookean", volume = 64e-6, shear = 1e4}
""")  # fmt: skip
    known = vc.RigidBody.of("handle", vc.Measure.mesh(HANDLE, density=2700.0, scale=0.01, at=(0, 0.01, 0)))
    handle, heavy, soft = (read.system.bodies[name] for name in ("handle", "heavy", "soft"))
    assert float(value(handle.mass)) == pytest.approx(float(known.mass), rel=1e-14)
    np.testing.assert_allclose(np.asarray(value(handle.center), float), known.center, rtol=0, atol=1e-15)
    np.testing.assert_allclose(
        np.asarray(value(handle.inertia_at_center), float), known.inertia_at_center, rtol=1e-12, atol=1e-18
    )
    assert isinstance(handle.shape, vc.shapes.Sphere)
    assert float(heavy.mass) == 3.0 and heavy.center[1] == pytest.approx(5.5, rel=1e-14)
    second = vc.Measure.mesh(HANDLE, mass=1.0, scale=0.01)
    J = second.inertia_at_center
    np.testing.assert_allclose(soft.second_moment, 0.5 * np.trace(J) * np.eye(3) - J, rtol=0, atol=1e-15)


REFUSED = {
    "not watertight": ('mesh = "parts/open.obj"\ndensity = 1.0', r"\[bodies.part\] mesh: it is not watertight: 3 edges .* corners \("),
    "no file": ('mesh = "parts/none.obj"\ndensity = 1.0', r"\[bodies.part\] mesh: there is no file .*none.obj.*check the path"),
    "no format": ('mesh = "parts/handle.step"\ndensity = 1.0', r"is none of .stl, .obj, .ply; convert it"),
    "no density": ('mesh = "parts/handle.obj"', r"\[bodies.part\] has a mesh, which needs either density or mass; give one of them"),
    "both": ('mesh = "parts/handle.obj"\nmass = 1\ndensity = 2', r"has a mesh, which needs either density or mass"),
    "scale": ('mesh = {file = "parts/handle.obj", scale = -1}\nmass = 1', r"\[bodies.part\] mesh: scale -1.0 must be a number > 0"),
    "unit": ('mesh = {file = "parts/handle.obj", scale = "1 s"}\nmass = 1', r"mesh.scale = \"1 s\": s is not a unit of it"),
    "no path": ("mesh = 3\nmass = 1", r"\[bodies.part\] mesh = 3 must be a table"),
    "no name": ("mesh = {scale = 1}\nmass = 1", r"\[bodies.part\] mesh: the key 'file' is missing"),
    "unknown key": ('mesh = {file = "parts/handle.obj", units = "cm"}\nmass = 1',
        r"\[bodies.part\] mesh: the key 'units' is not known; .*file, scale"),
    "key of other bodies": ('mesh = "parts/handle.obj"\nmass = 1\ninertia = [1, 1, 1]',
        r"\[bodies.part\]: the key 'inertia' is not known"),
    "off center": ('kind = "affine"\nmesh = "parts/handle.obj"\nmass = 1',
        r"mass center of its measure is at .* shift the mesh with at = "),
    "flat": ('kind = "affine"\nmesh = "parts/handle.obj"\nmass = 1\nplanar = true',
        r"has a mesh, which is a solid .*leave second_moment, dimension and planar out"),
    "placed shape": ('kind = "affine"\nmass = 1\nsecond_moment = [1, 1, 1]\nat = [1, 0, 0]',
        r"at: only a mesh is placed in an affine body"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_mesh_in_a_file_refuses(name, tmp_path):
    lines, message = REFUSED[name]
    with pytest.raises(FileError, match=message):
        model(tmp_path, f"[bodies.part]\n{lines}\n")


def test_an_example_is_copied_with_its_mesh(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["examples", "tee_handle.toml"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "tee_handle.obj").read_text() == HANDLE.read_text()
    assert vc.read_model(tmp_path / "tee_handle.toml").system.bodies["handle"].mass > 0.0
    again = CliRunner().invoke(app, ["examples", "tee_handle.toml"])
    assert again.exit_code == 2
