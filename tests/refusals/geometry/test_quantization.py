"""Quantizations that cannot be, and what is said."""

import sys

import numpy as np
import pytest

import vinculum as vc

sin, cos = vc.math.sin, vc.math.cos
ModelError, MethodError, StartError, RunError = (
    vc.errors.ModelError, vc.errors.MethodError, vc.errors.StartError, vc.errors.RunError
)  # fmt: skip
AROUND = (0.0, 2.0 * np.pi, "periodic")
CIRCLE = vc.geometry.Embedding("circle", ["s"], lambda s: (cos(s), sin(s)))
LINE = vc.geometry.Metric("line", ["x"], lambda: [[1.0]])
Quantization = vc.geometry.Quantization


def test_finite_elements_without_their_package_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "skfem", None)
    with pytest.raises(
        MethodError, match=r"scikit-fem, which is not installed; install it with `pip install vinculum\[elements\]`"
    ):
        Quantization(CIRCLE, {"s": AROUND}).states(3, method="finite elements")


@pytest.mark.parametrize(("space", "given", "words"), [
    (CIRCLE, {"ranges": {}}, "does not say where 's' lies"),
    (CIRCLE, {"ranges": {"u": AROUND}}, "'u', which is no coordinate"),
    (CIRCLE, {"ranges": {"s": (0.0, 1.0)}}, r"give \(low, high, kind\)"),
    (CIRCLE, {"ranges": {"s": (0.0, 1.0, "cyclic")}}, "the kind is one of 'periodic'"),
    (CIRCLE, {"ranges": {"s": (1.0, 0.0, "walls")}}, "the lower one first"),
    (CIRCLE, {"ranges": {"s": (0.0, np.pi, "poles")}}, "poles are for surfaces"),
    (CIRCLE, {"ranges": {"s": AROUND}, "mass": -1.0}, "mass is -1.0; give one positive number"),
    (CIRCLE, {"ranges": {"s": (0.0, np.pi, "periodic")}, "potential": lambda s: cos(s)}, "differs between these ends"),
    (LINE, {"ranges": {"x": (0.0, 1.0, "walls")}, "confined": True}, "give a vc.geometry.Embedding"),
    (3, {"ranges": {}}, "give a vc.geometry.Metric or vc.geometry.Embedding"),
])  # fmt: skip
def test_wrong_quantizations_are_refused(space, given, words):
    with pytest.raises(ModelError, match=words):
        Quantization(space, **given)


def test_an_embedding_needs_more_numbers_than_coordinates():
    with pytest.raises(ModelError, match="returned 1 numbers for 1 coordinates"):
        vc.geometry.Embedding("line", ["s"], lambda s: (s,))


def test_a_tube_wider_than_its_radius_is_refused():
    with pytest.raises(StartError, match=r"a center of curvature is 0.98 away, where normals meet; take κ above 678"):
        vc.geometry.confine(Quantization(CIRCLE, {"s": AROUND}), 10.0)


def test_a_tube_has_at_most_two_normals_which_vary_smoothly():
    curve = vc.geometry.Embedding("curve", ["s"], lambda s: (cos(s), sin(s), cos(2 * s), sin(2 * s)))
    with pytest.raises(MethodError, match="3 normal directions, and confinement is computed for one and two"):
        vc.geometry.confine(Quantization(curve, {"s": AROUND}), 1e4)
    places = lambda s, u: (cos(s) * cos(u), cos(s) * sin(u), sin(s) * cos(2 * u), sin(s) * sin(2 * u))
    twisted = vc.geometry.Embedding("twisted", ["s", "u"], places)
    with pytest.raises(MethodError, match=r"normals that vary smoothly.*take a part of the manifold"):
        vc.geometry.confine(Quantization(twisted, {"s": AROUND, "u": AROUND}), 1e6)


def test_what_an_expansion_cannot_resolve_is_stated(monkeypatch):
    monkeypatch.setattr("vinculum.geometry.quantum.stationary.MOST_DENSE_UNKNOWNS", 100)
    rough = Quantization(LINE, {"x": (0.0, 1.0, "walls")}, lambda x: 1e3 * vc.math.sign(x - 0.4321))
    with pytest.raises(RunError, match=r"the levels are known to .* only"):
        rough.states(3, tolerance=1e-11)


def test_states_outside_the_range_and_beyond_the_count_are_refused():
    states = Quantization(LINE, {"x": (0.0, 1.0, "walls")}).states(3)
    with pytest.raises(StartError, match=r"x = 1.5 is outside its range from 0 to 1"):
        states.values([1.5])
    with pytest.raises(StartError, match="its states are 0 to 2"):
        states.picture(3)
    with pytest.raises(StartError, match="psi is zero"):
        Quantization(CIRCLE, {"s": AROUND}).evolve(lambda q: np.zeros(len(q)), [0.0])
