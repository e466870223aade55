"""Constraints of a Lagrangian system on velocities as a Pfaffian system in coordinates and time."""

from collections.abc import Sequence

import numpy as np

from vinculum.derivations.integrability.pfaffian import Pfaffian
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError, StartError
from vinculum.scalars import depends_on, jacobian, substitute
from vinculum.systems import nearest


def lagrangian_pfaffian(system: LagrangianSystem, names: Sequence[str]) -> tuple[Pfaffian, list[tuple[str, str]]]:
    """The rows ω v + c of the constraints named, or of all on velocities, and a label for each."""
    principle, n = system.principle, system.principle.n
    known = {rows.name: rows for rows in (*principle.stationary, *principle.ideal, *principle.loose)}
    for name in names:
        if name not in known:
            raise StartError(f"there is no constraint '{name}' in system '{system.name}'{nearest(name, known)}")
    on_places = [rows.name for rows in principle.ideal if rows.level == 0]
    if on_places:
        raise MethodError(
            f"system '{system.name}': its constraint '{on_places[0]}' holds positions; put the system on that surface with "
            "restricted(…), and ask for the integrability of the rest"
        )
    chosen = [known[name] for name in names] or [rows for rows in known.values() if rows.level == 1]
    if not chosen:
        raise StartError(f"system '{system.name}' has no constraint on velocities; add one")
    q, v, t = principle.jet.levels[0], principle.jet.levels[1], principle.jet.t
    jacobians, drifts, labels = [], [], []
    for rows in chosen:
        slope = jacobian(rows.F, v)
        if rows.level != 1 or depends_on(np.append(slope.ravel(), 0.0), v):
            raise MethodError(
                f"constraint '{rows.name}' is not linear in the velocities, and integrability is asked of linear rows; "
                "brackets of a nonlinear one are not defined; name the linear ones"
            )
        jacobians.append(slope)
        drifts.append(substitute(rows.F, v, np.zeros(n)))
        labels += [(rows.name, str(i)) for i in range(len(rows.F))]
    rows_in_time = np.concatenate([np.concatenate(jacobians), np.concatenate(drifts)[:, None]], axis=1)
    return Pfaffian(np.append(q, np.array([t], dtype=object)), np.eye(n + 1, dtype=object) * 1.0, rows_in_time), labels
