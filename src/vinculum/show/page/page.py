"""`Page`: the 3-D page of a scene, written to a file and shown in a browser."""

import html
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

from vinculum.show.files import checked_own_target, write_whole
from vinculum.show.page.packing import pack
from vinculum.show.scene import Scene

HERE = Path(__file__).parent
SUFFIXES = (".html", ".htm")
INLINE_HEIGHT = 560


@final
@dataclass(frozen=True, eq=False)
class Page:
    """A written page; ``path``: the file. In a notebook it is shown in place."""

    path: Path

    def __repr__(self):
        return f"Page({str(self.path)!r})"

    def _repr_html_(self) -> str:
        content = html.escape(self.path.read_text(encoding="utf-8"), quote=True)
        return (
            f'<iframe srcdoc="{content}" style="width:100%;height:{INLINE_HEIGHT}px;border:0" allowfullscreen></iframe>'
        )


@cache
def _piece(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def page_text(scene: Scene, kept: bool = False) -> str:
    """The page as text: everything is in it, and it fetches nothing."""
    head, block = pack(scene, kept)
    pieces = {
        "title": html.escape(scene.name),
        "style": _piece("style.css"),
        "script": _piece("viewer.js"),
        "head": head,
        "block": block,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: pieces[found[1]], _piece("page.html"))


def checked_page(path) -> Path | None:
    """The file of a page, checked before anything is computed; None for one of the page's own choice."""
    return None if path is None else checked_own_target("page", path, SUFFIXES, "run.html")


def write_page(scene: Scene, target: Path | None, browser: bool | None = None) -> Page:
    """Write the page, all or nothing, and open it in a browser: by default if no file was named.

    Without a browser the file is written all the same, and one line on standard error says where it is.
    """
    content = page_text(scene).encode()
    if target is None:
        handle, name = tempfile.mkstemp(prefix=re.sub(r"\W+", "-", scene.name)[:40] + "-", suffix=".html")
        os.close(handle)
        path = Path(name)
    else:
        path = target
    write_whole("page", path, lambda file: file.write(content))
    wanted = (target is None and not _in_notebook()) if browser is None else browser
    if wanted and not _open(path):
        print(f"vinculum: no browser was found; the page is {path}", file=sys.stderr)
    return Page(path)


def _in_notebook() -> bool:
    """Whether results are shown by a notebook, which shows the page in place."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def _open(path: Path) -> bool:
    import webbrowser

    # without a display the module would start a browser in the terminal
    shown = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    try:
        return bool(shown and webbrowser.open(path.resolve().as_uri()))
    except (webbrowser.Error, OSError):
        return False
