"""`Model`: a system ready to run, as names, layout and tapes; `ModelType`: its type. Plain data, so it can be stored
and sent.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from vinculum.errors import MethodError, StartError, shorten
from vinculum.models.geometry import Geometry
from vinculum.models.layout import Layout
from vinculum.models.shapes.tree_shapes import TreeShapes
from vinculum.systems import Tree, nearest
from vinculum.systems.tree_numbers import check_tree


class ModelType(ABC):
    """The type of a model: the form of its equations and everything that depends on it.

    There is one final class per type, in the type's own folder, and one line in `models.types`. Rooms above this one
    have implementations of their own for every type (`ByType`). No other code asks for the type of a model.
    """

    has_graphs: ClassVar[bool]
    """Whether equations are written out as graphs, which others may trace, differentiate and evaluate."""

    @classmethod
    @abstractmethod
    def describes(cls, tree: Tree) -> bool:
        """Whether the model of a tree is of this type; the first of all types that says so has it."""

    @classmethod
    @abstractmethod
    def model_of(cls, tree: Tree) -> "Model":
        """The model of a checked tree."""

    @classmethod
    @abstractmethod
    def is_stored_in(cls, data: Mapping[str, Any]) -> bool:
        """Whether the stored form of a model is of this type."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Model":
        """A stored model, every name and range checked; others raise `FileError`."""

    @abstractmethod
    def to_dict(self, model: "Model") -> dict[str, Any]:
        """The stored form: plain data, the layout included."""

    @abstractmethod
    def tape_names(self, model: "Model") -> list[str]:
        """Names of the tapes that a model can have."""

    @abstractmethod
    def make_tape(self, model: "Model", name: str) -> Any:
        """One of these tapes."""

    @abstractmethod
    def check_written_out(self, model: "Model", what: str) -> None:
        """Refuse a model whose equations are not written out, where ``what`` needs them."""

    @abstractmethod
    def is_timed(self, model: "Model") -> bool:
        """Whether the equations of motion hold the time, or a body moves by it."""

    @abstractmethod
    def velocities(self, model: "Model") -> slice:
        """Places of the rates of coordinates in a state."""

    @abstractmethod
    def steps_over_contacts(self, model: "Model") -> bool:
        """Whether changes of contact may happen within steps, so that a motion without phases knows none of them."""

    @abstractmethod
    def bonds_with_atoms(self, model: "Model") -> list[str]:
        """Bonds whose impulses are atoms of a motion."""

    @abstractmethod
    def closed_states(self, model: "Model", states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        """States (B, n) at instants with all loops closed and constraints kept, as near as the mass matrix measures it."""

    @abstractmethod
    def branch_at(self, model: "Model", state: np.ndarray, t: float, values: np.ndarray) -> "Model":
        """The model in which conditions are left out that follow from others at a state (n,); with graphs an assembly finds it."""

    @abstractmethod
    def growth_of_round_off(self, model: "Model", states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        """By what round-off grows in the reactions of loops and constraints at states, (B, 1); one without them."""


@final
@dataclass(frozen=True, eq=False)
class Model:
    """Layout and tapes of a system. Every tape takes (q, v, t, parameters), `hamel` also the accelerations.

    ``layout``: names, units and places. Tapes are made on first use: `motion` (q̇, v̇), `rates` (N v and chart
    defects), `bodies`, `balance`, `reactions`, `drives`, `hamel`, `integrals`, and where velocities are rates of
    coordinates `momenta`, `canonical`, `velocities`. ``type``: what it is, with the data of that type. One whose
    bodies meet as parts of a tree has their ``shapes``. ``geometry``: what a loaded run looks like; of others the tree
    knows it.
    """

    layout: Layout
    type: ModelType
    tapes: dict[str, Any] = field(default_factory=dict)
    tree: Tree | None = None
    variants: dict[tuple, "Model"] = field(default_factory=dict)
    shapes: TreeShapes | None = None
    geometry: Geometry | None = None

    @property
    def name(self) -> str:
        return self.layout.name

    @cached_property
    def nq(self) -> int:
        return len(self.layout.q_names)

    @cached_property
    def nv(self) -> int:
        return len(self.layout.v_names)

    @property
    def freedoms(self) -> int:
        """Velocities that closed loops and constraints leave independent; conditions on accelerations leave all."""
        return self.nv - self.layout.rank + self.layout.levels.count(2)

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values."""
        return dict(self.layout.parameters)

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        """Names in the order in which values of parameters are given."""
        return tuple(sorted(self.layout.parameters))

    @cached_property
    def _usual_values(self) -> np.ndarray:
        usual = self.layout.parameters
        return np.array([usual[name] for name in self.parameter_names], dtype=float)

    def tape(self, name: str) -> Any:
        """The `Tape` of one group of equations, or what the type of the model has in its place."""
        if name not in self.tapes:
            self.tapes[name] = self.type.make_tape(self, name)
        return self.tapes[name]

    def tape_names(self) -> list[str]:
        """Names of the tapes that this model can have."""
        return self.type.tape_names(self)

    def check_written_out(self, what: str) -> None:
        """Refuse a model whose equations are not written out, where ``what`` needs them."""
        self.type.check_written_out(self, what)

    @property
    def is_bounded(self) -> bool:
        """Whether it has unilateral constraints, or shapes that meet in a tree."""
        return bool(self.layout.unilaterals or self.layout.shapes)

    def check_unbounded(self, what: str, *, meets_gaps: bool = False, meets_impulses: bool = False) -> None:
        """Refuse unilateral constraints, shapes in contact and given impulses where ``what`` takes no account of them; ``meets_gaps``,
        ``meets_impulses``: it takes account of unilateral constraints, or of impulses."""
        if self.layout.shapes:
            raise MethodError(
                f"system '{self.name}': {what} do not support contact, and it has {list(self.layout.contacts)}; leave it out"
            )
        if self.layout.unilaterals and not meets_gaps:
            names = list(self.layout.unilaterals)
            raise MethodError(
                f"system '{self.name}': {what} do not support unilateral constraints, and it has {names}; leave them out, or "
                f"say which are closed "
                f"with system.with_contacts({{{names[0]!r}: 'slides'}})"
            )
        if self.layout.impulses and not meets_impulses:
            raise MethodError(
                f"system '{self.name}': {what} do not support given impulses, and it has {list(self.layout.impulses)}; leave them "
                "out, or take what holds between them: system.with_contacts({})"
            )

    def complete(self) -> "Model":
        """The same model with every tape made that it can have."""
        for name in self.tape_names():
            self.tape(name)
        return self

    def on_charts(self, states: np.ndarray) -> np.ndarray:
        """States (B, nq + nv) with their quaternions brought back to length one."""
        states = states.copy()
        for first, last in self.layout.quaternions:
            states[:, first:last] /= np.linalg.norm(states[:, first:last], axis=1, keepdims=True)
        return states

    def parameter_values(self, given: Mapping[str, float] | None) -> np.ndarray:
        """Values of all parameters in order; unknown names and values that no body can have are refused."""
        if given is not None and not isinstance(given, Mapping):
            raise StartError(f"parameters is {given!r} and must map names to values, as parameters={{'m': 1.5}}")
        if not given:
            return self._usual_values.copy()
        values = self.parameters
        for name, value in given.items():
            if name not in values:
                raise StartError(f"there is no parameter '{name}' in system '{self.name}'{nearest(name, values)}")
            try:
                values[name] = float(value)
            except (TypeError, ValueError, OverflowError) as error:
                raise StartError(f"parameter '{name}': {shorten(value)} is not a number") from error
            if not np.isfinite(values[name]):
                raise StartError(f"parameter '{name}': {value!r} is not finite")
        if self.tree is not None:
            check_tree(self.tree, values)
        return np.array([values[name] for name in self.parameter_names], dtype=float)

    def index(self, kind: str, name) -> Any:
        """The layout entry of a body or joint, by object or name."""
        name = name if isinstance(name, str) else getattr(name, "name", name)
        known = getattr(self.layout, kind)
        if not isinstance(name, str) or name not in known:
            one = {"bodies": "body", "joints": "joint"}[kind]
            if isinstance(name, str) and name in self.layout.closing:
                raise StartError(
                    f"joint '{name}' closes a loop of '{self.name}' and has no coordinates of its own; "
                    "look at its bodies, or add it before the other joints of its loop"
                )
            if isinstance(name, str) and name in self.layout.actions:
                raise StartError(
                    f"'{name}' of '{self.name}' is not a {one}: motion.bond('{name}').effort(body) is its effort on one of "
                    "its bodies, and .energy its energy if it is a potential"
                )
            raise StartError(f"there is no {one} '{name}' in system '{self.name}'{nearest(name, known)}")
        return known[name]
