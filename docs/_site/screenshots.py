"""Screenshots of pages in docs/pictures/view, and pictures of model files in docs/pictures/gallery: ``make screenshots``.

Chromium opens the page of an example without a window, as the tests of pages do. Look at the pictures before they are kept. With
names of pictures only these are made.
"""

import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gallery import motion_of

import browser

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
SMALL, WIDE, PHONE = (640, 440), (900, 540), (390, 700)
MOST_COLORS = 256
"""Colors of a file, which stays small with a palette."""
SETTLED = (
    "new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 400))"
)


@dataclass(frozen=True)
class Shot:
    """A page of an example at an instant ``at`` [s]; ``shown``: layers that are turned on; ``picked``: a body."""

    example: str
    at: float
    size: tuple[int, int] = SMALL
    shown: tuple[str, ...] = ()
    picked: str | None = None
    colors: str = "light"


SHOTS = {
    "bicycle": Shot("whipple_bicycle.py", 2.5, shown=("reaction",)),
    "bouncing_ball": Shot("bouncing_ball.toml", 0.6),
    "cradle": Shot("newtons_cradle.toml", 0.3),
    "double_pendulum": Shot("double_pendulum.toml", 7.0, WIDE, picked="lower"),
    "driven_cart": Shot("driven_cart.toml", 8.4, WIDE, colors="dark"),
    "elastic_pendulum": Shot("elastic_pendulum.toml", 3.0, shown=("force",)),
    "falling_blocks": Shot("falling_blocks.toml", 2.0, shown=("contact",)),
    "four_bar": Shot("four_bar.toml", 1.0, shown=("reaction",)),
    "mixed": Shot("mixed_shapes.py", 1.6, shown=("contact",)),
    "phone": Shot("newtons_cradle.py", 1.44, PHONE),
    "rolling": Shot("rolling_disc.py", 2.0),
    "slider_crank": Shot("slider_crank.toml", 0.13),
    "solar": Shot("solar_system.py", 1e9),
    "spinning_top": Shot("spinning_top.toml", 1.0),
    "tree": Shot("bouncing_tree.py", 0.5, shown=("impulse",)),
    "wilberforce": Shot("wilberforce_pendulum.toml", 2.0),
}

STILLS = {
    "chaplygin_sleigh": 4.0,
    "delta_robot": 3.0,
    "elastic_pendulum": 60.0,
    "elliptic_billiard": 30.0,
    "figure_eight": 12.65,
    "fluttering_plate": 2.0,
    "foucault_pendulum": 400.0,
    "furuta_pendulum": 5.2,
    "gyroscope": 4.0,
    "hailstone": 3.0,
    "jet_damping": 2.0,
    "line_of_screws": 0.5,
    "maclaurin_spheroid": 0.0,
    "rattleback": 8.0,
    "rocking_block": 0.3,
    "rotationless_plate": 3.0,
    "soft_cubes": 1.0,
    "spinning_membrane": 0.3,
    "tee_handle": 1.6,
    "thrown_rubber_band": 0.4,
    "trammel": 4.0,
    "watt_governor": 6.0,
    "wilberforce_pendulum": 2.0,
}
"""Model files whose picture in the gallery is that of an instant [s]."""


def photograph(name: str, folder: Path, opened: browser.Browser) -> bytes:
    """The PNG of one shot."""
    shot = SHOTS[name]
    page = folder / f"{Path(shot.example).stem}.html"
    if not page.exists():
        motion, draw = motion_of(ROOT / "examples" / shot.example)
        motion.plot.view(page, draw=draw, browser=False)
    opened.prefer(colors=shot.colors)
    opened.resize(*shot.size, mobile=shot.size == PHONE)
    opened.open(page)
    layers = "".join(f"v.layer('{layer}', true);" for layer in shot.shown)
    picked = "" if shot.picked is None else f"v.pick(v.head.bodies.indexOf('{shot.picked}'));"
    opened.run(f"(() => {{ const v = window.vinculum; v.seek({shot.at}); {layers} {picked} }})()")
    opened.run(SETTLED)
    if opened.errors:
        raise RuntimeError(f"{name}: the page complains: {opened.errors}")
    return opened.screenshot()


def draw(name: str) -> bytes:
    """The PNG of the picture of a model file."""
    made = io.BytesIO()
    motion_of(ROOT / "examples" / f"{name}.toml")[0].plot.picture(STILLS[name]).savefig(made, dpi=100)
    return made.getvalue()


def write_small(png: bytes, path: Path) -> None:
    """Write a picture with a palette."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(MOST_COLORS, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)


def main(names: list[str]) -> int:
    every = {**{f"view/{name}": name for name in SHOTS}, **{f"gallery/{name}": name for name in STILLS}}
    wanted = [path for path, name in every.items() if not names or name in names]
    unknown = sorted(set(names) - set(every.values()))
    if unknown:
        print(f"there is no picture {', '.join(unknown)}; known: {', '.join(every.values())}", file=sys.stderr)
        return 2
    if browser.FOUND is None:
        print("no browser: screenshots need Chromium (Debian: apt-get install chromium)", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as opened:
        for path in wanted:
            made = photograph(every[path], Path(folder), opened) if path.startswith("view/") else draw(every[path])
            write_small(made, PICTURES / f"{path}.png")
            print(f"docs/pictures/{path}.png", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
