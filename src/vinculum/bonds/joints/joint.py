"""What a joint is: a small table of functions of its own coordinates. Nothing else in the house asks for its kind."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from vinculum.bodies import Body, check_name
from vinculum.bonds.joints.gaps import Gap
from vinculum.errors import ModelError, StartError, SymbolError, VinculumError
from vinculum.scalars import Scalar, symbols, vector
from vinculum.screws import Pose, frame_pose, is_rotation
from vinculum.screws.entries import check_finite, entries

DRIVE_ARGUMENTS = ("t", "q", "v")


@dataclass(frozen=True, eq=False)
class Joint(ABC):
    """A joint from ``parent`` to ``child``, each a body or its name (``"ground"`` is the fixed frame).

    ``at`` places the joint on the parent and ``to`` on the child: a position or a `Pose`. ``damping`` and ``stiffness``
    are one number or one for each velocity; ``rest`` are the coordinates of the relaxed spring. ``drive`` is a
    function of any of ``t``, ``q``, ``v`` (time, and the joint's own coordinates and velocities; numbers if there is
    one, else arrays) that returns the generalized force [N or N m].
    """

    name: str
    parent: Body | str
    child: Body | str
    _: KW_ONLY
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)
    damping: Any = 0.0
    stiffness: Any = 0.0
    rest: Any = None
    drive: Callable | None = None

    def __post_init__(self):
        check_name("joint", self.name)
        where = f"joint '{self.name}'"
        for side in (self.parent, self.child):
            if not isinstance(side, (Body, str)):
                raise ModelError(f"{where}: {side!r} is not a body; give a body, its name, or 'ground'")
        object.__setattr__(self, "at", frame_pose(self.at, f"{where}: at"))
        object.__setattr__(self, "to", frame_pose(self.to, f"{where}: to"))
        object.__setattr__(self, "damping", self._per_velocity("damping", self.damping))
        object.__setattr__(self, "stiffness", self._per_velocity("stiffness", self.stiffness))
        try:
            rest = self.identity if self.rest is None else self.position(self.rest)
        except StartError as error:
            raise ModelError(f"{where}: rest: {error}") from error
        object.__setattr__(self, "rest", entries(f"{where}: rest", rest, (self.nq,)))
        self._prepare()
        self.check()
        if self.drive is not None:
            self._try_drive()

    @property
    @abstractmethod
    def nq(self) -> int:
        """Number of coordinates."""

    @property
    @abstractmethod
    def nv(self) -> int:
        """Number of velocities."""

    @property
    @abstractmethod
    def q_labels(self) -> tuple[str, ...]:
        """What follows the joint's name in the name of each coordinate (empty for the only one)."""

    @property
    @abstractmethod
    def v_labels(self) -> tuple[str, ...]:
        """What follows the joint's name in the name of each velocity."""

    @property
    @abstractmethod
    def q_units(self) -> tuple[str, ...]:
        """Unit of each coordinate."""

    @property
    @abstractmethod
    def v_units(self) -> tuple[str, ...]:
        """Unit of each velocity."""

    @property
    @abstractmethod
    def identity(self) -> tuple[float, ...]:
        """Coordinates at which both joint frames coincide."""

    @property
    @abstractmethod
    def alignment(self) -> Pose:
        """Pose of the joint's working frame in the frames that ``at`` and ``to`` place: it brings an axis onto z."""

    @abstractmethod
    def absorbed(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        """A constant turn about z and shift along it after the joint, as an offset of its coordinates and what is left.

        None for a joint that does not work the same in every frame moved along and about its z axis.
        """

    @abstractmethod
    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        """The inertia (mass, first moment, inertia about the origin) of a link in two parts: what it keeps, and what its
        parent may carry instead with the same equations of motion; None if that is nothing."""

    @abstractmethod
    def pose(self, q) -> Pose:
        """Pose of the child's joint frame in the parent's, both working frames."""

    @abstractmethod
    def subspace(self, q) -> np.ndarray:
        """S(q) of shape (6, nv): the relative twist, in the child's joint frame, is S v."""

    @abstractmethod
    def subspace_rate(self, q, v) -> np.ndarray:
        """Ṡ v, shape (6,)."""

    @abstractmethod
    def rates(self, q, v) -> np.ndarray:
        """q̇ = N(q) v, shape (nq,)."""

    @abstractmethod
    def velocities(self, q, q_dot) -> np.ndarray:
        """v of given rates q̇, shape (nv,): the inverse of `rates`."""

    @abstractmethod
    def position(self, given) -> np.ndarray:
        """Coordinates from what a user may give as a start value; other sizes and values are refused."""

    @abstractmethod
    def spring_energy(self, q):
        """Energy of the joint's spring [J]."""

    @abstractmethod
    def spring_force(self, q) -> np.ndarray:
        """Generalized force of the joint's spring, shape (nv,); its power is minus the rate of the energy."""

    @abstractmethod
    def chart_defect(self, q):
        """A number that vanishes when the coordinates lie on their chart (None where there is nothing to keep)."""

    @abstractmethod
    def gaps(self, X: Pose) -> list[Gap]:
        """Names and values of 6 − nv numbers that vanish when X, the pose of the child's working frame in the parent's, is one
        that the joint allows."""

    @abstractmethod
    def sides(self, X: Pose) -> list:
        """Numbers that are positive on the side where vanishing `gaps` mean a closed joint (a hinge put on upside down has
        none either)."""

    @property
    def has_forces(self) -> bool:
        """Whether a spring, a damper or a drive acts in the joint."""
        passive = (self.damping, self.stiffness)
        return self.drive is not None or any(part.dtype == object or part.any() for part in passive)

    @property
    def has_open_axis(self) -> bool:
        """Whether an axis holds parameters, so that no working frame can be laid along it."""
        return False

    @property
    def turn(self) -> tuple[str, int, int] | None:
        """A rotation chart that is somewhere singular, and from where to where its coordinates are; None without one."""
        return None

    @property
    def shows_turn(self) -> bool:
        """Whether a drive looks at the numbers of that chart, so that they cannot be counted from another attitude."""
        return False

    @property
    def is_prescribed(self) -> bool:
        """Whether time alone moves the child against the parent."""
        return False

    @property
    def drift(self) -> np.ndarray:
        """Relative twist (6,) at v = 0, in the child's joint frame: what time alone does."""
        return np.zeros(6)

    @property
    def drift_rate(self) -> np.ndarray:
        """Time derivatives of the components of `drift`, (6,)."""
        return np.zeros(6)

    def at_time(self, t) -> "Joint":
        """The same joint at the instant ``t``, a number or a symbol."""
        return self

    def stopped(self) -> "Joint":
        """The same joint, in which time alone does nothing."""
        return self

    def with_base(self, base) -> "Joint":
        """The same joint with the rotation of its chart counted from the constant rotation ``base``, (3, 3)."""
        return self

    def _prepare(self) -> None:  # noqa: B027 - a kind without fields of its own has nothing to read
        """Read the fields of the kind itself."""

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse numbers that no joint can have."""
        where = f"joint '{self.name}'"
        for what in ("damping", "stiffness", "rest"):
            check_finite(f"{where}: {what}", getattr(self, what), values)
        for side in ("at", "to"):
            check_finite(f"{where}: {side}", getattr(self, side).p, values)
            if not is_rotation(check_finite(f"{where}: {side}", getattr(self, side).R, values), 1e-6):
                raise ModelError(f"{where}: {side} holds a matrix that is no rotation with these parameter values")
        if np.any(check_finite(f"{where}: damping", self.damping, values) < 0):
            raise ModelError(
                f"{where}: damping {self.damping} is negative, it would feed energy in; use drive= for an active joint"
            )

    def drive_force(self, t, q, v) -> np.ndarray:
        """Generalized force of the drive, shape (nv,)."""
        if self.drive is None:
            return np.zeros(self.nv)
        given = {"t": t, "q": q[0] if self.nq == 1 else q, "v": v[0] if self.nv == 1 else v}
        return vector(self.drive(**{k: given[k] for k in argument_names(self.drive)})).reshape(-1)

    def damping_force(self, v) -> np.ndarray:
        """Generalized force of the damping, shape (nv,)."""
        return -self.damping * v

    def _per_velocity(self, what: str, given) -> np.ndarray:
        array = entries(f"joint '{self.name}': {what}", given)
        if array.shape not in ((), (self.nv,)):
            raise ModelError(f"joint '{self.name}': {what} must be one number or {self.nv}, got shape {array.shape}")
        return array if array.shape else np.array([array.item()] * self.nv, dtype=array.dtype)

    def _try_drive(self) -> None:
        where = f"joint '{self.name}': drive"
        if not callable(self.drive):
            raise ModelError(
                f"{where} must be a function of t, q and v, got {self.drive!r}; a constant force is lambda: 3.0"
            )
        unknown = [k for k in argument_names(self.drive) if k not in DRIVE_ARGUMENTS]
        if unknown:
            raise ModelError(f"{where} asks for {unknown}; its arguments may be named t, q and v only")
        try:
            force = self.drive_force(Scalar("symbol", "t"), symbols("q", self.nq), symbols("v", self.nv))
        except VinculumError as error:
            raise ModelError(f"{where}: {error}") from error
        except Exception as error:
            raise ModelError(
                f"{where} failed on symbols: {type(error).__name__}: {error}; write it with vc.math, without `if`"
            ) from error
        if force.shape != (self.nv,):
            raise ModelError(f"{where} must return {self.nv} number{'s' * (self.nv != 1)}, got shape {force.shape}")
        if any(isinstance(x, float) and not np.isfinite(x) for x in force.tolist()):
            raise ModelError(f"{where} returned {force.tolist()}, which is not finite")


def argument_names(function: Callable) -> tuple[str, ...]:
    """Names of the parameters of a user's function; those with a default of their own are left alone."""
    try:
        given = inspect.signature(function).parameters.values()
        return tuple(p.name for p in given if p.default is p.empty or p.name in DRIVE_ARGUMENTS)
    except (TypeError, ValueError) as error:
        raise SymbolError(f"{function!r} is not a Python function with named arguments") from error
