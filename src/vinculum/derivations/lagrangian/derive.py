"""Equations of a Lagrangian system, which it derives itself."""

from collections.abc import Callable
from typing import NoReturn

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError


def refuse_forms(system: LagrangianSystem, form: str, coordinates: Callable | None) -> NoReturn:
    """Say where the equations of a Lagrangian system are."""
    raise MethodError(
        f"'{system.name}' is a Lagrangian system and derives its own equations: call its equations(), or canonical() for Hamilton's"
    )
