"""The doors that lead up: a motion can be audited and plotted, by rooms that stand above this one and import it."""

import importlib


def upstairs(room: str, name: str):
    """A function of a higher room, found when it is called."""
    return getattr(importlib.import_module(f"vinculum.{room}"), name)
