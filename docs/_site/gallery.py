"""The gallery: a page for each file of examples/, with its first sentence, its picture and its code.

Examples are also run, and their motion is shown in space on the page, unless the build is a quick one (``-t quick``). Of a script it is
the first motion that its ``main`` returns; a motion without bodies is drawn by its ``draw``.
"""

import contextlib
import hashlib
import importlib.util
import io
import shutil
import tempfile
from pathlib import Path
from textwrap import indent
from typing import Any

from reference import write_page

from vinculum.cli.examples import first_sentence

PICTURES = {
    "arm_through_heap.py": "arm_through_heap.png",
    "balanced_pole.toml": "balanced_pole.png",
    "bead_on_hoop.py": "gallery/bead_on_hoop.png",
    "bouncing_ball.toml": "view/bouncing_ball.png",
    "bouncing_jelly.py": "jelly.png",
    "bouncing_tree.py": "bouncing_tree.png",
    "box_of_molecules.py": "box_of_molecules.png",
    "brachistochrone.py": "brachistochrone.png",
    "burning_rocket.py": "burning_rocket.png",
    "carried_bounce.py": "carried_bounce.png",
    "chaplygin_sleigh.toml": "gallery/chaplygin_sleigh.png",
    "cold_collapse.py": "cold_collapse.png",
    "delta_robot.toml": "gallery/delta_robot.png",
    "dido.py": "dido.png",
    "double_pendulum.py": "double_pendulum.png",
    "double_pendulum.toml": "view/double_pendulum.png",
    "draped_chain.py": "gallery/draped_chain.png",
    "driven_cart.toml": "view/driven_cart.png",
    "elastic_pendulum.toml": "gallery/elastic_pendulum.png",
    "ellipsoid_geodesics.py": "ellipsoid_geodesics.png",
    "elliptic_billiard.toml": "gallery/elliptic_billiard.png",
    "falling_blocks.toml": "view/falling_blocks.png",
    "figure_eight.toml": "gallery/figure_eight.png",
    "fluttering_plate.py": "plate.png",
    "fluttering_plate.toml": "gallery/fluttering_plate.png",
    "foucault_pendulum.toml": "gallery/foucault_pendulum.png",
    "four_bar.toml": "view/four_bar.png",
    "furuta_pendulum.toml": "gallery/furuta_pendulum.png",
    "gyroscope.toml": "gallery/gyroscope.png",
    "hailstone.toml": "gallery/hailstone.png",
    "henon_heiles.py": "henon_heiles.png",
    "jet_damping.toml": "gallery/jet_damping.png",
    "kapitza_pendulum.py": "gallery/kapitza_pendulum.png",
    "knife_edge_two_ways.py": "knife_edge.png",
    "line_of_screws.toml": "gallery/line_of_screws.png",
    "maclaurin_spheroid.toml": "gallery/maclaurin_spheroid.png",
    "mixed_shapes.py": "mixed_shapes.png",
    "newtons_cradle.py": "newtons_cradle.png",
    "newtons_cradle.toml": "view/cradle.png",
    "pouring_balls.py": "pouring_balls.png",
    "rattleback.toml": "gallery/rattleback.png",
    "rimless_wheel.py": "gallery/rimless_wheel.png",
    "robot_arm.py": "gallery/robot_arm.png",
    "rocking_block.toml": "gallery/rocking_block.png",
    "rolling_disc.py": "view/rolling.png",
    "rolling_disc.toml": "rolling_disc.png",
    "rope_bridge.py": "rope_bridge.png",
    "rotationless_plate.toml": "gallery/rotationless_plate.png",
    "skate_on_slope.py": "gallery/skate_on_slope.png",
    "slider_crank.toml": "view/slider_crank.png",
    "soft_cubes.toml": "gallery/soft_cubes.png",
    "solar_system.py": "view/solar.png",
    "spinning_membrane.toml": "gallery/spinning_membrane.png",
    "spinning_top.toml": "view/spinning_top.png",
    "struck_net.py": "struck_net.png",
    "tee_handle.toml": "gallery/tee_handle.png",
    "textbook_equations.py": "gallery/textbook_equations.png",
    "thrown_rubber_band.toml": "gallery/thrown_rubber_band.png",
    "torus_states.py": "torus_states.png",
    "trammel.toml": "gallery/trammel.png",
    "tumbling_asteroid.py": "asteroid.png",
    "watt_governor.toml": "gallery/watt_governor.png",
    "whipple_bicycle.py": "bicycle.png",
    "wilberforce_pendulum.toml": "gallery/wilberforce_pendulum.png",
    "woodpecker_toy.py": "gallery/woodpecker_toy.png",
}
"""Pictures that are in docs/pictures."""
NAMES = {
    "chaplygin": "Chaplygin's",
    "foucault": "Foucault's",
    "furuta": "Furuta's",
    "kapitza": "Kapitza's",
    "maclaurin": "Maclaurin's",
    "newtons": "Newton's",
    "watt": "Watt's",
    "whipple": "Whipple",
    "wilberforce": "Wilberforce's",
}
"""Words of file names, as a title has them."""
INDENT = "   "
FRAMES = 300
"""Frames of a motion in the gallery: enough to look at, and the site stays small."""


