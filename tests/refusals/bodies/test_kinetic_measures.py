"""What no kinetic measure, window or effort can be, and how it is said."""

import numpy as np
import pytest

import vinculum as vc
from impacted import ball


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: vc.measures.KineticMeasure.streams(np.zeros((2, 1)), np.zeros((2, 0)), [1, 1]),
            "must be n rows of an instant and a place",
        ),
        (lambda: vc.measures.KineticMeasure.streams(np.zeros((2, 3)), np.zeros((2, 3)), [1, 1]), "do not fit"),
        (lambda: vc.measures.KineticMeasure.streams(np.zeros((2, 3)), np.zeros((2, 2)), [1, 1, 1]), "do not fit"),
        (
            lambda: vc.measures.KineticMeasure.streams(np.zeros((2, 3)), np.zeros((2, 2)), [1, -1]),
            "check the signs of the weights",
        ),
        (lambda: vc.measures.KineticMeasure.tensors(np.zeros((1, 2)), [[[1, 1], [0, 1]]]), "is not symmetric"),
        (lambda: vc.measures.KineticMeasure.tensors(np.zeros((1, 2)), np.eye(2)), "one symmetric matrix"),
        (
            lambda: vc.measures.KineticMeasure.trajectory(lambda t: t, (1.0, 0.0)),
            "at least two increasing finite instants",
        ),
        (lambda: vc.measures.KineticMeasure.trajectory(lambda t: t, (0.0, 1.0), 0.0), "mass 0.0 kg must be positive"),
        (lambda: vc.measures.KineticMeasure.trajectory([lambda t: t], (0.0, 1.0, 2.0)), "one for each of the 2 pieces"),
        (lambda: vc.measures.KineticMeasure.trajectory(lambda t: (t, t), (0.0, 1.0)).total(), r"return \(T, d\) twice"),
        (
            lambda: vc.measures.KineticMeasure.trajectory(lambda t: t, (0.0, 1.0), "heavy"),
            "mass 'heavy' kg must be positive",
        ),
        (lambda: -1.0 * _still(), "cannot be less than nothing"),
        (lambda: "half" * _still(), "share of 'half' must be a number"),
        (lambda: _still().restrict((0.0, 1.0)), r"\(0.0, 1.0\) is not a window; give vc.measures.Window.since\(t\)"),
        (lambda: vc.measures.Window((0.0, 1.0)), r"are not faces; use vc.measures.Window.since\(t\)"),
        (lambda: vc.measures.Window.since("noon"), "instant 'noon' must be a finite number of seconds"),
        (lambda: vc.measures.Window.until(np.nan), "instant nan must be a finite number of seconds"),
        (lambda: vc.measures.Window.where(3.0), "is not a function"),
        (lambda: vc.measures.Window.where(lambda xi: 1.0).contains([(0.0, 0.0)]), "return one number each"),
        (lambda: vc.measures.EffortMeasure.along(_still() + _still()), "along exactly one"),
        (
            lambda: vc.measures.EffortMeasure.along(_still(), None, [0.5], [(1.0, 2.0)]),
            "for 1 instants in 1 dimensions",
        ),
        (lambda: vc.measures.Bump.at((0.0, 0.0), (1.0, 0.0)), "widths > 0"),
        (lambda: vc.measures.change_of_frame((1.0, 0.0), [[1.0, 0.0], [0.0, 2.0]]), "is not orthonormal"),
        (lambda: vc.measures.change_of_frame((1.0, 0.0), np.eye(3)), r"must be \(d,\), \(d, d\) and \(1 \+ d,\)"),
    ],
)
def test_what_cannot_be_is_refused(made, said):
    with pytest.raises(vc.errors.ModelError, match=said):
        made()


def _still():
    return vc.measures.KineticMeasure.trajectory(lambda t: (np.zeros((len(t), 1)), np.zeros((len(t), 1))), (0.0, 1.0))


def test_impulses_of_an_unknown_unilateral_constraint_are_refused():
    motion = vc.simulate(ball(vc.Inelastic()), 0.1, {"ball": (0, 0, 1.0)}, method="moreau", step=1e-2, progress=False)
    with pytest.raises(vc.errors.StartError, match="did you mean 'floor'"):
        motion.bond("flor").impulses
    given = vc.given_motion(ball(vc.Inelastic()), motion.time, motion.q, motion.v)
    assert len(given.bond("floor").impulses.times) == 0  # it falls freely, so nothing is found


def test_bodies_without_mass_have_no_measure():
    motion = vc.simulate(ball(vc.Inelastic()), 0.1, {"ball": (0, 0, 1.0)}, method="moreau", step=1e-2, progress=False)
    with pytest.raises(vc.errors.StartError, match="there is no body 'bal'"):
        motion.body("bal").measures.kinetic
