"""`reduce_invariant`: an energy as a function of positions and rotations relative to one of its bodies."""

from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds import Action, end_name
from vinculum.derivations.invariance.functions_of_products import function_of_products
from vinculum.derivations.invariance.meaning import contradiction_meaning, energy_meaning
from vinculum.derivations.invariance.of_products import OfProducts
from vinculum.derivations.invariance.products_of_vectors import Products
from vinculum.derivations.invariance.reduced_potential import ReducedPotential
from vinculum.derivations.invariance.seen_from_body import SeenFromBody
from vinculum.derivations.invariance.symmetries_of_actions import action_symmetries
from vinculum.errors import ModelError, shorten
from vinculum.scalars import Scalar, substitute
from vinculum.systems import System, free_views, nearest


def reduce_invariant(
    potential: Action, pivot: Body | str | None = None, system: System | None = None
) -> ReducedPotential:
    r"""The energy of a ``potential`` as a function of quantities that are invariant under rigid motions of the whole
    system.

    .. math:: U = \hat U(y_\Delta, Y_\Delta),\qquad y_\Delta = Q_p^T(x_\Delta - x_p),\qquad Y_\Delta = Q_p^T Q_\Delta

    ``pivot``: the reference body, by default the last rigid body (or the ground, if it is one of the bodies and no
    other has a rotation); with "ground" the arguments are positions and rotations in the world. Mass points have no
    frame: for mass points alone the result is a function of the inner and triple products of their positions relative
    to the pivot. Positions are those of the bodies' origins. ``system``: needed if the potential refers to its bodies
    by name. An energy that is not invariant is refused. O'Reilly and Srinivasa, On Potential Energies and Constraints
    in the Dynamics of Rigid Bodies and Particles, (10)–(12).
    """
    if not isinstance(potential, Action):
        raise ModelError(
            f"reduce_invariant: {potential!r} is not a potential; give a vc.Potential or another bond with an energy"
        )
    where = potential.called
    names = [end_name(end) for end in potential.ends]
    ends = _bodies(where, potential, system)
    _, found = action_symmetries(potential, ends, {})
    count = len(ends)
    if pivot == GROUND and GROUND not in names:
        names, ends = [*names, GROUND], [*ends, None]
    free = free_views(ends)
    energy = potential.law.energy_at(free.still[:count], free.t)
    if not isinstance(energy, Scalar) and potential.law.efforts_at(free.moving[:count], free.t) is not None:
        raise ModelError(f"{where}: it has no energy, so there is nothing to reduce")
    if found.verdict == "contradiction":
        raise ModelError(f"{where}: {contradiction_meaning('its energy', found.exact, found.changes['all'])}")
    if found.verdict == "not invariant":
        raise ModelError(f"{where}: {energy_meaning('its energy', names, found.broken, found.kept)}")
    deforming = [end.name for end in ends if end is not None and end.mechanics.kinematics.deforms]
    if deforming:
        raise ModelError(
            f"{where}: body '{deforming[0]}' deforms, and its energy is a function of its Green tensor; there is nothing to reduce"
        )
    turning = [end is None or end.turns for end in ends]
    p = _pivot(where, names, turning, pivot)
    others = [i for i in range(len(ends)) if i != p]
    x = np.array([free.places[i][0] for i in others], dtype=object).reshape(-1, 3)
    origin, unturned = free.places[p]
    graph = substitute(np.array([energy, 0.0], dtype=object), origin, np.zeros(3))
    common = (potential.name, tuple(names), names[p], bool(found.exact))
    if not any(turning):
        products = Products.of(len(others))
        return OfProducts(*common, function_of_products(graph[0], x, products), products)
    graph = substitute(graph, unturned, np.eye(3))
    return SeenFromBody(*common, graph[0], x, tuple(free.places[i][1] for i in others))


def _bodies(where: str, potential: Action, system: System | None) -> list[Body | None]:
    """The bodies of a potential; None for the ground."""
    found: list[Body | None] = []
    known: Mapping[str, Body] = {} if system is None else system.bodies
    for end in potential.ends:
        name = end_name(end)
        if isinstance(end, Body):
            found.append(end)
        elif name == GROUND:
            found.append(None)
        elif name in known:
            found.append(known[name])
        else:
            hint = (
                "give system= as well" if system is None else f"system '{system.name}' has none{nearest(name, known)}"
            )
            raise ModelError(f"{where}: '{name}' is the name of a body; {hint}")
    return found


def _pivot(where: str, names: Sequence[str], turning: Sequence[bool], wanted: Body | str | None) -> int:
    """The number of the pivot among the bodies of a potential."""
    if wanted is None:
        bodies = [i for i, turns in enumerate(turning) if turns and names[i] != GROUND]
        return bodies[-1] if bodies else names.index(GROUND) if GROUND in names else len(names) - 1
    name = end_name(wanted) if isinstance(wanted, (Body, str)) else shorten(wanted)
    if name not in names:
        raise ModelError(f"{where}: the pivot '{name}' is none of its bodies{nearest(name, names)}")
    if any(turning) and not turning[names.index(name)]:
        frames = ", ".join(f"'{n}'" for n, turns in zip(names, turning, strict=True) if turns)
        raise ModelError(
            f"{where}: the pivot '{name}' is a mass point, which has no axes to see rotations from; choose {frames}"
        )
    return names.index(name)
