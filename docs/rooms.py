"""Draws docs/pictures/rooms.png from the imports of the package: python docs/rooms.py."""

import tomllib
from collections import Counter
from pathlib import Path
from textwrap import fill

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, LEFT, FEW, WIDEST = 8.2, 0.66, 2.4, 3, 110


def drawn_rooms() -> dict[str, list[str]]:
    """The rooms from top to bottom, with their folders."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rows = [layer.split(" | ")[0].strip("()") for layer in contracts[0]["layers"]]
    # every room imports tolerances: arrows to it would tell nothing
    rooms = [ROOT / "src" / "vinculum" / row for row in rows if row != "tolerances"]
    return {
        room.name: sorted(p.name for p in room.iterdir() if (p / "__init__.py").is_file())
        for room in rooms
        if room.is_dir()
    }


def description(rooms: dict[str, list[str]]) -> str:
    """What the file of the picture says that it shows."""
    return "; ".join(f"{room}: {', '.join(folders)}" for room, folders in rooms.items())


def main() -> None:
    import grimp
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

    rooms = drawn_rooms()
    graph, place = grimp.build_graph("vinculum"), {room: len(rooms) - i for i, room in enumerate(rooms)}
    arrows, sizes = Counter(), Counter()
    for module in graph.modules:
        above = (module.split(".") + [""])[1]
        sizes[above] += above in place
        for below in {(one.split(".") + [""])[1] for one in graph.find_modules_directly_imported_by(module)}:
            if above in place and below in place and above != below:
                arrows[above, below] += 1
    figure = Figure(figsize=(11.0, 0.42 * len(rooms) + 0.6), layout="constrained")
    axes = figure.add_subplot()
    for room, y in place.items():
        axes.add_patch(
            FancyBboxPatch((LEFT, y - HEIGHT / 2), WIDTH, HEIGHT, boxstyle="round,pad=0.02", fc="#eef3f8", ec="#4a6785")
        )
        axes.text(LEFT + 0.1, y, room, va="center", weight="bold", size=10)
        axes.text(LEFT + 2.15, y, fill(", ".join(rooms[room]), WIDEST), va="center", size=5.6, color="#333333")
        axes.text(LEFT + 2.0, y, f"{sizes[room]} files", va="center", ha="right", size=7, color="#4a6785")
    most = max(arrows.values())
    for (above, below), count in arrows.items():
        if count < FEW:
            continue
        gap, side = place[above] - place[below], -1 if (place[above] + place[below]) % 2 else 1
        x = LEFT if side < 0 else LEFT + WIDTH
        part = count / most
        bend = f"arc3,rad={-side * min(0.4, 0.2 + 0.03 * gap)}"
        axes.annotate("", (x, place[below]), (x, place[above]), arrowprops={
            "arrowstyle": "-|>", "connectionstyle": bend, "color": "#b0703c", "alpha": 0.15 + 0.7 * part, "lw": 0.4 + 2.2 * part,
        })  # fmt: skip
    axes.set(xlim=(0.0, 2 * LEFT + WIDTH), ylim=(0.3, len(rooms) + 0.7))
    axes.axis("off")
    figure.savefig(ROOT / "docs" / "pictures" / "rooms.png", dpi=130, metadata={"Description": description(rooms)})


if __name__ == "__main__":
    main()
