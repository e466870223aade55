"""Whatever compiles for long says so on a terminal, once, and never with progress=False or where nobody looks."""

import io
import threading

import pytest
from numba.core import event

from vinculum.compile import announce

LINE = "compiling kernels … (first run only)\n"


class Screen(io.StringIO):
    """What is written to a terminal, or to a file."""

    def __init__(self, terminal: bool):
        self._terminal, self._changed = terminal, threading.Condition()
        io.StringIO.__init__(self)

    def isatty(self):
        return self._terminal

    def write(self, text):
        written = io.StringIO.write(self, text)
        with self._changed:
            self._changed.notify_all()
        return written

    def wait(self, lines):
        with self._changed:
            assert self._changed.wait_for(lambda: self.getvalue().count("\n") >= lines, timeout=60.0)


def compiling(screen, lines, times=1):
    """A run that compiles until so many lines are on the screen."""

    @announce.announcing
    def run(progress=True):
        for _ in range(times):
            with announce.announcement("kernels"), announce.announcement("what they call"):
                screen.wait(lines)

    return run


@pytest.fixture
def screen(monkeypatch):
    def shown(terminal, seconds=0.0):
        found = Screen(terminal)
        monkeypatch.setattr("sys.stderr", found)
        monkeypatch.setattr(announce, "SECONDS", seconds)
        return found

    return shown


def test_a_long_compilation_is_announced_once_a_run(screen):
    found = screen(terminal=True)
    compiling(found, 1, times=3)()
    assert found.getvalue() == LINE
    compiling(found, 2)()
    assert found.getvalue() == 2 * LINE


def test_what_is_quick_says_nothing(screen):
    found = screen(terminal=True, seconds=1e6)
    compiling(found, 0)()
    assert found.getvalue() == ""


@pytest.mark.parametrize(("terminal", "options"), [(True, {"progress": False}), (False, {})])
def test_nothing_is_said_without_a_terminal_or_without_progress(screen, terminal, options, monkeypatch):
    found = screen(terminal)
    monkeypatch.setattr(announce.threading, "Timer", None)  # none is started
    compiling(found, 0)(**options)
    assert found.getvalue() == ""


def test_numba_is_heard(screen):
    found = screen(terminal=True)

    @announce.announcing
    def run():
        with event.trigger_event("numba:compile"), event.trigger_event("numba:compile"):
            found.wait(1)

    run()
    assert found.getvalue() == LINE
