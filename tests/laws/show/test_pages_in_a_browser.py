"""Pages in a real browser: they render, play, scrub and pick, in any system and on any screen."""

import numpy as np
import pytest

import browser as browsers
import vinculum as vc
from seen import MOTIONS, crowd
from vinculum.show.by_type import scene_of
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.page.page import page_text

pytestmark = pytest.mark.skipif(browsers.FOUND is None, reason="Chromium is not installed")
COLORED = """(() => {
  const g = window.vinculum.renderer.getContext(), w = g.drawingBufferWidth, h = g.drawingBufferHeight, p = new Uint8Array(4 * w * h);
  window.vinculum.renderer.render(window.vinculum.world.scene, window.vinculum.camera);
  g.readPixels(0, 0, w, h, g.RGBA, g.UNSIGNED_BYTE, p);
  let n = 0;
  for (let i = 0; i < p.length; i += 4) if (Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]) > 60) n++;
  return n / (w * h);
})()"""


@pytest.fixture(scope="module")
def browser():
    with browsers.Browser() as one:
        yield one


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The page of a motion, with the motion."""
    folder, known = tmp_path_factory.mktemp("pages"), {}

    def write(make):
        if make not in known:
            motion = make()
            path = folder / f"{make.__name__}.html"
            path.write_text(page_text(scene_of(motion.record, Wanted())), encoding="utf-8")
            known[make] = (path, motion)
        return known[make]

    return write


@pytest.mark.parametrize("make", MOTIONS, ids=lambda make: make.__name__)
def test_every_system_is_rendered_without_complaint(browser, written, make):
    browser.open(written(make)[0])
    assert browser.run(COLORED) > 0.001
    for layer in ("axes", "reaction", "force", "moment", "contact", "impulse"):
        browser.run(f"window.vinculum.world.groups['{layer}'] && window.vinculum.layer('{layer}', true)")
    browser.run("window.vinculum.seek(0.6 * window.vinculum.end)")
    assert browser.run(COLORED) > 0.001
    assert not browser.errors and not browser.fetched


def test_poses_on_the_screen_are_those_of_the_motion(browser, written):
    path, motion = written(MOTIONS[0])
    browser.open(path)
    for t in (0.0, 0.777, 1.5):
        browser.run(f"window.vinculum.seek({t})")
        seen = browser.run("Array.from(window.vinculum.world.p)")
        place = motion.at(t).body("lower").position[0]
        # between frames 1/150 s apart the page goes straight: a h² / 8
        np.testing.assert_allclose(seen[3:6], place, atol=40.0 * (2.0 / 299) ** 2 / 8)


def becomes(browser, condition):
    """Whether a condition comes true within a minute, however slow the machine is."""
    return browser.run(
        f"new Promise((done) => {{ let n = 0; const look = () => ({condition}) ? done(true) : ++n > 1200 ? done(false) : "
        "setTimeout(look, 50); look(); })"
    )


def test_it_plays_pauses_scrubs_and_loops(browser, written):
    browser.open(written(MOTIONS[0])[0])
    press = "document.getElementById('play').click()"
    browser.run(press)
    assert becomes(browser, "window.vinculum.t > 0.0")
    browser.run(press)
    stopped, drawn = browser.run("[window.vinculum.t, window.vinculum.frames]")
    browser.run("new Promise((done) => setTimeout(done, 300))")
    assert browser.run("window.vinculum.t") == stopped and drawn > 0
    browser.run(
        "(() => { const s = document.getElementById('slider'); s.value = 50000; s.dispatchEvent(new Event('input')); })()"
    )
    assert browser.run("window.vinculum.t") == pytest.approx(1.0, abs=1e-3)
    assert browser.run("document.getElementById('clock').textContent") == "1 s"
    browser.run("window.vinculum.seek(1.999); window.vinculum.play()")
    assert becomes(browser, "window.vinculum.playing && window.vinculum.t < 1.9")
    browser.run("window.vinculum.pause()")


def test_a_body_is_picked_by_a_click_and_its_state_is_read(browser, written):
    path, motion = written(MOTIONS[3])
    browser.open(path)
    browser.run("window.vinculum.seek(0.2)")
    browser.run("new Promise((done) => setTimeout(done, 300))")
    at = browser.run("""(() => {
      const v = window.vinculum, box = document.getElementById('space').getBoundingClientRect();
      const p = v.controls.target.clone().fromArray(v.world.p, 0).project(v.camera);
      return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    })()""")
    browser.click(*at)
    assert browser.run("window.vinculum.picked") == 0
    text = browser.run("document.getElementById('state').textContent")
    speed = float(np.linalg.norm(motion.at(0.2).body("ball").velocity[0]))
    assert "kinetic energy" in text and f"{speed:.4g}" in text
    browser.click(at[0], at[1] + 150)
    assert browser.run("window.vinculum.picked") is None


def test_plots_follow_the_cursor_and_move_it(browser, written):
    browser.open(written(MOTIONS[0])[0])
    box = browser.run(
        "(() => { const b = document.querySelector('.plot canvas').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()"
    )
    browser.click(box[0] + 0.25 * box[2], box[1] + 0.5 * box[3])
    assert browser.run("window.vinculum.t") == pytest.approx(0.5, abs=0.02)
    assert "total" in browser.run("document.querySelector('.legend').textContent")


def test_cameras_and_themes_change_the_picture(browser, written):
    browser.open(written(MOTIONS[6])[0])
    seen = set()
    for name in ("start", "front", "side", "top", "iso"):
        browser.run(
            f"(() => {{ const s = document.getElementById('view'); s.value = '{name}'; s.dispatchEvent(new Event('change')); }})()"
        )
        assert browser.run(COLORED) > 0.001, name
        seen.add(tuple(np.round(browser.run("window.vinculum.camera.position.toArray()"), 6)))
    assert len(seen) == 5
    dark = browser.run("window.vinculum.dark")
    browser.run("document.getElementById('theme').click()")
    assert browser.run("window.vinculum.dark") is not dark


def test_the_eye_goes_with_what_travels_far_also_when_time_jumps(browser, tmp_path):
    """By the slider, right after the page was opened, and from the end to the beginning; a view that the reader chose stays."""
    system = vc.System("thrown", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0))
    motion = vc.simulate(system, 10.0, {"ball": vc.At((0, 0, 0), rate=(5, 0, 49, 0, 0, 0))}, progress=False)
    path = tmp_path / "thrown.html"
    path.write_text(page_text(scene_of(motion.record, Wanted())), encoding="utf-8")
    browser.open(path)
    seen = """(() => {
      const v = window.vinculum, p = v.controls.target.clone().fromArray(v.world.p, 0);
      v.camera.updateMatrixWorld();
      return [...p.clone().project(v.camera).toArray(), ...v.camera.position.clone().sub(p).toArray()];
    })()"""
    first = browser.run(seen)
    assert abs(first[0]) < 0.5 and abs(first[1]) < 0.5
    for t in (5.0, 9.9, 0.0):
        browser.run(f"window.vinculum.seek({t})")
        np.testing.assert_allclose(browser.run(seen), first, atol=1e-4)
    browser.run("window.vinculum.look('side')")
    chosen = browser.run(seen)
    assert not np.allclose(chosen, first, atol=0.1)
    browser.run("window.vinculum.seek(9.999); window.vinculum.play()")
    assert becomes(browser, "window.vinculum.t < 9")
    browser.run("window.vinculum.pause()")
    np.testing.assert_allclose(browser.run(seen), chosen, atol=1e-4)


def test_the_ground_is_seen_also_from_its_middle(browser, tmp_path):
    """An eye that goes with a body has a part of the grid behind it."""
    system = vc.System("going")
    system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0))
    motion = vc.simulate(system, 10.0, {"ball": vc.At((0, 0, 0), rate=(5, 0, 0, 0, 0, 0))}, progress=False)
    path = tmp_path / "going.html"
    path.write_text(page_text(scene_of(motion.record, Wanted())), encoding="utf-8")
    browser.open(path)
    shares = browser.run("""(() => {
      const v = window.vinculum, g = v.renderer.getContext(), w = g.drawingBufferWidth, h = g.drawingBufferHeight;
      const p = new Uint8Array(4 * w * h);
      for (const [name, group] of Object.entries(v.world.groups)) group.visible = name === "grid";
      v.seek(5);
      v.renderer.render(v.world.scene, v.camera);
      g.readPixels(0, 0, w, h, g.RGBA, g.UNSIGNED_BYTE, p);
      const quarters = [0, 0, 0, 0];
      for (let i = 0; i < w * h; i++) if (Math.abs(p[4 * i] - p[0]) > 4) quarters[2 * (i > (w * h) / 2) + (i % w > w / 2)]++;
      return quarters.map((n) => n / (w * h / 4));
    })()""")
    assert min(shares) > 0.002, shares


LEFT = """(() => {
  const v = window.vinculum;
  v.renderer.render(v.world.scene, v.camera);
  return [v.renderer.info.render.triangles, v.renderer.domElement.width];
})()"""


def test_less_is_drawn_where_frames_take_long_and_everything_where_it_stands_still(browser, tmp_path):
    """Frames of 0.2 s are given by hand, so that no clock decides."""
    path = tmp_path / "crowd.html"
    path.write_text(page_text(crowd(200, 3)), encoding="utf-8")
    browser.open(path)
    slow = "for (let i = 0; i < 6; i++) v.pace(0.2);"
    all_of_it, *played, paused, quick = browser.run(
        f"(() => {{ const v = window.vinculum, seen = [{LEFT}]; v.play(); {slow} seen.push({LEFT}); {slow} seen.push({LEFT}); "
        f"v.pause(); seen.push({LEFT}); v.roughness = 0; v.play(); for (let i = 0; i < 60; i++) v.pace(0.016); seen.push({LEFT}); "
        "v.pause(); return seen; })()"
    )
    (coarse, wide), (coarse_too, narrow) = played
    assert 200 * 12 <= coarse == coarse_too < all_of_it[0] / 3
    assert wide == all_of_it[1] and narrow == all_of_it[1] // 2
    assert paused == quick == all_of_it
    assert not browser.errors


def test_a_body_that_is_drawn_coarsely_has_its_size(browser, tmp_path):
    path = tmp_path / "crowd.html"
    path.write_text(page_text(crowd(200, 3)), encoding="utf-8")
    browser.open(path)
    boxes = browser.run("""(() => {
      const box = ({ index, attributes }) => [0, 1, 2].map((k) => {
        const found = Array.from(index.array, (i) => attributes.position.getComponent(i, k));
        return [Math.min(...found), Math.max(...found)];
      });
      const one = window.vinculum.world.parts[0];
      return [box(one.fine), box(one.coarse)];
    })()""")
    np.testing.assert_allclose(boxes[1], boxes[0], rtol=0, atol=0.1)


def test_a_phone_shows_the_motion_and_all_controls(browser, written):
    browser.resize(390, 780, mobile=True)
    try:
        browser.open(written(MOTIONS[0])[0])
        assert browser.run("document.documentElement.scrollWidth") <= 390
        assert browser.run("document.getElementById('stage').clientHeight") > 500
        for name in ("play", "slider", "speed", "loop", "side", "theme", "view"):
            left, right = browser.run(
                f"(() => {{ const b = document.getElementById('{name}').getBoundingClientRect(); return [b.left, b.right]; }})()"
            )
            assert 0 <= left < right <= 390, name
        browser.run("document.getElementById('side').click()")
        assert browser.run("document.querySelector('aside').clientHeight") > 200
        assert browser.run(COLORED) > 0.001
    finally:
        browser.resize(900, 600)
