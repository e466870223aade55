"""The gallery: a page for each file of examples/, with its first sentence, its picture where there is one, and its code."""

from pathlib import Path

from reference import write_page

from vinculum.cli.examples import first_sentence

PICTURES = {
    "bouncing_ball.toml": "view/bouncing_ball.png",
    "bouncing_jelly.py": "jelly.png",
    "bouncing_tree.py": "bouncing_tree.png",
    "cold_collapse.py": "cold_collapse.png",
    "double_pendulum.py": "double_pendulum.png",
    "double_pendulum.toml": "view/double_pendulum.png",
    "driven_cart.toml": "view/driven_cart.png",
    "falling_blocks.toml": "view/falling_blocks.png",
    "fluttering_plate.py": "plate.png",
    "four_bar.toml": "view/four_bar.png",
    "knife_edge_two_ways.py": "knife_edge.png",
    "mixed_shapes.py": "mixed_shapes.png",
    "newtons_cradle.py": "newtons_cradle.png",
    "newtons_cradle.toml": "view/cradle.png",
    "pouring_balls.py": "pouring_balls.png",
    "rolling_disc.py": "view/rolling.png",
    "rope_bridge.py": "rope_bridge.png",
    "slider_crank.toml": "view/slider_crank.png",
    "solar_system.py": "view/solar.png",
    "spinning_top.toml": "view/spinning_top.png",
    "whipple_bicycle.py": "bicycle.png",
}
"""Pictures that are in docs/pictures."""


def setup(app):
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(app) -> None:
    source = Path(app.srcdir)
    examples = source.parent / "examples"
    files = sorted([*examples.glob("*.py"), *examples.glob("*.toml")], key=lambda file: (file.stem, file.suffix))
    folder = source / "gallery"
    folder.mkdir(exist_ok=True)
    for file in files:
        write_page(folder / f"{file.stem}-{file.suffix[1:]}.rst", _example_page(file))
    write_page(folder / "index.rst", _index_page(files))


def title(file: Path) -> str:
    words = file.stem.replace("_", " ").replace("newtons", "Newton's").replace("whipple", "Whipple")
    return words[0].upper() + words[1:] + {".py": "", ".toml": " (model file)"}[file.suffix]


def _heading(text: str) -> str:
    return f"{text}\n{'=' * len(text)}"


def _picture(file: Path) -> list[str]:
    name = PICTURES.get(file.name)
    return [] if name is None else [f".. image:: /pictures/{name}\n   :alt: {title(file)}"]


def _example_page(file: Path) -> list[str]:
    command = f"python examples/{file.name}" if file.suffix == ".py" else f"vinculum run examples/{file.name}"
    language = {".py": "python", ".toml": "toml"}[file.suffix]
    code = f".. literalinclude:: /../examples/{file.name}\n   :language: {language}"
    return [_heading(title(file)), first_sentence(file), f".. code-block:: sh\n\n   {command}", *_picture(file), code]


def _index_page(files: list[Path]) -> list[str]:
    intro = (
        f"{len(files)} files that run, each at most sixty lines. Tests run every one of them and compare a number of it\n"
        "with one that is known from elsewhere."
    )
    cards = [
        f".. rubric:: :doc:`{title(file)} <{file.stem}-{file.suffix[1:]}>`\n\n{first_sentence(file)}" + _thumb(file)
        for file in files
    ]
    listed = "\n".join(f"   {file.stem}-{file.suffix[1:]}" for file in files)
    return [_heading("Gallery"), intro, *cards, f".. toctree::\n   :hidden:\n\n{listed}"]


def _thumb(file: Path) -> str:
    name = PICTURES.get(file.name)
    page = f"{file.stem}-{file.suffix[1:]}.html"
    return (
        ""
        if name is None
        else f"\n\n.. image:: /pictures/{name}\n   :width: 320px\n   :alt: {title(file)}\n   :target: {page}"
    )
