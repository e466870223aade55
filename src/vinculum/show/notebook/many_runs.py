"""Many runs at a glance: ranges of coordinates."""

import numpy as np

from vinculum.ensembles.runs import Runs
from vinculum.show.markup import Markup, table
from vinculum.tolerances.sizes import ROWS_SHOWN


def run_table(runs: Runs) -> Markup:
    """Least, median and greatest value of every coordinate at the start and at the end, over the runs that were finished."""
    layout, done = runs.model.layout, runs.q[~runs.failed]
    rows = []
    for i, (name, unit) in enumerate(zip(layout.q_names[:ROWS_SHOWN], layout.q_units, strict=False)):
        rows.append((f"{name} [{unit}]", *_range(done[:, 0, i]), *_range(done[:, -1, i])))
    steps = f"{int(runs.steps.min())} to {int(runs.steps.max())} steps" if len(runs.steps) else "no runs"
    head = (f"coordinate ({steps})", "start: least", "median", "greatest", "end: least", "median", "greatest")
    return table(head, rows)


def _range(values: np.ndarray) -> tuple[str, ...]:
    if not len(values):
        return ("–",) * 3
    return tuple(f"{x:.4g}" for x in (values.min(), np.median(values), values.max()))
