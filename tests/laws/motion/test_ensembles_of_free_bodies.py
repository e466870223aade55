"""Many runs of free bodies in contact, taken in one loop, are those of `simulate` taken one by one."""

import numpy as np
import pytest

import vinculum as vc

GRID = (0.0, 0.1, 0.1525, 0.3)


def scene(shapes, wall=None):
    system = vc.System("few", gravity=(0, 0, -9.81))
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=1000)) for i, shape in enumerate(shapes)]
    walls = [vc.shapes.HalfSpace((0, 0, 1)), *([wall] if wall else [])]
    system.add(vc.Contact("contact", bodies, walls=walls, impact=0.5, friction=0.3))
    return system


def starts(count, bodies, height, seed=1):
    rng = np.random.default_rng(seed)
    q, v = np.zeros((count, bodies, 7)), rng.uniform(-1.0, 1.0, (count, bodies, 6))
    q[..., 0], q[..., 2], q[..., 3] = 0.16 * np.arange(bodies), height, 1.0
    q[..., :3] += rng.uniform(-0.01, 0.01, (count, bodies, 3))
    return q.reshape(count, -1), v.reshape(count, -1)


def alone(system, q, v, **how):
    bodies = len(q) // 7
    at = {f"b{i}": vc.At(vc.Pose(q[7 * i : 7 * i + 3], q[7 * i + 3 : 7 * i + 7]), rate=v[6 * i : 6 * i + 6])
          for i in range(bodies)}  # fmt: skip
    return vc.simulate(system, 0.3, at, method="moreau", grid=GRID, impacts="stepped", progress=False, **how)


@pytest.mark.parametrize(
    "shapes", [[vc.shapes.Sphere(0.05)] * 5, [vc.shapes.Box((0.1, 0.08, 0.06)), vc.shapes.Sphere(0.05), vc.shapes.Capsule(0.03, 0.08)]],
    ids=["spheres", "mixed"],
)  # fmt: skip
def test_runs_of_an_ensemble_are_those_of_simulate(shapes):
    system = scene(shapes)
    q, v = starts(6, len(shapes), 0.11)
    runs = vc.ensemble(system, 0.3, (q, v), method="moreau", step=5e-3, grid=GRID, threads=2)
    assert not runs.failed.any() and runs.q.shape == (6, 4, 7 * len(shapes))
    for k in range(6):
        one = alone(system, q[k], v[k], step=5e-3)
        assert np.abs(one.v - runs.v[k]).max() < 1e-12
        assert (
            np.abs(one.q - runs.q[k]).max() < 1e-7
        )  # quadratics leave quaternions of a motion not quite of length one
        assert runs.steps[k] == 2 * 60


def test_a_run_does_not_depend_on_the_runs_before_it():
    system = scene([vc.shapes.Sphere(0.05)] * 4)
    q, v = starts(9, 4, 0.08)
    together = vc.ensemble(system, 0.3, (q, v), method="moreau", step=5e-3, grid=GRID, threads=1)
    backward = vc.ensemble(system, 0.3, (q[::-1], v[::-1]), method="moreau", step=5e-3, grid=GRID, threads=1)
    assert np.array_equal(together.q, backward.q[::-1]) and np.array_equal(together.v, backward.v[::-1])


def test_a_run_that_is_too_fast_stops_as_it_does_alone_and_stops_no_other():
    system = scene([vc.shapes.Sphere(0.05)] * 2)
    q, v = starts(4, 2, 0.3)
    v[2, 6:9] = 2e3 * (q[2, :3] - q[2, 7:10])
    runs = vc.ensemble(system, 0.3, (q, v), method="moreau", step=5e-3, grid=GRID)
    assert runs.failed.tolist() == [False, False, True, False]
    with pytest.raises(vc.errors.RunError, match="'b0' went through body 'b1'"):
        alone(system, q[2], v[2], step=5e-3)
    assert np.abs(alone(system, q[3], v[3], step=5e-3).v - runs.v[3]).max() < 1e-12


def test_runs_above_a_surface_are_taken_one_by_one():
    hills = vc.shapes.HeightField(0.05 * np.ones((5, 5)), (0.5, 0.5))
    system = scene([vc.shapes.Sphere(0.05)] * 2, hills)
    q, v = starts(3, 2, 0.3)
    runs = vc.ensemble(system, 0.3, (q, v), method="moreau", step=5e-3, grid=GRID)
    for k in range(3):
        assert np.abs(alone(system, q[k], v[k], step=5e-3).v - runs.v[k]).max() < 1e-12


def test_a_start_with_penetration_is_refused_by_the_number_of_its_run():
    system = scene([vc.shapes.Sphere(0.05)] * 2)
    q, v = starts(4, 2, 0.3)
    q[2, 7:10] = q[2, :3] + [0.02, 0, 0]
    with pytest.raises(vc.errors.StartError, match=r"run 2: .*'b0' and 'b1' start .* inside each other"):
        vc.ensemble(system, 0.3, (q, v), method="moreau", step=5e-3)
