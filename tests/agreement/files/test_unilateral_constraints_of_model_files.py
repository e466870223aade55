"""Unilateral constraints and contacts of model files are those of Python."""

import numpy as np
import pytest

import vinculum as vc

ROD = """
[system]
gravity = [0, 0, -9.81]
[parameters]
half = "25 cm"
rough = 0.4
[bodies.rod]
shape = {kind = "capsule", radius = "2 cm", length = "50 cm"}
mass = 1.1
[bodies.bob]
kind = "point"
mass = "300 g"
[joints.rail]
kind = "prismatic"
parent = "ground"
child = "bob"
axis = [1, 0, 0]
[start.rod]
position = [0, 0, 0.9]
euler = {angles = [0.4, 0.3, 0]}
rate = [0.5, 0.1, 0, 1, 2, 0]
[start.rail]
position = 0.5
rate = 2.0
"""
LAWS = [
    ('"inelastic"', vc.Inelastic(), "", None),
    ('"elastic"', "elastic", "", None),
    ("0.6", 0.6, "friction = 0.4", 0.4),
    ('{kind = "elastic", treatment = "sequential"}', vc.Elastic(treatment="sequential"), "", None),
    ('{kind = "newton", e = 0.6}', vc.Newton(0.6), "friction = 0.4", vc.Coulomb(0.4)),
    ('{kind = "poisson", e = "half + 0.1"}', vc.Poisson(0.35), 'friction = {mu = "rough", along = [1, 1, 0], mu_across = 0.1}',
     vc.Coulomb(0.4, along=(1, 1, 0), mu_across=0.1)),
]  # fmt: skip


def written(tmp_path, text):
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    return vc.read_model(path)


def in_python(law, friction):
    system = vc.System("model", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody.solid("rod", vc.shapes.Capsule(0.02, 0.5), mass=1.1))
    bob = system.add(vc.MassPoint("bob", 0.3))
    system.add(vc.Prismatic("rail", "ground", bob, axis=(1, 0, 0)))
    system.add(vc.Unilateral("tip", [rod], gap=lambda b: b.point((0, 0, -0.25))[2] - 0.02 + 0.01 * vc.math.sin(5 * b.position[0]),
                           point=lambda b: b.point((0, 0, -0.25)), impact=law, friction=friction))  # fmt: skip
    system.add(vc.Unilateral("stop", ["rail"], gap=lambda j, t: 1.0 + 0.1 * vc.math.sin(3 * t) - j.q, impact=law))
    return system


@pytest.mark.parametrize(("impact", "law", "rubs", "friction"), LAWS)
def test_a_unilateral_constraint_of_a_file_is_that_of_python(impact, law, rubs, friction, tmp_path):
    point = 'point = "rod.position - half*rod.z_axis"' if rubs else ""
    file = written(
        tmp_path,
        ROD
        + f"""
[unilaterals.tip]
bodies = ["rod"]
gap = "rod.position[2] - half*rod.z_axis[2] - 0.02 + 0.01*sin(5*rod.position[0])"
impact = {impact}
{rubs}
{point}
[unilaterals.stop]
bodies = ["rail"]
gap = "1 + 0.1*sin(3*t) - rail.q"
impact = {impact}
""",
    )
    settings = {"until": 0.6, "method": "moreau", "step": 2e-3}
    one = vc.simulate(file.system, start=file.start, **settings)
    two = vc.simulate(in_python(law, friction), start=file.start, **settings)
    assert len(one.record.atoms) > 0
    np.testing.assert_allclose(one.q, two.q, rtol=0, atol=1e-9)
    np.testing.assert_allclose(one.bond("tip").impulses.normal, two.bond("tip").impulses.normal, rtol=1e-6, atol=1e-9)
    assert len(one.bond("stop").impulses) == len(two.bond("stop").impulses) > 0


