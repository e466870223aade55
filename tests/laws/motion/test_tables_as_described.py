"""Blocks over tables are those of the description: a motion of other blocks breaks a line of its certificate."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from systems.trees import random_forest
from vinculum.audits.tabled.descriptions import description_line, lines_against_description
from vinculum.models.tabled.type import TabledType, tabled_in, tapes_over_tables
from vinculum.tolerances.certificates import BLOCKS_AS_DESCRIBED


def crowd(of: str) -> vc.System:
    if of == "trees":
        return random_forest(np.random.default_rng(5), structures=3, copies=4)
    system, rng = vc.System("drops", gravity=(0, 0, -9.81)), np.random.default_rng(6)
    for k in range(5):
        energy = vc.energies.NeoHookean(1.0 + k, 30.0, 20.0)
        system.add(vc.AffineBody(f"drop {k}", 1.0 + 0.1 * k, np.diag(rng.uniform(0.02, 0.04, 3)), energy=energy))
    return system


@pytest.fixture(params=["trees", "drops"])
def motion(request, monkeypatch):
    monkeypatch.setattr("vinculum.models.tabled.type.FEWEST_TABLED", 0)
    return vc.simulate(crowd(request.param), 0.05, method="rk4", step=1e-3, progress=False)


def with_tables(motion, change):
    """The record of a motion whose kinds are changed."""
    model = motion.record.model
    other = replace(tabled_in(model), kinds=tuple(change(kind) for kind in tabled_in(model).kinds))
    tapes = tapes_over_tables(model.layout, other)
    return replace(motion.record, model=replace(model, type=model.type.with_tables(other), tapes=tapes))


def test_blocks_are_those_of_their_description(motion):
    assert isinstance(motion.record.model.type, TabledType)
    line = description_line(motion.record)
    assert line.residual < 1e-3 * BLOCKS_AS_DESCRIBED and line.verdict == "holds"
    assert lines_against_description(motion.record) == []


@pytest.mark.parametrize("links", [1, 3])
def test_forces_that_balance_to_round_off_are_no_scale(monkeypatch, links):
    monkeypatch.setattr("vinculum.models.tabled.type.FEWEST_TABLED", 0)
    system, rng = vc.System("chains at rest", gravity=(0, 0, -9.81)), np.random.default_rng(0)
    for i in range(4):
        upper = "ground"
        for k in range(links):
            link = vc.RigidBody(f"link {i} {k}", 1.0 + rng.random(), com=(0, 0, -0.1), inertia=(0.1, 0.1, 0.05))
            axis, at = rng.normal(size=3), (0, 0, -0.2) if k else (i, 0, 0)
            system.add(vc.Revolute(f"hinge {i} {k}", upper, system.add(link), axis=axis, at=at))
            upper = link
    motion = vc.simulate(system, 0.02, method="rk4", step=1e-3, progress=False)
    line = description_line(motion.record)
    assert line.residual < 1e-3 * BLOCKS_AS_DESCRIBED
    other = description_line(with_tables(motion, lambda kind: replace(kind, numbers=(1.0 + 1e-6) * kind.numbers)))
    assert other.verdict == "broken"


def test_numbers_of_other_rows_break_the_line(motion):
    line = description_line(with_tables(motion, lambda kind: replace(kind, numbers=kind.numbers[::-1].copy())))
    assert line.verdict == "broken" and "the block of" in line.detail


def test_a_certificate_says_which_block_is_another(motion):
    false = with_tables(motion, lambda kind: replace(kind, numbers=kind.numbers[::-1].copy()))
    certificate = replace(motion, record=false).audit()
    assert certificate.verdict == "failed" and "blocks as described" in [line.law for line in certificate.lines]


def test_a_number_that_is_wrong_by_a_millionth_breaks_the_line(motion):
    line = description_line(with_tables(motion, lambda kind: replace(kind, numbers=(1.0 + 1e-6) * kind.numbers)))
    assert line.verdict == "broken"


def test_loaded_runs_know_no_description(motion, tmp_path):
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert description_line(loaded.record) is None and str(loaded.audit()) == str(motion.audit())
