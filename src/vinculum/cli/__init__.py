"""The command line, `vinculum new|examples|run|view|report|plot|audit|derive|linearize|compare|integrability|info|doctor`.

One file per command; `starters/` are the model files that `new` writes. Begin with `app`. Imports `show` and below.
"""

import sys
from typing import NoReturn

from vinculum.cli.interrupts import INTERRUPTED, CtrlC

__all__ = ["main"]


def main() -> None:
    """What the script ``vinculum`` calls.

    Exit codes: 0; 1 when a certificate fails or a run stops early; 2 for bad input; 130 after Ctrl-C.
    """
    keys = CtrlC()
    try:
        keys.listen()
        from vinculum.cli.app import app

        app()
    except KeyboardInterrupt:
        _leave_interrupted(keys)
    except Exception:
        if keys.pressed:  # compiled code may make another error of it
            _leave_interrupted(keys)
        raise
    except SystemExit as done:
        if isinstance(getattr(done.__context__, "__cause__", None), KeyboardInterrupt):
            _leave_interrupted(keys)  # caught by the reader of arguments, which says nothing
        keys.ignore()
        if keys.pressed and done.code not in (0, None):
            sys.exit(INTERRUPTED)
        raise


def _leave_interrupted(keys: CtrlC) -> NoReturn:
    keys.ignore()
    sys.stderr.write("vinculum: interrupted\n")
    sys.exit(INTERRUPTED)
