"""Motions of blocks and bonds over tables: certificates, storage, events, parameters, and what is refused."""

import itertools

import numpy as np
import pytest

import vinculum as vc
from actions import add_random_actions
from trees import random_forest
from vinculum.errors import MethodError, ModelError
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def forest(seed: int) -> vc.System:
    rng = np.random.default_rng(seed)
    system = random_forest(rng, structures=2, copies=2, driven=bool(seed % 2))
    add_random_actions(system, rng, 5)
    return system


def chain(count: int = 12) -> tuple[vc.System, dict]:
    """Points on springs with a parameter, held at one end."""
    system, k = vc.System("chain", gravity=(0, 0, -9.81)), vc.parameter("k", 80.0)
    points = [system.add(vc.MassPoint(f"p{i}", 0.1 + 0.01 * i)) for i in range(count)]
    for i, (a, b) in enumerate(itertools.pairwise(points)):
        system.add(vc.Spring(f"spring {i}", a, b, stiffness=(1.0 + 0.1 * i) * k, rest_length=0.2))
    system.add(vc.Spring("hook", points[0], "ground", stiffness=500.0))
    return system, {f"p{i}": vc.At((0.2 * i, 0, 0), rate=(0, 0.1 * i, 0)) for i in range(count)}


@pytest.mark.parametrize("seed", range(4))
def test_random_forests_are_certified_and_falsified_ones_fail(seed):
    system = forest(seed)
    assert isinstance(model_for(system).type, TabledType)
    motion = vc.simulate(system, 0.3, tolerance=1e-11, grid=61, progress=False)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    for changed in (
        {"v": 1.001 * motion.v},
        {"q": motion.q + 1e-3 * np.linspace(0, 1, 61)[:, None] * (np.arange(motion.q.shape[1]) == 0)},
    ):
        assert motion.replace(**changed).audit().verdict == "failed"


def test_another_system_fails_the_certificate():
    system, start = chain()
    motion = vc.simulate(system, 0.4, start, tolerance=1e-11, grid=81, progress=False)
    other, _ = chain()
    other.add(vc.Force("wind", "p5", vc.Wrench(force=(0.01, 0, 0))))
    assert motion.audit().passed
    assert vc.given_motion(other, motion.time, motion.q, motion.v).audit().verdict == "failed"


@pytest.mark.parametrize("method", ["dop853", "rk4", "verlet"])
def test_all_methods_agree_with_the_written_out_chain(method, monkeypatch):
    step = {} if method == "dop853" else {"step": 2.5e-4}
    accurate = {"dop853": 1e-9, "rk4": 1e-8, "verlet": 1e-4}[method]
    system, start = chain()
    tabled = vc.simulate(system, 0.5, start, method=method, grid=3, progress=False, **step)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 10**9)
    written, start = chain()
    exact = vc.simulate(written, 0.5, start, method="dop853", grid=3, progress=False)
    assert not isinstance(model_for(written).type, TabledType)
    assert np.abs(tabled.q - exact.q).max() < accurate


def test_parameters_reach_the_tables():
    system, start = chain()
    soft, hard = (
        vc.simulate(system, 0.5, start, grid=2, parameters={"k": k}, progress=False).q[-1] for k in (40.0, 160.0)
    )
    assert np.abs(soft - hard).max() > 0.01
    again = vc.simulate(system, 0.5, start, grid=2, progress=False, parameters={"k": 40.0})
    assert np.array_equal(again.q[-1], soft) and again.audit().passed


def test_a_stored_run_is_the_same_and_audited(tmp_path):
    system, start = chain()
    motion = vc.simulate(system, 0.4, start, grid=9, progress=False, out=tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert np.array_equal(loaded.q, motion.q)
    assert str(loaded.audit()) == str(motion.audit())
    assert np.array_equal(loaded.bond("spring 3").force, motion.bond("spring 3").force)
    assert np.array_equal(loaded.body("p4").velocity, motion.body("p4").velocity)


def test_events_are_found():
    system, start = chain()
    below = vc.Event("low", "p11", lambda p: p.position[2] + 0.3, direction=-1, stop=True)
    motion = vc.simulate(system, 2.0, start, events=[below], progress=False)
    assert motion.time[-1] < 1.0
    assert motion.body("p11").position[-1, 2] == pytest.approx(-0.3, abs=1e-9)


def test_what_tables_lack_is_refused():
    system, start = chain()
    with pytest.raises(MethodError, match=r"'taylor' needs the equations written out.*'dop853', 'rk4' or 'verlet'"):
        vc.simulate(system, 0.1, start, method="taylor")
    with pytest.raises(MethodError, match=r"not written out but run over tables"):
        vc.derive(system)
    with pytest.raises(MethodError, match=r"'verlet' needs coordinates whose rates are the velocities"):
        vc.simulate(forest(0), 0.1, method="verlet", step=1e-3)


def test_a_function_given_by_points_is_refused():
    system, _ = chain()
    table = vc.Table("pull", [0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    system.add(vc.Potential("pulled", ["p3"], lambda p: table(p.position[0])))
    with pytest.raises(ModelError, match=r"looks into table 'pull'.*not written out"):
        model_for(system)


def test_springs_at_their_rest_length_have_no_force_to_be_judged_by():
    """A row of mass points that falls with one end held: all springs begin without force and energy, so no scale is their own."""
    system, before, start = vc.System("row", gravity=(0, 0, -9.81)), "ground", {}
    for k in range(230):
        point = system.add(vc.MassPoint(f"point {k}", 1.0))
        system.add(vc.Translation(f"to {k}", "ground", point))
        system.add(vc.Spring(f"spring {k}", point, before, stiffness=100.0, rest_length=1.0))
        start[f"to {k}"], before = vc.At((k + 1.0, 0, 0)), point
    motion = vc.simulate(system, 0.05, start, progress=False)
    assert motion.audit().verdict == "passed", str(motion.audit())
