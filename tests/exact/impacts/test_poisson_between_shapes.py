"""Poisson's law between shapes: balls, and a rod that lands on one end with friction, where it differs from Newton's law."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from marks import needs_heyoka
from vinculum.models.shapes.shape_gaps import with_gaps

G = 9.81
FLOOR = vc.shapes.HalfSpace((0, 0, 1))
ENGINES = [pytest.param("taylor", {}, marks=needs_heyoka), ("dop853", {}), ("moreau", {"step": 1e-3})]
TURN = 0.6
ROD = vc.shapes.Capsule(0.02, 0.4)


def of_shapes(shapes, impact, friction=None, gravity=(0, 0, 0), walls=(FLOOR,)):
    """Bodies "b0", "b1", … in contact."""
    system = vc.System("shapes", gravity=gravity)
    bodies = [system.add(vc.RigidBody.solid(f"b{k}", shape, density=1000)) for k, shape in enumerate(shapes)]
    system.add(vc.Contact("contact", bodies, walls=list(walls), impact=impact, friction=friction))
    return system


@pytest.mark.parametrize(("method", "options"), ENGINES)
def test_a_ball_leaves_the_floor_with_a_fraction_of_its_speed(method, options):
    system = of_shapes([vc.shapes.Sphere(0.1)], vc.Poisson(0.7))
    motion = vc.simulate(system, 0.4, {"b0": vc.At((0, 0, 0.3), rate=(0.5, 0, -1, 0, 0, 0))}, method=method, **options)
    np.testing.assert_allclose(motion.v[-1], (0.5, 0, 0.7, 0, 0, 0), atol=1e-9)
    assert motion.audit().passed


@pytest.mark.parametrize(("method", "options"), ENGINES)
def test_two_balls_part_with_a_fraction_of_the_speed_at_which_they_meet(method, options):
    e, balls = 0.6, [vc.shapes.Sphere(0.1), vc.shapes.Sphere(0.15)]
    system = of_shapes(balls, vc.Poisson(e), walls=())
    m, n = (system.bodies[name].mass for name in ("b0", "b1"))
    start = {"b0": vc.At((-0.5, 0, 0), rate=(1, 0, 0, 0, 0, 0)), "b1": (0, 0, 0)}
    motion = vc.simulate(system, 0.6, start, method=method, **options)
    impulse = (1 + e) * m * n / (m + n)
    np.testing.assert_allclose(motion.v[-1, [0, 6]], [1 - impulse / m, impulse / n], rtol=1e-9)
    assert motion.audit().passed


def rod(impact, mu):
    """A rod without weight that comes down on its lower end, and its start. The floor is met at r below the end's center."""
    system = of_shapes([ROD], impact, mu)
    q = (np.cos(TURN / 2), 0, np.sin(TURN / 2), 0)
    height = 0.5 * ROD.length * np.cos(TURN) + ROD.radius + 0.05
    return system, {"b0": vc.At(np.r_[0, 0, height, q], rate=(*vc.Pose(rotation=q).R.T @ (0.4, 0, -1.0), 0, 0, 0))}


def after_impact(e, mu, poisson):
    """Velocity (2,) and angular velocity about y after the impact, from two phases or from Newton's ratio, by hand."""
    body = rod(vc.Poisson(e), mu)[0].bodies["b0"]
    m, I = float(body.mass), float(body.inertia[1, 1])
    x, z = -0.5 * ROD.length * np.sin(TURN), -0.5 * ROD.length * np.cos(TURN) - ROD.radius
    J = np.array(
        [[0.0, 1.0, -x], [1.0, 0.0, z]]
    )  # normal and tangential velocity of the contact point from (vx, vz, ω)
    B = np.diag([1 / m, 1 / m, 1 / I])
    W, v = J @ B @ J.T, np.array([0.4, -1.0, 0.0])
    u = J @ v

    def with_friction(normal):
        """The tangential impulse that sticks if it can, else slides against the slip that is left."""
        P = -(u[1] + W[1, 0] * normal) / W[1, 1]
        return P if abs(P) <= mu * normal else np.sign(P) * mu * normal

    def solve(speed):
        stick = np.linalg.solve(W, np.array([speed, 0.0]) - u)
        if abs(stick[1]) <= mu * stick[0]:
            return stick
        way = np.sign(stick[1])
        normal = (speed - u[0]) / (W[0, 0] + way * mu * W[0, 1])
        return np.array([normal, way * mu * normal])

    if poisson:
        normal = (1 + e) * solve(0.0)[0]
        P = np.array([normal, with_friction(normal)])
    else:
        P = solve(-e * u[0])
    return v + B @ J.T @ P


