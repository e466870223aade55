"""`first_integrals`: the conserved quantities of a system."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, final

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.integrals.first_integrals import first_integrals as integrals_of
from vinculum.errors import MethodError, StartError
from vinculum.models.model_cache import model_for
from vinculum.scalars import symbol, symbols
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class FirstIntegral:
    """A quantity that stays constant along every motion of a system, with the reason why."""

    name: str
    latex: str
    unit: str
    reason: str
    tape: Tape
    parameters: tuple[float, ...]

    def value(self, q, v, t=0.0) -> np.ndarray:
        """Its value at coordinates (nq,) or (B, nq), velocities and instants [s]: a number, or (B,).

        With the velocities of a Lagrangian system go what else its state holds: higher derivatives, momenta, vakonomic multipliers.
        """
        sizes = dict(self.tape.inputs)
        one = np.ndim(q) < 2 and np.ndim(v) < 2
        q, v = (np.atleast_2d(np.asarray(x, dtype=float)) for x in (q, v))
        if q.shape[1] != sizes["q"] or v.shape[1] != sizes["v"] or len(q) != len(v):
            raise StartError(
                f"'{self.name}': q must have {sizes['q']} and v {sizes['v']} columns and as many rows as q, got shapes "
                f"{q.shape} and {v.shape}"
            )
        t = np.asarray(t, dtype=float)
        if t.shape not in ((), (1,), (len(q),)):
            raise StartError(
                f"'{self.name}': t has shape {t.shape}; give one instant, or one for each of {len(q)} states"
            )
        t = np.broadcast_to(t, len(q))[:, None]
        rows = np.concatenate([q, v, t, np.broadcast_to(self.parameters, (len(q), len(self.parameters)))], axis=1)
        values = evaluate(self.tape, rows)[:, 0]
        return values[0] if one else values

    def along(self, motion) -> np.ndarray:
        """Its values on the grid of a motion, (T,): constant up to the errors of the motion."""
        whole = motion.v.shape[1] == dict(self.tape.inputs)["v"]
        return self.value(motion.q, motion.v if whole else motion.record.rest, motion.time)

    def __repr__(self):
        return f"FirstIntegral({self.name!r})"


@final
@dataclass(frozen=True, eq=False)
class FirstIntegrals:
    """The first integrals of a system, in a table; by number or by name."""

    system: str
    integrals: tuple[FirstIntegral, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.integrals)

    def __len__(self) -> int:
        return len(self.integrals)

    def __iter__(self) -> Iterator[FirstIntegral]:
        return iter(self.integrals)

    def __getitem__(self, which: int | str) -> FirstIntegral:
        if isinstance(which, str):
            if which not in self.names:
                raise StartError(f"'{self.system}' has no first integral '{which}'{nearest(which, self.names)}")
            return self.integrals[self.names.index(which)]
        return self.integrals[which]

    def __str__(self) -> str:
        if not self.integrals:
            return f"First integrals of '{self.system}': none found"
        rows = [("conserved", "unit", "because"), *((one.name, one.unit, one.reason) for one in self)]
        widths = [max(len(row[i]) for row in rows) for i in range(2)]
        table = [f"{a.ljust(widths[0])}  {b.ljust(widths[1])}  {c}" for a, b, c in rows]
        table.insert(1, "-" * max(map(len, table)))
        return "\n".join([f"First integrals of '{self.system}': {len(self)}", *table])


def first_integrals(
    system, parameters: Mapping[str, float] | None = None, *, fields: Sequence[Callable] = ()
) -> FirstIntegrals:
    """Conserved quantities of ``system``, for the given values of its parameters (the defaults otherwise).

    They follow from the structure: energies of parts without dampers and without drives that do work; momentum and
    angular momentum of subsystems along directions in which their joint is free (Telegin 2014, after (25)); momenta of
    cyclic coordinates and spins of symmetric bodies; momenta of parts under ideal constraints along fields that are
    admissible velocities, as moments about fixed axes and about points that move with the mass center; the same less
    functions of positions and time, where the impulses of forces are such functions; places of mass centers. Each is then
    checked at random states with the accelerations of two derivations. Of a `LagrangianSystem` they are its energy and the
    momenta along fields that are affine in the coordinates, or that are combined of those and of ``fields``, functions of
    the coordinates that return a vector (n,). The listed quantities are linearly independent. A system may have other
    integrals that these rules do not find; `vc.hamiltonian.polynomial_integrals` seeks polynomial ones.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> [one.name for one in vc.first_integrals(system).integrals]
    ['energy']
    """
    return integrals_in(system, parameters, fields)


@singledispatch
def integrals_in(system: Any, parameters: Mapping[str, float] | None, fields: Sequence[Callable]) -> FirstIntegrals:
    """First integrals of what is described: bodies, where nothing else is registered for its class."""
    model = model_for(system)
    if not isinstance(fields, Sequence) or len(fields):
        raise MethodError(
            f"system '{model.name}': fields= are functions of the coordinates of a vc.LagrangianSystem; leave them out for bodies"
        )
    model.check_written_out("first integrals")
    model.check_unbounded("first integrals")
    tree = model.tree
    if tree is None:
        raise MethodError(f"'{model.name}' is a loaded run; first integrals need the System it came from")
    values = model.parameter_values(parameters)
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    inputs = {"q": q, "v": v, "t": np.array([t])}
    found = []
    for one in integrals_of(tree.at(t, q), q, v, t, named, accelerations=compiled_accelerations(model), whole=True):
        tape = trace(inputs, {"value": [one.value]}, model.parameters)
        found.append(FirstIntegral(one.name, one.latex, one.unit, one.reason, tape, tuple(values.tolist())))
    return FirstIntegrals(tree.name, tuple(found))


def compiled_accelerations(model):
    """The accelerations of a model's own tape, as a function of rows (q, v, t, parameters)."""
    return lambda rows: evaluate(model.tape("motion").with_outer_values(), rows)[:, model.nq :]
