"""Tables that cannot be, and runs that leave them: each is told by name, value, condition and remedy."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.engines import has_heyoka

ALL = [
    pytest.param("taylor", marks=pytest.mark.skipif(not has_heyoka(), reason="heyoka is hidden")),
    "dop853",
    "rk4",
    "midpoint",
]
X = [0.0, 1.0, 2.0, 3.0]


def slider(drive) -> vc.System:
    system = vc.System("slider")
    body = system.add(vc.MassPoint("body", 1.0))
    system.add(vc.Prismatic("x", "ground", body, axis=(1, 0, 0), drive=drive))
    return system


@pytest.mark.parametrize(("make", "message"), [
    (lambda: vc.Table("two words", X, X), "table name 'two words' is not an identifier"),
    (lambda: vc.Table("cam", [0, 2, 1, 3], X), r"x\[2\] = 1 does not come after x\[1\] = 2; sort"),
    (lambda: vc.Table("cam", [0, 1, 1, 3], X), r"x\[2\] = 1 does not come after x\[1\] = 1"),
    (lambda: vc.Table("cam", X, [0, 1, np.nan, 3]), r"y\[2\] is nan and must be finite"),
    (lambda: vc.Table("cam", [0, 1, 2, np.inf], X), r"x\[3\] is inf and must be finite"),
    (lambda: vc.Table("cam", X, X[:3]), "x has 4 numbers and y has 3; give one y for each x"),
    (lambda: vc.Table("cam", [1.0], [1.0]), "1 point is too few; kind 'cubic' needs at least 2"),
    (lambda: vc.Table("cam", X, X, kind="quintic"), "4 points are too few; kind 'quintic' needs at least 6"),
    (lambda: vc.Table("cam", X, X, kind="spline"), "kind 'spline' is not known; use linear, cubic"),
    (lambda: vc.Table("cam", X, X, outside="wrap"), "outside 'wrap' is not known; use refuse, extend, flat, repeat"),
    (lambda: vc.Table("cam", X, X, outside="repeat"), "last y = 3 is not its first, 0; the last point is the first of the next"),
    (lambda: vc.Table("cam", X, [1, 2, 3, 1], kind="natural", outside="repeat"), "cannot repeat; use kind='cubic'"),
    (lambda: vc.Table("cam", X, [1, 2, 3, 1], outside="repeat").integral(), "repeats with the mean 2.* subtract the mean"),
    (lambda: vc.Table("cam", [X], X), r"x has shape \(1, 4\) and must be one row"),
    (lambda: vc.Table("cam", ["a", "b"], [1, 2]), "x is not a list of numbers"),
    (lambda: vc.Table("cam", [0, 1e-300, 1], [0, 1e300, 0]), "overflow; choose other units"),
    (lambda: vc.Table.of_polynomials("cam", [0, 1, 2], [[1, 2]]), r"3 knots bound 2 pieces, and the coefficients have shape \(1, 2\)"),
    (lambda: vc.Table.of_polynomials("cam", [0, 1], [[np.nan]]), "row 0 of its coefficients is not finite"),
    (lambda: vc.Table.of_polynomials("cam", [1, 0], [[1.0]]), r"knots\[1\] = 0 does not come after"),
    (lambda: vc.Table.of_polynomials("cam", [0, 1], [[1.0], [1.0, 2.0]]), "not a matrix of numbers"),
    (lambda: vc.Table("cam", X, X)(3.5), "'cam' has values from 0 to 3 and is asked for one at 3.5; give it more points"),
    (lambda: vc.Table("cam", X, X)(np.array([1.0, -0.5])), "asked for one at -0.5"),
    (lambda: vc.Table("cam", X, X)(np.nan), "asked for one at nan"),
    (lambda: vc.Table("cam", X, X).derivative()(4.0), "table 'cam'' has values from 0 to 3"),
])  # fmt: skip
def test_a_table_that_cannot_be_is_refused(make, message):
    with pytest.raises(vc.errors.StartError, match=message):
        make()


@pytest.mark.parametrize("method", ALL)
def test_a_run_that_leaves_a_table_says_which_where_and_when(method):
    table = vc.Table("ramp", X, [1.0, 1.0, 1.0, 1.0], kind="linear")
    step = {"step": 1e-3} if method in ("rk4", "midpoint") else {}
    with pytest.raises(
        vc.errors.RunError, match=r"leaves table 'ramp': its argument is 3.* from 0 to 3; give it more points"
    ) as caught:
        vc.simulate(slider(lambda q: table(q)), 9.0, {"x": 0.5}, method=method, **step)
    assert caught.value.motion.record.pieces.end == pytest.approx(np.sqrt(5.0), abs=3e-3 if step else 1e-12)
    assert f"t = {np.sqrt(5.0):.3g}" in str(caught.value)[:80] or "t = 2.23" in str(caught.value)


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("start", [vc.At(4.0), vc.At(-1.0), vc.At(3.0, rate=1.0)], ids=["above", "below", "outward"])
def test_a_start_outside_of_a_table_is_refused(method, start):
    table = vc.Table("ramp", X, X)
    step = {"step": 1e-3} if method in ("rk4", "midpoint") else {}
    with pytest.raises(
        vc.errors.StartError, match=r"'slider': at t = 0 s the motion leaves table 'ramp'.* from 0 to 3"
    ):
        vc.simulate(slider(lambda q: table(q)), 1.0, {"x": start}, method=method, **step)


def test_a_drive_in_time_that_ends_before_the_run_is_told():
    table = vc.Table("push", X, X)
    with pytest.raises(vc.errors.RunError, match=r"at t = 3 s the motion leaves table 'push'"):
        vc.simulate(slider(lambda t: table(t)), 5.0)


def test_an_event_that_looks_beyond_its_table_is_told():
    table = vc.Table("height", X, X)
    event = vc.Event("low", ["x"], lambda x: table(x.q) - 0.5)
    with pytest.raises(
        vc.errors.RunError, match=r"an event evaluates a table outside its range: at t = .* leaves table 'height'"
    ):
        vc.simulate(slider(lambda q: 0.0 * q), 9.0, {"x": vc.At(1.0, rate=1.0)}, events=[event])


def test_a_series_and_an_adaptive_ensemble_say_what_to_use():
    table = vc.Table("spring", [-1.0, 0.0, 1.0], [1.0, 0.0, -1.0])
    with pytest.raises(vc.errors.MethodError, match=r"cannot contain the table 'spring'.*method='taylor' or 'dop853'"):
        vc.simulate(slider(lambda q: table(q)), 1.0, {"x": 0.3}, method="series")
    with pytest.raises(vc.errors.MethodError, match="piecewise forces"):
        vc.ensemble(slider(lambda q: table(q)), 1.0, {"x": np.array([0.1, 0.2])})


def test_a_constant_outside_of_a_table_is_refused_when_the_model_is_made():
    table = vc.Table("gain", X, X)
    with pytest.raises(
        (vc.errors.ModelError, vc.errors.StartError), match=r"'gain' has values from 0 to 3 and is asked for one at 7"
    ):
        slider(lambda q: -table(7.0) * q)


FILE = """
[tables.buffer]
x = ["-40 mm", "-10 mm", 0, 0.01, "40 mm"]
y = ["900 N", "60 N", 0, -60.0, -900]
kind = "pchip"
[bodies.wagon]
kind = "point"
mass = 20
[joints.track]
kind = "prismatic"
parent = "ground"
child = "wagon"
drive = "buffer(q)"
[start]
track = 0.025
"""


def read(folder, text):
    path = folder / "model.toml"
    path.write_text(text)
    return vc.read_model(path)


def test_a_file_with_a_table_moves_as_the_same_model_in_python(tmp_path):
    model = read(tmp_path, FILE)
    motion = vc.simulate(model.system, 2.0, model.start)
    table = vc.Table("buffer", [-0.04, -0.01, 0, 0.01, 0.04], [900, 60, 0, -60, -900], kind="pchip")
    system = vc.System("model")
    body = system.add(vc.MassPoint("wagon", 20.0))
    system.add(vc.Prismatic("track", "ground", body, drive=lambda q: table(q)))
    assert np.array_equal(motion.q, vc.simulate(system, 2.0, {"track": 0.025}).q)
    assert motion.audit().passed


@pytest.mark.parametrize(("old", "new", "message"), [
    ('"-10 mm", 0,', '"-50 mm", 0,', r"\[tables.buffer\]: table 'buffer': x\[1\] = -0.05 does not come after x\[0\] = -0.04"),
    ('"-10 mm", 0,', '"-10 s", 0,', r'\[tables.buffer\] x has "-40 mm" and "-10 s", which have different dimensions'),
    ('"-10 mm", 0,', '"2*k", 0,', r"the points of a table hold no formulas"),
    ('kind = "pchip"', 'kind = "bspline"', r"\[tables.buffer\] kind = \"bspline\" is not known; use 'linear'"),
    ('kind = "pchip"', 'knd = "pchip"', r"\[tables.buffer\]: the key 'knd' is not known; did you mean 'kind'"),
    ('kind = "pchip"', 'outside = 3', r"\[tables.buffer\] outside = 3 is not known"),
    ("[tables.buffer]", "[tables.sin]", r"\[tables.sin\]: the name 'sin' has a meaning in formulas"),
    ("[tables.buffer]", "[parameters]\nbuffer = 1\n[tables.buffer]", r"the name 'buffer' is also a parameter"),
    ("[tables.buffer]", '[tables."two words"]', r"a table's name is one word"),
    ("buffer(q)", "bufer(q)", r"calls 'bufer', which is not a function known here; did you mean 'buffer'"),
    ("buffer(q)", "buffer(q, v)", r"calls buffer with 2 arguments; it takes 1"),
    ("buffer(q)", "buffer*q", r"asks for 'buffer', which is not a name known here; give it an argument"),
    ("buffer(q)", "q*buffer(1.5)", r"holds 'buffer\(1.5\)', which has no value; table 'buffer' has values from -0.04 to 0.04"),
    ("x = [", "y2 = 3\nx = [", r"the key 'y2' is not known"),
    ('y = ["900 N", "60 N", 0, -60.0, -900]', "y = 3", r"\[tables.buffer\] y = 3 must be a list of numbers"),
], ids=str)  # fmt: skip
def test_a_file_with_a_table_that_cannot_be_is_refused(tmp_path, old, new, message):
    assert old in FILE
    with pytest.raises(vc.errors.FileError, match=message):
        read(tmp_path, FILE.replace(old, new, 1))
