"""View of one bond of a motion: a force, potential, constraint, unilateral constraint, contact or applied impulse."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds.unilaterals import GRIP
from vinculum.errors import StartError
from vinculum.motion.by_type import MOTIONS
from vinculum.motion.doors import GIVEN_IMPULSE, JOINT_IMPULSES
from vinculum.motion.impulses.contact_impulses import (
    ContactImpulses,
    GivenImpulse,
    JointImpulses,
)
from vinculum.motion.reactions.servos import Excess, find_excess, servo_names
from vinculum.motion.reactions.work import accumulated_work
from vinculum.motion.states import states_at, tape_groups


@final
@dataclass(frozen=True, eq=False)
class BondMotion:
    """A bond on the grid of a motion. An attribute that a bond of its kind does not have raises an error."""

    motion: Any
    name: str

    def __repr__(self):
        return f"bond '{self.name}' on {self.motion!r}"

    def effort(self, body) -> np.ndarray:
        """Wrench (force, moment) on one of its bodies (or "ground") at the body's origin, world axes, (T, 6) [N, N m]."""
        chosen, bodies = body if isinstance(body, str) else getattr(body, "name", body), self._bodies()
        if chosen not in bodies:
            raise StartError(f"'{self.name}' does not act on {chosen!r}; it acts on {', '.join(bodies)}")
        if self.name in self.motion.model.layout.unilaterals:
            return self._while_closed(chosen)
        first = 6 * bodies.index(chosen)
        return self.motion._bonds[f"{self.name}/efforts"][:, first : first + 6]

    @property
    def force(self) -> np.ndarray:
        """Force on the first of its bodies, world axes, (T, 3) [N]."""
        return self.effort(self._first())[:, :3]

    @property
    def moment(self) -> np.ndarray:
        """Moment on the first of its bodies about the body's origin, world axes, (T, 3) [N m]."""
        return self.effort(self._first())[:, 3:]

    @property
    def energy(self) -> np.ndarray:
        """Energy of a potential, (T,) [J]; of a vakonomic constraint E[M] = μ v·∂F/∂v, of added inertia its kinetic energy, of other
        constraints none.

        `motion.energy` is E[L]. The sum of E[L] and E[M] changes only by other forces and by −μ ∂F/∂t. Gołubowska
        (87)–(89).
        """
        if self.name in self.motion.model.layout.constraints:
            return self.motion._bonds.get(f"{self.name}/own_energy", np.zeros((len(self.motion.time), 1)))[:, 0]
        return self._of("energy", "energy")[:, 0]

    @property
    def multiplier(self) -> np.ndarray:
        """Multipliers λ of a constraint, (T,) if it has one row, else (T, rows); its reactions are λ ∂F/∂v, or λ times
        the efforts of its servo.

        For a vakonomic constraint and for added inertia they are the μ of L + μ F; the reactions contain −μ̇ ∂F/∂v.
        """
        found = self._of("multipliers", "multipliers")
        return found[:, 0] if found.shape[1] == 1 else found

    @property
    def power(self) -> np.ndarray:
        """Power of a constraint's reactions, or of its servo, on all its bodies and joints, (T,) [W]."""
        return self._of("work", "power of reactions")[:, 0]

    @property
    def work(self) -> np.ndarray:
        """Work of a constraint's reactions, or of its servo, since the start, (T,) [J]."""
        self._of("work", "work of reactions")
        return accumulated_work(
            self.motion,
            lambda t: tape_groups(self.motion, "bonds", t, states_at(self.motion, t))[f"{self.name}/work"][:, 0],
        )

    @property
    def excess(self) -> tuple[Excess, ...]:
        """Efforts of a servo that leave their bounds: first instants and largest sizes."""
        return find_excess(self.motion, servo_names(self.motion, self.name))

    @property
    def gap(self) -> np.ndarray:
        """Gap of a unilateral constraint, (T,) [m, or rad between joints]."""
        number = self._number()
        return self._distances()["gaps"][:, number]

    @property
    def slip(self) -> np.ndarray:
        """Sliding velocity of a unilateral constraint along the two tangents of friction, (T, 2) [m/s]."""
        first = 3 * self._number()
        return self._distances()["speeds"][:, first + 1 : first + 3]

    @property
    def impulses(self) -> ContactImpulses | JointImpulses | GivenImpulse:
        """Instants and impulses [N s] of a unilateral constraint or contact, of a joint or constraint at impacts, or
        of an applied impulse with its work."""
        motion, name, layout = self.motion, self.name, self.motion.model.layout
        if name in layout.impulses:
            return GIVEN_IMPULSE(motion, name)
        if any(name in kind for kind in (layout.joints, layout.closing, layout.constraints)):
            if motion.atoms is None:
                raise StartError(
                    f"'{name}' of system '{motion.model.name}': this motion has no impulses in joints and constraints, since nothing "
                    "in it meets, its bodies are free, or it was given without them; see motion.joint(…).reaction for forces"
                )
            times, found = JOINT_IMPULSES(motion)
            if name in found:
                return JointImpulses(name, times, found[name])
            if name in layout.joints or name in layout.closing:
                raise StartError(
                    f"joint '{name}' of system '{motion.model.name}': impulses in joints are not computed over tables; describe the "
                    "joint as a constraint, which has its multipliers there"
                )
        return MOTIONS.of(motion.model).contact_impulses(motion, name)

    def _of(self, group: str, what: str) -> np.ndarray:
        found = self.motion._bonds.get(f"{self.name}/{group}")
        if found is None:
            raise StartError(f"'{self.name}' of system '{self.motion.model.name}' has no {what}")
        return found

    def _bodies(self) -> tuple[str, ...]:
        layout, name = self.motion.model.layout, self.name
        if name in layout.unilaterals:
            named = tuple(body for body in layout.unilaterals[name].bodies if body in layout.bodies or body == GROUND)
            bodies = (*named, GROUND) if len(named) == 1 else named
        elif name in layout.constraints:
            bodies = tuple(layout.constraints[name].on)
        else:
            bodies = tuple(layout.actions[name].bodies) if name in layout.actions else ()
        if not bodies:
            raise StartError(
                f"'{name}' acts on no body by itself; see motion.bond('{name}').multiplier or .impulses for its efforts, and "
                "motion.joint(…).reaction for what a joint carries"
            )
        return bodies

    def _first(self) -> str:
        return next((body for body in self._bodies() if body != GROUND), GROUND)

    def _number(self) -> int:
        known = list(self.motion.model.layout.unilaterals)
        if self.name not in known:
            raise StartError(
                f"'{self.name}' of system '{self.motion.model.name}' is not a unilateral constraint and has no gap; contacts of shapes are "
                "found in every step, and .impulses lists the active ones"
            )
        return known.index(self.name)

    def _distances(self) -> dict[str, np.ndarray]:
        motion = self.motion
        return tape_groups(motion, "distances", motion.time, states_at(motion, motion.time))

    def _while_closed(self, body: str) -> np.ndarray:
        """Wrench of a unilateral constraint on a body where a phase keeps it closed, zero elsewhere; its impulses come on top."""
        motion, total = self.motion, np.zeros((len(self.motion.time), 6))
        for part in motion.in_phases():
            known = part.model.layout.constraints
            own = [name for name in (self.name, GRIP.format(self.name)) if name in known and body in known[name].on]
            inside = np.flatnonzero((motion.time >= part.pieces.begin) & (motion.time <= part.pieces.end))
            if not own or not len(inside):
                continue
            efforts = part.at(motion.time[inside])._bonds
            firsts = {name: 6 * known[name].on.index(body) for name in own}
            total[inside] = sum(efforts[f"{name}/efforts"][:, k : k + 6] for name, k in firsts.items())
        return total
