"""`Linearization`: linear equations about an equilibrium or a steady motion, as matrices, modes and a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np

from vinculum.derivations.linearization.arguments import in_like_units
from vinculum.errors import MethodError, StartError
from vinculum.systems import nearest
from vinculum.tolerances.functions import NO_EIGENVALUE, NO_PART, ZERO_ENTRY
from vinculum.upward import ShownInNotebooks


class SecondOrder(NamedTuple):
    r"""The matrices of :math:`M\,\delta\ddot q + C\,\delta\dot q + K\,\delta q = f`, (n, n) each."""

    M: np.ndarray
    C: np.ndarray
    K: np.ndarray


class LinearizedState(NamedTuple):
    """The state about which a system is linearized: coordinates ``q``, velocities ``v``, time ``t``; ``moves``: whether it is a steady
    motion."""

    q: np.ndarray
    v: np.ndarray
    t: float
    moves: bool


@final
@dataclass(frozen=True)
class StateNames:
    """What the states of linear equations are: perturbations of independent ``coordinates``, named by the velocities of which they are
    integrals (for joints with q̇ = v the coordinates themselves, for free bodies translations and rotations along the axes of the body);
    ``multipliers`` that are part of the state; perturbations of independent ``speeds``."""

    coordinates: tuple[str, ...]
    multipliers: tuple[str, ...]
    speeds: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each row of A."""
        return (*self.coordinates, *self.multipliers, *(f"rate of {name}" for name in self.speeds))

    def __len__(self):
        return len(self.coordinates) + len(self.multipliers) + len(self.speeds)


