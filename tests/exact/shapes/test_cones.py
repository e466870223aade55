"""Cones in contact: closed forms of cones that stand, tip over, roll on their sides and fall from their tips."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from free_bodies import G, free_bodies
from vinculum.collision.broad_phase import CONE as CONE_KIND
from vinculum.collision.passages import pass_through
from vinculum.collision.pool import Pool
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.types import model_from_dict

R, H = 0.1, 0.3
CONE = vc.shapes.Cone(R, H)
SLANT = np.hypot(R, H)
FLOOR = vc.shapes.HalfSpace((0, 0, 1))
WALLS = {
    "half-space": FLOOR,
    "block": vc.shapes.FixedSolid(vc.shapes.Box((8, 8, 1)), at=(0, 0, -0.5)),
    "height field": vc.shapes.HeightField(np.zeros((17, 17)), 0.25, at=(-2.03, -2.07, 0)),
}


def run(system, until, start, step=1e-3, **options):
    return vc.simulate(system, until, start, method="moreau", step=step, progress=False, **options)


def lying(turn=0.0):
    """A cone on its side with its apex at the origin and its axis turned about the vertical."""
    down = vc.Pose(rotation=(np.cos(turn / 2), 0, 0, np.sin(turn / 2))).R
    c, s = (
        H / SLANT,
        R / SLANT,
    )  # the axis rises from the apex to the middle of the base, and the body's z axis goes the other way
    axes = np.array([[-s, 0, -c], [0, 1, 0], [c, 0, -s]])
    return vc.Pose(down @ (H * np.array([c, 0, s])), down @ axes)


@pytest.mark.parametrize("wall", WALLS)
def test_a_cone_stands_on_its_base_and_slides_with_friction(wall):
    system = free_bodies([CONE], walls=[WALLS[wall]], mu=0.3)
    motion = run(system, 0.3, {"b0": vc.At((-0.5, 0, 0), rate=(1, 0, 0, 0, 0, 0))}, tolerance=1e-10)
    np.testing.assert_allclose(motion.v[-1, :3], (1 - 0.3 * G * 0.3, 0, 0), atol=1e-7)
    np.testing.assert_allclose(motion.body("b0").rotation[-1], np.eye(3), atol=1e-6)
    assert motion.audit().passed


@pytest.mark.parametrize(("part", "stands"), [(0.99, True), (1.01, False)])
def test_a_cone_tips_over_on_a_slope_that_passes_below_its_mass_center(part, stands):
    angle = np.arctan(part * R / (H / 4))  # mass center at a quarter of the height
    system = free_bodies([CONE], walls=[FLOOR], gravity=(G * np.sin(angle), 0, -G * np.cos(angle)), mu=3.0)
    motion = run(system, 0.05, {"b0": (0, 0, 0)}, tolerance=1e-10)
    assert (np.abs(motion.v[-1]).max() < 1e-6) == stands


@pytest.mark.parametrize("wall", ["half-space", "block"])
def test_a_cone_on_its_side_swings_about_its_apex_on_a_slope(wall):
    # Landau and Lifshitz, Mechanics, section 32: T = 3/40 m h² (1 + 5 cos²α) φ'², mass center 3/4 h cos α below the apex along the side
    slope, cos2, phi = 0.1, (H / SLANT) ** 2, 0.3
    rate = 5 * G * np.sin(slope) * np.sqrt(cos2) / (H * (1 + 5 * cos2))
    system = free_bodies([CONE], walls=[WALLS[wall]], gravity=(G * np.sin(slope), 0, -G * np.cos(slope)), mu=2.0)
    until = 1.0
    motion = run(system, until, {"b0": lying(phi)}, tolerance=1e-9, grid=101)
    exact = solve_ivp(
        lambda t, y: [y[1], -rate * np.sin(y[0])], (0, until), [phi, 0], t_eval=motion.time, rtol=1e-10
    ).y[0]
    axis = -motion.body("b0").rotation[:, :, 2]
    assert np.abs(np.arctan2(axis[:, 1], axis[:, 0]) - exact).max() < 0.01 * phi
    apex = motion.body("b0").position + H * motion.body("b0").rotation[:, :, 2]
    assert np.abs(apex).max() < 1e-4
    assert motion.audit().passed


def test_a_cone_falls_from_its_tip_as_a_pendulum_and_comes_to_rest_on_its_side():
    tilt, until = 0.1, 0.25
    q = (0, np.cos(tilt / 2), 0, np.sin(tilt / 2))  # half a turn about x puts the apex below
    inertia = 3 / 20 * R**2 + 3 / 5 * H**2
    exact = solve_ivp(lambda t, y: [y[1], 0.75 * G * H / inertia * np.sin(y[0])], (0, until), [tilt, 0], rtol=1e-11).y[
        0, -1
    ]
    R0 = vc.Pose(rotation=q).R
    system = free_bodies([CONE], walls=[FLOOR], mu=1.0)
    start = {"b0": np.r_[-R0 @ (0, 0, H), q]}
    motion = run(system, until, start, tolerance=1e-10)
    axis = -motion.body("b0").rotation[-1][:, 2]
    assert np.arccos(axis[2]) == pytest.approx(exact, rel=2e-3)
    rest = run(system, 3.0, start, step=2e-3)
    assert np.abs(rest.v[-1]).max() < 1e-3
    assert rest.body("b0").center[-1][2] == pytest.approx(0.75 * H * R / SLANT, abs=1e-5)
    assert rest.audit().passed


def heap(engine, monkeypatch):
    """Two cones, a ball and an egg that fall on each other, as free bodies, as a tree or over tables."""
    shapes = [CONE, vc.shapes.Sphere(0.08), vc.shapes.Ellipsoid((0.1, 0.06, 0.05)), vc.shapes.Cone(0.12, 0.2)]
    system = vc.System("heap", gravity=(0, 0, -G))
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", shape, density=1000)) for k, shape in enumerate(shapes)]
    if engine != "free bodies":
        system.add(vc.Force("nothing", bodies[0], lambda b: vc.Wrench(force=0.0 * b.velocity)))
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0 if engine == "tables" else 10**9)
    system.add(vc.Contact("contact", bodies, walls=[FLOOR], impact=0.2, friction=0.5))
    q = np.array([0.9, 0.3, 0.2, 0.1])
    q /= np.linalg.norm(q)
    places = [(0.02, 0.01, 0.15), (0.1, 0, 0.45), (-0.1, 0, 0.42), (0.0, 0.05, 0.7)]
    return system, {f"b{k}": np.r_[p, q] for k, p in enumerate(places)}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["free bodies", "tree", "tables"])
def test_cones_in_a_heap_are_certified_in_every_engine(engine, monkeypatch):
    system, start = heap(engine, monkeypatch)
    motion = run(system, 0.25, start, step=2e-4, grid=26)
    met = {tuple(sorted(pair)) for pair in motion.bond("contact").impulses.shapes}
    assert any({"b0", "b3"} & set(pair) and {"b1", "b2"} & set(pair) for pair in met)
    assert motion.audit().passed


def test_a_cone_survives_storage(tmp_path, monkeypatch):
    system, start = heap("free bodies", monkeypatch)
    motion = run(system, 0.3, start)
    motion.save(tmp_path / "heap.zarr")
    assert vc.load(tmp_path / "heap.zarr").audit().passed
    model = model_for(system)
    data = model.type.to_dict(model)
    data["free_bodies"]["sizes"][0][1] = -1.0
    with pytest.raises(vc.errors.FileError, match="damaged"):
        model_from_dict(data)


def test_segments_pass_through_a_cone_where_their_points_are_inside():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 3000, 3)) * 0.3
    b[::5] = a[::5] + rng.normal(size=(600, 1)) * np.array([R, 0, -H])  # parallel to the side
    at = np.linspace(0, 1, 2001)[:, None]
    x = a[:, None] + at * (b - a)[:, None] + (0, 0, H / 4)
    margin = np.maximum(H * np.hypot(x[..., 0], x[..., 1]) + R * (x[..., 2] - H), -SLANT * x[..., 2]) / SLANT
    sure = np.abs(margin.min(axis=1)) > 1e-3
    expected = (margin.min(axis=1) < 0) & (margin[:, 0] > 0) & (margin[:, -1] > 0)
    found = pass_through(np.full(3000, CONE_KIND), np.tile((R, H, 0.0), (3000, 1)), Pool(), a, b)
    assert expected[sure].sum() > 50 and np.all(found[sure] == expected[sure])