@pytest.mark.parametrize("mu", [2.0, 0.1], ids=["sticks", "slides"])
@pytest.mark.parametrize(("method", "options"), [("dop853", {}), ("moreau", {"step": 1e-4})])
def test_a_rod_that_sticks_with_its_end_moves_by_poissons_law_and_otherwise_by_newtons(method, options, mu):
    e, found = 0.5, []
    for impact in (vc.Poisson(e), vc.Newton(e)):
        system, start = rod(impact, mu)
        motion = vc.simulate(system, 0.055, start, method=method, grid=2, **options)
        u = motion.body("b0").rotation[-1] @ motion.v[-1, :3]
        found.append([u[0], u[2], motion.v[-1, 4]])
        expected = after_impact(e, mu, isinstance(impact, vc.Poisson))
        np.testing.assert_allclose(found[-1], expected, atol=1e-9 if method == "dop853" else 2e-3)
        assert motion.audit().passed
    # as long as slip does not stop, both laws are one
    assert (np.abs(np.subtract(*found)).max() > 0.01) == (mu == 2.0)


def cradle(impact, of="shapes"):
    """Three balls that touch, hit by a fourth along their line, as shapes or with unilateral constraints."""
    if of == "shapes":
        system = of_shapes([vc.shapes.Sphere(0.1)] * 4, impact, walls=())
    else:
        system = vc.System("shapes")
        balls = [system.add(vc.RigidBody.solid(f"b{k}", vc.shapes.Sphere(0.1), density=1000)) for k in range(4)]
        for k, pair in enumerate(pairwise(balls)):
            gap = lambda a, b: vc.math.norm(b.position - a.position) - 0.2
            system.add(vc.Unilateral(f"gap {k}", list(pair), gap=gap, impact=impact))
    start = {f"b{k}": (0.2 * k, 0, 0) for k in range(1, 4)}
    return system, start | {"b0": vc.At((-0.1, 0, 0), rate=(1, 0, 0, 0, 0, 0))}


@pytest.mark.parametrize("e", [0.4, pytest.param(1.0, marks=pytest.mark.slow)])
def test_balls_in_a_row_move_as_with_unilateral_constraints(e):
    found = []
    for of, options in (("shapes", ENGINES[2][1]), ("constraints", ENGINES[2][1]), ("constraints", None)):
        system, start = cradle(vc.Poisson(e), of)
        how = {"method": "dop853"} if options is None else {"method": "moreau", **options}
        motion = vc.simulate(system, 0.2, start, **how)
        assert motion.audit().passed
        found.append(motion.v[-1, ::6])
    np.testing.assert_allclose(found[0], found[2], atol=1e-9)
    np.testing.assert_allclose(found[1], found[2], atol=1e-9)


@pytest.mark.slow
def test_a_box_that_falls_flat_gives_each_corner_its_share():
    system = of_shapes([vc.shapes.Box((0.2, 0.3, 0.1))], vc.Poisson(0.5), 0.3, (0, 0, -G))
    motion = vc.simulate(system, 1.5, {"b0": (0, 0, 0.25)}, method="moreau", step=1e-3)
    assert np.abs(motion.v[-1]).max() < 1e-6
    assert motion.q[:, 2].max() <= 0.25 and motion.audit().passed
    height = motion.q[:, 2] - 0.05
    hit = int(np.argmax(height < 5e-3))
    assert height[hit : hit + 40].max() == pytest.approx(0.25 * 0.2, rel=0.1)


@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_a_motion_by_another_law_breaks_the_certificate(method):
    options = {"dop853": {}, "moreau": {"step": 1e-4}}[method]
    system, start = rod(vc.Newton(0.5), 2.0)
    system.add(vc.Force("nothing", "b0", lambda b: vc.Wrench(force=0.0 * b.velocity)))
    motion = vc.simulate(system, 0.055, start, method=method, **options)
    poisson, _ = rod(vc.Poisson(0.5), 2.0)
    poisson.add(vc.Force("nothing", "b0", lambda b: vc.Wrench(force=0.0 * b.velocity)))
    own = vc.simulate(poisson, 0.055, start, method=method, **options)
    assert own.audit().passed and "Poisson(0.5)" in str(own.audit())
    other = poisson if method == "moreau" else with_gaps(poisson)
    assert broken(motion.replace(system=other).audit()) == {"impact law"}


def test_large_systems_with_poissons_law_are_refused_with_a_remedy():
    with pytest.raises(vc.errors.ModelError, match=r"600 are the most with impacts by Poisson's law.*fewer bodies"):
        of_shapes([vc.shapes.Sphere(0.1)] * 101, vc.Poisson(0.5)).tree()


def test_storage_keeps_poissons_law(tmp_path):
    system, start = rod(vc.Poisson(0.5), 2.0)
    motion = vc.simulate(system, 0.055, start, method="moreau", step=1e-4)
    motion.save(tmp_path / "rod.zarr")
    told = str(vc.load(tmp_path / "rod.zarr").audit())
    assert "Poisson(0.5)" in told
