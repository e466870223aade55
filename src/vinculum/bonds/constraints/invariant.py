"""Invariant constraints, written in positions and velocities relative to one of the bodies."""

from collections.abc import Callable, Sequence

from vinculum.bodies import Body
from vinculum.bonds.actions import call_with_views, end_name
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.realizations import Realization
from vinculum.bonds.constraints.relative import relative_view
from vinculum.errors import ModelError, shorten
from vinculum.scalars import vector
from vinculum.scalars.math import dot


def invariant_constraint(
    name: str,
    bodies: Sequence[Body | str],
    pivot: Body | str,
    *,
    position: Callable | None = None,
    velocity: Callable | None = None,
    realization: Realization | str | None = None,
) -> Constraint:
    """A condition F = 0 on ``bodies`` relative to the body ``pivot``: it is invariant, and its efforts obey Newton's
    third law.

    ``position`` or ``velocity``: a function of views of the bodies in their order, whose position, rotation, center, velocity,
    angular_velocity, point(p), … are in the frame of the pivot; also of ``t`` if it has that argument, which breaks
    invariance in time but not the third law. The pivot is any body with a rotation, the ground or a prescribed body;
    another pivot, with the same condition, gives the same efforts. O'Reilly and Srinivasa, On Potential Energies and
    Constraints in the Dynamics of Rigid Bodies and Particles, (11), (12), (16)–(20).
    """
    where = f"constraint '{name}'"
    others = _others(where, bodies, pivot)
    given = [f for f in (position, velocity) if f is not None]
    if len(given) != 1 or not callable(given[0]):
        raise ModelError(f"{where}: give exactly one of position= and velocity=, a function of {len(others)} views")
    function = given[0]

    def evaluate(*views, t):
        return call_with_views(f"seen from '{views[-1].name}'", function, _relative(views), t)

    things = [*others, pivot]
    if position is not None:
        return Constraint(name, things, position=evaluate, realization=realization)
    return Constraint(name, things, velocity=evaluate, realization=realization)


def invariant_rows(
    name: str,
    bodies: Sequence[Body | str],
    pivot: Body | str,
    rows: Callable,
    *,
    drift: Callable | None = None,
    realization: Realization | str | None = None,
) -> Constraint:
    r"""Rows linear in velocities, from functions f̂, ĝ of relative positions and rotations; those of the pivot follow
    by closure.

    .. math:: \sum_\Theta f_\Theta\cdot\bar v_\Theta + g_\Theta\cdot\omega_\Theta + c = 0,\quad f_\Delta = Q_p\hat f_\Delta,\quad
        g_\Delta = Q_p\hat g_\Delta,\quad f_p = -\sum_\Delta f_\Delta,\quad g_p = -\sum_\Delta(g_\Delta + r_\Delta\times f_\Delta)

    ``rows``: a function of views of the ``bodies`` relative to the ``pivot`` (see `invariant_constraint`) that returns
    a list of rows, each a list with one pair (f̂, ĝ) of vectors (3,) in the pivot's axes for every body; (f̂, None)
    for a mass point. v̄ are velocities of mass centers; r_Δ begin at the origin of the pivot, whose velocity and
    moment f_p and g_p go with. ``drift``: a function of ``t`` that returns c, one number or one for each row. At most
    six rows for each body but the pivot are independent. O'Reilly and Srinivasa (16)–(20), (26); (17) needs the factor
    Q_p.
    """  # fmt: skip
    where = f"constraint '{name}'"
    others = _others(where, bodies, pivot)
    if not callable(rows) or (drift is not None and not callable(drift)):
        raise ModelError(f"{where}: rows and drift are functions, of {len(others)} views and of t")

    def velocity(*views, t):
        seen = _relative(views)
        found = call_with_views(f"seen from '{views[-1].name}'", rows, seen, t)
        if not isinstance(found, (list, tuple)):
            raise ModelError(
                f"rows returned {shorten(found)}; return a list of rows, each a list with one pair (f, g) for each body"
            )
        added = vector(drift(t)).ravel() if drift is not None else None
        values = [_row(row, seen) for row in found]
        if added is not None and len(added) not in (1, len(values)):
            raise ModelError(f"drift returned {len(added)} numbers for {len(values)} rows; give one, or one for each")
        return values if added is None else [x + added[i if len(added) > 1 else 0] for i, x in enumerate(values)]

    return Constraint(name, [*others, pivot], velocity=velocity, realization=realization)


def _row(row, seen):
    """Σ f̂ · ẏ + ĝ · (ω − ω_p) of one row."""
    if not isinstance(row, (list, tuple)) or len(row) != len(seen):
        raise ModelError(f"a row is {shorten(row)}; give a list with one pair (f, g) for each of {len(seen)} bodies")
    total = 0.0
    for pair, view in zip(row, seen, strict=True):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ModelError(f"{shorten(pair)} is not a pair (f, g) of vectors for body '{view.name}'")
        f, g = pair
        total = total + (dot(_vector(f), view.center_velocity) if f is not None else 0.0)
        if g is not None:
            total = total + dot(_vector(g), view.angular_velocity)
    return total


def _vector(x):
    found = vector(x)
    if found.shape != (3,):
        raise ModelError(f"{shorten(x)} in a row has shape {found.shape}; give three numbers, in the pivot's axes")
    return found


def _others(where: str, bodies, pivot) -> list:
    listed = [bodies] if isinstance(bodies, (Body, str)) else bodies
    if not isinstance(listed, (list, tuple)) or not listed or not all(isinstance(one, (Body, str)) for one in listed):
        raise ModelError(
            f"{where}: bodies is {shorten(bodies)}; give a list of the bodies relative to the pivot, by object or name"
        )
    if not isinstance(pivot, (Body, str)):
        raise ModelError(f"{where}: the pivot is {shorten(pivot)}; give the reference body, its name, or 'ground'")
    if isinstance(pivot, Body) and not pivot.turns:
        raise ModelError(
            f"{where}: the pivot '{pivot.name}' is a mass point and has no axes; choose a body with a rotation, or write a vc.Constraint "
            "of distances and products of relative vectors"
        )
    if end_name(pivot) in [end_name(one) for one in listed]:
        raise ModelError(f"{where}: the pivot '{end_name(pivot)}' is among the bodies; list only the others")
    return list(listed)


def _relative(views) -> list:
    *things, pivot = views
    if not pivot._state.turns:
        raise ModelError(f"the pivot '{pivot.name}' is a mass point and has no axes; choose a body with a rotation")
    return [relative_view(one, pivot) for one in things]
