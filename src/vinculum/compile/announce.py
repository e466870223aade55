"""A line on the terminal if compiling takes more than a second."""

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar, final

from numba.core import event

SECONDS = 1.0
"""Of compiling in one run, after which the line is written."""

P = ParamSpec("P")
T = TypeVar("T")


@final
@dataclass(eq=False)
class _Run:
    """What has been compiled in a run: for how long, what of it was said, and how deep compilations of one another are nested."""

    silent: bool = False
    spent: float = 0.0
    depth: int = 0
    said: set[str] = field(default_factory=set)


_run: ContextVar[_Run] = ContextVar("_run", default=_Run())  # noqa: B039 outside a run there is one for the process


def announcing(function: Callable[P, T]) -> Callable[P, T]:
    """A function that runs something, during which long compilations are announced unless ``progress=False``."""

    @functools.wraps(function)
    def announcement(*args: P.args, **options: P.kwargs) -> T:
        token = _run.set(_Run(silent=options.get("progress", True) is False))
        try:
            return function(*args, **options)
        finally:
            _run.reset(token)

    return announcement


@contextmanager
def announcement(what: str) -> Iterator[None]:
    """Say that ``what`` is compiled, once a run, if all that the run compiles takes longer than `SECONDS`."""
    run = _run.get()
    if run.silent or run.depth or not _is_seen():
        yield
        return
    run.depth += 1
    began = time.perf_counter()
    timer = threading.Timer(max(0.0, SECONDS - run.spent), _say, [what, run])
    timer.daemon = True
    if what not in run.said:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        run.depth -= 1
        run.spent += time.perf_counter() - began


def _say(what: str, run: _Run) -> None:
    run.said.add(what)
    print(f"compiling {what} … (first run only)", file=sys.stderr, flush=True)


def _is_seen() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@final
class _Kernels(event.Listener):
    """Callback for the begin and end of Numba's compilations, which may be nested."""

    def __init__(self):
        self._open = threading.local()

    def on_start(self, event):
        stack = self._open.__dict__.setdefault("stack", [])
        stack.append(announcement("kernels"))
        stack[-1].__enter__()

    def on_end(self, event):
        stack = self._open.__dict__.get("stack")
        if stack:
            stack.pop().__exit__(None, None, None)


def listen() -> None:
    """Announce what Numba compiles; called once, when this room is imported."""
    event.register("numba:compile", _Kernels())
