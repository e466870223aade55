"""Lines of a certificate for the balance laws: residuals from `tally`, tolerances from `admitted`."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import final

import numpy as np

from vinculum.audits.balances.admitted import Admitted
from vinculum.audits.balances.constraint_energy import constraint_names
from vinculum.audits.balances.quantities import (
    ENERGY,
    KINETIC,
    PARTS,
    energies,
    first_coordinate,
    first_of_body,
    has_offset,
)
from vinculum.audits.balances.tally import Tally
from vinculum.audits.by_type import BALANCES
from vinculum.audits.certificate import SEVERITY, Line
from vinculum.models.layout import deformations
from vinculum.models.model import Model
from vinculum.tolerances.certificates import SAFETY, SHARP
from vinculum.tolerances.round_off import NEXT_TO_ZERO, ROUND_OFF

PART_NAMES = ("momentum", "moment at the mass center", "mass center")


@final
@dataclass(frozen=True, eq=False)
class Judge:
    """The measured defects of one motion, compared with their tolerances."""

    model: Model
    found: Tally
    admitted: Admitted

    def lines(self) -> list[Line]:
        """Energy, system, bodies and rates."""
        names = list(self.model.layout.bodies)
        lines = [self._energy(), *self._constraint_energy(), self._momentum("momentum of the system", len(names))]
        bodies = [self._momentum(f"momentum of '{name}'", i) for i, name in enumerate(names)]
        lines += BALANCES.of(self.model).body_lines(bodies)
        closures = [self._line("rates q' = N v", slice(a, b), f"joint '{name}'") for name, a, b in self._coordinates()]
        lines += [worst_line(closures)] if closures else []
        first = first_coordinate(self.model)
        masses = [(name, slice(first + i, first + i + 1)) for name, i in self.model.layout.masses.items()]
        lines += [self._line(f"mass balance of '{name}'", part, "m against ∫ν dt") for name, part in masses]
        return lines + [
            self._line("rates of multipliers", slice(a, b), f"of '{name}'") for name, a, b in self._multipliers()
        ]

    def _multipliers(self) -> list[tuple[str, int, int]]:
        """Names of constraints, with the ranges of those of their multipliers that are part of the state."""
        first, held = first_coordinate(self.model), self.model.layout.constraints
        ranges = [(name, *entry.mu) for name, entry in held.items()]
        return [(name, first + a, first + b) for name, a, b in ranges if b > a]

    def _coordinates(self) -> list[tuple[str, int, int]]:
        """Names of joints, with ranges of their coordinates that have one unit."""
        layout, first, ranges = self.model.layout, first_coordinate(self.model), []
        for name, entry in layout.joints.items():
            begin, end = entry.q
            edges = [begin, *(i for i in range(begin + 1, end) if layout.groups[i] != layout.groups[i - 1]), end]
            ranges += [(name, first + a, first + b) for a, b in pairwise(edges) if b > a]
        return ranges

    def _energy(self) -> Line:
        """The balance of T + U with the power of drives and dampers, and the balance of T with the power of all forces.

        If round-off of a large potential energy hides its changes, the second balance decides, because it has no offset. At rest
        T is round-off alone, and the first decides.
        """
        law, whole = "energy balance", slice(ENERGY, ENERGY + 1)
        total, kinetic = self._line(law, whole, "T + U"), self._line(law, slice(KINETIC, KINETIC + 1), "work")
        hidden = (
            total.verdict == "undecided" and total.residual <= total.tolerance and self._is_lost_in_round_off(whole)
        )
        if self._rests(whole):
            return total
        return kinetic if hidden else worst_line([total, kinetic])

    def _constraint_energy(self) -> list[Line]:
        """T + U + E[M] against forces other than constraints, and E[M] of single constraints against the power of
        their efforts.

        If round-off of a large potential energy hides the first, `_energy` has decided without it.
        """
        lines = []
        for place in energies(self.model):
            whole = self._line("energy E[L] + E[M]", slice(place, place + 1), "by the rows of constraints")
            hidden = whole.verdict == "undecided" and whole.residual <= whole.tolerance
            lines += [] if hidden and self._is_lost_in_round_off(slice(place, place + 1)) else [whole]
            for i, name in enumerate(constraint_names(self.model), place + 1):
                lines.append(
                    self._line(f"work of '{name}' and E[M]", slice(i, i + 1), "E[M] against the power of its efforts")
                )
        return lines

    def _momentum(self, law: str, index: int) -> Line:
        first = first_of_body(index)
        parts = [slice(first + part.start, first + part.stop) for part in PARTS]
        return worst_line([self._line(law, part, what) for part, what in zip(parts, PART_NAMES, strict=True)])

    def _line(self, law: str, part: slice, what: str) -> Line:
        scale = self._scale(part)
        k = part.start + int(np.argmax(self.found.defect[part]))
        residual = float(self.found.defect[k]) / scale
        tolerance, doubt = (float(x[part].max()) / scale for x in (self.admitted.tolerance, self.admitted.doubt))
        # residuals below the round-off of the scale itself mean nothing; each step rounds, and errors of any sign add up as a root
        tolerance = max(tolerance, SAFETY * ROUND_OFF * max(1.0, self.found.steps) ** 0.5)
        if self._rests(part):
            tolerance = max(tolerance, float(self.admitted.noise[part].max()) / scale)
        line = Line(law, residual, tolerance, self.admitted.reason, doubt=doubt)
        if line.verdict == "holds":
            return line
        if line.verdict == "undecided" and residual <= tolerance and self._rounded_in_contacts(part):
            share = scale / max(scale, float(self.found.scale[self._kin(part)].max(initial=0.0)))
            detail = f"{what} is hidden by the round-off of contacts; relative to the largest of all bodies"
            among = Line(law, share * residual, share * tolerance, self.admitted.reason, detail, share * doubt)
            if among.verdict == "holds":
                return among
        detail = f"{what}, worst at t = {self.found.worst_time[k]:.4g} s"
        if line.verdict == "undecided" and self._is_lost_in_round_off(part):
            detail = f"{what} hardly changes beyond round-off"
        elif line.verdict == "undecided":
            detail = f"{what}, beyond the estimated tolerance but in doubt" if residual > tolerance else what
        return Line(law, residual, tolerance, self.admitted.reason, detail, doubt)

    def _scale(self, part: slice) -> float:
        """Scale of a part: its largest value or change; for a part at rest, the size of the terms that balance in it."""
        scale = max(float(self.found.scale[like].max(initial=0.0)) for like in self._alike(part))
        if self._rests(part):
            noise = float(self.admitted.noise[part].max())
            scale = max(float((self.found.size + self.found.gross)[part].max()), noise / (SAFETY * ROUND_OFF))
        return max(scale, np.finfo(float).tiny)

    def _alike(self, part: slice) -> list[slice]:
        """The part itself; for the system also the same parts of its bodies, whose momenta and mass centers may balance each other."""
        count = len(self.model.layout.bodies)
        offset = part.start - first_of_body(count)
        if not 0 <= offset < first_coordinate(self.model) - first_of_body(count):
            return [part]
        firsts = [first_of_body(i) + offset for i in range(count)]
        return [part, *(slice(first, first + part.stop - part.start) for first in firsts)]

    def _rests(self, part: slice) -> bool:
        """Whether a part does not change beyond round-off. If it has an offset, the integral of its rate must be round-off too."""
        found, noise = self.found, float(self.admitted.noise[part].max())
        if part.start in (ENERGY, *energies(self.model)):
            return self._nothing_moves
        moved = found.scale[part].max()
        if self._has_offset[part.start]:
            moved = max(moved, found.gross[part].max())
        return bool(moved <= noise) or self._is_balanced(part)

    @cached_property
    def _nothing_moves(self) -> bool:
        """Whether momenta and deformations are at rest. A body that only deforms has energy and no momentum."""
        bodies = range(len(self.model.layout.bodies))
        momenta = [slice(first_of_body(i) + p.start, first_of_body(i) + p.stop) for i in bodies for p in PARTS[:2]]
        first, deforming = first_coordinate(self.model), deformations(self.model.layout)
        return all(self._rests(part) for part in (*momenta, *(slice(first + a, first + b) for a, b in deforming)))

    @cached_property
    def _has_offset(self) -> np.ndarray:
        return has_offset(self.model)

    def _is_balanced(self, part: slice) -> bool:
        """Whether round-off or the errors of the method exceed a thousandth of the changes, while single forces, which balance, would
        cause far larger ones. For a coordinate these are the forces on the bodies that its joint connects. Changes of a body that rests
        in time steps are those within single steps, and errors of all steps add up beside them."""
        unsure = max(float(x[part].max()) for x in (self.admitted.noise, self.admitted.tolerance))
        if unsure <= 0.5 * SHARP * float(self.found.scale[part].max()):
            return False
        parts = self._momenta(part)
        changed, would = (
            np.array([float(x[one].max()) for one in parts]) for x in (self.found.scale, self.found.gross)
        )
        return bool(parts) and bool(np.all(changed <= self.admitted.held * would) and np.any(would > 0.0))

    def _momenta(self, part: slice) -> list[slice]:
        """Momenta that determine a part: of its body, or for a coordinate of both bodies of the joint; none for other quantities."""
        bodies, first, last = self.model.layout.bodies, first_of_body(0), first_coordinate(self.model)
        if first <= part.start < last:
            owner, offset = divmod(part.start - first, first_of_body(1) - first)
            chosen, kinds = [owner], PARTS[1:2] if PARTS[1].start <= offset < PARTS[1].stop else PARTS[:1]
        else:
            owners = [name for name, a, b in self._coordinates() if a <= part.start < b]
            joints = [self.model.layout.joints[name] for name in owners]
            ends = [end for joint in joints for end in (joint.child, joint.parent)]
            chosen, kinds = [bodies[end].index for end in ends if end in bodies], PARTS[:2]
        starts = [first_of_body(i) for i in chosen]
        return [slice(start + kind.start, start + kind.stop) for start in starts for kind in kinds]

    def _rounded_in_contacts(self, part: slice) -> bool:
        """Whether round-off in the positions of contacts alone exceeds a thousandth of the changes, as far down a chain of contacts."""
        return not self._rests(part) and float(self.found.rounded[part].max()) > 0.5 * SHARP * self._scale(part)

    def _kin(self, part: slice) -> np.ndarray:
        """Indices of the same quantity of all bodies; for a quantity that belongs to no body only its own."""
        count, first, width = len(self.model.layout.bodies), first_of_body(0), part.stop - part.start
        if not first <= part.start < first_of_body(count):
            return np.arange(part.start, part.stop)
        offset = (part.start - first) % (first_of_body(1) - first)
        return np.concatenate([first_of_body(i) + offset + np.arange(width) for i in range(count)])

    def _is_lost_in_round_off(self, part: slice) -> bool:
        """Whether round-off alone exceeds a thousandth of the changes."""
        return not self._rests(part) and float(self.admitted.noise[part].max()) > 0.5 * SHARP * self._scale(part)


def worst_line(lines: list[Line]) -> Line:
    return max(lines, key=lambda k: (SEVERITY.index(k.verdict), k.residual / max(k.tolerance, NEXT_TO_ZERO)))
