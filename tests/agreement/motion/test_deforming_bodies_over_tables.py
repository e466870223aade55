"""Affine bodies over tables, beside the same bodies with their equations written out."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.systems import start_state


def crowd(extra=()):
    """Soft bodies of different stiffness and mass, flat, planar and rod-like ones, mass points and a rigid body."""
    rng = np.random.default_rng(5)
    system = vc.System("crowd", gravity=(0.3, 0, -9.81))
    start = {}
    for k in range(4):
        system.add(vc.AffineBody(f"soft {k}", 1.0 + k, rng.uniform(0.1, 0.3, 3), energy=vc.energies.NeoHookean(1.0, 20.0 + k, 10.0),
                                 dissipation=vc.energies.NewtonianViscosity(1.0, 0.1 * (k + 1))))  # fmt: skip
        rate = 0.5 * rng.normal(size=(3, 3))
        start[f"soft {k}"] = vc.At(
            (rng.normal(size=3), np.eye(3) + 0.1 * rng.normal(size=(3, 3))), (rng.normal(size=3), rate)
        )
    system.add(vc.AffineBody("flat", 1.0, (0.3, 0.2), energy=vc.energies.SaintVenantKirchhoff(1.0, 2.0), dimension=2))
    system.add(vc.AffineBody("plate", 1.0, (0.3, 0.2), energy=vc.energies.FluidLike(1.0, 3.0), planar=True))
    system.add(vc.AffineBody("rod", 1.0, [0.3], energy=vc.energies.NeoHookean(1.0, 5.0), dimension=1))
    start["flat"] = vc.At(((1, 2, 3), [[1.1, 0], [0.1, 0.9], [0.2, 0.3]]), ((0, 0, 1), [[0, 0.5], [-0.5, 0], [0.3, 0]]))
    start["plate"] = vc.At(((1, 2), [[1.1, 0.2], [0.1, 0.9]]), ((0, 1), [[0, 0.5], [-0.5, 0.1]]))
    start["rod"] = vc.At(((3, 2, 1), [[1.1], [0.1], [0.3]]), ((0, 1, 0), [[0], [0.5], [0.1]]))
    points = [system.add(vc.MassPoint(f"point {k}", 1.0)) for k in range(2)]
    top = system.add(vc.RigidBody("top", 1.0, inertia=(0.1, 0.2, 0.25)))
    system.add(vc.Spring("spring", points[0], points[1], 3.0, rest_length=1.0))
    system.add(vc.Spring("string", points[1], top, 2.0, to=(0.1, 0, 0)))
    start |= {"point 0": (0, 0, 1), "point 1": (2, 0, 1), "top": vc.At((0, 3, 0), (0, 0, 0, 1, 2, 3))}
    for bond in extra:
        system.add(bond)
    return system, start


@pytest.fixture
def tabled(monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def test_rates_bodies_and_balances_are_those_of_the_equations_written_out(tabled):
    system, start = crowd()
    tree = system.tree()
    assert TabledType.describes(tree)
    models = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    row = np.concatenate([*start_state(tree, start), [0.0]])[None]
    for name in ("motion", "rates", "bodies"):
        ours, theirs = (evaluate_groups(model.tape(name), row) for model in models)
        for group, known in theirs.items():
            assert np.abs(ours[group] - known).max(initial=0.0) < 1e-11 * (1 + np.abs(known).max(initial=0.0)), (
                name,
                group,
            )
    ours, theirs = (evaluate_groups(model.tape("balance"), row) for model in models)
    for group in ("kinetic", "potential", "dissipation", "momentum", "mass", "center"):
        assert np.abs(ours[group] - theirs[group]).max() < 1e-11 * (1 + np.abs(theirs[group]).max()), group


@pytest.mark.parametrize("method", ["rk4", pytest.param("dop853", marks=pytest.mark.slow)])
def test_motions_over_tables_are_those_written_out_and_are_certified(method, tabled, monkeypatch, tmp_path):
    options = {"tolerance": 1e-11} if method == "dop853" else {"step": 1e-3}
    system, start = crowd()
    motion = vc.simulate(system, 0.1, start, method=method, grid=31, **options)
    assert isinstance(motion.record.model.type, TabledType)
    assert motion.audit().passed, str(motion.audit())
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"
    motion.save(tmp_path / "crowd.zarr")
    again = vc.load(tmp_path / "crowd.zarr")
    assert (
        np.array_equal(again.body("soft 1").affine.deformation, motion.body("soft 1").affine.deformation)
        and again.audit().passed
    )
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 10**9)
    known = vc.simulate(crowd()[0], 0.1, start, method=method, grid=31, **options)
    assert isinstance(known.record.model.type, WrittenOutType)
    assert np.abs(known.q - motion.q).max() < 1e-9


def test_verlet_steps_of_soft_bodies_without_dissipation(tabled):
    system = vc.System("verlet")
    cubes = system.add_many(
        vc.AffineBody("cube", 1.0, (0.1, 0.2, 0.3), energy=vc.energies.NeoHookean(1.0, 20.0, 10.0)), 5
    )
    start = {
        f"cube {k}": vc.At(((k, 0, 0), np.diag([1.1, 1.0, 0.9])), ((0, 0, 0), 0.1 * k * np.eye(3)))
        for k in range(len(cubes))
    }
    ends = [vc.simulate(system, 0.2, start, method="verlet", step=h, grid=2).q[-1] for h in (2e-3, 1e-3, 5e-4)]
    first, second = (np.abs(a - b).max() for a, b in pairwise(ends))
    assert 3.6 < first / second < 4.4


def test_what_tables_cannot_watch_is_written_out(tabled):
    energies = {
        "no barrier": vc.energies.SaintVenantKirchhoff(1.0, 2.0),
        "none": None,
    }
    for energy in energies.values():
        system = vc.System("one")
        system.add(vc.AffineBody("soft", 1.0, (1, 1, 1), energy=energy))
        assert not TabledType.describes(system.tree())
    system, _ = crowd([vc.Spring("tie", "soft 1", "soft 2", 3.0)])
    assert not TabledType.describes(system.tree())


def test_a_crowd_of_soft_bodies_runs_over_tables_by_itself():
    system = vc.System("many")
    cubes = system.add_many(
        vc.AffineBody("cube", 1.0, (0.1, 0.2, 0.3), energy=vc.energies.NeoHookean(1.0, 20.0, 10.0)), 300
    )
    tabled = model_for(system).type.tabled
    assert [len(kind) for kind in tabled.kinds] == [300] and not tabled.bonds
    start = {f"cube {k}": vc.At(((k, 0, 0), np.diag([1.1, 1.0, 0.9]))) for k in range(len(cubes))}
    motion = vc.simulate(system, 0.1, start, method="rk4", step=5e-3, grid=3)
    assert np.ptp(motion.body("cube 7").affine.deformation - motion.body("cube 250").affine.deformation) < 1e-12
    assert motion.audit().passed
