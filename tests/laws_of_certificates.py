"""The names of all laws in the sources of the audits."""

import ast
from collections.abc import Iterator
from pathlib import Path

import vinculum

AUDITS = Path(vinculum.__file__).parent / "audits"
MAKERS = ("Line", "_line", "worst_line", "_momentum", "_phase_line")


def _texts(node: ast.expr, known: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Texts that an expression can have; what is filled in is written as an asterisk."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = [list(_texts(part.value, known)) if isinstance(part, ast.FormattedValue) else [part.value]
                 for part in node.values if isinstance(part, (ast.Constant, ast.FormattedValue))]  # fmt: skip
        whole = [""]
        for part in parts:
            whole = [a + str(b) for a in whole for b in part or ["*"]]
        yield from whole
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body, known), *_texts(node.orelse, known))
    elif isinstance(node, ast.Name):
        for value in known.get(node.id, []):
            yield from _texts(value, {})


def _assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What names stand for in a function: assigned values, and rows of tuples that a loop goes through."""
    known: dict[str, list[ast.expr]] = {}

    def learn(target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            known.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, other in zip(target.elts, value.elts, strict=False):
                learn(one, other)

    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                learn(target, node.value)
        elif isinstance(node, ast.For) and isinstance(node.iter, (ast.Tuple, ast.List)):
            for value in node.iter.elts:
                learn(node.target, value)
    return known


def names_of_laws() -> dict[str, list[str]]:
    """Every law that a line of a certificate can have, with the files that make it."""
    found: dict[str, list[str]] = {}
    for path in sorted(AUDITS.rglob("*.py")):
        for function in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)):
            known = _assigned(function)
            calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and node.args]
            for call in calls:
                if getattr(call.func, "id", getattr(call.func, "attr", "")) in MAKERS:
                    for law in _texts(call.args[0], known):
                        if law not in ("", "*") and path.name not in found.setdefault(law, []):
                            found[law].append(path.name)
    return found
