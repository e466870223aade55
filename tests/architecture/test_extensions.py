"""What other packages bring by entry points: joints, bodies, impact laws, forces, integrators and readers, in model files and runs."""

import sys
from textwrap import dedent

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from vinculum.integrators.table import INTEGRATORS
from vinculum.motion.method import METHODS
from vinculum.upward import OTHER_JOINTS, extension_names

PACKAGE = '''
from dataclasses import dataclass

import numpy as np

import vinculum as vc
from vinculum.bodies import Body
from vinculum.bonds.joints.coordinates import FlatCoordinates
from vinculum.bonds.joints.gaps import shifts, turn_sides, turns
from vinculum.bonds.joints.joint import Joint
from vinculum.bonds.joints.kind import JointKind
from vinculum.bonds.unilaterals.impact_laws import ImpactLaw
from vinculum.compile.evaluate import evaluate
from vinculum.integrators.fixed_step.fixed_step import hermite
from vinculum.integrators.table import Integrator
from vinculum.motion.method import Claims
from vinculum.motion.problem import Steps


@dataclass(frozen=True)
class ParabolaKind(JointKind):
    width: float
    coordinates = FlatCoordinates(("",), ("m",))

    def pose(self, q):
        return vc.Pose.of(np.eye(3), np.array([q[0], 0.0, 0.5 * q[0] * q[0] / self.width]))

    def subspace(self, q):
        return np.array([1.0, 0.0, q[0] / self.width, 0.0, 0.0, 0.0]).reshape(6, 1)

    def subspace_rate(self, q, v):
        return np.array([0.0, 0.0, v[0] * v[0] / self.width, 0.0, 0.0, 0.0])

    def gaps(self, X):
        return [*shifts(X.p, "y"), *turns(X.R)]

    def sides(self, X):
        return turn_sides(X.R)


@dataclass(frozen=True, eq=False)
class Parabola(Joint):
    width: float = 1.0
    file_keys = {"width": "m"}

    def _read_kind(self, where):
        return ParabolaKind(self.width)


@dataclass(frozen=True, eq=False)
class Hoop(Body):
    name: str
    mass: float
    radius: float
    file_keys = {"mass": "kg", "radius": "m"}
    measure = None
    center = np.zeros(3)
    turns = True

    @property
    def inertia_at_center(self):
        return self.mass * self.radius**2 * np.diag([0.5, 0.5, 1.0])

    def _check(self, values=None):
        assert self.mass > 0.0 and self.radius > 0.0


@dataclass(frozen=True)
class Worn(ImpactLaw):
    left: float = 0.5
    file_keys = {"left": "1"}
    treatment = "simultaneous"

    @property
    def restitution(self):
        return self.left


def stribeck(name, body, normal, kinetic=0.2):
    def wrench(b):
        return vc.Wrench(force=(-kinetic * normal * vc.math.tanh(b.velocity[0] / 1e-3), 0, 0))

    return vc.Force(name, body, wrench)


stribeck.file_keys = {"body": "", "normal": "N", "kinetic": "1"}


def heun_steps(problem):
    def rates(x, t):
        return evaluate(problem.tape, problem.rows(x[None], np.array([t])))[0]

    count = round((problem.until - problem.begin) / problem.method.step)
    times = np.linspace(problem.begin, problem.until, count + 1)
    states = [problem.state]
    for t, h in zip(times, np.diff(times), strict=False):
        first = rates(states[-1], t)
        states.append(states[-1] + 0.5 * h * (first + rates(states[-1] + h * first, t + h)))
    values = np.array(states)
    yield Steps(times, hermite(times, values, evaluate(problem.tape, problem.rows(values, times))))


HEUN = Integrator(Claims("heun", 2, False, False, "Heun, Z. Math. Phys. 45 (1900) 23"), heun_steps)


NUMBER = 3


def failing(name, parent, child, at, to):
    return 1 / 0


def forgetful(name, parent, child, at, to):
    Parabola(name, parent, child, at=at, to=to)


def untold(name, parent, child, at, to, width):
    return Parabola(name, parent, child, at=at, to=to, width=width)


untold.file_keys = ["width"]


def read_lengths(path, changed):
    """A pendulum for every line of a file, a length [m]."""
    system = vc.System(path.stem, gravity=(0, 0, -9.81))
    for i, line in enumerate(path.read_text().split()):
        bob = system.add(vc.MassPoint(f"bob {i}", 1.0))
        system.add(vc.Revolute(f"pin {i}", "ground", bob, axis=(0, 1, 0), to=(0, 0, float(line))))
    return system
'''
ENTRIES = """
[vinculum.joints]
parabola = beads:Parabola
lost = beads:NoSuchJoint
number = beads:NUMBER
failing = beads:failing
forgetful = beads:forgetful
untold = beads:untold

[vinculum.bodies]
hoop = beads:Hoop

[vinculum.impact_laws]
worn = beads:Worn

[vinculum.forces]
stribeck = beads:stribeck

[vinculum.integrators]
heun = beads:HEUN

[vinculum.readers]
lengths = beads:read_lengths
"""


