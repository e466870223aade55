"""Output paths of a command, checked before it starts."""

import tempfile
from pathlib import Path

from vinculum.errors import FileError, check_present

PLOTS = (".png", ".pdf", ".svg")
PAGES, FILMS = (".html", ".htm"), (".gif", ".webp", ".mp4")


def check_run_place(path: Path) -> None:
    """Refuse a place where no run can be stored; an earlier run of Vinculum there will be replaced."""
    from vinculum.motion.storage.drafts import Draft
    from vinculum.motion.storage.stored import is_run

    Draft(path, is_run)
    _check_writable(path)


def check_new_place(path: Path, suffix: str = ".toml") -> None:
    """Refuse a place for a new file where another one is, or where none can be written."""
    if path.suffix.lower() != suffix:
        raise FileError(f"{path}: the name must end in {suffix}; choose another")
    if not path.parent.is_dir():
        raise FileError(f"{path} cannot be written: {path.parent} is not a folder; create it or choose another path")
    if path.exists() or path.is_symlink():
        raise FileError(f"{path} exists, so it is not changed; choose another path or remove it")
    _check_writable(path)


def check_plot_place(path: Path, taken: Path | None = None) -> None:
    """Refuse a place where no plot can be written; an earlier plot there will be replaced. ``taken`` will be a run."""
    if taken is not None and taken.resolve() in (path.resolve(), *path.resolve().parents):
        raise FileError(f"{path}: the plot would overwrite the run {taken}; choose another path")
    if path.suffix.lower() not in PLOTS:
        raise FileError(f"{path}: the name of a plot must end in {', '.join(PLOTS)}; choose one of them")
    check_present("matplotlib", str(path))
    if not path.parent.is_dir():
        raise FileError(f"{path} cannot be written: {path.parent} is not a folder; create it or choose another path")
    _check_writable(path)
    if path.exists() and not _is_plot(path):
        raise FileError(f"{path} exists and is not a plot, so it is not changed; choose another path or remove it")


def check_view_place(path: Path) -> str:
    """Whether a page, a film or a picture is to be written; a place where it cannot be is refused."""
    suffix = path.suffix.lower()
    if suffix in PLOTS:
        check_plot_place(path)
        return "picture"
    if suffix not in (*PAGES, *FILMS):
        known = ", ".join((*PAGES, *FILMS, *PLOTS))
        raise FileError(f"{path}: the name of a view must end in {known}; choose one of them")
    if not path.parent.is_dir():
        raise FileError(f"{path} cannot be written: {path.parent} is not a folder; create it or choose another path")
    _check_writable(path)
    kind = "page" if suffix in PAGES else "film"
    if kind == "film":
        check_present("PIL", str(path))
    if path.exists():
        from vinculum.show.files import refuse_foreign

        refuse_foreign(kind, path)
    return kind


def check_report_place(path: Path, taken: Path | None = None) -> None:
    """Refuse a place where no report can be written; an earlier page of Vinculum there will be replaced. ``taken`` will be a run."""
    if taken is not None and taken.resolve() in (path.resolve(), *path.resolve().parents):
        raise FileError(f"{path}: the report would overwrite the run {taken}; choose another path")
    if path.suffix.lower() not in PAGES:
        raise FileError(f"{path}: the name of a report must end in {', '.join(PAGES)}; choose one of them")
    check_present("matplotlib", str(path))
    check_view_place(path)


def _is_plot(path: Path) -> bool:
    """Whether Matplotlib drew the file; it signs every picture."""
    try:
        return path.is_file() and b"matplotlib" in path.read_bytes().lower()
    except OSError:
        return False


def _check_writable(path: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise FileError(f"{path} cannot be written: {reason}; mend its permissions or choose another path") from error
