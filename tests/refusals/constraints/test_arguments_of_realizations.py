"""Realizations called with arguments that they do not take."""

import copy
import pickle

import pytest

import vinculum as vc


@pytest.mark.parametrize("made, told", [
    (lambda: vc.Penalty(), "penalty: 'stiffness' is missing; vc.Penalty takes stiffness"),
    (lambda: vc.Penalty(stifness=3.0), "penalty: it has no 'stifness'; did you mean 'stiffness'"),
    (lambda: vc.Penalty(1.0, 2.0), "penalty: values without a name can be 1, and 2 are given"),
    (lambda: vc.Penalty(1.0, stiffness=2.0), "penalty: 'stiffness' is given twice"),
    (lambda: vc.constraints.ViscousFriction(), "friction: 'coefficient' is missing"),
    (lambda: vc.constraints.AddedInertia(kappa=1.0), "it has no 'kappa'.*takes coefficient"),
    (lambda: vc.Vakonomic(mu=1.0), "vakonomic: it has no 'mu'.*takes multipliers=None"),
    (lambda: vc.DAlembert(3.0), "can be 0, and 1 are given; vc.DAlembert takes nothing"),
    (lambda: vc.Chetaev(k=1.0), "it has no 'k'; vc.Chetaev takes nothing"),
    (lambda: vc.Servo("j", bound=3.0), "servo: it has no 'bound'; did you mean 'bounds'"),
    (lambda: vc.constraints.Reaching({"plane": 1.0}), "reaching: 'at' is missing; vc.constraints.Reaching takes values, at, guess=0.0"),
])  # fmt: skip
def test_arguments_that_a_realization_does_not_take_are_named(made, told):
    with pytest.raises(vc.errors.ModelError, match=told):
        made()


def test_realizations_are_copied_and_sent():
    one = vc.Penalty(3.0)
    assert float(copy.copy(one).stiffness) == float(pickle.loads(pickle.dumps(one)).stiffness) == 3.0
