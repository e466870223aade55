"""Names of bodies and joints in the tables of bonds."""

from collections.abc import Iterator

from vinculum.systems.files.schema_values import Table
from vinculum.systems.files.tables.constraints import ConstraintTable
from vinculum.systems.files.tables.ready_constraints import GearTable
from vinculum.systems.files.tables.unilaterals import UnilateralTable

BODY, JOINT, EITHER = "body", "joint", "body or joint"
"""What a name in the table of a bond may be."""
KEYS = {**dict.fromkeys(("a", "b", "body", "bodies", "against", "of", "on"), BODY), "joint": JOINT}
"""Keys that name bodies and joints, where `OTHERS` says nothing else."""
OTHERS: dict[type[Table], dict[str, str]] = {
    GearTable: {"a": JOINT, "b": JOINT},
    ConstraintTable: {"bodies": EITHER},
    UnilateralTable: {"bodies": EITHER},
}


def named_ends(table: Table) -> Iterator[tuple[str, list[str]]]:
    """What the names of each key must be, with the names: ``("body", ["crank"])``."""
    for key, what in OTHERS.get(type(table), KEYS).items():
        given = getattr(table, key, None)
        if given is not None:
            yield what, [given] if isinstance(given, str) else list(given)
