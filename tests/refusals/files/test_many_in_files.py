"""Tables [[many]] that fit nothing, or whose rows leave the bodies, are refused with their place."""

import pytest

import vinculum as vc
from vinculum.errors import FileError

BODIES = """
[bodies.knot]
kind = "point"
mass = 0.02

[potentials.rope]
kind = "spring"
a = "one"
b = "other"
stiffness = 10.0

[[many]]
body = "knot"
count = 3
"""
ROPE = '[[many]]\nbond = "rope"\nends = {one = "knot", other = "knot"}\n'


def refusal(tmp_path, text: str) -> str:
    path = tmp_path / "net.toml"
    path.write_text(text)
    with pytest.raises(FileError) as refused:
        vc.read_model(path)
    return str(refused.value)


@pytest.mark.parametrize(
    ("added", "told"),
    [
        (ROPE + "over = [[0, 1], [1, 3]]", "row 1 names body 3 of group 'knot', whose 3 bodies are counted from 0 to 2"),
        (ROPE + "over = [[0, 1], [1]]", "[[many]][1] over: its rows differ in length"),
        (ROPE + "over = [[0, 0.5]]", "[[many]][1] over = [[0, 0.5]] must be a list of rows of whole numbers"),
        (ROPE + "over = [[0, 0]]", "row 0 names body 'knot 0' twice"),
        (ROPE + "cutoff = -1.0", "cutoff"),
        (ROPE, "[[many]][1] needs either over, rows of bodies, or cutoff, a distance"),
        (ROPE + "over = [[0, 1]]\nnumbers = {stiffness = [1, 2]}", "stiffness has shape (2,), but there are 1 rows"),
        (ROPE + "over = [[0, 1]]\ncount = 3", "[[many]][1]: the key 'count' does not belong to a bond"),
        ('[[many]]\nbond = "rope"\nends = {one = "not"}\nover = [[0, 1]]', "[[many]][1] ends.one: there is no group 'not'"),
        ('[[many]]\nbond = "robe"\nover = [[0, 1]]', "there is no potential, force or constraint 'robe'; did you mean 'rope'?"),
        ('[[many]]\nbody = "knot"\ncount = 2', "'knot' already has a table [[many]]"),
        ('[[many]]\nbody = "knob"\ncount = 2', "there is no body 'knob'; did you mean 'knot'?"),
        ("[[many]]\ncount = 2", "[[many]][1] needs either body, which is copied, or bond"),
        ('[[many]]\nbody = "knot"\ncount = 0', "[[many]][1] count = 0 must be a whole number from 1 on"),
        (ROPE + "over = [[0, 99999999999999999999]]", "[[many]][1] over: a number is larger than any count of bodies"),
        (ROPE.replace("{one", "{oned") + "over = [[0, 1]]", "ends.oned: 'rope' names no body 'oned'; did you mean 'one'?"),
        ('[[many]]\nbody = "knot"\nnumber = 0', "the key 'number' is not known; did you mean 'numbers'?"),
    ],
)  # fmt: skip
def test_tables_of_many_are_refused_with_their_place(tmp_path, added, told):
    assert told in refusal(tmp_path, BODIES + added)


def test_positions_need_a_row_for_each_body(tmp_path):
    text = BODIES.replace("count = 3", "count = 3\npositions = [[0, 0, 0], [1, 0, 0]]") + ROPE + "over = [[0, 1]]"
    assert "[[many]][0] positions has 2 rows, but there are 3 bodies; give one for each" in refusal(tmp_path, text)


def test_more_copies_than_memory_are_refused(tmp_path):
    text = BODIES.replace("count = 3", "count = 1000000000000")
    assert "GiB are free" in refusal(tmp_path, text)


@pytest.mark.parametrize(
    "wrong", ["over = 3", "over = [[0, 1]]\nnumbers = {stiffness = [nan]}", "cutoff = inf", "count = 3\nover = [0]"]
)
def test_a_wrong_table_of_many_is_the_only_fault_that_is_told(tmp_path, wrong):
    """What is missing because a table could not be read is no fault of the bond that needs it."""
    told = refusal(tmp_path, BODIES + ROPE + wrong)
    assert "[[many]][1]" in told and "there is no body" not in told


def test_positions_of_copies_with_a_joint_are_refused(tmp_path):
    joint = '\n[joints.rail]\nkind = "prismatic"\nparent = "ground"\nchild = "knot 1"\n'
    for key in ("positions", "rates"):
        text = (
            BODIES.replace("count = 3", f"count = 3\n{key} = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]")
            + ROPE
            + "over = [[0, 1]]"
        )
        assert "[[many]][0]: 'knot 1' has a joint" in refusal(tmp_path, text + joint)
