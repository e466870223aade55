"""A function is a verb, or is named for what it returns: a bare past participle says neither."""

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src" / "vinculum"
NO_PARTICIPLES = {"embed", "exceed", "feed", "need", "proceed", "seed", "speed"}
IRREGULAR = frozenset(
    [
        "beaten",
        "been",
        "begun",
        "bent",
        "blown",
        "borne",
        "bought",
        "bound",
        "broken",
        "brought",
        "built",
        "burnt",
        "caught",
        "chosen",
        "dealt",
        "done",
        "drawn",
        "driven",
        "eaten",
        "fallen",
        "fed",
        "felt",
        "flown",
        "forgotten",
        "fought",
        "frozen",
        "given",
        "gone",
        "grown",
        "heard",
        "held",
        "hidden",
        "hung",
        "kept",
        "known",
        "laid",
        "lain",
        "led",
        "lent",
        "lost",
        "made",
        "meant",
        "met",
        "paid",
        "proven",
        "ridden",
        "risen",
        "said",
        "seen",
        "sent",
        "shaken",
        "shot",
        "shown",
        "shrunk",
        "slept",
        "slid",
        "sold",
        "sought",
        "spent",
        "spoken",
        "spun",
        "stolen",
        "stood",
        "struck",
        "stuck",
        "sunk",
        "swept",
        "sworn",
        "swum",
        "swung",
        "taken",
        "taught",
        "thought",
        "thrown",
        "told",
        "torn",
        "understood",
        "undone",
        "unknown",
        "unseen",
        "won",
        "worn",
        "woven",
        "written",
    ]
)
"""Participles that do not end in -ed and are not verbs or nouns of the same spelling, such as `cut`, `put`, `read` and `split`."""
ATTRIBUTES = {"property", "cached_property"}


def is_participle(name: str) -> bool:
    """Whether a name, without the underscores of a private one, is a single past participle."""
    plain = name.lstrip("_")
    return (plain in IRREGULAR or (plain.endswith("ed") and "_" not in plain)) and plain not in NO_PARTICIPLES


def participles(text: str) -> list[str]:
    """Functions whose name is one participle, private ones too; an attribute may be an adjective, as ``certificate.passed``."""
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and not {getattr(one, "id", getattr(one, "attr", None)) for one in node.decorator_list} & ATTRIBUTES
        and is_participle(node.name)
    ]


@pytest.mark.parametrize("path", sorted(SRC.rglob("*.py")), ids=lambda path: str(path.relative_to(SRC)))
def test_no_function_is_a_bare_participle(path):
    assert not participles(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def moved(x): ...", ["moved"]),
        ("class A:\n    def seen(self): ...", ["seen"]),
        ("def _moved(x): ...\nclass A:\n    def _told(self): ...", ["_moved", "_told"]),
        ("class A:\n    @property\n    def passed(self): ...\n    @cached_property\n    def _seen(self): ...", []),
        ("def move(x): ...\ndef left_out(x): ...\ndef _embed(x): ...\ndef __init__(x): ...", []),
    ],
)
def test_the_search_knows_participles_from_verbs(text, found):
    assert participles(text) == found
