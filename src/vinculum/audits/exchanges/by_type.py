"""Interface of the exchanges of bodies to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from vinculum.audits.balances.jumps import Jumps
from vinculum.audits.exchanges.window import Sums, Window
from vinculum.models.by_type import ByType
from vinculum.motion.record import Record


class Admitted(NamedTuple):
    """Errors (7,) of momentum screw and energy of a correct motion: beyond ``tolerance`` nothing is decided, and beyond ``doubt`` it is
    wrong; and the ``reason``."""

    tolerance: np.ndarray
    doubt: np.ndarray
    reason: str


class Wrenches(NamedTuple):
    """By name of a bond or field its wrenches (T, 6) at the world's origin ``on`` bodies, and those ``back`` on what is outside them."""

    on: dict[str, np.ndarray]
    back: dict[str, np.ndarray]


class ExchangesOfType(ABC):
    """What the bodies of one type of model exchange with all that is outside them. ``bodies`` are their numbers in the layout."""

    @abstractmethod
    def check(self, record: Record) -> None:
        """Refuse motions of which this is not known."""

    @abstractmethod
    def window_of(self, record: Record, window: Window) -> Window:
        """The window that is balanced, if one is asked for: time steps are not divided."""

    @abstractmethod
    def wrenches(self, record: Record, bodies: tuple[int, ...]) -> Wrenches:
        """What everything outside bodies exerts on them, and they on it, on the grid of a motion. Impulses are not among them."""

    @abstractmethod
    def motion_at(self, record: Record, bodies: tuple[int, ...], t: float, side: str) -> np.ndarray:
        """Momentum screw at the world's origin and kinetic energy (7,) of bodies at an instant."""

    @abstractmethod
    def sums(self, record: Record, bodies: tuple[int, ...], window: Window) -> Sums:
        """Everything that bodies exchange with others in a window."""

    @abstractmethod
    def errors(self, record: Record, bodies: tuple[int, ...], sums: Sums) -> Admitted:
        """The errors that a correct motion may have in these sums, besides quadrature and round-off."""


class Sampled(NamedTuple):
    """What bodies exchange at instants: of every part its ``name``, whether it acts ``inside`` them alone, its exchanges ``on`` them (T, 7)
    summed, the sums of their ``sizes`` (T, 7), and the wrenches ``back`` (T, 6) on all others; arrays are (T, parts, …). ``motions``
    (T, bodies, 11): momentum screw, kinetic energy, mass and mass center."""

    names: tuple[str, ...]
    inside: tuple[bool, ...]
    on: np.ndarray
    sizes: np.ndarray
    back: np.ndarray
    motions: np.ndarray


class Struck(NamedTuple):
    """Impulses at ``times`` (K,): by name of what struck bodies its exchanges with them (K, 2, 7), summed and as sums of sizes.

    ``edges`` (E,), ``moved`` (E, 7): pieces at whose beginning the method changed the motion of the bodies for reasons of its own;
    ``within`` (P,), ``drifted`` (P, 7): pieces during which it did so."""

    times: np.ndarray
    parts: dict[str, np.ndarray]
    edges: np.ndarray = np.zeros(0, dtype=int)
    moved: np.ndarray = np.zeros((0, 7))
    within: np.ndarray = np.zeros(0, dtype=int)
    drifted: np.ndarray = np.zeros((0, 7))


NOTHING_STRUCK = Struck(np.zeros(0), {})


class SamplesOfType(ABC):
    """Exchanges of one type of model whose motions are smooth between impulses."""

    @abstractmethod
    def check(self, record: Record) -> None:
        """Refuse motions of which this is not known."""

    @abstractmethod
    def sample(
        self, record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
    ) -> Sampled:
        """What bodies exchange at states (T, n) of a phase. ``stretch``: the number of chart changes before each state."""

    @abstractmethod
    def impulses_on(self, record: Record, bodies: tuple[int, ...]) -> Struck:
        """The impulses of a stretch of a motion on bodies."""

    @abstractmethod
    def jumps(self, record: Record) -> Jumps | None:
        """Changes of the balanced quantities by the impulses of a stretch of a motion; None without any."""


EXCHANGES = ByType[ExchangesOfType]("audits.exchanges")
