"""Row 13: the command line, `vinculum run|derive|audit|plot|info|doctor`."""

from vinculum.cli.app import app


def main() -> None:
    """What the script ``vinculum`` calls.

    Exit codes: 0; 1 when a certificate fails or a run stops early; 2 for bad input; 130 after Ctrl-C.
    """
    app()


__all__ = ["app", "main"]