@pytest.fixture
def beads(tmp_path, monkeypatch):
    """A package that is installed as pip installs one: its module, and its metadata beside it."""
    (tmp_path / "beads.py").write_text(PACKAGE)
    metadata = tmp_path / "beads-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: beads\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("beads", None)
    for table in (INTEGRATORS, METHODS):
        table.pop("heun", None)


def written(folder, text):
    path = folder / "model.toml"
    path.write_text(dedent(text))
    return path


WIRE = """
    [system]
    gravity = [0, 0, -9.81]
    [parameters]
    wide = "2 m"
    [bodies.bead]
    kind = "point"
    mass = 0.7
    [joints.wire]
    kind = "parabola"
    parent = "ground"
    child = "bead"
    width = "wide"
    damping = 0.1
    [start]
    wire = 0.8
"""


def test_a_joint_of_another_package_is_a_kind_of_model_files(beads):
    """m (1 + x²/w²) ẍ + m x ẋ²/w² + m g x/w + d ẋ = 0."""
    file = vc.read_model(written(beads, WIRE))
    motion = vc.simulate(file.system, 1.0, file.start, grid=11, progress=False)
    m, w, d = 0.7, 2.0, 0.1

    def rates(t, y):
        x, v = y
        return v, -(m * x * v**2 / w**2 + m * 9.81 * x / w + d * v) / (m * (1.0 + x**2 / w**2))

    by_hand = solve_ivp(rates, (0.0, 1.0), [0.8, 0.0], "DOP853", motion.time, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(motion["wire"], by_hand.y[0], rtol=0, atol=1e-10)
    assert motion.audit().passed
    assert file.parameters["wide"] == 2.0


def test_nothing_of_another_package_is_imported_before_it_is_used(beads):
    assert {"lost", "parabola"} < set(extension_names(OTHER_JOINTS))
    with pytest.raises(vc.errors.FileError, match=r"kind = \"parabol\" is not a joint .*did you mean 'parabola'"):
        vc.read_model(written(beads, WIRE.replace('"parabola"', '"parabol"')))
    assert "beads" not in sys.modules


def test_a_body_an_impact_law_and_a_force_of_another_package_are_kinds_of_model_files(beads):
    text = """
        [system]
        gravity = [0, 0, -9.81]
        [bodies.ring]
        kind = "hoop"
        mass = "2 kg"
        radius = "40 cm"
        [joints.rail]
        kind = "translation"
        parent = "ground"
        child = "ring"
        [forces.friction]
        kind = "stribeck"
        body = "ring"
        normal = "19.62 N"
        [unilaterals.floor]
        bodies = ["ring"]
        gap = "ring.position[2]"
        impact = {kind = "worn", left = 0.25}
        [start]
        rail = {position = [0, 0, 1], rate = [1, 0, 0]}
    """
    file = vc.read_model(written(beads, text))
    ring = file.system.bodies["ring"]
    assert type(ring).__name__ == "Hoop" and ring.radius == pytest.approx(0.4)
    motion = vc.simulate(file.system, 0.6, file.start, method="dop853", progress=False)
    assert motion.bond("floor").impulses.normal[0] == pytest.approx(2.0 * 1.25 * np.sqrt(2 * 9.81), rel=1e-9)
    assert motion.v[-1, 0] < 1.0 - 0.19 * 9.81 * 0.4
    assert motion.audit().passed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('width = "wide"', "widht = 2.0"), "the key 'widht' is not known to 'parabola'; did you mean 'width'"),
        (('width = "wide"', 'width = "2 s"'), "s is not a unit of it; give a value in m"),
        (('width = "wide"', "width = true"), r"must be numbers or quantities \[m\]"),
        (
            ('kind = "parabola"', 'kind = "lost"'),
            "vinculum.joints 'lost' of package beads cannot be loaded .*NoSuchJoint",
        ),
    ],
)
def test_what_is_wrong_with_a_kind_of_another_package_is_said(beads, change, said):
    with pytest.raises(vc.errors.FileError, match=said):
        vc.read_model(written(beads, WIRE.replace(*change)))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("number", r"\[joints.wire\]: vinculum.joints 'number' is 3; its package must bring a class or function"),
        ("untold", "'untold' is .*with its keys and units as a mapping file_keys"),
        ("failing", r"'failing' cannot be made of these values \(ZeroDivisionError: .*mend its package"),
        ("forgetful", "'forgetful' made None, which is not a joint; mend its package"),
    ],
)
def test_mistakes_of_another_package_are_told_with_its_name(beads, kind, said):
    text = WIRE.replace('"parabola"', f'"{kind}"').replace('    width = "wide"\n', "")
    with pytest.raises(vc.errors.FileError, match=said):
        vc.read_model(written(beads, text))


