"""Media, balances and world-tubes that are refused, each with its remedy."""

import numpy as np
import pytest

import vinculum as vc
from kinds import hanging_tree

REST = lambda x, t: np.zeros((len(t), 3))
ONE = lambda x, t: np.ones(len(t))


@pytest.fixture(scope="module")
def motion():
    return hanging_tree()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: vc.measures.Medium("gas", 1.0, REST), r"medium 'gas': density is 1.0; give a function"),
        (lambda: vc.measures.audit_media([], ((0, 0, 0), (1, 1, 1)), (0, 1)), r"are no phases; give a vc.measures.Medium"),
        (lambda: vc.measures.audit_media(vc.measures.Medium("gas", ONE, REST), ((0, 0, 0), (1, 0, 1)), (0, 1)),
         r"box .* must be two opposite corners"),
        (lambda: vc.measures.audit_media(vc.measures.Medium("gas", ONE, REST), ((0, 0, 0), (1, 1, 1)), (1, 0)),
         r"window .* must be two instants"),
        (lambda: vc.measures.audit_media(vc.measures.Medium("gas", REST, REST), ((0, 0, 0), (1, 1, 1)), (0, 1)),
         r"medium 'gas': density gives shape \(\d+, 3\) for \d+ points; return finite numbers of shape \(\d+,\)"),
        (lambda: vc.measures.SampledField(([0, 1], [0, 1], [0, 1], [0, 1]), np.zeros((2, 2, 2, 2))),
         r"axis t of shape \(2,\) must be at least 7 increasing numbers; sample it more finely"),
        (lambda: vc.measures.WorldTube([0.0, 1.0], np.array([[[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]]]), ["a", "b"]),
         r"the lines of 'a' and 'b' cross at t = 0.5 s"),
        (lambda: vc.measures.WorldTube([0.0, 1.0], np.zeros((1, 3, 3))), r"places of shape \(1, 3, 3\) must be finite numbers"),
    ],
)  # fmt: skip
def test_wrong_media_and_tubes_are_refused(call, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        call()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: m.body("upper").measures.balance((0.5, 0.2)), "must be in order and within the motion"),
        (lambda m: m.body("upper").measures.balance((0.5, 7.0)), "which runs from 0 to 1 s"),
        (lambda m: m.body("upper").measures.balance(3), "is not a window; give two instants"),
        (lambda m: m.body("upper").measures.balance(None, ("left", "up")), "must be two of 'left' and 'right'"),
        (
            lambda m: m.body("upper", "upper").measures.balance(),
            "body 'upper' is named twice; its world-tube crosses itself",
        ),
        (lambda m: m.body("upper", "uper").measures.balance(), "there is no body 'uper'"),
    ],
)
def test_wrong_windows_and_bodies_are_refused(motion, call, message):
    with pytest.raises(vc.errors.StartError, match=message):
        call(motion)


def test_tubes_of_bodies_that_cross_are_refused():
    system = vc.System("passing")
    for name in ("a", "b"):
        system.add(vc.MassPoint(name, 1.0))
    motion = vc.simulate(system, until=1.0, start={"a": vc.At((0, 0, 0), (1, 0, 0)), "b": vc.At((1, 0, 0), (-1, 0, 0))})
    with pytest.raises(vc.errors.ModelError, match=r"the lines of 'a' and 'b' cross at t = 0\.5 s"):
        _ = motion.body().tube


def test_a_balance_with_moments_of_rolling_resistance_is_refused():
    system = vc.System("rolling", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody("ball", mass=1.0, inertia=(0.004, 0.004, 0.004)))
    gap, point = (lambda b: b.position[2] - 0.1), (lambda b: b.position - np.array([0, 0, 0.1]))
    friction = vc.Coulomb(0.3, rolling=0.01)
    system.add(vc.Unilateral("floor", [ball], gap=gap, point=point, impact="inelastic", friction=friction))
    motion = vc.simulate(system, 0.02, {"ball": (0, 0, 0.2)}, method="moreau", step=1e-3, progress=False)
    with pytest.raises(
        vc.errors.MethodError, match="'floor' resists rolling or spinning, and its moments are not available"
    ):
        motion.body("ball").measures.balance()


def test_a_damaged_balance_is_refused(tmp_path, motion):
    balance = motion.body("upper").measures.balance()
    (tmp_path / "b.json").write_text("{}")
    with pytest.raises(vc.errors.FileError, match="is not a stored balance"):
        type(balance).read(tmp_path / "b.json")
    with pytest.raises(vc.errors.FileError, match="cannot be written"):
        balance.save(tmp_path / "nowhere" / "b.json")
    with pytest.raises(vc.errors.StartError, match="is not a path"):
        balance.save(3)
