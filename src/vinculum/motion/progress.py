"""A progress bar for runs that take more than two seconds."""

import sys
import time as clock
from typing import final

from vinculum.tolerances.time import SECONDS_BEFORE_PROGRESS


@final
class Progress:
    """Shows how far a run has come, once it has taken longer than `SECONDS_BEFORE_PROGRESS` and if the output is a terminal."""

    def __init__(self, begin: float, until: float, wanted: bool):
        self._begin, self._until = begin, until
        self._wanted = wanted and sys.stderr.isatty()
        self._since = clock.monotonic()
        self._bar = None
        self._task = None

    def __enter__(self):
        return self

    def update(self, t: float) -> None:
        """The run has reached the instant ``t``."""
        if not self._wanted:
            return
        if self._bar is None:
            if clock.monotonic() - self._since < SECONDS_BEFORE_PROGRESS:
                return
            self._show()
        self._bar.update(self._task, completed=t - self._begin)  # type: ignore[union-attr, arg-type]

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = [TextColumn("simulating"), BarColumn(), TextColumn("{task.completed:.4g}/{task.total:.4g} s"),
                   TimeRemainingColumn()]  # fmt: skip
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._task = self._bar.add_task("run", total=self._until - self._begin)

    def __exit__(self, *failure):
        if self._bar is not None:
            self._bar.stop()
