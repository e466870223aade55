"""Many runs at once are the same runs."""

import numpy as np
import pytest

import vinculum as vc
from trees import random_state, random_system
from vinculum.screws import rotation


def case():
    rng = np.random.default_rng(9)
    system = random_system(rng, 4, kinds=("revolute", "spherical", "planar", "helical"))
    tree = system.tree()
    states = [random_state(tree, rng) for _ in range(21)]
    return system, np.stack([q for q, _ in states]), np.stack([v for _, v in states])


METHODS = [{"method": "rk4", "step": 1e-2}, {"method": "midpoint", "step": 1e-2}, {"method": "verlet", "step": 1e-2},
           {"method": "dop853", "tolerance": 1e-11}]  # fmt: skip


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m["method"])
def test_the_bits_of_a_run_do_not_depend_on_its_neighbours(method):
    system, q, v = case()
    whole = vc.ensemble(system, 0.5, (q, v), grid=6, **method)
    assert not whole.failed.any()
    for i in (0, 8, 20):
        alone = vc.ensemble(system, 0.5, (q[i : i + 1], v[i : i + 1]), grid=6, **method)
        assert np.array_equal(alone.q[0], whole.q[i])
        assert np.array_equal(alone.v[0], whole.v[i])
    backwards = vc.ensemble(system, 0.5, (q[::-1], v[::-1]), grid=6, threads=1, **method)
    assert np.array_equal(backwards.q[::-1], whole.q)


def test_an_ensemble_agrees_with_single_runs():
    system, q, v = case()
    tree = system.tree()
    runs = vc.ensemble(system, 0.5, (q, v), tolerance=1e-12)
    for i in (3, 17):
        start = {link.joint.name: vc.At(q[i, link.q], rate=v[i, link.v]) for link in tree.links}
        assert np.abs(vc.simulate(system, 0.5, start).q[-1] - runs.q[i, -1]).max() < 1e-9


def test_a_run_that_fails_is_marked_and_leaves_the_others_alone():
    system = vc.System("collapse")
    system.add(vc.MassPoint("a", 1.0))
    system.add(vc.Prismatic("x", "ground", "a", drive=lambda q: -1.0 / (q * q)))
    runs = vc.ensemble(system, 3.0, {"x": np.array([1.0, 10.0, 12.0])}, grid=4)
    assert runs.failed.tolist() == [True, False, False]
    assert np.isnan(runs.q[0, -1]).all() and np.isfinite(runs.q[1:]).all()


def test_starts_may_carry_a_batch():
    system = vc.System("pair", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 1.0, inertia=(1, 1, 1)))
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Spherical("ball", "ground", body))
    runs = vc.ensemble(
        system, 1.0, {"point": vc.At(np.zeros((5, 3)), rate=np.arange(15.0).reshape(5, 3)), "ball": (1, 0, 0, 0)}
    )
    assert runs.q.shape == (5, 2, 7) and point.mass == 1.0
    expected = np.arange(15.0).reshape(5, 3) - [0, 0, 0.5 * 9.81]
    assert np.abs(runs.q[:, -1, 4:] - expected).max() < 1e-12


@pytest.mark.parametrize(("arguments", "words"), [
    ({"device": "cuda"}, "device"), ({"method": "taylor"}, "not known"), ({"method": "rk4"}, "needs step"),
    ({"until": -1.0}, "after the start"), ({"parameters": {"m": [1.0, 2.0]}}, "no parameter"),
    ({"start": (np.zeros((3, 1)), np.zeros((2, 1)))}, "start must be"), ({"grid": [0.0, 5.0]}, "grid"),
])  # fmt: skip
def test_bad_ensembles_are_refused(arguments, words):
    system = vc.System("machine")
    system.add(vc.MassPoint("a", 1.0))
    system.add(vc.Prismatic("x", "ground", "a"))
    with pytest.raises(vc.errors.VinculumError, match=words):
        vc.ensemble(system, **({"until": 1.0} | arguments))


def ball(chart="quaternion") -> vc.System:
    system = vc.System("ball")
    system.add(vc.RigidBody("body", 1.0, inertia=(1.0, 2.0, 2.5)))
    system.add(vc.Spherical("j", "ground", "body", chart=chart))
    return system


TURN = rotation(np.array([1.0, 2.0, 2.0]) / 3.0, 0.7)


def first(runs) -> np.ndarray:
    return np.concatenate([runs.q[:, 0], runs.v[:, 0]], axis=1)


def test_a_matrix_is_one_rotation_and_a_stack_of_matrices_many():
    one = vc.ensemble(ball(), 0.1, {"j": TURN})
    assert one.q.shape == (1, 2, 4)
    assert one.q[0, 0] == pytest.approx(vc.simulate(ball(), 0.1, {"j": TURN}).q[0], abs=1e-15)
    many = vc.ensemble(ball(), 0.1, {"j": np.stack([TURN, TURN.T, TURN @ TURN, np.eye(3)])})
    assert np.abs(many.q[0] - one.q[0]).max() == 0.0
    assert many.q[1, 0] == pytest.approx(one.q[0, 0] * (1, -1, -1, -1), abs=1e-15)
    poses = vc.ensemble(ball(), 0.1, {"j": [vc.Pose(rotation=TURN), vc.Pose(rotation=TURN.T)]})
    assert np.array_equal(poses.q, many.q[:2])


