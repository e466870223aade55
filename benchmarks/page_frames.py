"""Frames a second of a page with a thousand bodies and a thousand frames, in Chromium without a window; and the size of the page.

The rows are those of this machine: its renderer is named, and Chromium renders on processors where it finds no graphics.
"""

import sys
import tempfile
from pathlib import Path

from _cases import report, sized

sys.path.extend(str(Path(__file__).parents[1] / folder) for folder in ("tests", "tests/systems"))

import browser
from seen import crowd
from vinculum.show.page.page import page_text

RENDERER = """(() => {
  const g = window.vinculum.renderer.getContext(), known = g.getExtension("WEBGL_debug_renderer_info");
  return known ? g.getParameter(known.UNMASKED_RENDERER_WEBGL) : "unknown";
})()"""
PLAYED = """new Promise((done) => {
  const v = window.vinculum, begin = performance.now(), first = v.frames;
  v.play();
  setTimeout(() => { v.pause(); done([(v.frames - first) / (performance.now() - begin) * 1000, v.roughness]); }, SECONDS * 1000);
})"""
WORK = """(() => {
  const v = window.vinculum, count = 50, begin = performance.now();
  for (let i = 0; i < count; i++) v.world.seek(v.begin + (i / count) * (v.end - v.begin));
  return (performance.now() - begin) / count;
})()"""
DRAWN = ("everything", "coarse bodies", "coarse bodies, a quarter of the pixels")


def main() -> None:
    bodies, frames, seconds = sized((1000, 1000, 10.0), (20, 10, 0.1))
    text = page_text(crowd(bodies, frames))
    row = {"bodies": bodies, "frames": frames, "page [MB]": len(text) / 1e6}
    if browser.FOUND is None:
        report("page_frames", [{**row, "renderer": "no browser"}])
        return
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as opened:
        path = Path(folder) / "crowd.html"
        path.write_text(text, encoding="utf-8")
        opened.open(path)
        renderer, work = opened.run(RENDERER), opened.run(WORK)
        played = PLAYED.replace("SECONDS", str(seconds))
        opened.run(played)  # the page finds out how much it can draw
        rate, roughness = opened.run(played)
    drawn = DRAWN[int(roughness)]
    report(
        "page_frames",
        [{**row, "poses of a frame [ms]": work, "frames a second": rate, "drawn": drawn, "renderer": renderer}],
    )


if __name__ == "__main__":
    main()
