"""Restriction of a Lagrangian system to a surface q = f(x)."""

from collections.abc import Sequence

import numpy as np

from vinculum.bonds import Realization
from vinculum.equations.lagrangian.principle import Principle
from vinculum.errors import ModelError
from vinculum.scalars import jacobian, replay
from vinculum.scalars.math import NUMERIC
from vinculum.systems.jets import Jet, JetFunction, jet_of
from vinculum.tolerances.functions import VANISHED
from vinculum.tolerances.samples import RESTRICTION_SAMPLES


def restricted_parts(
    principle: Principle, places: JetFunction, coordinates: Sequence[str]
) -> tuple[JetFunction, JetFunction | None, dict[str, tuple[JetFunction, Realization]]]:
    """Lagrangian, dissipation and constraints as functions of the new coordinates."""
    if places.order > 0:
        raise ModelError(
            f"{places.where}: it is a function of derivatives; give positions as a function of coordinates and t"
        )
    where, old, n = places.where, principle.jet, principle.n
    levels = principle.order

    def compose(graphs, new: Sequence[np.ndarray], t) -> np.ndarray:
        own = Jet(tuple(new), (), t)
        chain = [places.row(new, t, n)]
        for _ in range(levels):
            chain.append(own.rate(chain[-1]))
        table = {id(a): b for k, level in enumerate(chain) for a, b in zip(old.levels[k], level, strict=True)}
        table[id(old.t)] = t
        return replay(np.atleast_1d(graphs), lambda leaf: table.get(id(leaf), leaf))

    def covector(new, t):
        return compose(principle.D, new, t) @ jacobian(places.row(new, t, n), new[0])

    # a jet passes one level more than asked for, so that the highest can be differentiated towards
    lagrangian = JetFunction(f"{where}: lagrangian", levels, lambda new, t: compose(principle.L, new, t)[0])
    forces = None
    if any(not (isinstance(x, float) and x == 0.0) for x in principle.D):
        forces = JetFunction(f"{where}: dissipation", levels, covector)
    kept = {}
    for rows in (*principle.stationary, *principle.ideal):
        function = JetFunction(f"{where}: constraint '{rows.name}'", rows.level,
                               lambda new, t, F=rows.F: compose(F, new, t))  # fmt: skip
        sizes = sum(abs(jacobian(rows.F, old.levels[k])) @ abs(old.levels[k]) for k in range(rows.level + 1))
        both = np.append(rows.F, sizes)
        sized = JetFunction(function.where, rows.level, lambda new, t, F=both: compose(F, new, t))
        if not _vanishes(sized, coordinates, levels):
            kept[rows.name] = (function, rows.realization)
    return lagrangian, forces, kept


def _vanishes(function: JetFunction, coordinates: Sequence[str], levels: int) -> bool:
    """Whether a constraint, followed by the sizes of its terms, holds at random places of the surface."""
    jet = jet_of(coordinates, levels + 1)
    graphs = function.row(jet.levels, jet.t)
    draw = np.random.default_rng(1)
    for _ in range(RESTRICTION_SAMPLES):
        table = {id(x): draw.uniform(-1.0, 1.0) for x in [*np.concatenate(jet.levels), jet.t]}
        with np.errstate(all="ignore"):
            found = replay(
                graphs, lambda leaf, at=table: at[id(leaf)] if leaf.op == "symbol" else leaf.args[1], NUMERIC
            )
        F, sizes = np.split(found.astype(float), 2)
        if not np.all(np.abs(F) <= VANISHED * sizes):
            return False
    return True