def setup(app):
    app.connect("builder-inited", write_pages)
    app.connect("build-finished", copy_views)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(app) -> None:
    source = Path(app.srcdir)
    examples = source.parent / "examples"
    files = sorted([*examples.glob("*.py"), *examples.glob("*.toml")], key=lambda file: (file.stem, file.suffix))
    folder = source / "gallery"
    folder.mkdir(exist_ok=True)
    shown = set() if app.tags.has("quick") else {view_of(app, file).stem for file in files}
    for file in files:
        write_page(folder / f"{name_of(file)}.rst", _example_page(file, name_of(file) in shown))
    write_page(folder / "index.rst", _index_page(files))


def name_of(file: Path) -> str:
    return f"{file.stem}-{file.suffix[1:]}"


def view_of(app, file: Path) -> Path:
    """The motion of an example as a page; it is kept for the next build as long as the file and the viewer are the same."""
    import vinculum as vc

    viewer = Path(vc.__file__).parent / "show" / "page" / "viewer.js"
    stamp = hashlib.sha256(vc.__version__.encode() + viewer.read_bytes() + file.read_bytes()).hexdigest()[:16]
    kept = Path(app.doctreedir).parent / "views" / stamp / f"{name_of(file)}.html"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        motion, draw = motion_of(file)
        motion.plot.view(kept, frames=FRAMES, draw=draw, browser=False)
    return kept


def motion_of(file: Path) -> tuple[Any, Any]:
    """The motion of an example, and how it is drawn if it has no bodies."""
    import vinculum as vc

    if file.suffix == ".toml":
        model = vc.read_model(file)
        return vc.simulate(
            model.system, start=model.start, events=model.events, progress=False, **dict(model.run)
        ), None
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        found = module.main(Path(folder))
    several = getattr(found, "motions", found)
    motions = several if isinstance(several, (list, tuple)) else [several]
    return next(one for one in motions if isinstance(one, (vc.Motion, vc.LagrangianMotion))), getattr(
        module, "draw", None
    )


def copy_views(app, error) -> None:
    if error is None and not app.tags.has("quick"):
        source, target = Path(app.srcdir).parent / "examples", Path(app.outdir) / "gallery" / "views"
        target.mkdir(parents=True, exist_ok=True)
        for file in sorted([*source.glob("*.toml"), *source.glob("*.py")]):
            shutil.copy(view_of(app, file), target)


def title(file: Path) -> str:
    words = " ".join(NAMES.get(word, word) for word in file.stem.split("_"))
    return words[0].upper() + words[1:] + {".py": "", ".toml": " (model file)"}[file.suffix]


def _heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}"


def _picture(file: Path) -> list[str]:
    name = PICTURES.get(file.name)
    return [] if name is None else [f".. image:: /pictures/{name}\n   :alt: {title(file)}"]


def _view(file: Path) -> list[str]:
    page = f"views/{name_of(file)}.html"
    frame = f'<iframe class="motion" src="{page}" title="{title(file)} in space" loading="lazy"></iframe>'
    return [f'.. raw:: html\n\n   {frame}\n   <p><a href="{page}">The motion on a page of its own</a></p>']


def _example_page(file: Path, is_shown: bool) -> list[str]:
    command = f"python examples/{file.name}" if file.suffix == ".py" else f"vinculum run examples/{file.name}"
    language = {".py": "python", ".toml": "toml"}[file.suffix]
    code = f".. literalinclude:: /../examples/{file.name}\n   :language: {language}"
    # The picture of a model file is the motion that its page shows; that of a script is often a plot.
    seen = [*(_view(file) if is_shown else []), *(_picture(file) if file.suffix == ".py" or not is_shown else [])]
    return [_heading(title(file)), first_sentence(file), f".. code-block:: sh\n\n   {command}", *seen, code]


def _index_page(files: list[Path]) -> list[str]:
    intro = (
        f"{len(files)} files that run, of some dozens of lines each. Tests run every one of them and compare a number of it\n"
        "with one that is known from elsewhere."
    )
    cards = [indent(f".. container:: example\n\n{indent(_card(file), INDENT)}", INDENT) for file in files]
    listed = "\n".join(f"   {name_of(file)}" for file in files)
    return [_heading("Gallery"), intro, ".. container:: examples", *cards, f".. toctree::\n   :hidden:\n\n{listed}"]


def _card(file: Path) -> str:
    link, name = name_of(file), PICTURES.get(file.name)
    parts = [f":doc:`{title(file)} <{link}>`", first_sentence(file)]
    if name is not None:
        parts.insert(0, f".. image:: /pictures/{name}\n   :alt: {title(file)}\n   :target: {link}.html")
    return "\n\n".join(parts)
