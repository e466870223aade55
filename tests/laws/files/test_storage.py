"""A stored run is the run: every bit of it, its equations included."""

import json
import os

import numpy as np
import pytest

import vinculum as vc
from sameness import same_certificate
from trees import KINDS, random_state, random_system
from vinculum.motion.storage.store import StreamSink
from vinculum.motion.storage.stored import CHUNK_BYTES, StoredArray

START = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}


def pendulum(mass=0.5):
    arm = vc.System("double pendulum", gravity=(0, 0, -9.81))
    upper = arm.add(vc.RigidBody("upper", mass=1.0, com=(0, 0, -0.5), inertia=np.diag([0.084, 0.084, 0.001])))
    lower = arm.add(vc.RigidBody("lower", mass=mass, com=(0, 0, -0.4), inertia=np.diag([0.030, 0.030, 0.001])))
    arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    arm.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return arm


def tumbling():
    system = vc.System("tumbling")
    system.add(vc.RigidBody("box", mass=2.0, inertia=np.diag([1.0, 2.0, 2.7])))
    return system


def welded():
    system = vc.System("statue", gravity=(0, 0, -9.81))
    system.add(vc.Weld("foot", "ground", system.add(vc.RigidBody("block", mass=2.0, inertia=np.diag([1.0, 2.0, 2.7])))))
    return system


def driven():
    system = vc.System("driven", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("bob", mass=1.0, com=(0, 0, -0.7), inertia=np.diag([0.1, 0.1, 0.1])))
    system.add(vc.Revolute("hinge", "ground", body, axis=(1, 0, 0), damping=0.2, drive=lambda t: vc.math.sin(3 * t)))
    return system


CASES = {
    "pendulum": (pendulum, START),
    "tumbling": (tumbling, {"box": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(0.1, 0, 0, 0.01, 1.5, 0))}),
    "driven": (driven, {"hinge": 0.4}),
    "statue": (welded, {}),
}


def same_motion(a, b):
    """Every bit that two motions hold agrees."""
    np.testing.assert_array_equal(np.asarray(a.record.pieces.times), np.asarray(b.record.pieces.times))
    np.testing.assert_array_equal(np.asarray(a.record.pieces.coefficients), np.asarray(b.record.pieces.coefficients))
    np.testing.assert_array_equal(a.time, b.time)
    assert a.record.model.layout == b.record.model.layout
    assert a.record.method == b.record.method and dict(a.record.parameters) == dict(b.record.parameters)
    assert a.record.crossings == b.record.crossings and a.record.log == b.record.log


@pytest.mark.parametrize("case", CASES)
def test_a_saved_motion_is_loaded_bit_for_bit(case, tmp_path):
    system, start = CASES[case]
    motion = vc.simulate(system(), until=3.0, start=start)
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert type(loaded) is vc.Motion
    same_motion(motion, loaded)
    assert os.listdir(tmp_path) == ["run.zarr"]


@pytest.mark.parametrize("case", CASES)
def test_a_loaded_motion_needs_no_system_for_energies_positions_and_reactions(case, tmp_path):
    system, start = CASES[case]
    motion = vc.simulate(system(), until=3.0, start=start)
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert loaded.record.model.tree is None
    np.testing.assert_array_equal(loaded.energy, motion.energy)
    for body in motion.record.model.layout.bodies:
        np.testing.assert_array_equal(
            loaded.body(body).point((0, 0, 1)).position, motion.body(body).point((0, 0, 1)).position
        )
        np.testing.assert_array_equal(loaded.body(body).twist, motion.body(body).twist)
    for joint in motion.record.model.layout.joints:
        np.testing.assert_array_equal(loaded.joint(joint).reaction, motion.joint(joint).reaction)


@pytest.mark.parametrize("case", CASES)
def test_the_certificate_of_a_loaded_motion_is_that_of_the_motion(case, tmp_path):
    system, start = CASES[case]
    motion = vc.simulate(system(), until=2.0, start=start)
    motion.save(tmp_path / "run.zarr")
    certificate = vc.load(tmp_path / "run.zarr").audit()
    assert certificate.passed
    same_certificate(certificate, motion.audit())


def test_every_tape_survives_storage(tmp_path):
    motion = vc.simulate(driven(), until=1.0, start={"hinge": 0.4})
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr").record.model
    assert {name: tape.digest for name, tape in loaded.tapes.items()} == {
        name: tape.digest for name, tape in motion.record.model.complete().tapes.items()
    }


@pytest.mark.parametrize("case", CASES)
def test_a_streamed_run_is_the_run_in_memory(case, tmp_path):
    system, start = CASES[case]
    motion = vc.simulate(system(), until=5.0, start=start, grid=37)
    streamed = vc.simulate(system(), until=5.0, start=start, grid=37, out=tmp_path / "run.zarr")
    same_motion(motion, streamed)
    same_motion(motion, vc.load(tmp_path / "run.zarr"))
    assert os.listdir(tmp_path) == ["run.zarr"]


def test_a_run_of_many_chunks_is_read_block_by_block(tmp_path):
    motion = vc.simulate(pendulum(), until=150.0, start=START)
    streamed = vc.simulate(pendulum(), until=150.0, start=START, out=tmp_path / "run.zarr")
    assert np.asarray(motion.record.pieces.coefficients).nbytes > 2 * CHUNK_BYTES
    assert isinstance(streamed.record.pieces.coefficients, StoredArray)
    same_motion(motion, streamed)
    np.testing.assert_array_equal(streamed.q, motion.q)
    rare = [0.0, 1.0, 74.9, 75.0, 149.0, 150.0]
    np.testing.assert_array_equal(streamed.at(rare).q, motion.at(rare).q)
    np.testing.assert_array_equal(streamed.at(rare, side="left").v, motion.at(rare, side="left").v)
    for (times, rows), (other_times, other_rows) in zip(
        motion.record.pieces.blocks(), streamed.record.pieces.blocks(), strict=True
    ):
        np.testing.assert_array_equal(times, other_times)
        np.testing.assert_array_equal(rows, other_rows)


