"""A formula has one value in LaTeX and in MathML, each read by its own reader; nothing that the printers write is unknown."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from formulas.latex_values import latex_value
from formulas.mathml_values import mathml_value, name, plain
from machines import MACHINES
from vinculum.derivations.printing.mathml import mathml, mathml_block, mathml_terms
from vinculum.derivations.printing.widths import PRINTED_LINE, formula_width

BELOW = r"_\{(?:[^{}]|\{[^{}]*\})*\}"
NAME = re.compile(
    rf"\\d*dot\{{[^{{}}]*(?:\{{[^{{}}]*\}})?\}}(?:{BELOW})?|(?:\\mathrm\{{\w+\}}|\\[a-z]+|[A-Za-z]){BELOW}"
)
KNOWN = {"frac", "left", "right", "sqrt", "cdot", "sin", "cos", "mathrm", "dot", "ddot", "tan", "exp"}


def names(line):
    """What a formula names: letters with dots and subscripts, words, Greek and Latin letters."""
    found = set(NAME.findall(line))
    rest = NAME.sub(" ", line)
    found |= set(re.findall(r"\\mathrm\{\w+\}", rest))
    rest = re.sub(r"\\mathrm\{\w+\}", " ", rest)
    found |= {one for one in re.findall(r"\\[A-Za-z]+", rest) if one[1:] not in KNOWN}
    return found | set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", " ", rest)))


def check(line):
    rng = np.random.default_rng(len(line))
    values = {one: float(rng.uniform(0.3, 1.7)) for one in sorted(names(line))}
    other = {name(ElementTree.fromstring(mathml(one))): value for one, value in values.items()}
    assert len(other) == len(values)
    for side in line.split(" = "):
        expected = latex_value(side, values)
        assert mathml_value(mathml(side), other) == pytest.approx(expected, rel=1e-12)
        whole = "".join(mathml_terms(side))
        if 'stretchy="false"' not in whole:
            assert mathml_value(whole, other) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.__name__)
@pytest.mark.parametrize("form", ["newton-euler", "lagrange", "hamilton"])
@pytest.mark.parametrize("seconds", [5.0, 0.0], ids=["simplified", "named"])
def test_equations_of_machines_have_one_value(machine, form, seconds):
    system = machine()
    tree = system.tree()
    if form != "newton-euler" and tree.nq != tree.nv:
        pytest.skip("quaternions have no such form")
    lines = vc.derive(system, form).lines(seconds)
    assert lines
    for line in lines:
        check(line)


def lagrangians():
    swing = vc.LagrangianSystem(
        "swing",
        ["phi", "x_1"],
        lambda q, v: 0.5 * v[0] ** 2 * (1 + q[1] ** 2) + 0.5 * v[1] ** 2 + 9.81 * vc.math.cos(q[0]),
    )
    fourth = vc.LagrangianSystem("beam", ["w"], lambda w, w_ddot: 0.5 * w_ddot**2 - vc.math.sqrt(1 + w**2))
    return [swing.equations(), swing.canonical(), fourth.equations()]


@pytest.mark.parametrize("number", range(3))
def test_equations_of_lagrangians_are_known_to_the_last_sign(number):
    for line in lagrangians()[number].latex().splitlines():
        shown = mathml(line)
        assert "\\" not in shown
        ElementTree.fromstring(shown)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (r"x_{1}^{2}", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        (r"\operatorname{atan}{\left(x \right)}", "<mi>atan</mi><mo>&#8289;</mo>"),
        (r"\begin{cases} 1 & \text{for}\: x > 0 \\0 & \text{otherwise} \end{cases}", "<mtext>otherwise</mtext>"),
        (r"\left|{x}\right|", "<mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow>"),
        (r"\mathrm{a\_b}", "<mi>a_b</mi>"),
        (r"\dddot{x}", "<mover><mi>x</mi><mo>...</mo></mover>"),
        (r"\sin^{2}\left(x\right)", "<msup><mi>sin</mi><mn>2</mn></msup><mo>&#8289;</mo>"),
    ],
)
def test_what_sympy_writes_is_read(latex, expected):
    shown = mathml(latex)
    ElementTree.fromstring(shown.replace("&#160;", " "))
    assert expected in shown and "\\" not in shown


@pytest.mark.parametrize(
    "latex", ["", "}", "{", r"\frac", r"\left(", r"a ^", "_", r"\begin{cases", "<b>&amp;", r"\right)", r"\nothing x"]
)
def test_any_text_becomes_a_formula_that_is_well_formed(latex):
    assert ElementTree.fromstring(mathml(latex)).tag.endswith("math")
    assert ElementTree.fromstring(mathml_block([latex]) or "<math/>") is not None


def test_a_long_bracket_is_broken_between_its_terms_and_keeps_its_letters():
    inside = " + ".join(rf"m_{{{k}}} l_{{{k}}}^{{2}} \cos q_{{{k}}}" for k in range(12))
    line = rf"\left({inside}\right) \ddot{{q}} - g = 0"
    pieces = mathml_terms(line)
    assert len(pieces) >= 13
    letters = [
        re.sub(r"\s", "", plain(ElementTree.fromstring(x))) for x in ("".join(["<m>", *pieces, "</m>"]), mathml(line))
    ]
    assert letters[0] == letters[1]


def letters_of(*pieces):
    return re.sub(r"\s", "", plain(ElementTree.fromstring("".join(["<m>", *pieces, "</m>"]))))


NESTED = " + ".join(
    rf"z_{{{k}}} \left(\frac{{2697 z_{{{k + 1}}}}}{{5000}} - z_{{{k}}} \left(z_{{3}} + 7 z_{{{k + 2}}}\right)\right)"
    for k in range(9)
)
WIDE = {
    "two brackets": rf"- \left({NESTED}\right) \left({NESTED}\right) \ddot{{q}} + 1 = 0",
    "a bracket in a bracket": rf"a + b \left(c - d \left({NESTED}\right)\right) = 0",
    "factors": " ".join(rf"\sin^{{2}}\left(q_{{{k}}} - p_{{{k}}}\right)" for k in range(20)),
}


@pytest.mark.parametrize("line", WIDE.values(), ids=WIDE)
def test_pieces_of_a_wide_formula_fit_a_printed_line_and_keep_its_letters(line):
    pieces = mathml_terms(line)
    assert formula_width(mathml(line)) > 2 * PRINTED_LINE
    assert max(map(formula_width, pieces)) <= PRINTED_LINE
    assert letters_of(*pieces) == letters_of(mathml(line))
    assert "--fit" not in mathml_block([line])


def test_what_cannot_be_broken_is_made_smaller_in_print():
    line = rf"a = \sqrt{{{NESTED}}}"
    (wide,) = [one for one in mathml_terms(line) if formula_width(one) > PRINTED_LINE]
    fit = float(re.search(r"--fit:([0-9.]+)", wide)[1])
    assert fit * formula_width(wide) == pytest.approx(PRINTED_LINE, rel=1e-3)
    assert "var(--fit, 1)" in (Path(vc.__file__).parent / "show/report/style.css").read_text("utf-8")


def test_long_fractions_of_named_formulas_are_decimals():
    system = vc.System("pair", gravity=(0, 0, -9.81))
    for k, parent in ((0, "ground"), (1, "b0")):
        system.add(vc.RigidBody(f"b{k}", 1.37, com=(0.1, 0.05, -0.31), inertia=(0.0841, 0.0843, 0.0011)))
        system.add(vc.Revolute(f"j{k}", parent, f"b{k}", axis=(0, 1, k), at=(0.0, 0.1, -0.63)))
    lines = vc.derive(system, "lagrange").lines(0.0)
    assert any(re.search(r"\d\.\d{6}", line) for line in lines)
    for line in lines:
        assert not re.search(r"\\frac\{[^{}]*\d{5}", line), line
        check(line)
