"""Ellipsoids of rigid bodies in contact: closed forms, balls written as ellipsoids, and distances from supports alone."""

import numpy as np
import pytest
from scipy.optimize import minimize

import vinculum as vc
from vinculum.errors import FileError, StartError
from vinculum.integrators.free_bodies.steps import penetrations
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.types import model_from_dict

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
AXES = np.array([0.05, 0.04, 0.03])
ENGINES = ["free bodies", "tree", "tables"]


def scene(shapes, engine, monkeypatch, **laws):
    """Bodies "b0", "b1", … of these shapes on a floor, in the loop of free bodies, as a tree or over tables."""
    system = vc.System("eggs", gravity=(0, 0, -9.81))
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", shape, density=1000)) for k, shape in enumerate(shapes)]
    if engine != "free bodies":
        system.add(vc.Force("nothing", bodies[0], lambda b: vc.Wrench(force=0.0 * b.velocity)))
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0 if engine == "tables" else 10**9)
    system.add(vc.Contact("contact", bodies, walls=[FLOOR], **({"impact": "inelastic", "friction": 0.5} | laws)))
    return system


def thrown(count):
    q = np.array([0.9, 0.3, 0.2, 0.1])
    q /= np.linalg.norm(q)
    return {
        f"b{k}": vc.At(np.r_[0.02 * k, 0, 0.08 + 0.11 * k, q], rate=(0.3, 0.1, 0, 1.0, 2.0, 3.0)) for k in range(count)
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_a_ball_written_as_an_ellipsoid_moves_as_a_ball(engine, monkeypatch):
    box, found = vc.shapes.Box((0.1, 0.08, 0.06)), []
    for ball in (vc.shapes.Sphere(0.05), vc.shapes.Ellipsoid((0.05, 0.05, 0.05))):
        system = scene([ball, box, ball], engine, monkeypatch)
        assert isinstance(model_for(system).type, BlocksInContactType) == (engine == "tables")
        found.append(vc.simulate(system, 0.15, thrown(3), method="moreau", step=1e-3, tolerance=1e-9, grid=6).q)
    assert np.abs(found[0] - found[1]).max() < 1e-7


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tilted_ellipsoid_is_as_high_as_its_lowest_point_says(engine, monkeypatch):
    # the height of its center is |Aᵀn| with the semiaxes in the columns of A
    q = np.array([0.8, 0.4, -0.2, 0.3])
    q /= np.linalg.norm(q)
    height = np.linalg.norm((vc.Pose(rotation=q).R * AXES)[2])
    system = scene([vc.shapes.Ellipsoid(AXES)], engine, monkeypatch)
    with pytest.raises(StartError, match=r"start 0\.00123 m inside each other"):
        vc.simulate(system, 0.01, {"b0": np.r_[0.1, 0.2, height - 0.00123, q]}, method="moreau", step=1e-3)
    vc.simulate(system, 0.002, {"b0": np.r_[0.1, 0.2, height + 1e-9, q]}, method="moreau", step=1e-3)


def test_an_ellipsoid_rocks_on_a_rough_floor_with_the_period_of_a_rolling_body(monkeypatch):
    # radius of curvature a²/c below, center at height c: ω² = m g (a²/c − c) / (m (a² + c²)/5 + m c²)
    a, _, c = AXES
    omega = np.sqrt(9.81 * (a**2 / c - c) / ((a**2 + c**2) / 5 + c**2))
    system, tilt = scene([vc.shapes.Ellipsoid(AXES)], "free bodies", monkeypatch), 0.02
    height = np.hypot(a * np.sin(tilt), c * np.cos(tilt))
    start = {"b0": vc.At((0, 0, height + 1e-9, np.cos(tilt / 2), 0, np.sin(tilt / 2), 0))}
    period = 2 * np.pi / omega
    motion = vc.simulate(system, 1.5 * period, start, method="moreau", step=period / 1000, grid=301)
    angle = 2 * motion.q[:, 5]
    expected = tilt * np.cos(omega * motion.time)
    assert np.abs(angle - expected).max() < 0.01 * tilt
    assert motion.audit().passed


@pytest.mark.parametrize("kind", ["egg", "box"])
def test_gaps_of_ellipsoids_with_places_of_their_own_are_those_of_supports(kind):
    """Shapes away from the origins of their bodies, in random poses, at small depths."""
    rng = np.random.default_rng(4)
    other = vc.shapes.Box((0.08, 0.1, 0.06)) if kind == "box" else vc.shapes.Ellipsoid((0.03, 0.06, 0.04))
    for _ in range(3):
        own, R, S = (vc.Pose(rotation=rng.normal(size=4)).R for _ in range(3))
        place, A = rng.normal(size=3) * 0.05, R @ own * AXES

        def support(n, S=S):
            local = n @ S
            return 0.5 * np.abs(local) @ other.size if kind == "box" else np.linalg.norm(local * other.semiaxes)

        def least(d, A=A, S=S, support=support):
            def f(n):
                n = n / np.linalg.norm(n)
                return -(n @ d - np.linalg.norm(n @ A) - support(n))

            starts = [d, *S.T, *-S.T]
            return max(-minimize(f, n, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-14, "maxiter": 2000}).fun
                       for n in starts)  # fmt: skip

        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        low, high = 0.0, 0.3
        for _ in range(20):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if least(middle * way) < -1e-5 else (low, middle)
        system = vc.System("pair")
        egg = vc.RigidBody.solid("egg", vc.shapes.Ellipsoid(AXES), density=1000, at=vc.Pose(place, rotation=own))
        system.add(egg)
        system.add(vc.RigidBody.solid("other", other, density=1000))
        system.add(vc.Contact("c", ["egg", "other"], impact=0.0))
        p = high * way - R @ place
        state = np.concatenate([p, _quaternion(R), np.zeros(3), _quaternion(S), np.zeros(12)])
        depth = penetrations(model_for(system), state)
        assert list(depth.values()) == [pytest.approx(-least(high * way), abs=1e-8)]