@final
@dataclass(frozen=True, eq=False)
class Mode:
    """A motion exp(``eigenvalue`` t) of the linear equations; ``shape``: the amplitude of each state, the largest
    being one."""

    eigenvalue: complex
    shape: dict[str, complex]

    @property
    def frequency(self) -> float:
        """Oscillations per second [Hz]; zero for a mode that does not oscillate."""
        return abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def damping(self) -> float:
        """Damping ratio −Re λ / |λ|: 1 decays without oscillation, 0 is undamped, negative values grow; NaN for λ =
        0."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else float("nan")


@final
@dataclass(frozen=True, eq=False)
class Linearization(ShownInNotebooks):
    r"""Linear equations ẋ = A x + B f of small perturbations about an equilibrium or a steady motion.

    ``states``: what x consists of: coordinates, multipliers and speeds. ``A`` (n, n) refers to all of them in this order, ``B`` (n, k) to
    the ``inputs``. ``inverse_mass`` (speeds, speeds): accelerations by unit forces along the speeds, None if it is not defined.
    ``about``: the equilibrium or steady motion; ``log``: changes that were made to it.
    """

    system: str
    states: StateNames
    A: np.ndarray
    inputs: tuple[str, ...]
    B: np.ndarray
    inverse_mass: np.ndarray | None
    about: LinearizedState
    log: tuple[str, ...] = ()

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of A [1/s], sorted by growth rate, the fastest first."""
        return np.array([mode.eigenvalue for mode in self.modes], dtype=complex)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """All modes, sorted by growth rate, the fastest first."""
        found, vectors = np.linalg.eig(self.A) if len(self.A) else (np.zeros(0), np.zeros((0, 0)))
        like = np.abs(found).max(initial=0.0) or 1.0  # growth that is equal up to round-off is equal
        order = sorted(
            range(len(found)), key=lambda i: (-round(found[i].real / like, 9), abs(found[i].imag), -found[i].imag)
        )
        modes = []
        for i in order:
            shape = vectors[:, i] / vectors[np.argmax(np.abs(vectors[:, i])), i]
            modes.append(
                Mode(complex(found[i]), dict(zip(self.states.names, shape.astype(complex).tolist(), strict=True)))
            )
        return tuple(modes)

    @property
    def growth(self) -> float:
        """The largest real part of the eigenvalues [1/s]: perturbations grow if it is positive."""
        return max((mode.eigenvalue.real for mode in self.modes), default=-np.inf)

    @property
    def second_order(self) -> SecondOrder:
        r"""M, C and K of :math:`M\,\delta\ddot q + C\,\delta\dot q + K\,\delta q = f`, if the speeds are the rates of
        the coordinates.

        The power of the forces f is f·δq̇. M is the mass matrix of the system reduced by its bonds.
        """
        n = len(self.states.coordinates)
        missing = sorted(set(self.states.coordinates) ^ set(self.states.speeds))
        if missing or self.states.multipliers or self.states.coordinates != self.states.speeds:
            raise MethodError(
                f"the linear equations of '{self.system}' are not of second order: {missing or list(self.states.multipliers)} "
                "stand in them without a rate or without a place; take A, or a part with .part(…) whose coordinates are also its speeds"
            )
        if self.inverse_mass is None or not np.allclose(self.A[:n, n:], np.eye(n), rtol=0, atol=ZERO_ENTRY):
            raise MethodError(
                f"the linear equations of '{self.system}' have no mass matrix of their own here (vakonomic constraints, added inertia, or "
                "velocities that are not rates of the coordinates kept); take A"
            )
        M = np.linalg.inv(self.inverse_mass)
        S, by_place, by_speed = self.A[:n, :n], self.A[n:, :n], self.A[n:, n:]
        return SecondOrder(0.5 * (M + M.T), -M @ (S + by_speed), -M @ (by_place - by_speed @ S))

    def part(self, *names: str) -> "Linearization":
        """The equations of some coordinates and their speeds; refused if they depend on others."""
        unknown = [
            name
            for name in names
            if not isinstance(name, str) or name not in (*self.states.coordinates, *self.states.speeds)
        ]
        if unknown or not names:
            known = tuple(dict.fromkeys((*self.states.coordinates, *self.states.speeds)))
            raise StartError(
                f"there is no independent coordinate {unknown} in '{self.system}'{nearest(str(unknown), known)}"
            )
        wanted = self._places(
            tuple(n for n in self.states.coordinates if n in names),
            (),
            tuple(n for n in self.states.speeds if n in names),
        )
        others = [i for i in range(len(self.A)) if i not in wanted]
        found = np.abs(in_like_units(self.A))[wanted]
        coupled = found[:, others].max(axis=0, initial=0.0) > ZERO_ENTRY * found.max(initial=0.0)
        if coupled.any():
            needed = [self.states.names[i] for i, one in zip(others, coupled, strict=True) if one]
            raise StartError(
                f"the equations of {list(names)} in '{self.system}' depend on {needed} too; name these as well, or take A"
            )
        return self._select_states(wanted)

    def without_ignorable(self) -> "Linearization":
        """The equations without ignorable coordinates, such as the position along a level road."""
        kept, found = list(range(len(self.A))), np.abs(in_like_units(self.A))
        while True:
            idle = [
                i for i in kept if i < len(self.states.coordinates) and found[kept, i].max() <= ZERO_ENTRY * found.max()
            ]
            if not idle:
                return self._select_states(kept)
            kept = [i for i in kept if i not in idle]

    def to_dict(self) -> dict:
        """Plain data; eigenvalues as pairs of real and imaginary part."""
        return {"system": self.system, "about": "steady motion" if self.about.moves else "rest", "t": self.about.t,
                "q": self.about.q.tolist(), "v": self.about.v.tolist(), "coordinates": list(self.states.coordinates),
                "multipliers": list(self.states.multipliers),
                "speeds": list(self.states.speeds), "A": self.A.tolist(), "inputs": list(self.inputs), "B": self.B.tolist(),
                "eigenvalues": [[x.real, x.imag] for x in self.eigenvalues.tolist()], "log": list(self.log)}  # fmt: skip

    def __str__(self):
        about = "a steady motion" if self.about.moves else "rest"
        kinds = {
            "coordinate": self.states.coordinates,
            "multiplier": self.states.multipliers,
            "speed": self.states.speeds,
        }
        counts = ", ".join(
            f"{len(x)} {what}{'s' * (len(x) != 1)}" for what, x in kinds.items() if x or what != "multiplier"
        )
        table = mode_table(self)
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        rows = ["  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in table]
        return "\n".join([f"'{self.system}' linearized about {about}: {counts}", *rows])

    def _places(self, coordinates: Sequence[str], multipliers: Sequence[str], speeds: Sequence[str]) -> list[int]:
        n, k = len(self.states.coordinates), len(self.states.multipliers)
        return [*(self.states.coordinates.index(x) for x in coordinates), *(n + self.states.multipliers.index(x) for x in multipliers),
                *(n + k + self.states.speeds.index(x) for x in speeds)]  # fmt: skip

    def _select_states(self, rows: list[int]) -> "Linearization":
        n, k = len(self.states.coordinates), len(self.states.multipliers)
        speeds = [i - n - k for i in rows if i >= n + k]
        inverse = None if self.inverse_mass is None else self.inverse_mass[np.ix_(speeds, speeds)]
        states = StateNames(
            tuple(self.states.coordinates[i] for i in rows if i < n),
            tuple(self.states.multipliers[i - n] for i in rows if n <= i < n + k),
            tuple(self.states.speeds[i] for i in speeds),
        )
        return replace(self, states=states, A=self.A[np.ix_(rows, rows)], B=self.B[rows], inverse_mass=inverse)


def mode_table(linear: Linearization) -> list[tuple[str, str, str, str]]:
    """The modes, one of each conjugate pair, under a head."""
    near = NO_EIGENVALUE * float(np.abs(linear.eigenvalues).max(initial=0.0))
    head = ("eigenvalue [1/s]", "frequency [Hz]", "damping", "most of it in")
    return [head, *(_table_row(mode, near) for mode in linear.modes if mode.eigenvalue.imag >= -near)]


def _table_row(mode: Mode, near: float) -> tuple[str, str, str, str]:
    """A row of the table; what is smaller than ``near`` is round-off."""
    x = mode.eigenvalue
    x = complex(
        *(part if abs(part) > NO_PART * max(abs(x), near / NO_EIGENVALUE) else 0.0 for part in (x.real, x.imag))
    )
    shares = ", ".join(sorted(mode.shape, key=lambda name: -abs(mode.shape[name]))[:2])
    if abs(x) <= near:
        return "0", "", "", ""
    value, damping = f"{x.real:.6g}" + f" ± {x.imag:.6g}i" * (x.imag > 0.0), -x.real / abs(x) + 0.0
    return value, f"{mode.frequency:.4g}" if x.imag > 0.0 else "", f"{damping:.4g}", shares
