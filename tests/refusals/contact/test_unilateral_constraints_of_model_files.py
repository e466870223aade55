"""What is wrong with a unilateral constraint or a contact of a model file is told with table, key, value and remedy."""

import json
import re

import pytest
from typer.testing import CliRunner

import vinculum as vc
from vinculum.cli.app import app

WORLD = """
[parameters]
r = "30 cm"
e = 1.5
[bodies.bob]
kind = "point"
mass = 1.2
[bodies."red ball"]
mass = 1.2
inertia = [0.05, 0.06, 0.07]
[joints.axle]
kind = "revolute"
parent = "ground"
child = "red ball"
[start]
bob = [0, 0, 1]
"""
GAP = 'bodies = ["bob"]\ngap = "bob.position[2] - r"\n'
SOFT = 'impact = "inelastic"\n'
UNILATERALS = [
    (
        SOFT + 'bodies = ["bob"]',
        "[unilaterals.floor] needs a gap, a formula [m], or a foot, a point of a body above a plane",
    ),
    (
        GAP,
        "[unilaterals.floor]: the key 'impact' is missing; choose an impact law, because the bodies alone do not determine it: inelastic",
    ),
    (
        GAP + "impact = true",
        'impact = true must be a number e (Newton\'s law), "inelastic", "elastic", or a table {kind = "poisson", e = …}',
    ),
    (
        GAP + 'impact = "newtn"',
        "[unilaterals.floor] impact kind = \"newtn\" is not an impact law that a file can describe; did you mean 'newton'?",
    ),
    (GAP + 'impact = "newton"', "[unilaterals.floor] impact: the key 'e' is missing; add e = …"),
    (GAP + 'impact = {kind = "newton", E = 0.5, e = 0.5}', "[unilaterals.floor] impact: the key 'E' is not known"),
    (GAP + 'impact = {kind = "newton", e = [1]}', "[unilaterals.floor] impact.e = [1] must be a number"),
    (
        GAP + 'impact = {kind = "newton", e = "0.3 m"}',
        '[unilaterals.floor] impact.e = "0.3 m": m is not a unit of it; give a plain number',
    ),
    (
        GAP + 'impact = {kind = "newton", e = "e"}',
        "[unilaterals.floor] Newton: restitution 1.5 must be a number from 0 (inelastic) to 1 (elastic)",
    ),
    (
        GAP + 'impact = {kind = "poisson", e = 0.5, treatment = "sequential"}',
        'leave treatment out, or use {kind = "newton", e = …}',
    ),
    (GAP + 'impact = {kind = "inelastic", treatment = "both"}', "treatment 'both' is not known"),
    (GAP + SOFT + "friction = -0.2\npoint = [0, 0, 0]", "Coulomb: mu = -0.2 must be a number that is zero or more"),
    (
        GAP + SOFT + "friction = [1]",
        "[unilaterals.floor] friction = [1] must be the coefficient mu, or a table {mu = …}",
    ),
    (
        GAP + SOFT + "friction = {mu = 1, nu = 1}",
        "[unilaterals.floor] friction: the key 'nu' is not known; there are mu, along, mu_across, rolling, spinning",
    ),
    (
        GAP + SOFT + "friction = {mu = 1, along = [1, 0, 0]}",
        "give both along and mu_across for friction that depends on direction",
    ),
    (GAP + SOFT + "friction = 0.3", "friction needs the point of contact; give point = …, a formula of bob"),
    (GAP + SOFT + 'friction = 0.3\npoint = "r"', "[unilaterals.floor] point is one number, but three are needed"),
    (
        GAP + SOFT + 'friction = 0.3\npoint = ["1 kg", 0, 0]',
        '[unilaterals.floor] point[0] = "1 kg": kg is not a unit of it; give a value in m',
    ),
    (
        SOFT + 'bodies = ["bob"]\ngap = 3',
        "[unilaterals.floor] gap = 3 must be a formula in quotes that is not negative",
    ),
    (
        SOFT + 'bodies = ["bob"]\ngap = "bob.position"',
        "[unilaterals.floor] gap is a vector, but a gap is one number; take norm or dot",
    ),
    (
        SOFT + 'bodies = ["bob"]\ngap = "r - t"',
        '[unilaterals.floor] gap = "r - t" sees none of its bodies and bounds nothing; use bob.position',
    ),
    (SOFT + 'bodies = ["bob"]\ngap = "bob.velocity[2]"', "asks for 'bob.velocity', which is not a name known here"),
    (SOFT + 'bodies = ["bob"]\ngap = "bob.z_axis[2]"', "asks for 'bob.z_axis', which is not a name known here"),
    (
        SOFT + 'bodies = ["bub"]\ngap = "bub.position[2]"',
        "there is no body or joint 'bub'; did you mean 'bob'?",
    ),
    (SOFT + 'bodies = ["red ball"]\ngap = "1"', "[unilaterals.floor]: 'red ball' cannot stand in a formula"),
    (SOFT + 'bodies = []\ngap = "t"', "[unilaterals.floor] bodies = [] must be a list of names of bodies or joints"),
    (
        GAP + SOFT + "wall = 3",
        "[unilaterals.floor]: the key 'wall' is not known; there are bodies, gap, foot, plane, impact, friction, point",
    ),
]
FREE_BODIES = """
[parameters]
r = "30 cm"
[bodies.ball]
shape = {kind = "sphere", radius = "r"}
density = 900
[start]
ball = [0, 0, 1]
"""
FLOOR = "walls = [{normal = [0, 0, 1]}]\n"
CONTACTS = [
    (
        SOFT + 'walls = [{kind = "plan", normal = [0, 0, 1]}]',
        '[contacts.heap] walls[0] kind = "plan" is not a wall that a file can describe',
    ),
    (
        SOFT + 'walls = [{kind = "mesh", corners = [[0, 0]], triangles = []}]',
        "[contacts.heap] walls[0].corners = [[0, 0]] must be a list of 3",
    ),
    (
        SOFT + 'walls = [{kind = "mesh", corners = [], triangles = [[0.5, 1, 2]]}]',
        "3 whole numbers that count corners from 0",
    ),
    (
        SOFT + 'walls = [{kind = "height_field", heights = 3, spacing = 1}]',
        "[contacts.heap] walls[0].heights = 3 must be a list of rows",
    ),
    (
        FLOOR + SOFT + 'friction = {mu = 0.3, rolling = "1 s"}',
        '[contacts.heap] friction.rolling = "1 s": s is not a unit of it; give a value in m',
    ),
    (FLOOR + SOFT + "joined = 1", "[contacts.heap] joined = 1 must be true or false"),
    (FLOOR + SOFT + 'against = ["boll"]', "there is no body 'boll'"),
    (FLOOR, "[contacts.heap]: the key 'impact' is missing; choose an impact law"),
    (SOFT + "walls = 3", "[contacts.heap] walls = 3 must be a list"),
    (SOFT + "walls = [3]", "[contacts.heap] walls[0] = 3 must be a table"),
    (SOFT + "walls = [{offset = 1}]", "[contacts.heap] walls[0]: the key 'normal' is missing; add normal = …"),
    (SOFT + "walls = [{normal = [0, 1]}]", "[contacts.heap] walls[0].normal = [0, 1] must be a list of 3 numbers"),
    (SOFT + "walls = [{normal = [0, 0, 0]}]", "half-space: normal [0.0, 0.0, 0.0] is not a direction"),
    (
        SOFT + 'walls = [{normal = [0, 0, 1], offset = "1 s"}]',
        '[contacts.heap] walls[0].offset = "1 s": s is not a unit of it; give a value in m',
    ),
    (
        SOFT + "walls = [{normal = [0, 0, 1], ofset = 1}]",
        "[contacts.heap] walls[0]: the key 'ofset' is not known; did you mean 'offset'?",
    ),
    (
        SOFT + 'walls = [{shape = {kind = "bx"}}]',
        "[contacts.heap] walls[0].shape kind = \"bx\" is not a shape that a file can describe; did you mean 'box'?",
    ),
    (
        SOFT + 'walls = [{shape = {kind = "box", sze = 1, size = [1, 1, 1]}}]',
        "[contacts.heap] walls[0].shape: the key 'sze' is not known; did you mean 'size'?",
    ),
    (SOFT + 'walls = [{shape = {kind = "box", size = [1, -1, 1]}}]', "every dimension must be a length > 0 in meters"),
    (FLOOR + 'impact = {kind = "newton", e = 0.2, treatment = "sequential"}', "is not available between shapes"),
    (
        FLOOR + SOFT + "friction = {mu = 0.2, along = [1, 0, 0], mu_across = 0.1}",
        "friction between shapes has no direction; leave along out",
    ),
    (FLOOR + SOFT + 'bodies = ["boll"]', "there is no body 'boll'"),
    (FLOOR + SOFT + 'bodies = "ball"', '[contacts.heap] bodies = "ball" must be a list of names of bodies'),
]


