"""Poincaré sections: crossings of a surface in phase space, located on the motion."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.geometry.hamiltonian.arguments import one_choice, whole_number
from vinculum.geometry.hamiltonian.flow.flow import Flow, Keep, check_course, check_free, check_tolerance
from vinculum.geometry.hamiltonian.functions import PhaseFunction, one_of
from vinculum.geometry.hamiltonian.starts import starts_of
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import Wall, with_walls
from vinculum.motion.arguments import whole_span
from vinculum.scalars import Scalar, depends_on
from vinculum.tolerances.sizes import MOST_INSTANTS
from vinculum.tolerances.steps import FLOW_TOLERANCE


@final
@dataclass(frozen=True, eq=False)
class PoincareSection:
    """Crossings of a section: instants ``time`` (C,), coordinates ``q`` and momenta ``p`` (C, n). Of B motions each has one index more in
    front, and crossings that a motion does not have are NaN."""

    time: np.ndarray
    q: np.ndarray
    p: np.ndarray

    def __repr__(self):
        return f"PoincareSection({int(np.isfinite(self.time).sum())} crossings)"


def poincare_section(hamiltonian: Hamiltonian, section: Callable | PhaseFunction, q, p, until: float, *, count: int = 1000,
                     direction: int = 1, begin: float = 0.0, tolerance: float = FLOW_TOLERANCE, walls: Sequence[Wall] = (),
                     parameters: Mapping[str, float] | None = None) -> PoincareSection:  # fmt: skip
    """Crossings of the surface where ``section``, a function of coordinates, momenta and time, vanishes.

    The motion starts at ``q`` and ``p``, (n,) each, or (B, n) for many, and ends at ``until`` or after ``count`` crossings.
    ``direction``: 1 where the function increases, −1 where it decreases, 0 for both. Each crossing is located to round-off by a step
    that ends on it. ``walls``: beside the unilateral constraints of a system.
    """
    begin, until = whole_span(begin, until)
    starts = starts_of(with_walls(hamiltonian, walls), q, p, begin, parameters)
    space = starts.space
    check_free(space, "a section")
    direction = one_choice(space.where, "direction", direction, (-1, 0, 1))
    count = whole_number(space.where, "count", count, 1, MOST_INSTANTS)
    function = one_of(space, "section", section)
    if not isinstance(function.graphs[()], Scalar) or not depends_on(
        function.graphs.ravel(), [*space.x, *space.w, space.t]
    ):
        raise ModelError(
            f"{space.where}: the section is {shorten(function.graphs[()])} everywhere; give a function that changes its sign"
        )
    flow = Flow(space, 0, (function,), (direction,))
    flow.check_starts(starts.states, starts.parameters, begin)
    course = flow.run(starts.states, starts.parameters, begin, np.array([until]), check_tolerance(space.where, tolerance),
                      Keep(crossings=count))  # fmt: skip
    check_course(space, course)
    most = max(len(times) for times, _, _ in course.crossings)
    found = np.full((len(starts.states), most, 1 + 2 * space.n), np.nan)
    for row, (times, states, _) in zip(found, course.crossings, strict=True):
        row[: len(times), 0], row[: len(times), 1:] = times, states
    found = found[0] if starts.one else found
    return PoincareSection(found[..., 0], found[..., 1 : 1 + space.n], found[..., 1 + space.n :])
