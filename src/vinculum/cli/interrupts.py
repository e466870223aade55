"""Ctrl-C on the command line: it is delayed during imports, because an interrupted import leaves a broken module."""

import signal
import sys
from typing import final

INTERRUPTED = 130
SECONDS_TO_WAIT = 0.05
CAN_WAIT = hasattr(signal, "setitimer")


@final
class CtrlC:
    """Ctrl-C raises KeyboardInterrupt, outside of imports; again, where a callback of a compiler or a finalizer has swallowed it."""

    def __init__(self):
        self.pressed = False

    def listen(self) -> None:
        """From now on Ctrl-C is heard."""
        signal.signal(signal.SIGINT, self._press)
        if CAN_WAIT:
            signal.signal(signal.SIGALRM, self._press)
            sys.unraisablehook = self._press_again

    def ignore(self) -> None:
        """From now on Ctrl-C does nothing."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if CAN_WAIT:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)

    def _press(self, number, frame) -> None:
        self.pressed = True
        if not (CAN_WAIT and _importing(frame)):
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, SECONDS_TO_WAIT)

    def _press_again(self, swallowed) -> None:
        if isinstance(swallowed.exc_value, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, SECONDS_TO_WAIT)
        else:
            sys.__unraisablehook__(swallowed)


def _importing(frame) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
