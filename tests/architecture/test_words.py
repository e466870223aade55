"""Functions, classes and files are named with the words of the literature."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "vinculum"
INSTEAD = {
    "boundary": "unilateral constraint",
    "shock": "impact",
    "percussion": "impulse",
    "blow": "impulse",
    "leap": "jump",
    "way": "position, displacement",
    "slope": "gradient, derivative, Jacobian",
    "lightness": "Delassus operator",
    "spare": "residual",
    "presses": "active set",
    "memories": "warm start",
    "looks": "narrow phase",
    "deep": "penetration",
    "overlaps": "GJK, penetration",
    "lowest": "support",
    "cores": "support",
    "held": "constrained, sticking",
    "pile": "free bodies in contact",
    "swarm": "pair loop",
    "crew": "thread pool",
    "desk": "workspace",
}
"""The word that a reader would search for, by the word that he would not."""
MEANT = {
    "boundary_values": "boundary-value problems",
    "BoundaryValueProblem": "boundary-value problems",
    "BoundaryAtoms": "the boundary of a time-space window",
    "boundary_atoms": "the boundary of a time-space window",
    "cores": "cores of a processor",
    "available_cores": "cores of a processor",
    "lowest_of": "points that are low along a normal, not a support of a shape",
    "_lowest_along": "the lowest point of an axis",
    "_lowest_point": "the lowest point of an ellipsoid",
    "lowest": "the least value of a support function",
}
"""Names in which such a word has its own meaning."""


def words(name: str) -> set[str]:
    """The words of a name in lower case, plurals also without their s."""
    found = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return found | {word[:-1] for word in found if word.endswith("s") and word not in INSTEAD}


def foreign(name: str) -> set[str]:
    """The words of a name that the literature does not use."""
    return set() if name in MEANT else words(name) & set(INSTEAD)


def names(path: Path) -> list[str]:
    """Names of a file, of its folders below the package, and of all its functions and classes."""
    tree = ast.parse(path.read_text("utf-8"))
    defined = [node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [*path.relative_to(SOURCE).with_suffix("").parts, *defined]


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_names_have_the_words_of_the_field(path):
    found = {name: [INSTEAD[word] for word in foreign(name)] for name in names(path) if foreign(name)}
    assert not found, "say instead"


def test_the_search_finds_words_within_names():
    assert foreign("_chart_slopes") == {"slope"} and foreign("HeldBlocks") == {"held"}
    assert not foreign("always") and not foreign("withheld") and not foreign("boundary_values")


def test_words_with_a_meaning_of_their_own_are_still_there():
    known = {name for path in SOURCE.rglob("*.py") for name in names(path)}
    assert set(MEANT) <= known
