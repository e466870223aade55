"""Many runs at once are the same runs."""

import numpy as np
import pytest

import vinculum as vc
from trees import random_state, random_system


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
    with pytest.raises(vc.VinculumError, match=words):
        vc.ensemble(system, **({"until": 1.0} | arguments))