def test_a_matrix_that_may_be_one_rotation_or_three_starts_is_refused():
    with pytest.raises(vc.errors.StartError, match=r"start of 'j': .*one rotation or 3 runs.*vc\.Pose"):
        vc.ensemble(ball("xyz"), 0.1, {"j": np.eye(3)})
    angles = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]])
    assert np.array_equal(vc.ensemble(ball("xyz"), 0.1, {"j": angles}).q[:, 0], angles)
    assert vc.ensemble(ball("xyz"), 0.1, {"j": vc.Pose(rotation=TURN)}).q.shape == (1, 2, 3)


def test_a_chart_that_is_singular_at_rest_may_be_named_in_the_start():
    angles = np.array([[0.1, 0.9, 0.3], [0.4, 0.5, 0.6]])
    assert np.array_equal(vc.ensemble(ball("zxz"), 0.1, {"j": angles}).q[:, 0], angles)


def test_rates_have_one_row_for_each_run():
    rates = np.arange(15.0).reshape(5, 3) / 10
    runs = vc.ensemble(ball(), 0.1, {"j": vc.At((1, 0, 0, 0), rate=rates)})
    assert np.array_equal(runs.v[:, 0], rates)
    with pytest.raises(
        vc.errors.StartError, match=r"start of 'j': rate has shape \(3, 5\).*\(3,\) or \(B, 3\).*transpose"
    ):
        vc.ensemble(ball(), 0.1, {"j": vc.At((1, 0, 0, 0), rate=rates.T)})
    for wrong in (np.zeros(15), np.zeros((5, 6)), np.zeros((2, 5, 3)), 1.0, np.zeros((0, 3))):
        with pytest.raises(vc.errors.StartError, match="start of 'j': rate"):
            vc.ensemble(ball(), 0.1, {"j": vc.At((1, 0, 0, 0), rate=wrong)})


@pytest.mark.parametrize("rates", [0.5, [0.5], [0.5, 0.25], [[0.5], [0.25]]])
def test_a_joint_with_one_velocity_takes_a_number_a_row_or_a_column(rates):
    system = vc.System("machine")
    system.add(vc.MassPoint("a", 1.0))
    system.add(vc.Prismatic("x", "ground", "a"))
    runs = vc.ensemble(system, 1.0, {"x": vc.At(rates, rate=rates)})
    assert np.array_equal(runs.v[:, 0, 0], np.ravel(rates))
    assert np.array_equal(runs.q[:, 0, 0], np.ravel(rates))
    with pytest.raises(vc.errors.StartError, match="transpose"):
        vc.ensemble(system, 1.0, {"x": vc.At(0.0, rate=[[1.0, 2.0]])})


def test_quaternions_in_pairs_of_arrays_are_brought_to_length_one():
    q, v = np.array([[3.0, 0, 0, 4.0], [1e200, 0, 0, 0], [1e-200, 0, 1e-200, 0]]), np.full((3, 3), 0.1)
    runs = vc.ensemble(ball(), 0.1, (q, v))
    assert runs.q[:, 0] == pytest.approx(
        np.array([[0.6, 0, 0, 0.8], [1, 0, 0, 0], [0.5**0.5, 0, 0.5**0.5, 0]]), abs=1e-15
    )
    with pytest.raises(vc.errors.StartError, match=r"run 1: the quaternion .* has norm 0"):
        vc.ensemble(ball(), 0.1, (np.array([[1.0, 0, 0, 0], [0, 0, 0, 0]]), v[:2]))


@pytest.mark.parametrize(("arguments", "words"), [
    ({"start": 3}, "start is 3.*map names.*pair"),
    ({"start": "up"}, "start is 'up'"),
    ({"start": {"j": []}}, "start of 'j'"),
    ({"start": {"j": np.zeros((0, 4))}}, "start of 'j'"),
    ({"start": {"j": np.ones((3, 5))}}, "start of 'j'"),
    ({"start": {"j": np.ones((2, 4)) * 1j}}, "start of 'j'"),
    ({"start": {"body": (1, 0, 0, 0)}}, "'body' is carried by joint 'j'"),
    ({"start": (np.ones((2, 4)) * 1j, np.zeros((2, 3)))}, "start: q"),
    ({"start": (np.full((2, 4), np.nan), np.zeros((2, 3)))}, "start: q .*not finite"),
    ({"start": ([[1.0], [1.0, 2.0]], np.zeros((2, 3)))}, "start: q"),
    ({"parameters": 3}, "parameters is 3"),
    ({"parameters": {"j": "a"}}, "parameter"),
    ({"threads": -1}, "threads -1"), ({"threads": "x"}, "threads 'x'"), ({"threads": 0}, "threads 0"),
    ({"threads": 2.5}, "threads 2.5"), ({"threads": True}, "threads True"),
    ({"grid": [np.nan, 0.1]}, "grid .*not finite"), ({"grid": [0.0, 0.1j]}, "grid"), ({"grid": [0.0]}, "grid"),
    ({"grid": []}, "grid"), ({"grid": [[0.0, 0.1]]}, "grid"),
    ({"method": []}, r"method \[\]"), ({"method": "rk4", "step": "x"}, "step 'x'"),
    ({"method": "rk4", "step": 1e-12}, "steps"), ({"method": "rk4", "step": 1e-18}, "step"),
    ({"tolerance": True}, "tolerance"), ({"tolerance": 1j}, "tolerance"), ({"device": []}, "device"),
])  # fmt: skip
def test_odd_ensembles_are_refused(arguments, words):
    with pytest.raises(vc.errors.VinculumError, match=words):
        vc.ensemble(ball(), **({"until": 0.1} | arguments))
