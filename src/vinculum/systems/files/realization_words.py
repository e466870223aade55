"""Realizations in one word, as a command line gives them: ``dalembert``, ``friction=1e3``, ``vakonomic=[0.1, 0]``."""

import re
import tomllib

from pydantic import TypeAdapter, ValidationError

from vinculum.bonds import Realization
from vinculum.errors import FileError, VinculumError
from vinculum.systems.files.constraint_tables import REALIZATIONS, AnyRealization
from vinculum.systems.files.constraints import realized
from vinculum.systems.files.problems import shown
from vinculum.systems.files.values import Values
from vinculum.systems.system import nearest

BETWEEN = re.compile(r",(?![^\[]*\])")


def realizations_of(where: str, words: str) -> list[Realization]:
    """The realizations that are listed between commas; a number or a list of numbers follows a sign of equality."""
    return [realization_of(where, word.strip()) for word in BETWEEN.split(words)]


def realization_of(where: str, word: str) -> Realization:
    """One realization: the name that it has in model files, and its number if it needs one."""
    kind, equals, given = (part.strip() for part in word.partition("="))
    if kind not in REALIZATIONS:
        raise FileError(f"{where} {shown(word)}: '{kind}' is not a realization{nearest(kind, REALIZATIONS)}")
    keys = [key for key in REALIZATIONS[kind].model_fields if key != "kind"]
    needed = [key for key in keys if REALIZATIONS[kind].model_fields[key].is_required()]
    if bool(equals) != bool(needed) or len(needed) > 1:
        asks = f"write {kind}={'1000' if 'multipliers' not in needed else '0'}" if needed else f"write {kind} alone"
        told = f"needs its {needed[0]}" if needed else "takes no number"
        asks = asks if len(needed) < 2 else "write it into the model file"
        raise FileError(f"{where} {shown(word)}: {kind} {told}; {asks}")
    table = {"kind": kind} | ({needed[0]: _number(where, word, given)} if needed else {})
    try:
        read = TypeAdapter(AnyRealization).validate_python(table)
        return realized(Values(where, {}, {}), word, read)
    except ValidationError as error:
        raise FileError(f"{where} {shown(word)}: {needed[0]} {error.errors()[0]['msg']}") from None
    except FileError:
        raise
    except VinculumError as error:
        raise FileError(f"{where} {shown(word)}: {error}") from error


def _number(where: str, word: str, given: str):
    try:
        return tomllib.loads(f"x = {given}")["x"]
    except tomllib.TOMLDecodeError:
        raise FileError(
            f"{where} {shown(word)}: '{given}' is not a number; write it as 1e3 or, for several rows, [0.1, 0]"
        ) from None
