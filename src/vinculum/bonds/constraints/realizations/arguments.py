"""Error messages of realizations that are called with wrong arguments."""

import inspect
from abc import ABCMeta
from typing import Any, TypeVar

from vinculum.errors import ModelError, did_you_mean
from vinculum.errors.call_checks import spelling

T = TypeVar("T")


class Named(ABCMeta):
    """Classes whose unknown, missing or superfluous arguments are refused by name."""

    def __call__(cls: type[T], *given: Any, **named: Any) -> T:
        check_arguments(cls, given, named)
        return type.__call__(cls, *given, **named)

    @property
    def __signature__(cls) -> inspect.Signature:
        """What the class takes, as `help` and editors ask for it."""
        made = inspect.signature(cls.__init__)
        return made.replace(parameters=list(made.parameters.values())[1:], return_annotation=inspect.Signature.empty)


def check_arguments(cls: type, given: tuple, named: dict[str, Any]) -> None:
    """Refuse arguments that ``cls`` does not take, and the lack of those it needs."""
    signature = inspect.signature(cls.__init__)
    taken = list(signature.parameters.values())[1:]
    keywords = [p.name for p in taken if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    where, takes = _realization_name(cls), f"{spelling(cls)} takes {_parameter_list(taken)}"
    for name in named:
        if name not in keywords:
            raise ModelError(f"{where}: it has no '{name}'{did_you_mean(name, keywords)}; {takes}")
    places = [p.name for p in taken if p.kind is p.POSITIONAL_OR_KEYWORD]
    several = any(p.kind is p.VAR_POSITIONAL for p in taken)
    if len(given) > len(places) and not several:
        raise ModelError(f"{where}: values without a name can be {len(places)}, and {len(given)} are given; {takes}")
    twice = [name for name in places[: len(given)] if name in named]
    if twice:
        raise ModelError(f"{where}: '{twice[0]}' is given twice, by position and by name; {takes}")
    known = {*places[: len(given)], *named}
    missing = [p.name for p in taken if p.name in keywords and p.default is p.empty and p.name not in known]
    if missing:
        raise ModelError(f"{where}: '{missing[0]}' is missing; {takes}")


def _realization_name(cls: Any) -> str:
    return cls.claims.name if hasattr(cls, "claims") else cls.__name__.lower()


def _parameter_list(taken: list[inspect.Parameter]) -> str:
    told = [
        f"{p.name}…" if p.kind is p.VAR_POSITIONAL else p.name if p.default is p.empty else f"{p.name}={p.default!r}"
        for p in taken
    ]
    return ", ".join(told) if told else "nothing"
