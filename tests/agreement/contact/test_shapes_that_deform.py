"""Shapes of affine bodies in contact: closed forms, corners written by hand, and rigid shapes of the same form."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

import vinculum as vc
from audited import broken
from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import MethodError, ModelError, StartError
from vinculum.integrators.moreau.contacts import contacts_at
from vinculum.models.model_cache import model_for

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
HALF = 0.2
CORNERS = np.array(list(product((-HALF, HALF), repeat=3)))
ROCK = vc.shapes.Polytope([(0.3, 0, -0.1), (-0.2, 0.2, -0.1), (-0.1, -0.2, -0.1), (0, 0, 0.3)])


def soft_cube(name="cube", shear=2000.0, shape=None):
    return vc.AffineBody.solid(
        name,
        vc.shapes.Box((2 * HALF,) * 3) if shape is None else shape,
        mass=2.0,
        energy=vc.energies.NeoHookean((2 * HALF) ** 3, shear=shear, lame=2 * shear),
        dissipation=vc.energies.NewtonianViscosity((2 * HALF) ** 3, shear=4.0),
    )


def thrown(place=(0, 0, 0.5), tilt=0.3, velocity=(1.0, 0, 0)):
    c, s = np.cos(tilt), np.sin(tilt)
    return vc.At((place, np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])), (velocity, np.zeros((3, 3))))


def on_floor(friction=0.4, impact=0.3):
    system = vc.System("shape", gravity=(0, 0, -9.81))
    cube = system.add(soft_cube())
    system.add(vc.Contact("floor", [cube], walls=FLOOR, impact=impact, friction=friction))
    return system


def by_hand(friction=0.4, impact=0.3):
    system = vc.System("corners", gravity=(0, 0, -9.81))
    cube = system.add(soft_cube())
    for k, corner in enumerate(CORNERS):
        system.add(vc.Unilateral(f"corner {k}", cube, gap=lambda b, p=corner: b.point(p)[2], impact=impact, friction=friction,
                                 point=lambda b, p=corner: b.point(p)))  # fmt: skip
    return system


def test_corners_of_a_soft_cube_are_gaps_from_event_to_event():
    shape, hand = (vc.simulate(system, 0.4, {"cube": thrown()}, method="dop853") for system in (on_floor(), by_hand()))
    assert np.abs(shape.q[-1] - hand.q[-1]).max() < 1e-9
    names = [name for name in shape.record.model.layout.unilaterals if "on wall 1" in name]
    assert len(names) == 8 and sum(len(shape.bond(name).impulses.times) for name in names) > 2
    assert shape.audit().passed


def test_time_steps_with_the_shape_and_with_its_corners_agree():
    runs = [
        vc.simulate(system, 0.3, {"cube": thrown()}, method="moreau", step=1e-4, impacts="stepped")
        for system in (on_floor(), by_hand())
    ]
    assert np.abs(runs[0].q[-1] - runs[1].q[-1]).max() < 1e-3
    assert runs[0].audit().passed


def swelling_ball(e, floor=FLOOR):
    """A ball without stress that grows along z while it falls: φ = diag(1, 1, 1 + a t)."""
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.AffineBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.5))
    system.add(vc.Contact("floor", [ball], walls=floor, impact=e))
    return system, {"ball": vc.At((0, 0, 0.5), ((0, 0, 0), np.diag([0, 0, 2.0])))}


def touch_of_the_ball():
    """The instant at which z₀ − ½ g t² = R (1 + a t)."""
    g, z, R, a = 9.81, 0.5, 0.1, 2.0
    return (-R * a + np.sqrt((R * a) ** 2 + 2 * g * (z - R))) / g


@pytest.mark.parametrize(("method", "options", "close"), [("dop853", {}, 1e-12), ("moreau", {"step": 1e-4}, 1e-4)])
def test_a_ball_that_becomes_an_ellipsoid_hits_the_floor_as_a_point_of_it_does(method, options, close):
    # the material point −R e_z has the inverse mass 1/m + R²/J, which is 6/m for a ball, as J = m R²/5
    e, m, R, a, g = 0.5, 1.5, 0.1, 2.0, 9.81
    system, start = swelling_ball(e)
    motion = vc.simulate(system, 0.28, start, method=method, **options)
    known = touch_of_the_ball()
    name = "floor: ball on wall 1" if method == "dop853" else "floor"
    hits = motion.bond(name).impulses
    assert abs(hits.times[0] - known) <= close
    impulse = (1 + e) * m / 6 * (g * known + R * a)
    assert abs(hits.normal[0] - impulse) < 30 * close
    after = motion.body("ball")
    assert abs(after.velocity[-1, 2] + g * 0.28 - impulse / m) < 30 * close
    assert abs(after.affine.deformation_rate[-1, 2, 2] - (a - 5 * impulse / (m * R))) < 300 * close
    assert motion.audit().passed


@pytest.mark.parametrize(
    "floor",
    [
        vc.shapes.FixedSolid(vc.shapes.Cylinder(1.0, 0.4), at=(0.3, 0.2, -0.2)),
        vc.shapes.FixedSolid(vc.shapes.Cone(1.0, 0.4), at=vc.Pose((0.3, 0.2, 0), rotation=(0, 1, 0, 0))),
        vc.shapes.HeightField(np.zeros((5, 5)), 0.5, at=(-1.03, -1.07, 0)),
    ],
    ids=["cylinder", "cone", "height field"],
)
def test_a_ball_that_becomes_an_ellipsoid_hits_flat_tops_as_a_floor(floor):
    found = [
        vc.simulate(system, 0.28, start, method="moreau", step=1e-3).q[-1]
        for system, start in (swelling_ball(0.5), swelling_ball(0.5, floor))
    ]
    assert np.abs(found[1] - found[0]).max() < 1e-9


def test_a_tilted_ellipsoid_touches_where_its_tangent_plane_is_horizontal():
    system, _ = swelling_ball(0.0)
    F = np.array([[1.3, 0.2, -0.4], [0.1, 0.8, 0.3], [0.5, -0.2, 1.1]])
    width, deep = 0.1 * np.linalg.norm(F[2]), 0.01
    center = np.array([0.3, -0.2, width - deep])
    met = contacts_at(model_for(system), np.concatenate([center, F.ravel(), np.zeros(12), [0.0]])[None])
    assert abs(met.gaps[0] + deep) < 1e-15
    lowest = center - 0.1 * F @ F[2] / np.linalg.norm(F[2])
    assert np.abs(met.places[0] - lowest - (0, 0, 0.5 * deep)).max() < 1e-15


def pair_of_shapes(deforming, one, other, F, G, place):
    """Two bodies, both affine with the shapes ``one`` and ``other``, or both rigid with these shapes deformed by F and G."""
    system = vc.System("pair")
    if deforming:
        a, b = (vc.AffineBody("a", 1.0, (1, 1, 1), shape=one), vc.AffineBody("b", 1.0, (1, 1, 1), shape=other))
    else:
        shapes = [vc.shapes.Polytope(corners @ M.T) for corners, M in ((one, F), (other, G))]
        a, b = (vc.RigidBody(name, 1.0, inertia=(1, 1, 1), shape=s) for name, s in zip("ab", shapes, strict=True))
        # a bond, so that they are a tree and not free bodies in contact
        system.add(a), system.add(b), system.add(vc.Spring("s", "a", "b", 1.0))
    if deforming:
        system.add(a), system.add(b)
    system.add(vc.Contact("c", ["a", "b"], impact=0.0, friction=0.2))
    middles = [np.zeros(3), np.asarray(place)]
    if deforming:
        q = np.concatenate([middles[0], F.ravel(), middles[1], G.ravel()])
    else:
        q = np.concatenate([np.concatenate([x, [1, 0, 0, 0]]) for x in middles])
    model = model_for(system)
    return model, np.concatenate([q, np.zeros(model.nv), [0.0]])


@pytest.mark.parametrize("seed", range(6))
def test_deformed_shapes_meet_as_rigid_shapes_of_the_same_form(seed):
    rng = np.random.default_rng(seed)
    F, G = (
        np.linalg.qr(rng.normal(size=(3, 3)))[0] @ np.diag(rng.uniform(0.6, 1.5, 3)) + 0.2 * rng.normal(size=(3, 3))
        for _ in "FG"
    )
    F, G = (M * np.sign(np.linalg.det(M)) for M in (F, G))
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    one, other = (vc.shapes.Box((0.4, 0.4, 0.4)), ROCK) if seed % 2 else (ROCK, vc.shapes.Box((0.4, 0.4, 0.4)))
    corners = [CORNERS if isinstance(s, vc.shapes.Box) else s.corners for s in (one, other)]
    # the distance along the direction at which the hulls just touch in it, and a little less
    reach = (corners[0] @ F.T @ direction).max() - (corners[1] @ G.T @ direction).min()
    place = (reach - 0.02) * direction
    soft, rigid = (
        contacts_at(*_rows(pair_of_shapes(kind, *shapes, F, G, place)))
        for kind, shapes in ((True, (one, other)), (False, corners))
    )
    assert (len(soft) > 0) == (len(rigid) > 0)
    if len(soft):
        one, other = np.argmin(soft.gaps), np.argmin(rigid.gaps)
        assert abs(soft.gaps[one] - rigid.gaps[other]) < 1e-12
        assert np.abs(soft.axes[one, 0] - rigid.axes[other, 0]).max() < 1e-9
        for place, gap in zip(soft.places, soft.gaps, strict=True):
            k = np.argmin(np.linalg.norm(rigid.places - place, axis=1))
            assert np.linalg.norm(rigid.places[k] - place) < 1e-9 and abs(rigid.gaps[k] - gap) < 1e-9


def _rows(found):
    model, row = found
    return model, row[None]


def test_rows_of_contacts_are_the_rates_of_gaps():
    rng = np.random.default_rng(3)
    F, G = (np.eye(3) + 0.05 * rng.normal(size=(3, 3)) for _ in "FG")
    model, row = pair_of_shapes(True, vc.shapes.Box((0.4, 0.4, 0.4)), ROCK, F, G, (0.01, 0.02, 0.0))
    low, high = 0.1, 0.8
    while high - low > 1e-9:
        row[14] = 0.5 * (low + high)
        low, high = (row[14], high) if len(contacts_at(model, row[None])) else (low, row[14])
    row[14] = low - 1e-6
    met = contacts_at(model, row[None])
    k = int(np.argmin(met.gaps))
    x, n = met.places[k], met.axes[k, 0]
    found = evaluate_groups(model.tape("shapes"), row[None])
    screws, strains = found["screws"].reshape(-1, 6), found["strains"].reshape(-1, 3, 3)
    fields = screws[:, :3] + np.cross(screws[:, 3:], x)
    fields[model.shapes.strained] += strains @ x
    sign = np.where(np.arange(model.nv) < 12, 1.0, -1.0) * (1 if met.shapes[k, 0] == 0 else -1)
    h = 1e-7
    for j in range(model.nv):
        moved = [row.copy(), row.copy()]
        moved[0][j] += h
        moved[1][j] -= h
        gaps = [contacts_at(model, one[None]).gaps.min() for one in moved]
        assert abs((gaps[0] - gaps[1]) / (2 * h) - fields[j] @ n * sign[j]) < 1e-5, j


def separation(direction, one, other, apart):
    """f(N) of two shapes, each given by its support function, whose centers are ``apart``."""
    n = direction / np.linalg.norm(direction)
    return n @ apart - one(n) - other(n)


def ellipsoid(M):
    return lambda n: np.linalg.norm(M.T @ n)


def hull(corners):
    return lambda n: max((corners @ n).max(), (-corners @ n).max())


@pytest.mark.parametrize("kind", ["ellipsoid", "sphere", "box", "soft box"])
@pytest.mark.parametrize("seed", [1, 3])
def test_an_ellipsoid_is_as_far_from_others_as_the_best_direction_says(kind, seed):
    rng = np.random.default_rng(seed)
    F, G = (np.eye(3) + 0.25 * rng.normal(size=(3, 3)) for _ in "FG")
    G = G if kind in ("ellipsoid", "soft box") else np.eye(3)
    box = kind in ("box", "soft box")
    shape = vc.shapes.Box((0.4, 0.4, 0.4)) if box else vc.shapes.Sphere(0.2)
    one = ellipsoid(0.1 * F)
    other = hull(CORNERS @ G.T) if box else ellipsoid(0.2 * G)
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)

    def distance(place):
        options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 2000}
        faces = [sign * n for n in np.linalg.inv(G) for sign in (1.0, -1.0)] if box else []
        return max(-minimize(lambda n: -separation(n, one, other, place), n, method="Nelder-Mead", options=options).fun
                   for n in (way, *faces))  # fmt: skip

    touching = brentq(lambda s: distance(s * way), 0.05, 1.5, xtol=1e-9)
    system = vc.System("pair")
    system.add(vc.AffineBody("ball", 1.0, (1, 1, 1), shape=vc.shapes.Sphere(0.1)))
    deforms = kind in ("ellipsoid", "soft box")
    if deforms:
        system.add(vc.AffineBody("other", 1.0, (1, 1, 1), shape=shape))
    else:
        system.add(vc.RigidBody("other", 1.0, inertia=(1, 1, 1), shape=shape))
    system.add(vc.Contact("c", ["ball", "other"], impact=0.0))
    model = model_for(system)
    for s, close in ((touching - 1e-5, 1e-6), (touching - 2e-3, 2e-4)):
        q = [s * way, F.ravel(), np.zeros(3), G.ravel() if deforms else [1, 0, 0, 0]]
        row = np.concatenate([*q, np.zeros(model.nv), [0.0]])
        met = contacts_at(model, row[None])
        assert len(met) == 1
        assert met.gaps[0] > distance(s * way) - close
        sign = 1.0 if met.shapes[0, 0] == 0 else -1.0
        n = sign * met.axes[0, 0]
        assert abs(separation(n, one, other, s * way) - met.gaps[0]) < 1e-12


def test_soft_balls_that_meet_exchange_the_impulse_of_their_points():
    # each material point of contact has the inverse mass 6/m
    system = vc.System("balls")
    balls = [system.add(vc.AffineBody.solid(name, vc.shapes.Sphere(0.1), mass=1.5)) for name in ("left", "right")]
    system.add(vc.Contact("hit", balls, impact=0.5, friction=0.3))
    start = {
        "left": vc.At((-0.2, 0, 0), ((1.0, 0, 0), np.zeros((3, 3)))),
        "right": vc.At((0.2, 0, 0), ((-2.0, 0, 0), np.zeros((3, 3)))),
    }
    motion = vc.simulate(system, 0.08, start, method="moreau", step=1e-4)
    hits = motion.bond("hit").impulses
    assert hits.times[0] == pytest.approx(0.2 / 3.0, abs=1e-4)
    # it acts in the middle of the gap, which is at most as wide as the way of a step
    assert hits.normal[0] == pytest.approx(1.5 * 3.0 * 1.5 / 12.0, rel=3.0 * 1e-4 / 0.1)
    assert motion.audit().passed


def two_cubes():
    system = vc.System("cubes", gravity=(0, 0, -9.81))
    cubes = [system.add(soft_cube(name)) for name in ("low", "high")]
    stone = system.add(vc.RigidBody.solid("stone", vc.shapes.Sphere(0.1), mass=1.0))
    system.add(vc.Contact("all", [*cubes, stone], walls=FLOOR, impact="inelastic", friction=0.5))
    start = {"low": (0, 0, 0.21), "high": thrown((0.05, 0.02, 0.66), 0.2, (0, 0, -1.0)), "stone": (0.1, 0, 1.05)}
    return system, start


def test_soft_cubes_and_a_stone_fall_on_each_other_and_no_law_is_broken(tmp_path):
    system, start = two_cubes()
    motion = vc.simulate(system, 0.2, start, method="moreau", step=1e-3)
    assert broken(motion.audit()) == set()
    pairs = {tuple(pair) for pair in motion.bond("all").impulses.shapes}
    assert {("high", "low"), ("low", "wall 1")} <= {tuple(sorted(pair)) for pair in pairs}
    motion.save(tmp_path / "cubes.zarr")
    again = vc.load(tmp_path / "cubes.zarr")
    assert np.array_equal(again.q, motion.q) and broken(again.audit()) == set()
    for bodies in (["high"], ["low", "stone"]):
        assert motion.body(*bodies).measures.balance((0.05, 0.15)).verdict != "failed"


def test_a_penetrating_start_of_soft_shapes_is_refused_or_moved_apart():
    system = on_floor()
    with pytest.raises(StartError, match=r"'cube' and 'wall 1' start 0\.05 m inside each other"):
        vc.simulate(system, 0.01, {"cube": (0, 0, 0.15)}, method="moreau", step=1e-3)
    motion = vc.simulate(system, 0.01, {"cube": (0, 0, 0.15)}, method="moreau", step=1e-3, resolve=True)
    # the least displacement in the kinetic metric lifts the cube and flattens it
    assert 0.15 < motion.body("cube").position[0, 2] < 0.2
    assert min(motion.body("cube").point(p).position[0, 2] for p in CORNERS) > -1e-9


def test_what_deforming_shapes_cannot_meet_is_refused():
    def built(shape, others=(), **laws):
        system = vc.System("one", gravity=(0, 0, -9.81))
        drop = system.add(vc.AffineBody.solid("drop", shape, mass=1.0))
        bodies = [drop, *(system.add(body) for body in others)]
        system.add(vc.Contact("touch", bodies, **({"walls": FLOOR, "impact": 0.0} | laws)))
        return system

    stone = vc.RigidBody.solid("stone", vc.shapes.Sphere(0.1), mass=1.0)
    for make, message in (
        (lambda: built(vc.shapes.Capsule(0.1, 0.4)), "body 'drop' deforms, and its shape is a Capsule; .*spheres, boxes and polytopes"),
        (lambda: built(vc.shapes.Cylinder(0.1, 0.4)), "body 'drop' deforms, and its shape is a Cylinder; .*spheres, boxes and polytopes"),
        (lambda: built(vc.shapes.Box((1, 1, 1)), friction=vc.Coulomb(0.3, rolling=0.01)), "does not say which of its points it moves"),
    ):  # fmt: skip
        with pytest.raises(ModelError, match=message):
            make().tree()
    with pytest.raises(ModelError, match=r"dimension=2, but its shape .* is a solid"):
        vc.AffineBody("flat", 1.0, (1, 1), dimension=2, shape=vc.shapes.Box((1, 1, 1)))
    two = built(vc.shapes.Box((0.4, 0.4, 0.4)), [stone])
    with pytest.raises(MethodError, match=r"not of 'drop' \(Box\) against 'stone' \(Sphere\)"):
        vc.simulate(two, 0.1, {"drop": (0, 0, 1), "stone": (0, 0, 2)}, method="dop853")
