"""The tables [[bodies.NAME.sources]] of mass that a body gains or loses."""

from typing import Literal

from vinculum.systems.files.schema_values import Number, Row, Table
from vinculum.systems.files.tables.actions import Vector


class MassSourceTable(Table):
    rate: Number
    velocity: Vector = None
    relative: Vector = None
    at: Row | None = None
    law: Literal["inelastic", "energy-conserving"] = "inelastic"
    transit: bool = True