def _quaternion(R):
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return w, x, y, z


def test_eggs_on_an_egg_that_stands_still_are_certified_and_stored(monkeypatch, tmp_path):
    system = vc.System("eggs", gravity=(0, 0, -9.81))
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", vc.shapes.Ellipsoid(AXES), density=1000)) for k in range(3)]
    still = vc.shapes.FixedSolid(vc.shapes.Ellipsoid((0.2, 0.15, 0.05)))
    system.add(vc.Contact("contact", bodies, walls=[FLOOR, still], impact=0.2, friction=0.4))
    start = {f"b{k}": (0.02 * k, 0.01, 0.1 + 0.12 * k) for k in range(3)}
    motion = vc.simulate(system, 0.4, start, method="moreau", step=1e-3)
    assert motion.audit().passed
    assert "wall 2" in {name for pair in motion.bond("contact").impulses.shapes for name in pair}
    motion.save(tmp_path / "eggs.zarr")
    assert vc.load(tmp_path / "eggs.zarr").audit().passed
    model = model_for(system)
    data = model.type.to_dict(model)
    data["free_bodies"]["tilts"][0][0][0] = 2.0
    with pytest.raises(FileError, match="damaged"):
        model_from_dict(data)


@pytest.mark.parametrize(
    "other", [vc.shapes.Capsule(0.05, 0.1), vc.shapes.Cylinder(0.05, 0.1)], ids=["capsule", "cylinder"]
)
def test_a_ball_written_as_an_ellipsoid_bounces_off_capsules_and_cylinders_as_a_ball(other, monkeypatch):
    found = []
    for ball in (vc.shapes.Sphere(0.05), vc.shapes.Ellipsoid((0.05, 0.05, 0.05))):
        system = scene([ball, other, ball], "free bodies", monkeypatch, impact=0.5)
        start = thrown(3) | {"b1": (0.02, 0, 0.25), "b2": vc.At((0.04, 0.01, 0.42), rate=(0, 0, -3.0, 0, 0, 0))}
        motion = vc.simulate(system, 0.15, start, method="moreau", step=1e-3, tolerance=1e-9, grid=6)
        assert {("b0", "b1"), ("b1", "b2")} <= {tuple(sorted(p)) for p in motion.bond("contact").impulses.shapes}
        found.append(motion.q)
    assert np.abs(found[0] - found[1]).max() < 1e-7


def test_a_ball_written_as_an_ellipsoid_rolls_over_hills_as_a_ball():
    x = 0.2 * np.arange(21) - 2.0
    hills = vc.shapes.HeightField(0.05 * np.cos(3 * x)[:, None] * np.cos(2 * x)[None, :], 0.2, at=(-2, -2, 0))
    found = []
    for ball in (vc.shapes.Sphere(0.2), vc.shapes.Ellipsoid((0.2, 0.2, 0.2))):
        system = vc.System("ground", gravity=(0, 0, -9.81))
        system.add(vc.RigidBody.solid("egg", ball, density=1000))
        system.add(vc.Contact("c", ["egg"], walls=[hills], impact=0.0, friction=0.5))
        start = {"egg": vc.At((0.03, 0.02, 0.26), rate=(1.0, 0.3, 0, 0, 0, 0))}
        motion = vc.simulate(system, 0.6, start, method="moreau", step=1e-3, tolerance=1e-9, grid=7)
        assert motion.audit().passed
        found.append(motion.q[:, :3])
    assert np.abs(found[0] - found[1]).max() < 1e-6
