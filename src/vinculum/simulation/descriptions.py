"""Dispatch from a description to its run: each class of descriptions is registered with one line of
`simulation/__init__.py`.
"""

from functools import singledispatch
from typing import Any

from vinculum.simulation.bodies import motion_of_bodies
from vinculum.simulation.options import Options


@singledispatch
def motion_of(system: Any, options: Options) -> Any:
    """The motion of what is described: bodies, where nothing else is registered for its class."""
    return motion_of_bodies(system, options)


def is_described(system: Any) -> bool:
    """Whether something is a description that can be run, and no loaded model."""
    return motion_of.dispatch(type(system)) is not motion_of.dispatch(object)
