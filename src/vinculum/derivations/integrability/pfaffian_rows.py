"""The rows of a tree's constraints as a Pfaffian system in positions and time."""

import numpy as np

from vinculum.derivations.integrability.pfaffian import Pfaffian
from vinculum.derivations.integrability.sampled import Samples
from vinculum.equations.constraints.closures import gap_drifts, gap_jacobian, gap_names
from vinculum.equations.constraints.rows import rows_of
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.errors import MethodError, StartError
from vinculum.scalars import depends_on, jacobian, substitute, symbol, symbols
from vinculum.systems import Constrained, Tree
from vinculum.systems.system import nearest
from vinculum.tolerances.functions import RHEONOMIC


def chosen_constraints(tree: Tree, names) -> list[Constrained]:
    """Those named, by object or name, or all on velocities."""
    known = {one.constraint.name: one for one in tree.constraints}
    asked = [name if isinstance(name, str) else str(getattr(name, "name", name)) for name in names]
    for name in asked:
        if name not in known:
            raise StartError(f"there is no constraint '{name}' in system '{tree.name}'{nearest(name, known)}")
    chosen = [known[name] for name in asked] or [one for one in known.values() if one.constraint.level == 1]
    if not chosen:
        raise StartError(
            f"system '{tree.name}' has no constraint on velocities; name one of its constraints, or add one"
        )
    for one in chosen:
        if one.constraint.level == 2:
            raise MethodError(
                f"constraint '{one.constraint.name}' is on accelerations, and integrability is asked of rows of velocities; "
                "use a constraint on velocities"
            )
    return chosen


def pfaffian_of(tree: Tree, chosen: list[Constrained]) -> tuple[Pfaffian, int, list[tuple[str, str]]]:
    """Everything that holds positions, then the chosen rows, in space and time; how many the first are, labels of the others."""
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t, q)
    others = [one for one in tree.constraints if one.holds and one.constraint.level == 0 and one not in chosen]
    first, own = rows_of(there, others, q, v), rows_of(there, chosen, q, v)
    jacobians, speeds = [first.jacobians, own.jacobians], [first.rates, own.rates]
    places = len(first.rates)
    if tree.closures:
        jacobians.insert(0, gap_jacobian(there, q))
        speeds.insert(0, gap_drifts(there, q))
        places += len(gap_names(tree))
    labels = [(one.constraint.name, str(i)) for one in chosen for i in range(one.count)]
    for (name, row), slope in zip(labels, own.jacobians, strict=True):
        if depends_on(slope, v):
            raise MethodError(
                f"constraint '{name}': row {row} is not linear in the velocities, and integrability is asked of linear rows; "
                "brackets of a nonlinear one are not defined; name the linear ones"
            )
    J, c = (substitute(np.concatenate(part), v, np.zeros(tree.nv)) for part in (jacobians, speeds))
    N = jacobian(rates(there, q, v), v)
    x = np.append(q, np.array([t], dtype=object))
    frame = np.zeros((tree.nq + 1, tree.nv + 1), dtype=object)
    frame[:-1, :-1], frame[-1, -1] = N, 1.0
    return Pfaffian(x, frame, np.concatenate([J, c[:, None]], axis=1)), places, labels


def is_timed(rows: Pfaffian, samples: Samples) -> bool:
    """Whether the rows change by the clock or drift."""
    if depends_on(rows.rows[:, :-1], rows.x[-1:]):
        return True
    return bool(np.abs(samples.of(rows.rows[:, -1])).max(initial=0.0) > RHEONOMIC)
