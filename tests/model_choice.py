"""Which type of model runs a system: tests compare the same small system over tables and written out."""

from vinculum.models.blocks_in_contact import type as blocks_type
from vinculum.models.tabled import type as tabled_type

KNOWN = blocks_type.can_meet_over_tables


def over_tables(monkeypatch, over: bool = True) -> None:
    """Let systems of any size run over tables, or be written out, also where time steps would be those of tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0 if over else 10**9)
    monkeypatch.setattr(blocks_type, "FEWEST_VELOCITIES_OVER_TABLES", 0 if over else 10**9)
    monkeypatch.setattr(blocks_type, "can_meet_over_tables", KNOWN if over else lambda tree: False)