def test_a_key_that_another_package_needs_is_missed(beads):
    with pytest.raises(vc.errors.FileError, match=r"\[bodies.ring\]: the key 'radius' is missing; add radius"):
        vc.read_model(written(beads, '[bodies.ring]\nkind = "hoop"\nmass = 1.0\n'))


def test_an_integrator_of_another_package_is_known_by_its_name(beads, tmp_path):
    file = vc.read_model(written(beads, WIRE))
    exact = vc.simulate(file.system, 1.0, file.start, grid=2, progress=False).q[-1, 0]
    errors = []
    for step in (0.01, 0.005):
        motion = vc.simulate(file.system, 1.0, file.start, method="heun", step=step, progress=False)
        errors.append(abs(motion.q[-1, 0] - exact))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    motion.save(tmp_path / "run.zarr")
    for table in (INTEGRATORS, METHODS):
        table.pop("heun")
    assert str(vc.load(tmp_path / "run.zarr").record.method) == "heun step 0.005 s"
    with pytest.raises(vc.errors.MethodError, match="method 'heum' is not known; did you mean 'heun'"):
        vc.simulate(file.system, 1.0, file.start, method="heum")


def test_a_reader_of_another_package_reads_files_of_its_ending(beads):
    path = beads / "two.lengths"
    path.write_text("0.5\n2.0\n")
    model = vc.read_model(path)
    assert sorted(model.system.bodies) == ["bob 0", "bob 1"]
    path.write_text("half\n")
    with pytest.raises(
        vc.errors.FileError, match=r"two.lengths cannot be read by the reader for .lengths \(ValueError"
    ):
        vc.read_model(path)
    with pytest.raises(vc.errors.FileError, match="there is no file"):
        vc.read_model(beads / "none.lengths")


def test_a_name_that_two_packages_bring_is_refused(beads):
    other = beads / "wires-2.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: wires\nVersion: 2.0\n")
    (other / "entry_points.txt").write_text("[vinculum.joints]\nparabola = wires:Parabola\n")
    with pytest.raises(vc.errors.FileError, match="comes from package beads and package wires; uninstall one of them"):
        vc.read_model(written(beads, WIRE))
