"""What inverse dynamics refuses, and what it says."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import MethodError, ModelError, StartError


@pytest.fixture
def arm() -> vc.System:
    system = vc.System("arm", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), np.eye(3)))
    system.add(vc.RigidBody("lower", vc.parameter("m", 1.0), (0, 0, -0.5), np.eye(3)))
    system.add(vc.Revolute("shoulder", "ground", "upper", axis=(0, 1, 0)))
    system.add(vc.Spherical("elbow", "upper", "lower", at=(0, 0, -1)))
    return system


Q, V = (0.1, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("change", "kind", "said"), [
    ({"q": {"shoulder": vc.At(0.5, rate=3.0)}}, StartError, r"q gives rates of \['shoulder'\]; q takes positions only"),
    ({"q": (0.1, 0.2)}, StartError, r"q of system 'arm' must have shape \(5,\) or \(B, 5\), got \(2,\)"),
    ({"v": np.zeros((2, 3))}, StartError, r"v of system 'arm' must have shape \(4,\) or \(B, 4\), got \(2, 3\)"),
    ({"a": (0.0, np.nan, 0.0, 0.0)}, StartError, r"a of system 'arm' is nan at \[1\]; give finite"),
    ({"a": "fast"}, StartError, "a of system 'arm' is not numeric"),
    ({"q": (0.1, 2.0, 0.0, 0.0, 0.0)}, StartError, "quaternion .* has length 2, which must be 1"),
    ({"q": np.zeros((2, 5)) + Q, "v": np.zeros((3, 4))}, StartError, "batches differ in length: q 2, v 3"),
    ({"v": {"sholder": 1.0}}, StartError, "did you mean 'shoulder'"),
    ({"t": (0.0, np.inf)}, StartError, "t contains NaN or infinity"),
    ({"t": np.zeros((2, 2))}, StartError, "t must be a number or a row"),
    ({"parameters": {"M": 1.0}}, StartError, "no parameter 'M' in system 'arm'"),
    ({"parameters": {"m": -1.0}}, ModelError, "mass"),
    ({"external": [1.0]}, StartError, "external must map bodies to wrenches, got list"),
    ({"external": {"lowr": np.zeros(6)}}, StartError, "no body 'lowr' .*did you mean 'lower'"),
    ({"external": {"lower": np.zeros(5)}}, StartError, r"external wrench on 'lower' .*\(6,\) or \(B, 6\), got \(5,\)"),
    ({"external": {"lower": np.zeros((2, 6)), "upper": np.zeros((3, 6))}}, StartError, "batches differ in length"),
    ({"form": "lagrange"}, MethodError, "form 'lagrange' is not known; known: telegin, newton-euler"),
    ({"a": (1e308, 1e308, 1e308, 1e308), "v": (1e200, 0.0, 0.0, 0.0)}, StartError, "row 0 are not finite"),
])  # fmt: skip
def test_bad_input_is_named(arm, change, kind, said):
    given = {"q": Q, "v": V, "a": V} | change
    with pytest.raises(kind, match=said):
        vc.inverse_dynamics(arm, **given)


def test_a_body_given_twice_is_refused(arm):
    lower = arm.bodies["lower"]
    with pytest.raises(StartError, match="external wrench on 'lower' is given twice"):
        vc.inverse_dynamics(arm, Q, V, V, external={"lower": np.zeros(6), lower: np.zeros(6)})


def test_an_unknown_joint_is_named(arm):
    found = vc.inverse_dynamics(arm, Q, V, V)
    for ask in (found.wrench, found.drive):
        with pytest.raises(StartError, match=r"no joint 'elbw'.*did you mean 'elbow'"):
            ask("elbw")


@pytest.mark.parametrize(("given", "said"), [
    ({"force": (1.0, 2.0)}, r"force has shape \(2,\): give three numbers"),
    ({"moment": (0.0, 0.0, np.inf)}, "moment contains NaN or infinity"),
    ({"at": "tip"}, "at is 'tip', which is not numeric"),
])  # fmt: skip
def test_a_wrench_of_other_things_is_refused(given, said):
    with pytest.raises(ModelError, match=said):
        vc.Wrench(**given)


def test_a_loaded_run_has_no_equations(arm, tmp_path):
    motion = vc.simulate(arm, 0.1)
    motion.save(tmp_path / "run.zarr")
    with pytest.raises(StartError, match=r"give the vc\.System it was made from"):
        vc.inverse_dynamics(vc.load(tmp_path / "run.zarr").record.model, Q, V, V)
