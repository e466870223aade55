"""What meshes, spread measures and bi-measures refuse, and what they say."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import FileError, ModelError

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1.0)])
TRIANGLES = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
MOBIUS = np.array([(0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0), (4, 0, 1)])
CUBE = vc.Measure.solid(vc.shapes.Box((1, 1, 1)), mass=1.0)
GRAVITATION = vc.measures.SkewBimeasure.central(lambda r: 1 / r**2)
POINT = vc.Measure.atoms([(5, 0, 0)], [1.0])


def mesh(corners=CORNERS, triangles=TRIANGLES, **given):
    return vc.Measure.mesh(corners, triangles, **({"density": 1.0} | given))


def nested():
    """A small tetrahedron in a large one, both with outward normals."""
    inner = 0.1 * CORNERS + 0.1
    return np.concatenate([CORNERS, inner]), np.concatenate([TRIANGLES, TRIANGLES + 4])


CASES = {
    "open": (lambda: mesh(triangles=TRIANGLES[:3]),
             r"not watertight: 3 edges .* corners \(0, 2\) from \[0.0, 0.0, 0.0\] to \[0.0, 1.0, 0.0\].*the hole .* vc.Measure.surface"),
    "nan": (lambda: mesh(np.where(CORNERS == 1.0, np.nan, CORNERS)), r"corner 1 is \[nan, 0.0, 0.0\] \(3 of 4 corners are not finite\)"),
    "unknown corner": (lambda: mesh(triangles=TRIANGLES + 1), r"cell 0 is \[1, 3, 2\]|there are corners 0 to 3; count corners from 0"),
    "flat": (lambda: mesh(CORNERS * (1, 1, 0)), r"volume is .* so it is flat; .* vc.Measure.surface"),
    "points": (lambda: mesh(CORNERS * 0), r"it is 0 m wide, .* check its units"),
    "one side only": (lambda: mesh(np.random.default_rng(0).normal(size=(5, 3)), MOBIUS), r"not watertight|has one side only"),
    "counted twice": (lambda: mesh(*nested()), r"shell of triangle 4, .* inside another one and faces outward.*leave it out"),
    "scale": (lambda: mesh(scale=-1.0), r"scale -1.0 must be a number > 0"),
    "no density": (lambda: mesh(density=None), r"give exactly one of them"),
    "negative density": (lambda: mesh(density=-2.0), r"density -2 kg/m³ is not positive: .* signed=True"),
    "negative somewhere": (lambda: mesh(density=lambda x: x[0] - 0.1), r"density is -.* not negative inside the solid; give signed=True"),
    "not finite": (lambda: vc.Measure.solid(vc.shapes.Sphere(1.0), density=lambda x: np.inf, signed=True), r"density is inf .* be finite"),
    "negative atom": (lambda: vc.Measure.atoms([(0, 0, 0)], [-1.0]), r"atom 0 has mass -1 kg: .* signed=True"),
    "flat cell": (lambda: vc.shapes.Tetrahedra(CORNERS * (1, 1, 0), [(0, 1, 2, 3)]), r"cell 0, \[0, 1, 2, 3\], has the .* in one plane"),
    "flat triangle": (lambda: vc.Measure.surface(CORNERS, [(0, 1, 1)], mass=1.0), r"triangle 0, .* has the area 0.0e\+00; leave it out"),
    "short line": (lambda: vc.Measure.line([(0, 0, 0), (0, 0, 0)], mass=1.0), r"segment 0, .* has the length 0"),
    "interval": (lambda: vc.Measure.line(lambda s: (s, s, s), over=(1, 0), mass=1.0), r"over=\(1, 0\); give an interval"),
    "position": (lambda: vc.Measure.line(lambda s: (s, s), over=(0, 1), mass=1.0), r"returns shape \(2,\); return a position"),
    "accuracy": (lambda: vc.measures.integral(CUBE, lambda x: 1.0, accuracy=1e-20), r"accuracy 1e-20 must be a number from 1e-14 to 0.1"),
    "region": (lambda: CUBE.restrict("box"), r"'box' is no region; give a solid"),
    "nothing left": (lambda: CUBE.restrict(vc.shapes.Sphere(0.1), at=(5, 0, 0)), r"nothing of it is in the region"),
    "level": (lambda: CUBE.restrict(lambda x: x), r"function of a region gives shape .* return one finite number"),
    "not a measure": (lambda: GRAVITATION.between(CUBE, "moon"), r"'moon' is not a measure"),
    "coincidence": (lambda: GRAVITATION.between(POINT, POINT), r"two points coincide at \[5.0, 0.0, 0.0\].*move the measures apart"),
    "singular": (lambda: vc.measures.SkewBimeasure(lambda x, y: (y - x) / ((y - x) ** 2).sum(1)[:, None]).between(POINT, POINT),
                 r"singular where the measures overlap; move them apart, or soften it"),
    "not opposite": (lambda: vc.measures.SkewBimeasure(lambda x, y: x + y).between(CUBE, POINT), r"law is not skew at .* opposite forces"),
    "not central": (lambda: vc.measures.SkewBimeasure(lambda x, y: np.cross((0, 0, 1.0), y - x)).between(CUBE, POINT),
                    r"not on one line and no couples balance them; give couple="),
    "shape of force": (lambda: vc.measures.SkewBimeasure(lambda x, y: x[:, 0]).between(CUBE, POINT), r"force has shape .*return"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_refused_with_a_remedy(name):
    make, message = CASES[name]
    with pytest.raises(ModelError, match=message):
        make()


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(FileError, match="there is no file"):
        vc.Measure.mesh(tmp_path / "rock.stl", density=1.0)
    with pytest.raises(FileError, match=r"is none of .stl, .obj, .ply; convert it"):
        vc.Measure.mesh(tmp_path / "rock.step", density=1.0)
    (tmp_path / "torn.ply").write_text("ply\nformat ascii 1.0\nelement vertex 7")
    with pytest.raises(FileError, match=r"cannot be read|has no triangles"):
        vc.Measure.mesh(tmp_path / "torn.ply", density=1.0)


def test_an_accuracy_that_is_not_reached_is_refused_with_the_place():
    with pytest.raises(
        ModelError, match=r"accuracy 1e-12 is not reached .* near .* ask for less, or divide the body there"
    ):
        vc.measures.integral(
            vc.Measure.line([(0, 0, 0), (1, 0, 0)], mass=1.0), lambda x: 1 / abs(x[0] - 0.3), accuracy=1e-12
        )
