"""What notebooks show: tables, pictures and formulas for every noun, with every name escaped."""

import base64
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

import vinculum as vc
from seen import attracted_points, bouncing_ball, closed_loop, pendulum
from vinculum.audits.certificate import Certificate, Line

EVIL = "<script>alert('x')<b>&\""
PNG = b"\x89PNG"


class Reader(HTMLParser):
    """Tags of a fragment, whether they close in order, and its text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.wrong = [], [], "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text += data if self.open and self.open[-1] != "style" else ""


def read(thing):
    """The HTML of a thing, checked."""
    found = Reader(thing._repr_html_())
    assert not found.wrong and not found.open and "script" not in found.tags and "b" not in found.tags
    assert found.tags[0] == "div"
    return found


@cache
def arm():
    system = vc.System(f"arm {EVIL}", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody(f"rod {EVIL}", 1.5, (0, 0, -0.5), (0.1, 0.1, 0.01)))
    system.add(vc.Revolute(f"joint {EVIL}", "ground", rod, axis=(0, 1, 0)))
    system.add(vc.Spring(f"spring {EVIL}", rod, "ground", 8.0, 1.0, to=(1, 0, 0)))
    return system


@cache
def swing():
    return vc.LagrangianSystem(
        f"swing {EVIL}", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + vc.parameter("g", 9.81) * vc.math.cos(q[0])
    )


@cache
def motion():
    return vc.simulate(arm(), 0.2, {f"joint {EVIL}": 0.3}, progress=False)


@cache
def swinging():
    return vc.simulate(swing(), 0.5, ([1.0], [0.0]), progress=False)


@cache
def runs():
    return vc.ensemble(arm(), 0.1, {f"joint {EVIL}": np.linspace(0.1, 0.5, 5)}, grid=3)


@cache
def linear():
    return vc.linearize(pendulum_at_rest())


@cache
def pendulum_at_rest():
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    rod = system.add(vc.RigidBody("rod", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
    system.add(vc.Revolute("joint", "ground", rod, axis=(0, 1, 0)))
    return system


THINGS = {
    "System": arm,
    "Motion": motion,
    "Certificate": lambda: motion().audit(),
    "Equations": lambda: vc.derive(arm()),
    "LagrangianSystem": swing,
    "EulerLagrange": lambda: swing().equations(),
    "Canonical": lambda: swing().canonical(),
    "LagrangianMotion": swinging,
    "Linearization": linear,
    "Runs": runs,
}
WITH_FORMULAS = {"Equations", "LagrangianSystem", "EulerLagrange", "Canonical", "Linearization"}
WITH_PICTURES = {"System", "Motion", "LagrangianMotion", "Runs"}


@pytest.mark.parametrize("name", THINGS)
def test_every_noun_has_html_and_formulas_where_it_has_any(name):
    thing = THINGS[name]()
    found, bundle = read(thing), thing._repr_mimebundle_()
    assert bundle["text/html"] == thing._repr_html_() and bundle["text/plain"] == str(thing)
    assert ("text/latex" in bundle) == (name in WITH_FORMULAS)
    assert ("math" in found.tags) == (name in WITH_FORMULAS)
    assert ("img" in found.tags) == (name in WITH_PICTURES)
    assert len(bundle["text/plain"]) < 4000
    if name in WITH_FORMULAS:
        assert bundle["text/latex"] == thing._repr_latex_() and re.fullmatch(r"\$\$.*\$\$", bundle["text/latex"], re.S)
    assert set(thing._repr_mimebundle_(include={"text/plain"})) == {"text/plain"}
    assert "text/html" not in thing._repr_mimebundle_(exclude={"text/html"})


@pytest.mark.parametrize("name", sorted(set(THINGS) - {"Linearization"}))
def test_names_are_shown_as_they_are(name):
    assert EVIL in read(THINGS[name]()).text


def test_a_system_shows_its_bodies_joints_and_bonds():
    text = read(arm()).text
    for part in (
        f"rod {EVIL}",
        f"joint {EVIL}",
        f"spring {EVIL}",
        "RigidBody",
        "Revolute",
        "Spring",
        "1.5",
        "bodies (1)",
    ):
        assert part in text


@pytest.mark.parametrize("make", [closed_loop, bouncing_ball, attracted_points], ids=lambda make: make.__name__)
def test_motions_of_other_kinds_are_shown(make):
    assert "img" in read(make()).tags


def test_a_system_that_cannot_be_drawn_still_shows_its_tables():
    system = vc.System("split")
    for name in ("a", "b"):
        system.add(vc.MassPoint(name, 1.0))
    system.add(vc.constraints.distance("rod", "a", "b", 1.0, realization="dalembert"))
    system.add(vc.constraints.distance("other", "a", "b", 2.0, realization="dalembert"))
    found = read(system)
    assert "not drawn:" in found.text and "other" in found.text
    assert "bodies" not in read(vc.System("empty")).text


def test_a_long_table_shows_its_first_rows():
    system = vc.System("many")
    for k in range(100):
        system.add(vc.MassPoint(f"p{k}", 1.0))
    text = read(system).text
    assert "bodies (100)" in text and "… and 80 more" in text


def certificate(verdict):
    residual = {"holds": 1e-12, "undecided": 1e-3, "broken": 1.0}[verdict]
    tolerance = {"holds": 1e-9, "undecided": 1e-2, "broken": 1e-9}[verdict]
    return Certificate("s", "m", (Line(f"law {EVIL}", residual, tolerance, f"because {EVIL}", EVIL),))


@pytest.mark.parametrize(("verdict", "color"), [("holds", "good"), ("undecided", "open"), ("broken", "bad")])
def test_a_line_of_a_certificate_has_the_color_of_its_verdict(verdict, color):
    one = certificate(verdict)
    text = one._repr_html_()
    assert f'<span class="badge {color}">{verdict}</span>' in text
    assert f"{one.lines[0].residual:.1e}" in text and f"{one.lines[0].tolerance:.1e}" in text
    assert read(one).text.count(EVIL) == 3
    assert ("undecided: " in read(one).text) == (verdict == "undecided")


def luminance(color):
    parts = [int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_verdicts_can_be_read_on_any_page():
    """White on each ground has a contrast of at least 4.5 (WCAG 2.1, AA); everything else takes the color of the page."""
    style = re.search(r"<style>(.*?)</style>", certificate("holds")._repr_html_(), re.S)[1]
    grounds = re.findall(r"\.badge\.\w+ \{ background: (#\w{6}); \}", style)
    assert len(grounds) == 3
    for ground in grounds:
        assert 1.05 / (luminance(ground) + 0.05) >= 4.5
    rest = re.sub(r"\.vinculum \.badge[^}]*\}|\.vinculum img[^}]*\}", "", style)
    assert not re.findall(r"(?<![-\w])(?:color|background): (?!inherit|none)[^;]+;", rest)


def test_modes_that_grow_are_marked():
    down = vc.linearize(pendulum_at_rest())
    up = vc.linearize(pendulum_at_rest(), {"joint": np.pi})
    assert 'badge bad">grows' not in down._repr_html_()
    assert 'badge bad">grows' in up._repr_html_() and 'badge good">decays' in up._repr_html_()


def test_a_plot_is_a_picture_without_pyplot():
    for figure in (motion().plot(), motion().plot.picture()):
        content, size = figure._repr_png_()
        assert content.startswith(PNG) and 300 < size["width"] < 1000 and size["height"] > 100


def test_equations_of_many_velocities_are_not_typeset_unasked():
    system = vc.System("many")
    for k in range(6):
        system.add(vc.MassPoint(f"p{k}", 1.0))
    equations = vc.derive(system)
    assert "math" not in read(equations).tags and equations._repr_latex_() is None


def test_a_picture_in_html_is_a_whole_file():
    content = re.search(r'src="data:image/png;base64,([^"]+)"', arm()._repr_html_())[1]
    assert base64.b64decode(content).startswith(PNG)


def test_to_be_shown_costs_no_import():
    """A system is made and run without the room that shows it."""
    code = "import sys, vinculum as vc; vc.System('s'); vc.simulate; assert 'vinculum.show' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_the_page_in_space_is_shown_in_place(tmp_path):
    page = pendulum().plot.view(tmp_path / "page.html")
    assert page._repr_html_().startswith("<iframe srcdoc=")


def test_every_kind_of_bond_is_listed_with_what_it_acts_on():
    system = vc.System("bonds", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0))
    cart = system.add(vc.RigidBody("cart", 1.0, inertia=(0.1, 0.1, 0.1)))
    rail = system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0)))
    system.add(vc.Spring("spring", ball, cart, 8.0, 1.0))
    system.add(vc.constraints.distance("rod", ball, cart, 0.5, realization="dalembert"))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=0.5))
    system.add(vc.Unilateral("stop", [rail], gap=lambda q: 1.0 - q, impact=0.5))
    system.add(vc.Impulse("hit", rail, 1.0, at=0.5))
    text = re.sub(r"<[^>]*>", " ", system._repr_html_())
    text = re.sub(r"\s+", " ", text)
    for row in (
        "spring Spring ball, cart",
        "rod Constraint ball, cart",
        "floor Unilateral ball",
        "stop Unilateral rail",
    ):
        assert row in text
    assert "hit Impulse rail" in text and "bonds (5)" in text
