"""The table [run] of a model file, read and checked as far as it does not depend on the model."""

import math
from collections.abc import Callable
from typing import Any

from vinculum.errors import FileError
from vinculum.systems.files.faults import Faults
from vinculum.systems.files.problems import show
from vinculum.systems.files.schema import RunTable
from vinculum.systems.files.values import Values
from vinculum.upward import METHOD_REFUSAL

AUTO = "auto"
UNITS = {"until": "s", "begin": "s", "step": "s", "tolerance": "1", "theta": "1"}
AS_WRITTEN = ("method", "grid", "repair", "resolve", "impacts")


def run_settings(
    values: Values, table: RunTable, faults: Faults, method_refusal: Callable[[str], str | None] = METHOD_REFUSAL
) -> dict[str, Any]:
    """Arguments of `simulate` by name; what is wrong is kept among the ``faults``. ``method_refusal``: why there is no such method."""
    run: dict[str, Any] = {}
    for key, unit in UNITS.items():
        if getattr(table, key) is not None:
            with faults.keep("[run]"):
                run[key] = values.settle(f"[run] {key}", getattr(table, key), unit)
    with faults.keep("[run]"):
        if "until" in run and "begin" in run and run["until"] <= run["begin"]:
            raise FileError(f"{values.file}: [run] until = {run['until']:g} s is not after begin = {run['begin']:g} s; "
                            "the end comes after the start")  # fmt: skip
    with faults.keep("[run]"):
        step = run.get("step", 1.0)
        if not (math.isfinite(step) and step > 0.0):
            raise FileError(f"{values.file}: [run] step = {step:g} s must be a positive and finite number of seconds")
    with faults.keep("[run]"):
        refused = None if table.method in (None, AUTO) else method_refusal(table.method)
        if refused is not None:
            raise FileError(f"{values.file}: [run] method = {show(table.method)}{refused}")
    return run | {key: getattr(table, key) for key in AS_WRITTEN if getattr(table, key) is not None}