def test_a_stored_array_is_indexed_as_an_array(tmp_path):
    motion = vc.simulate(pendulum(), until=120.0, start=START)
    motion.save(tmp_path / "run.zarr")
    times, stored = motion.record.pieces.times, vc.load(tmp_path / "run.zarr").record.pieces.times
    count = len(times)
    assert len(stored) == count and stored.shape == times.shape and stored.ndim == 1 and stored.dtype == times.dtype
    for key in (0, -1, 5, np.int64(7), slice(None), slice(3, 9), slice(-4, None), slice(9, 3), slice(0, 50, 7), [1, 4]):
        np.testing.assert_array_equal(stored[key], times[key])
    for key in (count, -count - 1):
        with pytest.raises(IndexError):
            stored[key]


def test_parameters_crossings_and_log_are_stored(tmp_path):
    m = vc.parameter("m", 0.5)
    straight = vc.Event("straight", ["elbow"], lambda elbow: elbow.q)
    fast = vc.Event("fast", ["shoulder"], lambda shoulder: shoulder.v - 2.5, direction=1, stop=True)
    said = {"until": 30.0, "start": START, "parameters": {"m": 0.7}, "events": [straight, fast], "grid": 301}
    motion = vc.simulate(pendulum(m), **said)
    assert len({c.name for c in motion.record.crossings}) == 2 and len(motion.time) < 301
    motion.save(tmp_path / "saved.zarr")
    streamed = vc.simulate(pendulum(m), **said, out=tmp_path / "streamed.zarr")
    for other in (streamed, vc.load(tmp_path / "saved.zarr"), vc.load(tmp_path / "streamed.zarr")):
        same_motion(motion, other)
        assert other.record.parameters == {"m": 0.7}
        np.testing.assert_array_equal(other.energy, motion.energy)


def test_the_settings_of_a_fixed_step_are_remembered(tmp_path):
    motion = vc.simulate(pendulum(), until=1.0, start=START, method="rk4", step=1e-2)
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert str(loaded.record.method) == "rk4 step 0.01 s"
    same_motion(motion, loaded)


def test_a_motion_given_elsewhere_is_stored_too(tmp_path):
    time = np.linspace(0.0, 1.0, 21)
    motion = vc.given_motion(driven(), time, np.sin(time)[:, None], np.cos(time)[:, None])
    motion.save(tmp_path / "run.zarr")
    same_motion(motion, vc.load(tmp_path / "run.zarr"))


def test_saving_replaces_an_earlier_run_and_leaves_nothing_else(tmp_path):
    vc.simulate(tumbling(), until=1.0).save(tmp_path / "run.zarr")
    motion = vc.simulate(pendulum(), until=1.0, start=START)
    motion.save(tmp_path / "run.zarr")
    same_motion(motion, vc.load(tmp_path / "run.zarr"))
    assert os.listdir(tmp_path) == ["run.zarr"]


def test_a_loaded_motion_can_be_saved_onto_itself_and_goes_on(tmp_path):
    motion = vc.simulate(pendulum(), until=50.0, start=START)
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    loaded.at([0.0, 1.0]).save(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.q, motion.q)
    np.testing.assert_array_equal(vc.load(tmp_path / "run.zarr").time, [0.0, 1.0])


def test_a_run_is_a_zarr_group_that_others_can_read(tmp_path):
    import zarr

    motion = vc.simulate(pendulum(), until=2.0, start=START, out=tmp_path / "run.zarr")
    group = zarr.open_group(tmp_path / "run.zarr", mode="r")
    assert group["coefficients"].shape == motion.record.pieces.coefficients.shape
    assert group["times"].shape == (len(motion.record.pieces) + 1,)
    np.testing.assert_array_equal(group["grid"][:], motion.time)
    model = json.loads(group["model"][:].tobytes())
    assert model["layout"]["name"] == "double pendulum" and set(model["tapes"]) >= {"motion", "balance", "hamel"}


def test_an_interrupted_stream_keeps_its_steps_and_cuts_its_grid(tmp_path, monkeypatch):
    append = StreamSink.append

    def interrupted(sink, steps):
        append(sink, steps)
        raise KeyboardInterrupt

    monkeypatch.setattr(StreamSink, "append", interrupted)
    streamed = vc.simulate(pendulum(), until=1e3, start=START, out=tmp_path / "run.zarr")
    assert streamed.record.pieces.end < 1e3 and streamed.time[-1] == streamed.record.pieces.end
    assert "interrupted" in streamed.record.log[-1]
    same_motion(streamed, vc.load(tmp_path / "run.zarr"))


@pytest.mark.parametrize("kind", KINDS)
def test_joints_of_every_kind_are_stored(kind, tmp_path):
    rng = np.random.default_rng(KINDS.index(kind))
    system = random_system(rng, 2, kinds=(kind,))
    tree = system.tree()
    states = np.stack([np.concatenate(random_state(tree, rng)) for _ in range(3)])
    motion = vc.given_motion(system, [0.0, 0.5, 1.0], states[:, : tree.nq], states[:, tree.nq :])
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    same_motion(motion, loaded)
    np.testing.assert_array_equal(loaded.energy, motion.energy)
