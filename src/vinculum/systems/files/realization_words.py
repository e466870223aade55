"""Realizations as words of the command line: ``dalembert``, ``viscous_friction=1e3``, ``vakonomic=[0.1, 0]``."""

import re
import tomllib

from pydantic import TypeAdapter, ValidationError

from vinculum.bonds import Realization
from vinculum.errors import FileError, VinculumError
from vinculum.systems.files.constraints import realization_from_table
from vinculum.systems.files.problems import show
from vinculum.systems.files.tables.constraints import REALIZATIONS, AnyRealization
from vinculum.systems.files.values import Values
from vinculum.systems.system import nearest

BETWEEN = re.compile(r",(?![^\[]*\])")
EXAMPLES = {"multipliers": "0", "along": "hinge, with the name of a joint"}


def realizations_of(where: str, words: str) -> list[Realization]:
    """The realizations that are listed between commas; a number or a list of numbers follows a sign of equality."""
    return [realization_of(where, word.strip()) for word in BETWEEN.split(words)]


def realization_of(where: str, word: str) -> Realization:
    """One realization: the name that it has in model files, and its number if it needs one."""
    kind, equals, given = (part.strip() for part in word.partition("="))
    if kind not in REALIZATIONS:
        raise FileError(f"{where} {show(word)}: '{kind}' is not a realization{nearest(kind, REALIZATIONS)}")
    keys = [key for key in REALIZATIONS[kind].model_fields if key != "kind"]
    if bool(equals) != bool(keys):
        told, asks = "takes no number", f"write {kind} alone"
        if keys:
            told, asks = f"needs its {keys[0]}", f"write {kind}={EXAMPLES.get(keys[0], '1000')}"
        raise FileError(f"{where} {show(word)}: {kind} {told}; {asks}")
    table = {"kind": kind} | ({keys[0]: _number(where, word, given)} if keys else {})
    try:
        read = TypeAdapter(AnyRealization).validate_python(table)
        return realization_from_table(Values(where, {}, {}), word, kind, read)
    except ValidationError as error:
        raise FileError(f"{where} {show(word)}: {keys[0]} {error.errors()[0]['msg']}") from None
    except FileError:
        raise
    except VinculumError as error:
        raise FileError(f"{where} {show(word)}: {error}") from error


def _number(where: str, word: str, given: str):
    try:
        return tomllib.loads(f"x = {given}")["x"]
    except tomllib.TOMLDecodeError:
        if given.isidentifier():
            return given
        raise FileError(
            f"{where} {show(word)}: '{given}' is not a number; write it as 1e3 or, for several rows, [0.1, 0]"
        ) from None
