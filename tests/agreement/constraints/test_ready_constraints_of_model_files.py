"""Ready constraints in model files are those of Python, and one file obeys a closed form."""

import numpy as np
import pytest

import vinculum as vc

HEAD = """
[system]
gravity = [0, 0, -9.81]
[parameters]
r = "30 cm"
k = 2.0
"""
POINT = """
[bodies.bob]
kind = "point"
mass = 1.2
[bodies.cart]
kind = "prescribed"
position = ["0.1*sin(3*t)", 0, 0]
[start]
bob = {position = [0.6, 0, -0.8], rate = [0.2, 0.3, 0]}
"""
RIGID = """
[bodies.ball]
mass = 1.2
com = [0.02, 0, 0.03]
inertia = [0.05, 0.06, 0.07]
[start.ball]
position = [0.3, 0, 0.31]
euler = {angles = [0.2, 0.1, 0.3]}
rate = [0.2, 0.3, 0, 1, 2, 3]
"""
WHEELS = """
[bodies.one]
mass = 1.2
com = [0.1, 0, 0]
inertia = [0.05, 0.06, 0.07]
[bodies.two]
mass = 0.8
inertia = [0.05, 0.06, 0.07]
[joints.left]
kind = "revolute"
parent = "ground"
child = "one"
axis = [0, 1, 0]
[joints.right]
kind = "prismatic"
parent = "ground"
child = "two"
[start]
left = 0.3
"""


def point(system) -> None:
    system.add(vc.MassPoint("bob", 1.2))
    system.add(vc.PrescribedBody("cart", position=lambda t: (0.1 * vc.math.sin(3 * t), 0, 0)))


def rigid(system) -> None:
    system.add(vc.RigidBody("ball", 1.2, com=(0.02, 0, 0.03), inertia=(0.05, 0.06, 0.07)))


def wheels(system) -> None:
    one = system.add(vc.RigidBody("one", 1.2, com=(0.1, 0, 0), inertia=(0.05, 0.06, 0.07)))
    two = system.add(vc.RigidBody("two", 0.8, inertia=(0.05, 0.06, 0.07)))
    system.add(vc.Revolute("left", "ground", one, axis=(0, 1, 0)))
    system.add(vc.Prismatic("right", "ground", two))


D = vc.DAlembert()
CASES = {
    "distance": (
        POINT,
        point,
        'a = "bob"\nb = "cart"\nlength = "100 cm"\nto = [0, 0, "r - 0.3"]\nrealization = "dalembert"',
        lambda: vc.constraints.distance("bond", "bob", "cart", 1.0, realization=D),
    ),
    "point_on_surface": (
        POINT,
        point,
        'body = "bob"\nof = "cart"\nsurface = "dot(x, x) - 1"\nrealization = {kind = "penalty", stiffness = "1000*k"}',
        lambda: vc.constraints.point_on_surface(
            "bond", "bob", lambda x: x @ x - 1.0, of="cart", realization=vc.Penalty(2000.0)
        ),
    ),
    "point_on_curve": (
        POINT,
        point,
        'body = "bob"\ncurve = ["x[0]**2 + x[2]**2 - 1", "x[1] - 0.1*k*(x[0] - 0.6)"]\nrealization = "chetaev"',
        lambda: vc.constraints.point_on_curve(
            "bond", "bob", lambda x: (x[0] ** 2 + x[2] ** 2 - 1, x[1] - 0.2 * (x[0] - 0.6)), realization=vc.Chetaev()
        ),
    ),
    "gear": (
        WHEELS,
        wheels,
        'a = "left"\nb = "right"\nratio = "-2 rad/m"\nphase = "r"\nrealization = "dalembert"',
        lambda: vc.constraints.gear("bond", "left", "right", -2.0, phase=0.3, realization=D),
    ),
    "knife_edge": (
        RIGID,
        rigid,
        'body = "ball"\nside = [1, 1, 0]\nat = ["10 cm", 0, 0]\nrealization = {kind = "viscous_friction", coefficient = 30}',
        lambda: vc.constraints.knife_edge(
            "bond", "ball", side=(1, 1, 0), at=(0.1, 0, 0), realization=vc.constraints.ViscousFriction(30.0)
        ),
    ),
    "no_twist": (
        RIGID,
        rigid,
        'a = "ground"\nb = "ball"\nrealization = {kind = "added_inertia", coefficient = 3}',
        lambda: vc.constraints.no_twist("bond", "ground", "ball", realization=vc.constraints.AddedInertia(3.0)),
    ),
    "constant_speed": (
        POINT,
        point,
        'body = "bob"\nspeed = "2 m/s"\nrealization = "chetaev"',
        lambda: vc.constraints.constant_speed("bond", "bob", 2.0, realization=vc.Chetaev()),
    ),
    "rolling_disc": (
        RIGID,
        rigid,
        'body = "ball"\nradius = "r"\naxis = [0, 1, 0.1]\ncenter = [0, 0.01, 0]\nrealization = "dalembert"',
        lambda: vc.constraints.Rolling.disc("bond", "ball", 0.3, axis=(0, 1, 0.1), center=(0, 0.01, 0), realization=D),
    ),
    "rolling_sphere": (
        RIGID,
        rigid,
        'body = "ball"\nradius = "r"\nnormal = [0.1, 0, 1]\nrealization = {kind = "viscous_friction", coefficient = 5}\n'
        'contact = "dalembert"',
        lambda: vc.constraints.Rolling.sphere(
            "bond", "ball", 0.3, normal=(0.1, 0, 1), realization=vc.constraints.ViscousFriction(5.0), contact=D
        ),
    ),
    "rolling": (
        RIGID,
        rigid,
        'body = "ball"\nsupport = "r + 0.05*u[2]**2 + 0.01*dot(u, u)*u[0]"\nrealization = "dalembert"',
        lambda: vc.constraints.Rolling(
            "bond", "ball", lambda u: 0.3 + 0.05 * u[2] ** 2 + 0.01 * (u @ u) * u[0], realization=D
        ),
    ),
    "rolling_ellipsoid": (
        RIGID,
        rigid,
        'body = "ball"\nsemi_axes = ["r", 0.2, 0.4]\nthrough = [0, 0, -0.05]\nrealization = "dalembert"',
        lambda: vc.constraints.Rolling.ellipsoid("bond", "ball", (0.3, 0.2, 0.4), through=(0, 0, -0.05), realization=D),
    ),
}


