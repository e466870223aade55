"""Matplotlib figures that need neither a display nor pyplot, and that a notebook shows without being told to."""

import io
from typing import Any, final

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

SHARP = 144.0
"""Dots per inch of a picture in a notebook, which is shown at half its size."""


@final
class ShownFigure(Figure):
    """A figure that a notebook shows as a picture."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=SHARP)
        width, height = (round(0.5 * SHARP * inches) for inches in self.get_size_inches())
        return file.getvalue(), {"width": width, "height": height}


def new_figure(width: float, height: float, **options: Any) -> ShownFigure:
    """An empty figure of this size [inches]."""
    figure = ShownFigure(figsize=(width, height), **options)
    FigureCanvasAgg(figure)
    return figure
