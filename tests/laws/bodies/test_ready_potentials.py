"""Ready potentials on bodies anywhere: forces are the derivatives of the energies as their users would write them in NumPy."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from trees import defaults, random_state, random_system
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.actions import action_views, effort_power, exerted_efforts
from vinculum.models.model_cache import model_for
from vinculum.scalars import symbol, symbols
from vinculum.systems import placements, start_state

AT, TO = np.array([0.2, -0.1, 0.3]), np.array([-0.3, 0.25, 0.1])
TURN_AT, TURN_TO = Rotation.from_rotvec([0.4, -0.2, 0.9]), Rotation.from_rotvec([-0.3, 0.8, 0.1])
POSES = {"at": vc.Pose(AT, TURN_AT.as_matrix()), "to": vc.Pose(TO, TURN_TO.as_matrix())}
A = np.random.default_rng(3).normal(size=(6, 6))
K = A @ A.T
AT_REST = np.zeros((2, 6))
MASS, COM = (1.3, 2.1), np.array([[0.1, 0.05, -0.2], [-0.15, 0.1, 0.2]])
SECOND = np.array([np.diag([0.3, 0.2, 0.1]), np.diag([0.05, 0.3, 0.2])])
MOMENTS = np.array([[1.0, 0.4, -0.3], [0.2, -0.9, 0.5]])


def spring(x, R):
    d = x[0] + R[0] @ AT - x[1] - R[1] @ TO
    return 0.5 * 7.0 * (np.linalg.norm(d) - 0.6) ** 2


def slack_spring(x, R):
    d = x[0] + R[0] @ AT - x[1] - R[1] @ TO
    return 0.5 * 7.0 * d @ d


def torsion(x, R):
    Y = (R[0] @ TURN_AT.as_matrix()).T @ R[1] @ TURN_TO.as_matrix()
    return 0.5 * 2.3 * Rotation.from_matrix(Y).magnitude() ** 2


def bushing(x, R):
    frame = R[0] @ TURN_AT.as_matrix()
    p = frame.T @ (x[1] + R[1] @ TO - x[0] - R[0] @ AT)
    xi = np.concatenate([p, Rotation.from_matrix(frame.T @ R[1] @ TURN_TO.as_matrix()).as_rotvec()])
    return 0.5 * xi @ K @ xi


def gravitation(x, R):
    d = (x[0] + R[0] @ COM[0]) - (x[1] + R[1] @ COM[1])
    r = np.linalg.norm(d)
    n = d / r
    U = -1.7 * MASS[0] * MASS[1] / r
    for k in (0, 1):
        J = R[k] @ (np.trace(SECOND[k]) * np.eye(3) - SECOND[k]) @ R[k].T
        U -= 1.7 * MASS[1 - k] / (2 * r**3) * (np.trace(J) - 3 * n @ J @ n)
    return U


def coulomb(x, R):
    return 3.0 * 0.5 * -1.2 / np.linalg.norm(x[0] - x[1])


def lennard_jones(x, R):
    s = 0.5 * (0.7 + 0.9) / np.linalg.norm(x[0] - x[1])
    return 4 * np.sqrt(0.4 * 1.1) * (s**12 - s**6)


def morse(x, R):
    return 2.0 * ((1 - np.exp(-(np.linalg.norm(x[0] - x[1]) - 0.8) / 0.4)) ** 2 - 1)


def dipoles(x, R):
    d = x[0] + R[0] @ AT - x[1] - R[1] @ TO
    r = np.linalg.norm(d)
    a, b = R[0] @ MOMENTS[0], R[1] @ MOMENTS[1]
    return 0.8 * (a @ b / r**3 - 3 * (a @ d) * (b @ d) / r**5)


READY = {
    "spring": (lambda a, b: vc.Spring("bond", a, b, 7.0, 0.6, AT, TO), spring),
    "spring without rest length": (lambda a, b: vc.Spring("bond", a, b, 7.0, at=AT, to=TO), slack_spring),
    "torsion spring": (lambda a, b: vc.potentials.TorsionSpring("bond", a, b, 2.3, **POSES), torsion),
    "bushing": (lambda a, b: vc.potentials.Bushing("bond", a, b, K, **POSES), bushing),
    "gravitation": (lambda a, b: vc.potentials.Gravitation("bond", [a, b], G=1.7), gravitation),
    "coulomb": (lambda a, b: vc.potentials.CoulombCharges("bond", [a, b], [0.5, -1.2], constant=3.0), coulomb),
    "lennard-jones": (lambda a, b: vc.potentials.LennardJones("bond", [a, b], [0.4, 1.1], [0.7, 0.9]), lennard_jones),
    "morse": (lambda a, b: vc.potentials.Morse("bond", [a, b], 2.0, 0.4, 0.8), morse),
    "magnetic dipoles": (lambda a, b: vc.potentials.MagneticDipoles("bond", a, b, MOMENTS, AT, TO, 0.8), dipoles),
}
EXTRA = {
    "damped spring": lambda a, b: vc.Spring("bond", a, b, 7.0, 0.6, AT, TO, damping=0.5),
    "damper": lambda a, b: vc.Damper("bond", a, b, 0.7, AT, TO),
    "damped torsion spring": lambda a, b: vc.potentials.TorsionSpring("bond", a, b, 2.3, **POSES, damping=0.2),
    "damped bushing": lambda a, b: vc.potentials.Bushing("bond", a, b, K, **POSES, damping=0.1 * K),
    "gravitation of degree 3": lambda a, b: vc.potentials.Gravitation("bond", [a, b], G=1.7, degree=3),
}
ALL = {name: make for name, (make, _) in READY.items()} | EXTRA


def two_bodies(make) -> vc.System:
    """Two boxes with the mass centers and second moments above, and the bond."""
    system = vc.System("two")
    bodies = []
    for name, mass, com, second in zip("ab", MASS, COM, SECOND, strict=True):
        box = vc.Measure.solid(vc.shapes.Box(np.sqrt(12 * np.diag(second) / mass)), mass=mass, at=com)
        bodies.append(system.add(vc.RigidBody.of(name, box)))
    system.add(make(*bodies))
    return system


def random_places(rng) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(2, 3))
    x[1] += 1.5 * np.sign(x[1])
    return x, Rotation.random(2, random_state=rng).as_matrix()


class Efforts:
    """Efforts and powers of the one action of a system of two free bodies, as functions of poses and rates."""

    def __init__(self, system):
        self.tree = tree = system.tree()
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        at = placements(tree, q, v)
        does, views = exerted_efforts(tree, tree.actions[0], at, t), action_views(tree, tree.actions[0], at)
        power = sum(effort_power(view, effort) for view, effort in zip(views, does.other, strict=True))
        efforts = [x for pair in does.efforts() for part in pair for x in part]
        self.tape = trace({"q": q, "v": v, "t": np.array([t])}, {"efforts": efforts, "power": [power]})

    def __call__(self, x, R, rates=AT_REST) -> tuple[np.ndarray, float]:
        """Forces and moments at the origins of the bodies, (2, 6) in world axes, and the power of those without an energy."""
        return self.at({name: vc.At(vc.Pose(x[i], R[i]), rates[i]) for i, name in enumerate("ab")})

    def at(self, start) -> tuple[np.ndarray, float]:
        """The same at any start."""
        found = arrays.evaluate(self.tape, np.concatenate([*start_state(self.tree, start), [0.0]])[None])[0]
        return found[:-1].reshape(-1, 6), found[-1]


def slopes(energy, x, R, h=2e-3):
    """−∂U/∂x and −∂U/∂(turning) of each body, (2, 6), by central differences of the sixth order."""
    found = np.zeros((2, 6))
    for i in (0, 1):
        for k in range(6):
            for step, weight in zip((1, 2, 3), (3 / 4, -3 / 20, 1 / 60), strict=True):
                for sign in (1, -1):
                    y, Q = x.copy(), R.copy()
                    if k < 3:
                        y[i, k] += sign * step * h
                    else:
                        Q[i] = Rotation.from_rotvec(sign * step * h * np.eye(3)[k - 3]).as_matrix() @ Q[i]
                    found[i, k] -= sign * weight * energy(y, Q) / h
    return found


@pytest.mark.parametrize("kind", READY)
def test_efforts_are_the_slopes_of_the_energy_that_a_user_would_write(kind):
    make, energy = READY[kind]
    efforts = Efforts(two_bodies(make))
    rng = np.random.default_rng(11)
    for _ in range(5):
        x, R = random_places(rng)
        expected = slopes(energy, x, R)
        assert np.abs(efforts(x, R)[0] - expected).max() < 3e-9 * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("kind", ALL)
def test_forces_and_moments_of_two_bodies_cancel_with_their_arms(kind):
    efforts = Efforts(two_bodies(ALL[kind]))
    rng = np.random.default_rng(12)
    for _ in range(5):
        x, R = random_places(rng)
        (f, m), (g, n) = efforts(x, R, rng.normal(size=(2, 6)))[0].reshape(2, 2, 3)
        size = max(np.abs([f, m, n]).max(), 1e-3)
        assert np.abs(f + g).max() < 1e-13 * size
        assert np.abs(m + n + np.cross(x[0], f) + np.cross(x[1], g)).max() < 1e-12 * size
        if "damp" in kind:
            assert np.abs(f).max() > 1e-3 or np.abs(m).max() > 1e-3


@pytest.mark.parametrize("kind", ["damped spring", "damper", "damped torsion spring", "damped bushing"])
def test_dampers_take_power_from_every_motion(kind):
    efforts = Efforts(two_bodies(ALL[kind]))
    rng = np.random.default_rng(13)
    for _ in range(5):
        assert efforts(*random_places(rng), rng.normal(size=(2, 6)))[1] < -1e-6


def dashpot(c, x, R, v, w):
    """Efforts (2, 6) of a dashpot between two points of moving bodies."""
    arms = np.array([R[0] @ AT, R[1] @ TO])
    d = x[0] + arms[0] - x[1] - arms[1]
    n = d / np.linalg.norm(d)
    rate = v[0] + np.cross(w[0], arms[0]) - v[1] - np.cross(w[1], arms[1])
    force = -c * (n @ rate) * n
    return np.array([[*f, *np.cross(arm, f)] for arm, f in zip(arms, (force, -force), strict=True)])


def turning_damper(c, x, R, v, w):
    moment = -c * (w[0] - w[1])
    return np.array([[0, 0, 0, *moment], [0, 0, 0, *-moment]])


def damped_mount(C, x, R, v, w):
    """The frame on b moves against the one on a; forces act where it is."""
    frame, place = R[0] @ TURN_AT.as_matrix(), x[1] + R[1] @ TO
    slip = v[1] + np.cross(w[1], place - x[1]) - v[0] - np.cross(w[0], place - x[0])
    wrench = -C @ np.concatenate([frame.T @ slip, frame.T @ (w[1] - w[0])])
    f, m = frame @ wrench[:3], frame @ wrench[3:]
    return np.array([[*-f, *(-m - np.cross(place - x[0], f))], [*f, *(m + np.cross(place - x[1], f))]])


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("damped spring", lambda *at: dashpot(0.5, *at)),
        ("damper", lambda *at: dashpot(0.7, *at)),
        ("damped torsion spring", lambda *at: turning_damper(0.2, *at)),
        ("damped bushing", lambda *at: damped_mount(0.1 * K, *at)),
    ],
)
def test_dampers_resist_as_newton_would_write_them(kind, written):
    efforts = Efforts(two_bodies(ALL[kind]))
    rng = np.random.default_rng(14)
    for _ in range(5):
        (x, R), rates = random_places(rng), rng.normal(size=(2, 6))
        v, w = (np.einsum("bij,bj->bi", R, part) for part in (rates[:, :3], rates[:, 3:]))
        found, expected = efforts(x, R, rates)[0] - efforts(x, R)[0], written(x, R, v, w)
        assert np.abs(found - expected).max() < 1e-12 * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("seed", range(4))
def test_three_routes_agree_on_trees_with_every_ready_potential(seed):
    rng = np.random.default_rng(50 + seed)
    system = random_system(rng, 4)
    turning = [body for body in system.bodies.values() if body.turns][:3]
    pairs = [*combinations(turning, 2), *((body, "ground") for body in turning)]
    for number, (kind, make) in enumerate(ALL.items()):
        a, b = pairs[rng.integers(len(pairs))]
        if "gravitation" in kind and b == "ground":
            continue
        if "degree" in kind:
            continue
        system.add(replace(make(a, b), name=f"bond {number}"))
    tree = system.tree()
    tape = model_for(system).tape("motion")
    hamel = model_for(system).tape("hamel")
    for _ in range(3):
        q, v = random_state(tree, rng)
        row = np.concatenate([q, v, [0.3], defaults(tape)])
        rates = arrays.evaluate(tape, row[None])[0]
        accelerations = rates[tree.nq :]
        left = arrays.evaluate(hamel, np.concatenate([q, v, [0.3], accelerations, defaults(hamel)])[None])[0]
        residual, size = left[: tree.nv], left[tree.nv :]
        assert np.abs(residual).max() < 1e-9 * max(1.0, np.abs(size).max())
        answers = [vc.derive(system, form=form).accelerations(q, v, t=0.3) for form in ("newton-euler", "telegin")]
        for answer in answers:
            assert np.abs(answer - accelerations).max() < 1e-9 * max(1.0, np.abs(accelerations).max())


@pytest.mark.parametrize("kind", ALL)
def test_the_certificate_passes_for_every_ready_potential(kind):
    system = two_bodies(ALL[kind])
    motion = vc.simulate(
        system,
        1.0,
        {
            "a": vc.At((0, 0, 0), rate=(0.1, 0.2, 0, 0.5, -0.4, 0.3)),
            "b": vc.At((2.0, 0.5, 1.0), rate=(0.3, -0.2, 0.1, 0.2, 0.1, -0.3)),
        },
    )
    certificate = motion.audit()
    assert certificate.passed, certificate
