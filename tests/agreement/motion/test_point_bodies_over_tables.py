"""Lines of point-bodies joined by bonds over rows: over tables and written out, and in contact."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType
from vinculum.systems import start_state


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def string(count=3, B=0.003):
    """Beads with spin on a string between a hook and a rigid body, and how they start."""
    system = vc.System("string", gravity=(0, 0, -9.81))
    beads = system.add_many(vc.PointBody("bead", A=(0.1, 0.2, 0.3), B=B, C=(1e-3, 2e-3, 3e-3), mass=0.1), count)
    bob = system.add(vc.RigidBody("bob", 0.3, inertia=(1e-3, 2e-3, 2e-3)))
    rows = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
    link = vc.Spring("link", beads, beads, 50.0, rest_length=0.1, at=(0.05, 0, 0), to=(-0.05, 0, 0), damping=0.02)
    system.add(vc.Bonds(link, over=rows))
    system.add(vc.Bonds(vc.Spring("hook", beads, "ground", stiffness=50.0), over=[0]))
    system.add(vc.Spring("last", f"bead {count - 1}", bob, 50.0, to=(0.05, 0.02, 0)))
    start = {
        f"bead {i}": vc.At(vc.Pose((0.2 * i, 0.1 * i * i, 0), (1, 0.1 * i, 0.2, 0.3)), (0.1, 0.2 * i, 0.3, 1, 2, 3 * i))
        for i in range(count)
    }
    return system, start | {"bob": vc.At((0.2 * count, 0.2, 0.1), (0, 0, 0.5, 1, 0, 0))}


def test_rates_and_balances_are_those_of_the_equations_written_out():
    system, start = string()
    tree = system.tree()
    assert TabledType.describes(tree)
    models = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    row = np.concatenate([*start_state(tree, start), [0.0]])[None]
    asked = {
        "motion": ("q_dot", "v_dot"),
        "balance": ("kinetic", "potential", "power", "momentum", "wrench", "mass", "center", "center_momentum"),
    }
    for name, groups in asked.items():
        ours, theirs = (evaluate_groups(model.tape(name), row) for model in models)
        for group in groups:
            assert np.abs(ours[group] - theirs[group]).max() < 1e-11 * (1 + np.abs(theirs[group]).max()), group


def test_a_string_of_spinning_beads_is_certified_and_a_falsified_one_is_not(tmp_path):
    system, start = string()
    motion = vc.simulate(system, 0.1, start, tolerance=1e-9, grid=3)
    assert isinstance(motion.record.model.type, TabledType)
    assert motion.audit().passed, str(motion.audit())
    assert motion.replace(system=string(B=0.0031)[0]).audit().verdict == "failed"
    motion.save(tmp_path / "string.zarr")
    again = vc.load(tmp_path / "string.zarr")
    assert np.array_equal(again.body("bead 1").momentum, motion.body("bead 1").momentum) and again.audit().passed


def test_point_bodies_in_contact_over_tables_move_as_rigid_ones_with_their_inertia():
    def dropped(kind):
        system = vc.System("dropped", gravity=(0, 0, -9.81))
        shape = vc.shapes.Box((0.2, 0.2, 0.2))
        boxes = [system.add(kind(name, shape)) for name in ("low", "high")]
        system.add(vc.Spring("string", *boxes, 3.0, rest_length=0.25))
        system.add(vc.Contact("touch", boxes, walls=vc.shapes.HalfSpace((0, 0, 1)), impact=0.3, friction=0.4))
        start = {"low": vc.At((0, 0, 0.12), (0.5, 0, 0, 0, 0, 1.0)), "high": (0.03, 0.02, 0.35)}
        return vc.simulate(system, 0.1, start, method="moreau", step=1e-3, grid=3, progress=False)

    inertia = (0.01, 0.012, 0.014)
    rigid = dropped(lambda name, shape: vc.RigidBody(name, 2.0, inertia=inertia, shape=shape))
    point = dropped(lambda name, shape: vc.PointBody(name, 2.0, 0.0, inertia, shape=shape))
    assert isinstance(point.record.model.type, BlocksInContactType)
    assert np.abs(rigid.q - point.q).max() < 1e-9
    assert len(point.bond("touch").impulses.times) and point.audit().verdict == rigid.audit().verdict != "failed"
