"""Reports and what notebooks show, in a real browser: formulas are seen, nothing is fetched, light and dark can be read."""

import json
import re

import numpy as np
import pytest

import browser as browsers
import vinculum as vc
from seen import bouncing_ball, pendulum

pytestmark = pytest.mark.skipif(browsers.FOUND is None, reason="Chromium is not installed")
COMPLETE = "document.readyState === 'complete'"
BOXES = """JSON.stringify([...document.querySelectorAll('{}')].map((e) => e.getBoundingClientRect()).map((b) => [b.width, b.height]))"""
CONTRAST = """JSON.stringify([...document.querySelectorAll('h1, h2, h3, h4, p, th, td, figcaption, .badge, summary, mi, mn')].map((e) => {
  let ground = e;
  while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
  return [getComputedStyle(e).color, ground ? getComputedStyle(ground).backgroundColor : 'rgb(255, 255, 255)'];
}))"""


@pytest.fixture(scope="module")
def browser():
    with browsers.Browser() as one:
        yield one


def swing():
    system = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
    return vc.simulate(system, 1.0, ([1.0], [0.0]), progress=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder, known = tmp_path_factory.mktemp("reports"), {}

    def write(make):
        if make not in known:
            known[make] = make().plot.report(folder / f"{make.__name__}.html").path
        return known[make]

    return write


def luminance(color):
    parts = [float(x) / 255.0 for x in color[color.index("(") + 1 : -1].split(",")[:3]]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrasts(browser):
    """The contrast of every text with its ground, as WCAG 2.1 counts it."""
    pairs = [sorted(map(luminance, pair)) for pair in json.loads(browser.run(CONTRAST))]
    return [(high + 0.05) / (low + 0.05) for low, high in pairs]


@pytest.mark.parametrize("make", [pendulum, bouncing_ball, swing], ids=lambda make: make.__name__)
def test_formulas_and_figures_are_seen_and_nothing_is_fetched(browser, written, make):
    browser.prefer()
    browser.resize(900, 600)
    browser.open(written(make), ready=COMPLETE)
    assert not browser.errors and not browser.fetched
    for what, least in ((".equation math", 5), (".drawing svg", 100)):
        boxes = json.loads(browser.run(BOXES.format(what)))
        assert boxes and all(width > least and height > least for width, height in boxes)
    fractions = json.loads(browser.run(BOXES.format("mfrac")))
    assert all(height > 20 for _, height in fractions), "a fraction is as high as two lines"


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_a_report_can_be_read_in_light_and_dark(browser, written, colors):
    browser.prefer(colors)
    browser.open(written(pendulum), ready=COMPLETE)
    ground = luminance(browser.run("getComputedStyle(document.body).backgroundColor"))
    assert (ground > 0.9) if colors == "light" else (ground < 0.05)
    assert min(contrasts(browser)) >= 4.5


def test_a_dark_report_prints_light(browser, written):
    browser.prefer("dark", media="print")
    browser.open(written(pendulum), ready=COMPLETE)
    assert luminance(browser.run("getComputedStyle(document.body).backgroundColor")) == pytest.approx(1.0)
    assert min(contrasts(browser)) >= 4.5
    browser.prefer()


def test_a_report_prints_on_paper_with_nothing_cut_off(browser, written):
    """A4 without the margins of the style is 180 mm wide."""
    wide = int(180 / 25.4 * 96)
    browser.prefer(media="print")
    browser.resize(wide, 900)
    browser.open(written(pendulum), ready=COMPLETE)
    ends = browser.run(
        "[...document.querySelectorAll('table, math, svg, img')].map((e) => e.getBoundingClientRect().right)"
    )
    assert ends and max(ends) <= wide + 1
    pdf = browser.printed()
    pages = re.findall(rb"/Type\s*/Page\b", pdf)
    assert pdf.startswith(b"%PDF") and 1 <= len(pages) <= 8
    browser.prefer()
    browser.resize(900, 600)


def test_a_report_fits_a_phone(browser, written):
    browser.resize(390, 800, mobile=True)
    browser.open(written(pendulum), ready=COMPLETE)
    assert browser.run("document.documentElement.scrollWidth") <= 390
    browser.resize(900, 600)


@pytest.mark.parametrize(("paper", "ink"), [("#ffffff", "#222222"), ("#111111", "#dddddd")], ids=["light", "dark"])
def test_a_certificate_can_be_read_in_a_light_and_a_dark_notebook(browser, tmp_path, paper, ink):
    path = tmp_path / "cell.html"
    cell = pendulum().audit()._repr_html_()
    path.write_text(f'<meta charset="utf-8"><body style="background: {paper}; color: {ink}">{cell}</body>', "utf-8")
    browser.open(path, ready=COMPLETE)
    assert min(contrasts(browser)) >= 4.5


def test_the_page_in_space_runs_in_the_output_of_a_cell(browser, tmp_path):
    path = tmp_path / "cell.html"
    page = pendulum().plot.view(tmp_path / "page.html", frames=20)
    path.write_text(f'<meta charset="utf-8"><body>{page._repr_html_()}</body>', "utf-8")
    inner = "document.querySelector('iframe').contentDocument"
    browser.open(
        path, ready=f"document.querySelector('iframe') && {inner}.body && {inner}.body.dataset.ready === 'yes'"
    )
    assert not browser.errors and not browser.fetched