def test_a_contact_of_a_file_is_that_of_python(tmp_path):
    file = written(
        tmp_path,
        """
[system]
gravity = [0, 0, -9.81]
[parameters]
r = "10 cm"
[bodies.ball]
shape = {kind = "sphere", radius = "r"}
density = 900
[bodies.brick]
shape = {kind = "box", size = [0.3, 0.2, "r"]}
density = 900
[contacts.meetings]
walls = [{normal = [0, 0, 2]},
         {normal = [-1, 0, 0], offset = "-2*r"},
         {shape = {kind = "box", size = [0.2, 0.2, "r"]}, at = {position = [0, 0, 0.05]}}]
impact = {kind = "newton", e = 0.2}
friction = {mu = 0.3}
[start]
ball = [0.02, 0.01, 0.6]
brick = [0.05, 0, 0.25]
[run]
until = 0.7
method = "moreau"
step = "5 ms"
tolerance = 1e-9
""",
    )
    assert file.run == {"until": 0.7, "begin": 0.0, "method": "moreau", "step": 0.005, "tolerance": 1e-9}
    system = vc.System("model", gravity=(0, 0, -9.81))
    bodies = [system.add(vc.RigidBody.solid(name, shape, density=900)) for name, shape in
              (("ball", vc.shapes.Sphere(0.1)), ("brick", vc.shapes.Box((0.3, 0.2, 0.1))))]  # fmt: skip
    walls = [
        vc.shapes.HalfSpace((0, 0, 1)),
        vc.shapes.HalfSpace((-1, 0, 0), -0.2),
        vc.shapes.FixedSolid(vc.shapes.Box((0.2, 0.2, 0.1)), at=(0, 0, 0.05)),
    ]
    system.add(vc.Contact("meetings", bodies, walls=walls, impact=vc.Newton(0.2), friction=vc.Coulomb(0.3)))
    one, two = (vc.simulate(s, start=file.start, **file.run) for s in (file.system, system))
    assert one.record.contact_solver.contacts.max() >= 5
    np.testing.assert_allclose(one.q, two.q, rtol=0, atol=1e-12)


def test_groups_rolling_and_prescribed_shapes_of_a_file_are_those_of_python(tmp_path):
    file = written(
        tmp_path,
        """
[bodies.arm]
shape = {kind = "capsule", radius = "5 cm", length = "60 cm"}
density = 1000
[bodies.belt]
kind = "prescribed"
position = ["0.1*t", 0, -1]
shape = {kind = "box", size = [2, 1, 0.1]}
[joints.hinge]
kind = "revolute"
parent = "ground"
child = "arm"
axis = [0, 1, 0]
[contacts.carrying]
bodies = ["arm"]
against = ["belt"]
joined = true
walls = [{normal = [0, 0, 1], offset = -2}]
impact = {kind = "newton", e = 0.3}
friction = {mu = 0.5, rolling = "2 mm", spinning = 0.001}
""",
    )
    contact = file.system.contacts["carrying"]
    assert (contact.names, contact.joined) == (("arm", "belt"), True)
    assert [getattr(body, "name", body) for body in contact.against] == ["belt"]
    assert (contact.friction.mu, contact.friction.rolling, contact.friction.spinning) == (0.5, 0.002, 0.001)
    belt = file.system.bodies["belt"].shape
    assert isinstance(belt, vc.shapes.Box) and belt.size.tolist() == [2, 1, 0.1]


def test_polytopes_and_surfaces_of_a_file_are_those_of_python(tmp_path):
    file = written(
        tmp_path,
        """
[system]
gravity = [0, 0, -9.81]
[bodies.stone]
shape = {kind = "polytope", corners = [[0, 0, 0], ["20 cm", 0, 0], [0, 0.2, 0], [0, 0, 0.2]]}
density = 900
[bodies.drum]
shape = {kind = "cylinder", radius = "10 cm", length = 0.2}
density = 900
[joints.rail]
kind = "prismatic"
parent = "ground"
child = "drum"
axis = [0, 0, 1]
[contacts.meetings]
bodies = ["stone", "drum"]
walls = [{kind = "two_sided_plane", normal = [1, 0, 0], offset = -0.9},
         {kind = "height_field", heights = [[0, 0], ["10 cm", 0.1]], spacing = 2, at = {position = [-1, -1, 0]}},
         {kind = "mesh", corners = [[0.3, -1, 0], [0.3, 1, 0], [0.3, 0, 1]], triangles = [[0, 2, 1]]}]
impact = "inelastic"
friction = 0.3
[start]
stone = [-0.3, 0, 0.3]
rail = 0.4
""",
    )
    system = vc.System("model", gravity=(0, 0, -9.81))
    rock = vc.shapes.Polytope([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)])
    system.add(vc.RigidBody.solid("stone", rock, density=900))
    system.add(vc.RigidBody.solid("drum", vc.shapes.Cylinder(0.1, 0.2), density=900))
    system.add(vc.Prismatic("rail", "ground", "drum", axis=(0, 0, 1)))
    walls = [
        vc.shapes.TwoSidedPlane((1, 0, 0), -0.9),
        vc.shapes.HeightField([[0, 0], [0.1, 0.1]], 2.0, at=(-1, -1, 0)),
        vc.shapes.Mesh([(0.3, -1, 0), (0.3, 1, 0), (0.3, 0, 1)], [(0, 2, 1)]),
    ]
    laws = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.3)}
    system.add(vc.Contact("meetings", ["stone", "drum"], walls=walls, **laws))
    settings = {"until": 0.4, "method": "moreau", "step": 1e-3, "start": file.start}
    one, two = (vc.simulate(s, **settings) for s in (file.system, system))
    assert {"stone", "drum", "wall 2"} <= set(one.bond("meetings").impulses.shapes.ravel())
    np.testing.assert_allclose(one.q, two.q, rtol=0, atol=1e-9)