def read(tmp_path, text):
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    return vc.read_model(path)


@pytest.mark.parametrize("kind", CASES)
def test_a_ready_constraint_of_a_file_and_of_python_give_one_motion(kind, tmp_path):
    world, build, keys, bond = CASES[kind]
    file = read(tmp_path, f'{HEAD}{world}[constraints.bond]\nkind = "{kind}"\n{keys}\n')
    same = vc.System("model", gravity=(0, 0, -9.81))
    build(same)
    same.add(bond())
    motion = vc.simulate(file.system, 0.4, file.start, repair=True)
    again = vc.simulate(same, 0.4, file.start, repair=True)
    np.testing.assert_allclose(motion.q, again.q, rtol=0, atol=1e-12)
    assert motion.audit().passed
    assert set(file.system.constraints) == set(same.constraints)


def test_a_ball_on_a_turntable_of_a_file_comes_back_after_seven_pi_over_omega(tmp_path):
    """A homogeneous ball circles at two sevenths of the table's rate, wherever it starts (Routh)."""
    text = """
    [parameters]
    turning = 2.0
    r = 0.3
    [bodies.disc]
    kind = "prescribed"
    rotation = {axis = [0, 0, 1], angle = "turning*t"}
    [bodies.ball]
    shape = {kind = "sphere", radius = "r"}
    mass = 1
    [constraints.rolling]
    kind = "rolling_sphere"
    body = "ball"
    radius = "r"
    on = "disc"
    realization = "dalembert"
    [start.ball]
    position = [0.5, 0, 0.3, 1, 0, 0, 0]
    rate = [0.2, 0.1, 0, "(turning*0.5 - 0.1)/r", "0.2/r", 0]
    """
    file = read(tmp_path, "\n".join(line.strip() for line in text.splitlines()))
    motion = vc.simulate(file.system, 7 * np.pi / 2, file.start)
    np.testing.assert_allclose(motion.body("ball").position[-1], [0.5, 0, 0.3], rtol=0, atol=1e-11)
    assert motion.audit().passed


def test_parameters_of_a_ready_constraint_can_be_changed_at_a_run(tmp_path):
    text = f'{HEAD}{POINT}[constraints.rod]\nkind = "distance"\na = "bob"\nb = "ground"\nlength = "k/2"\nrealization = "dalembert"'
    file = read(tmp_path, text)
    motion = vc.simulate(file.system, 0.2, file.start, parameters={"k": 4.0}, repair=True)
    np.testing.assert_allclose(np.linalg.norm(motion.body("bob").position, axis=1), 2.0, rtol=0, atol=1e-13)
