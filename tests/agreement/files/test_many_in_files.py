"""Groups of bodies and bonds over rows in model files are those of Python."""

import numpy as np

import vinculum as vc

NET = """
[system]
name = "net"
gravity = [0, 0, -9.81]

[parameters]
k = "300 N/m"

[bodies.knot]
kind = "point"
mass = "20 g"

[potentials.rope]
kind = "spring"
a = "one"
b = "other"
stiffness = "k"
rest_length = "10 cm"

[potentials.post]
kind = "spring"
a = "knot"
b = "ground"
stiffness = "2 kN/m"

[constraints.rod]
kind = "distance"
a = "one"
b = "other"
length = 1.0
realization = "dalembert"

[[many]]
body = "knot"
count = 4
positions = [[0, 0, 0], ["10 cm", 0, 0], [0.2, 0, 0], [0.3, 0, 0]]
rates = [[0, 0, 0], [0, 0, 0], [0, 0.5, 0], [0, 0.5, 0]]

[[many]]
bond = "rope"
over = [[0, 1], [1, 2]]
ends = {one = "knot", other = "knot"}

[[many]]
bond = "post"
over = [0]
numbers = {to = [[0, 0, 0.1]]}

[[many]]
bond = "rod"
over = [[2, 3]]
ends = {one = "knot", other = "knot"}
numbers = {length = [0.1]}

[run]
until = 0.2
"""


def test_a_net_in_a_file_is_the_one_in_python(tmp_path):
    path = tmp_path / "net.toml"
    path.write_text(NET)
    file = vc.read_model(path)
    system = vc.System("net", gravity=(0, 0, -9.81))
    knots = system.add_many(vc.MassPoint("knot", 0.02), 4)
    rope = vc.Spring("rope", knots, knots, stiffness=vc.parameter("k", 300.0), rest_length=0.1)
    system.add(vc.Bonds(rope, over=[(0, 1), (1, 2)]))
    system.add(vc.Bonds(vc.Spring("post", knots, "ground", stiffness=2e3), over=[0], numbers={"to": [(0, 0, 0.1)]}))
    rod = vc.constraints.distance("rod", knots, knots, 1.0, realization="dalembert")
    system.add(vc.Bonds(rod, over=[(2, 3)], numbers={"length": [0.1]}))
    place = np.zeros((4, 3))
    place[:, 0], rate = (0.0, 0.1, 0.2, 0.3), np.zeros((4, 3))
    rate[2:, 1] = 0.5
    same = {"method": "dop853", "grid": 5, "progress": False, "parameters": {"k": 250.0}}
    found = vc.simulate(file.system, start=file.start, **file.run, **same)
    expected = vc.simulate(system, 0.2, {knots: vc.At(place, rate=rate)}, **same)
    assert np.array_equal(found.q, expected.q)
    assert found.bond("rod 0").multiplier.shape == (5,)


def test_pairs_within_a_cutoff_in_a_file(tmp_path):
    path = tmp_path / "gas.toml"
    path.write_text("""
[bodies.atom]
kind = "point"
mass = 1.0

[potentials.pairs]
kind = "lennard_jones"
bodies = ["a", "b"]
depth = 1.0
size = 1.0

[[many]]
body = "atom"
count = 5
positions = [[0, 0, 0], [1.2, 0, 0], [0, 1.2, 0], [0, 0, 1.2], [5, 0, 0]]

[[many]]
bond = "pairs"
ends = {a = "atom", b = "atom"}
cutoff = 2.5
fade = 2.0
""")
    file = vc.read_model(path)
    gas = vc.System("gas")
    atoms = gas.add_many(vc.MassPoint("atom", 1.0), 5)
    pair = vc.potentials.LennardJones("pairs", [atoms, atoms], depth=1.0, size=1.0)
    gas.add(vc.Bonds(pair, cutoff=2.5, fade=2.0))
    place = [(0, 0, 0), (1.2, 0, 0), (0, 1.2, 0), (0, 0, 1.2), (5, 0, 0)]
    found, expected = (
        vc.simulate(system, 0.3, start, method="dop853", grid=3, progress=False)
        for system, start in ((file.system, file.start), (gas, {atoms: place}))
    )
    assert np.array_equal(found.q, expected.q)


def test_a_contact_names_a_group_as_all_its_copies(tmp_path):
    text = """
[bodies.grain]
shape = {kind = "sphere", radius = 0.05}
mass = 0.1

[bodies.stone]
shape = {kind = "sphere", radius = 0.1}
mass = 1.0

[contacts.heap]
bodies = ["stone"]
against = ["grain"]
impact = {kind = "inelastic"}

[[many]]
body = "grain"
count = 3
positions = [[0.2, 0, 0], [0.4, 0, 0], [0.6, 0, 0]]
"""
    path = tmp_path / "heap.toml"
    path.write_text(text)
    (by_group,) = vc.read_model(path).system.tree().contacts
    path.write_text(text.replace('["grain"]', '["grain 0", "grain 1", "grain 2"]'))
    (by_names,) = vc.read_model(path).system.tree().contacts
    assert by_group.names == by_names.names == ("stone", "grain 0", "grain 1", "grain 2")
