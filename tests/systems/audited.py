"""Small systems whose motions are audited in many tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

import vinculum as vc

START = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}


def arm(lower_mass=0.5, gravity=9.81, damping=0.0) -> vc.System:
    system = vc.System("double pendulum", gravity=(0, 0, -gravity))
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    lower = system.add(vc.RigidBody("lower", lower_mass, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), damping=damping))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return system


def top(chart="quaternion") -> vc.System:
    system = vc.System("top", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 0.5, com=(0, 0, 0.2), inertia=(0.03, 0.025, 0.01), about="origin"))
    system.add(vc.Spherical("foot", "ground", body, chart=chart))
    return system


def broken(certificate) -> set[str]:
    return {line.law for line in certificate.lines if line.verdict == "broken"}


AUDITS = Path(vc.__file__).parent / "audits"
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
