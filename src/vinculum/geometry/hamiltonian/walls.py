"""`Wall`: a unilateral constraint on the positions of a Hamiltonian system, with its impact law."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from vinculum.errors import MethodError, ModelError, shorten
from vinculum.geometry.hamiltonian.functions import one_of
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace, UnilateralGraph
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.scalars import depends_on
from vinculum.screws.entries import is_number


@final
@dataclass(frozen=True, eq=False)
class Wall:
    """The states with gap ≥ 0, and impacts where it closes. ``gap``: a function of the coordinates, and of ``t`` for a wall that moves;
    ``restitution``: e of Newton's law, 1 for an elastic impact."""

    gap: Callable
    restitution: float = 1.0

    def __post_init__(self):
        if not callable(self.gap):
            raise ModelError(
                f"a wall's gap is {shorten(self.gap)}; give a function of coordinates, such as lambda y: y"
            )
        if not is_number(self.restitution) or not 0.0 < self.restitution <= 1.0:
            raise ModelError(f"a wall's restitution is {shorten(self.restitution)}; give a number above 0 and up to 1")


def with_walls(hamiltonian: Any, walls: Any) -> Any:
    """The Hamiltonian with further walls beside the unilateral constraints that it has."""
    if not isinstance(hamiltonian, Hamiltonian):
        return hamiltonian
    space = hamiltonian.space
    found = (walls,) if isinstance(walls, Wall) else walls
    if not isinstance(found, Sequence) or not all(isinstance(one, Wall) for one in found):
        raise ModelError(f"{space.where}: walls is {shorten(walls)}; give vc.hamiltonian.Wall objects")
    if not found:
        return hamiltonian
    made = [
        UnilateralGraph(f"wall {k + 1}" if len(found) > 1 else "the wall", _gap(space, one), one.restitution)
        for k, one in enumerate(found)
    ]
    bounded = replace(space, unilaterals=(*space.unilaterals, *made))
    return Hamiltonian(space.name, space.coordinates, bounded)


def check_unbounded(space: PhaseSpace, what: str) -> None:
    """Refuse unilateral constraints where ``what`` takes no account of impacts."""
    if space.unilaterals:
        raise MethodError(
            f"{space.where} has unilateral constraints, as {space.unilaterals[0].called}, and {what} has no impacts; take the "
            "Hamiltonian of system.with_contacts({}), without them"
        )


def _gap(space: PhaseSpace, wall: Wall) -> Any:
    found = one_of(space, "gap", wall.gap).graphs[()]
    if depends_on([found], [*space.p, *space.w]):
        raise ModelError(f"{space.where}: a wall's gap must be a function of coordinates, and of t if it moves")
    return found
