"""Which tests of one commit are in another with the same assertions and numbers, names aside.

`python tests/compare_tests.py BEFORE AFTER`. Tests that moved to other files are found, since a test is compared with all tests of the
other commit.
"""

import ast
import subprocess
import sys
from collections import Counter


def shape(function: ast.FunctionDef) -> str:
    """What a test asserts, and all its numbers, in the order of their lines. Names of what it calls may change."""
    parts = []
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            parts.append((node.lineno, node.col_offset, repr(node.value)))
        elif isinstance(node, (ast.Assert, ast.Compare)):
            what = " ".join(type(part).__name__ for part in getattr(node, "ops", [node]))
            parts.append((node.lineno, node.col_offset, what))
        elif isinstance(node, ast.Attribute) and node.attr.startswith(("assert_", "raises", "approx")):
            parts.append((node.lineno, node.col_offset, node.attr))
    return " ".join(what for _, _, what in sorted(parts))


def tests_of(commit: str) -> dict[str, tuple[str, str]]:
    """Tests of a commit: where each is, its name and its shape."""
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", commit, "tests"], capture_output=True, text=True, check=True
    )
    found = {}
    for path in listed.stdout.split():
        if not path.endswith(".py"):
            continue
        text = subprocess.run(["git", "show", f"{commit}:{path}"], capture_output=True, text=True, check=True).stdout
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path}::{node.name}"] = node.name, shape(node)
    return found


def main(before: str, after: str) -> None:
    old, new = tests_of(before), tests_of(after)
    left = Counter(shape for _, shape in new.values())
    named = {name for name, _ in new.values()}
    same, changed, gone = 0, [], []
    for place, (name, shape) in old.items():
        if left[shape]:
            left[shape] -= 1
            same += 1
        else:
            (changed if name in named else gone).append(place)
    print(
        f"{len(old)} tests before, {len(new)} after: {same} with the same assertions and numbers, "
        f"{len(changed)} changed, {len(gone)} not found"
    )
    for what, places in (("changed", changed), ("not found", gone)):
        print(*(f"  {what}: {place}" for place in places), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