@pytest.mark.parametrize(("head", "table", "said"), [*((WORLD + "[unilaterals.floor]\n", *case) for case in UNILATERALS),
                                                     *((FREE_BODIES + "[contacts.heap]\n", *case) for case in CONTACTS)])  # fmt: skip
def test_a_bad_table_is_refused_with_its_place_and_a_remedy(head, table, said, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(head + table, encoding="utf-8")
    with pytest.raises(vc.errors.FileError, match=re.escape(said)) as refused:
        vc.read_model(path)
    assert str(refused.value).startswith(str(path))


def test_bodies_without_shapes_cannot_meet(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(WORLD + '[contacts.heap]\nimpact = "inelastic"\n', encoding="utf-8")
    with pytest.raises(vc.errors.FileError, match=re.escape("[contacts.heap]: no body has a shape")):
        vc.read_model(path)


def test_a_start_in_penetration_is_told_in_options_and_resolved(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(
        FREE_BODIES.replace("[0, 0, 1]", "[0, 0, 0.2]")
        + f'[contacts.heap]\n{FLOOR}{SOFT}[run]\nuntil = 0.1\nmethod = "moreau"\nstep = 0.01\n',
        encoding="utf-8",
    )
    refused = CliRunner().invoke(app, ["run", str(path), "--json"])
    assert refused.exit_code == 2
    told = json.loads(refused.stdout)["error"]["message"]
    assert "'ball' and 'wall 1' start 0.1 m inside each other" in told and "--resolve" in told
    done = CliRunner().invoke(app, ["run", str(path), "--json", "--resolve"])
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["contact_solver"]["most_contacts"] == 1 and "moved by up to 0.1 m" in facts["log"][0]
    path.write_text(path.read_text() + "resolve = true\n", encoding="utf-8")
    assert vc.read_model(path).run["resolve"] is True


def test_files_say_how_impacts_are_met_and_where_forces_are_taken(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(
        WORLD + '[run]\nuntil = 1\nmethod = "moreau"\nstep = 0.01\nimpacts = "stepped"\ntheta = 0.75\n',
        encoding="utf-8",
    )
    run = vc.read_model(path).run
    assert run["impacts"] == "stepped" and run["theta"] == 0.75


@pytest.mark.parametrize("option", [{"impacts": "stepped"}, {"theta": 0.75}])
def test_lagrangian_systems_have_no_time_stepping(option):
    system = vc.LagrangianSystem("point", ["x"], lambda x_dot: x_dot**2 / 2)
    with pytest.raises(
        vc.errors.MethodError, match=r"is of method='moreau', which Lagrangian systems do not have; leave it out"
    ):
        vc.simulate(system, 1.0, ([0.0], [1.0]), progress=False, **option)
