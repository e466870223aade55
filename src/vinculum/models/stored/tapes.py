"""Tapes of a stored model, read back and checked against its layout."""

from collections.abc import Mapping
from typing import Any

from vinculum.compile.tape import Tape
from vinculum.errors import FileError
from vinculum.models.model import Model

Outputs = Mapping[str, Mapping[str, int | None]]
"""Names and sizes of outputs by tape; None where a size follows from nothing in the layout."""


def tapes_from(data: Mapping[str, Any]) -> dict[str, Tape]:
    """The tapes of a stored model."""
    return {name: Tape.from_dict(tape) for name, tape in data["tapes"].items()}


def tapes_to_dict(model: Model) -> dict[str, Any]:
    """Layout and every tape of a model, as plain data."""
    tapes = {name: tape.to_dict() for name, tape in model.complete().tapes.items()}
    return {"layout": model.layout.to_dict(), "tapes": tapes}


def check_tapes(model: Model, inputs: Mapping[str, tuple[tuple[str, int], ...]], wanted: Outputs) -> None:
    """Refuse tapes that do not take or give what the layout says. ``inputs``: groups of rows that single tapes take, where these are not
    (q, v, t, parameters)."""
    given = (("parameters", len(model.parameters)),) if model.parameters else ()
    usual = (("q", model.nq), ("v", model.nv), ("t", 1))
    names = model.tape_names()
    if not all(model.tapes[name].inputs == (*inputs.get(name, usual), *given) for name in names):
        raise FileError("the tapes of the stored model do not fit its layout; the folder is damaged")
    tapes = model.tapes.values()
    if any([name for name, _ in tape.parameters] != list(model.parameter_names) for tape in tapes):
        raise FileError("the tapes of the stored model have other parameters than its layout; the folder is damaged")
    for name in names:
        outputs = dict(model.tapes[name].outputs)
        for output, size in wanted.get(name, {}).items():
            if output not in outputs or (size is not None and outputs[output] != size):
                raise FileError(f"the tape '{name}' of the stored model does not give '{output}' as its layout wants")
