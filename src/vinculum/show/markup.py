"""HTML made of elements: every text that is not markup already is escaped, so that a name can hold anything."""

import base64
import html
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final


@final
@dataclass(frozen=True)
class Markup:
    """Text that is HTML already."""

    text: str

    def __add__(self, other: "Markup") -> "Markup":
        return Markup(self.text + other.text)


def element(name: str, *content: Any, **attributes: Any) -> Markup:
    """An element with its content; a final underscore of an attribute's name is left out, as in ``class_``."""
    given = "".join(f' {key.rstrip("_")}="{html.escape(str(value))}"' for key, value in attributes.items() if value)
    inside = "".join(one.text if isinstance(one, Markup) else html.escape(str(one)) for one in content)
    return Markup(f"<{name}{given}>{inside}</{name}>")


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> Markup:
    """A table with its head; wide ones can be scrolled."""
    top = element("thead", element("tr", *(element("th", cell) for cell in head)))
    body = element("tbody", *(element("tr", *(element("td", cell) for cell in row)) for row in rows))
    return element("div", element("table", top, body), class_="wide")


def facts(rows: Iterable[tuple[Any, Any]]) -> Markup:
    """Names and values in two columns."""
    shown = (element("tr", element("th", name), element("td", value)) for name, value in rows)
    return element("div", element("table", element("tbody", *shown), class_="facts"), class_="wide")


def badge(word: str, meaning: str) -> Markup:
    """A word on a colored ground; ``meaning``: good, bad or open."""
    return element("span", word, class_=f"badge {meaning}")


def picture(figure: Any, alt: str) -> Markup:
    """A Matplotlib figure as a picture of dots."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=figure.dpi)
    content = base64.b64encode(file.getvalue()).decode()
    return Markup(f'<img src="data:image/png;base64,{content}" alt="{html.escape(alt)}">')


def drawing(figure: Any, salt: str) -> Markup:
    """A Matplotlib figure as lines, sharp at any size; ``salt`` keeps the names within one figure apart from those of others."""
    import matplotlib

    file = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    return Markup(f'<div class="drawing">{text[text.index("<svg") :]}</div>')
