"""What forward dynamics refuses, and what it says."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import compile_for_again
from vinculum.derivations.forward_dynamics.tapes import accelerations_tape
from vinculum.errors import MethodError, ModelError, StartError
from vinculum.models.model_cache import model_for


def arm() -> vc.System:
    system = vc.System("arm", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), np.eye(3)))
    system.add(vc.RigidBody("lower", vc.parameter("m", 1.0), (0, 0, -0.5), np.eye(3)))
    system.add(vc.Revolute("shoulder", "ground", "upper", axis=(0, 1, 0)))
    system.add(vc.Spherical("elbow", "upper", "lower", at=(0, 0, -1)))
    return system


Q, V = np.array([0.1, 1.0, 0.0, 0.0, 0.0]), np.zeros(4)
MANY = np.tile(Q, (9, 1))


def with_one(rows: np.ndarray, place: tuple[int, int], x: float) -> np.ndarray:
    rows = rows.copy()
    rows[place] = x
    return rows


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("change", "kind", "said"), [
    ({"q": (0.1, 0.2)}, StartError, r"q of system 'arm' must have shape \(5,\) or \(B, 5\), got \(2,\)"),
    ({"v": np.zeros((2, 3))}, StartError, r"v of system 'arm' must have shape \(4,\) or \(B, 4\), got \(2, 3\)"),
    ({"tau": (0.0, np.nan, 0.0, 0.0)}, StartError, r"tau of system 'arm' is nan at \[1\]; give finite"),
    ({"tau": np.array([0.0, np.nan, 0.0, 0.0])}, StartError, r"tau of system 'arm' is nan at \[1\]; give finite"),
    ({"v": with_one(np.zeros((9, 4)), (7, 2), np.inf)}, StartError, r"v of system 'arm' is inf at \[7, 2\]"),
    ({"q": with_one(MANY, (3, 0), np.nan)}, StartError, r"q of system 'arm' is nan at \[3, 0\]"),
    ({"q": with_one(MANY, (8, 1), 2.0)}, StartError, "quaternion .* has length 2, which must be 1"),
    ({"q": with_one(MANY, (8, 1), 0.0)}, StartError, "quaternion .* has length 0, which must be 1"),
    ({"tau": "fast"}, StartError, "tau of system 'arm' is not numeric"),
    ({"q": MANY[:2], "v": np.zeros((3, 4))}, StartError, "batches differ in length: q 2, v 3"),
    ({"v": {"sholder": 1.0}}, StartError, "did you mean 'shoulder'"),
    ({"t": (0.0, np.inf)}, StartError, "t contains NaN or infinity"),
    ({"parameters": {"M": 1.0}}, StartError, "no parameter 'M' in system 'arm'"),
    ({"parameters": {"m": -1.0}}, ModelError, "mass"),
    ({"external": [1.0]}, StartError, "external must map bodies to wrenches, got list"),
    ({"external": {"lowr": np.zeros(6)}}, StartError, "no body 'lowr' .*did you mean 'lower'"),
    ({"out": np.zeros(3)}, StartError, r"out must be a writable float array of shape \(4,\), got float64 of shape \(3,\)"),
    ({"out": np.zeros(4, dtype=np.float32)}, StartError, "got float32 of shape"),
    ({"out": [0.0] * 4}, StartError, "got list"),
    ({"v": np.full(4, 1e200)}, StartError, "accelerations of row 0 are not finite"),
])  # fmt: skip
def test_bad_input_is_named(change, kind, said, compiled):
    system = arm()
    if compiled:
        for driven in (False, True):
            compile_for_again(accelerations_tape(model_for(system), (), driven))
    with pytest.raises(kind, match=said):
        vc.forward_dynamics(system, **({"q": Q, "v": V, "tau": V} | change))


def test_a_quaternion_within_round_off_is_taken_at_length_one():
    system = arm()
    long = Q.copy()
    long[1] += 5e-7
    assert np.array_equal(vc.forward_dynamics(system, long, V), vc.forward_dynamics(system, Q, V))


def test_numbers_whose_sum_overflows_are_no_infinity():
    system = vc.System("heavy")
    system.add(vc.MassPoint("p", 1e10))
    compile_for_again(accelerations_tape(model_for(system), (), True))
    tau = np.full((16, 3), 1.7e308)
    assert np.allclose(vc.forward_dynamics(system, np.zeros((16, 3)), np.zeros((16, 3)), tau), 1.7e298)


def test_a_massless_leaf_is_named():
    system = vc.System("leaf")
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Revolute("hinge", "ground", "p", axis=(0, 0, 1)))
    with pytest.raises(ModelError, match="system 'leaf': some velocity moves no mass or inertia"):
        vc.forward_dynamics(system, np.zeros(1), np.zeros(1))


def test_unilateral_constraints_and_what_is_no_system_are_refused_with_a_remedy():
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    with pytest.raises(MethodError, match=r"forward dynamics do not support unilateral constraints.*with_contacts"):
        vc.forward_dynamics(system, np.ones(3), np.ones(3))
    assert np.allclose(vc.forward_dynamics(system.with_contacts({}), np.ones(3), np.ones(3)), [0, 0, -9.81])
    with pytest.raises(StartError, match=r"a vc\.System is needed, got str"):
        vc.forward_dynamics("ball", np.ones(3), np.ones(3))


def test_external_wrenches_on_a_loop_are_refused_with_a_remedy():
    system = vc.System("rod")
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    with pytest.raises(
        MethodError, match=r"constraints \['rod'\]: external wrenches are taken for trees only; add a vc\.Force"
    ):
        vc.forward_dynamics(system, (0, 0, -1.0), np.zeros(3), external={"bob": np.zeros(6)})
