"""Output of commands: text or JSON, and an exit code."""

import functools
import json
import math
import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NoReturn

import typer

from vinculum.cli.interrupts import INTERRUPTED
from vinculum.errors import MethodError, VinculumError, absence

FAILED = 1
BAD_INPUT = 2

ARGUMENT = re.compile(r"\b(until|method|tolerance|step|grid|out|form)=('[^']*'|\"[^\"]*\"|[\w.]*)")
QUOTES = "'\""
PLACE = re.compile(r"\[([\w.-]+)\](?::? (?:the key '(\w+)'|(\w[\w.]*)(?= =|:)))?")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing unless something is wrong.")]


def answering(command: Callable) -> Callable:
    """The command with its refusals answered: one clean message and the exit code 2, or 130 after Ctrl-C."""

    @functools.wraps(command)
    def answer(*given, **named):
        try:
            return command(*given, **named)
        except BrokenPipeError:
            raise
        except (VinculumError, OSError) as error:
            refuse(error, named.get("as_json", False))
        except ImportError as error:
            absent = absence(error)
            if absent is None:
                raise
            refuse(MethodError(f"vinculum {command.__name__}: {absent}"), named.get("as_json", False))
        except KeyboardInterrupt:
            typer.echo("vinculum: interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None

    return answer


def refuse(error: Exception, as_json: bool, code: int = BAD_INPUT) -> NoReturn:
    """Say what is wrong and leave."""
    if as_json:
        said = [_problem(in_options(one)) for one in getattr(error, "problems", ())]
        message = in_options(str(error))
        print_json({"error": {"kind": type(error).__name__, "message": message, "problems": said, "exit_code": code}})
    else:
        typer.echo(f"vinculum: {in_options(str(error))}", err=True)
    raise typer.Exit(code) from None


def _problem(sentence: str) -> dict[str, str | None]:
    """A fault of a model file: the table and key it is in, as far as it says so, and the sentence."""
    place = PLACE.match(sentence)
    table, key = (place[1], place[2] or place[3]) if place else (None, None)
    return {"table": table, "key": key, "message": sentence}


def in_options(message: str) -> str:
    """A message of the library with its arguments written as options of the command line."""
    message = (
        message.replace("settle=True", "--settle")
        .replace("repair=True", "--repair")
        .replace("resolve=True", "--resolve")
    )
    return ARGUMENT.sub(lambda found: f"--{found[1]}{' ' * bool(found[2])}{found[2].strip(QUOTES)}", message)


def count_of(count: int, what: str) -> str:
    """``1 step`` or ``2 steps``."""
    return f"{count} {what}{'s' * (count != 1)}"


def print_json(document: dict) -> None:
    """One JSON document on standard output; NaN and infinity, which JSON cannot hold, become null."""
    typer.echo(json.dumps(_plain(document), indent=2, ensure_ascii=False, allow_nan=False))


def print_facts(facts: Iterable[tuple[str, Any]]) -> None:
    """Names and values in two columns."""
    rows = [(name, str(value)) for name, value in facts]
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        typer.echo(f"{typer.style(name.ljust(width), bold=True)}  {value}")


def print_table(head: tuple[str, ...], rows: Iterable[tuple]) -> None:
    """A table of texts."""
    from rich import box
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    table = Table(*(Column(Text(name)) for name in head), box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    Console().print(table)


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {str(key): _plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [_plain(entry) for entry in x]
    if isinstance(x, float):
        return float(x) if math.isfinite(x) else None
    return x if x is None or isinstance(x, (str, bool, int)) else str(x)
