"""What a repair does to a start is told: every change in the log, and a warning where it changes what the user gave."""

import warnings

import numpy as np
import pytest

import vinculum as vc


def disc() -> vc.System:
    system = vc.System("disc", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 1.0, inertia=0.09 * np.array([0.25, 0.5, 0.25])))
    system.add(vc.constraints.Rolling.disc("rolling", body, 0.3, axis=(0, 1, 0), realization=vc.DAlembert()))
    return system


def bob(length=1.0) -> vc.System:
    system = vc.System("bob", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.MassPoint("other", 1.0))
    system.add(vc.constraints.distance("rod", "p", "other", length, realization=vc.DAlembert()))
    return system


def run(system, start, **more) -> tuple[vc.Motion, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        motion = vc.simulate(system, 0.01, start, repair=True, method="dop853", progress=False, **more)
    mine = [w for w in caught if "repair=True" in str(w.message)]
    assert all(w.filename == __file__ for w in mine)
    return motion, [str(w.message) for w in mine]


def test_a_given_spin_that_the_repair_changes_is_warned_of():
    standing = (0, 0, 0.3, 1, 0, 0, 0)
    motion, said = run(disc(), {"body": vc.At(standing, rate=(0, 0, 0, 0, 6.0, 0))})
    assert abs(motion.v[0, 4]) < 5.0
    (line,) = said
    assert "system 'disc'" in line and "the rate of 'body' by" in line
    assert any("the rate of 'body'" in one for one in motion.log)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_given_position_that_the_repair_changes_is_warned_of_at_every_size(scale):
    start = {"p": (0, 0, -1.2 * scale), "other": (0, 0, 0)}
    motion, said = run(bob(scale), start)
    assert len(said) == 1 and "the position of 'p'" in said[0]
    assert any("the position of 'p'" in one for one in motion.log)


def test_changes_of_what_was_not_given_are_told_and_not_warned_of():
    """The given velocity can stay, as the other end follows; its rate was not named."""
    start = {"p": vc.At((0, 0, -1.0), rate=(0, 0, 0.5)), "other": (0, 0, 0)}
    motion, said = run(bob(), start)
    assert not said
    assert np.allclose(motion.v[0], [0, 0, 0.5, 0, 0, 0.5])
    assert any("the rate of 'other', which was not given, by 0.5" in one for one in motion.log)


def test_every_number_of_the_start_that_differs_stands_in_the_log():
    rng = np.random.default_rng(3)
    for _ in range(5):
        place, rate = rng.normal(size=(2, 3))
        motion, _ = run(bob(), {"p": vc.At(place, rate=rate), "other": (0, 0, 0)})
        asked = np.concatenate([place, np.zeros(3), rate, np.zeros(3)]).reshape(4, 3)
        made = np.concatenate([motion.q[0], motion.v[0]]).reshape(4, 3)
        names = ("the position of 'p'", "the position of 'other'", "the rate of 'p'", "the rate of 'other'")
        for name, before, after in zip(names, asked, made, strict=True):
            assert any(name in line for line in motion.log) == (np.abs(before - after).max() > 1e-9), name


def test_a_start_that_meets_its_constraints_is_neither_told_nor_warned_of():
    rolling = {"body": vc.At((0, 0, 0.3, 1, 0, 0, 0), rate=(1.8, 0, 0, 0, 6.0, 0))}
    motion, said = run(disc(), rolling)
    assert not said and not any("changed" in line for line in motion.log)


def test_round_off_of_a_given_value_is_not_warned_of():
    start = {"p": (0, 0, -1.0 - 1e-12), "other": (0, 0, 0)}
    assert not run(bob(), start)[1]


def test_runs_of_an_ensemble_whose_starts_are_changed_are_counted():
    places = np.array([(0, 0, -1.0), (0, 0, -1.3), (0.6, 0, -0.9)])
    with pytest.warns(UserWarning, match=r"starts of 2 of 3 runs gave, most in run 1: the position of 'p' by"):
        vc.ensemble(bob(), 0.01, {"p": places, "other": np.zeros((3, 3))}, repair=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vc.ensemble(bob(), 0.01, {"p": places[:1], "other": np.zeros((1, 3))}, repair=True)


def test_a_lagrangian_start_that_is_changed_is_warned_of():
    length = {"length": (lambda q: q @ q - 1.0, vc.DAlembert())}
    bead = vc.LagrangianSystem("bead", ["x", "y"], lambda v: v @ v / 2, constraints=length)
    with pytest.warns(
        UserWarning, match=r"system 'bead': repair=True changed what the start gave: q of 'x' from 2 to 1"
    ):
        vc.simulate(bead, 0.1, ([2, 0], [0, 1]), repair=True, progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vc.simulate(bead, 0.1, ([1, 0], [0, 1]), repair=True, progress=False)
