"""Input and output of an integrator: `Problem` and `Steps`."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, final

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.models.model import Model
from vinculum.motion.chart_changes import ChartChange
from vinculum.motion.events import Crossing
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.method import Method
from vinculum.motion.phases import Phase
from vinculum.motion.pieces import Coefficients
from vinculum.systems import Event
from vinculum.tolerances.time import SAME_INSTANT_OF_RUN


class Sized(NamedTuple):
    """What tells how large the numbers of a run are: its model, and the row of its start. All phases of a run share it, so that
    their series have one order."""

    model: Model
    row: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Problem:
    """A start, an end and everything in between. ``shown``: joints whose coordinates an event looks at. ``thorough``: whether
    compiling may take longer for the sake of the run; None leaves that to the engine. ``sized``: what tells
    how large its numbers are, if not its start. ``quickest`` [1/s]: the rate at which round-off in closed gaps may decay at
    most, however short steps are. ``strength``: the largest sum of accelerations that cancel where contacts are closed.
    ``is_phase``: one of many in a run, each with equations of its own, so that compiling them must be quick."""

    model: Model
    method: Method
    begin: float
    until: float
    state: np.ndarray
    parameters: np.ndarray
    events: Sequence[Event] = ()
    event_tape: Tape | None = None
    shown: frozenset[str] = frozenset()
    thorough: bool | None = None
    sized: Sized | None = None
    quickest: float = math.inf
    strength: float = 0.0
    is_phase: bool = False

    @property
    def tape(self) -> Tape:
        return self.model.tape("motion")

    @property
    def sizes(self) -> Sized:
        """What tells how large its numbers are."""
        return self.sized or Sized(self.model, self.row(self.state, self.begin))

    @property
    def latest(self) -> float:
        """The latest instant of the run, or the earliest if that is farther from zero [s]: what instants are rounded by."""
        return max(abs(self.begin), abs(self.until))

    @property
    def brief(self) -> float:
        """The latest instant, at most a second: the unit of times over which derivatives are taken [s]."""
        return min(1.0, self.latest) or 1.0

    def is_over(self, t: float) -> bool:
        """Whether t is the end of the run, up to round-off."""
        return self.until - t <= SAME_INSTANT_OF_RUN * max(self.until - self.begin, abs(self.until))

    def row(self, state: np.ndarray, t: float) -> np.ndarray:
        """One row (q, v, t, parameters) for the model's tapes."""
        return np.concatenate([state, (t,), self.parameters])

    def rows(self, states: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Rows (q, v, t, parameters) for the model's tapes."""
        given = np.broadcast_to(self.parameters, (len(times), len(self.parameters)))
        return np.concatenate([states, times[:, None], given], axis=1)


class CoefficientsInMemory(Coefficients, Protocol):
    """Coefficients with the memory that they take [bytes]."""

    @property
    def nbytes(self) -> int: ...


@final
@dataclass(frozen=True, eq=False)
class Steps:
    """A run of consecutive steps: edges (k + 1,), coefficients (k, n, order + 1), the crossings in it, and remarks.

    ``failure`` says why the run ended early; ``stopped`` that an event asked for it; ``change`` that what follows is in other
    charts; ``expanded`` is False if there is no finite Taylor series to go on with; ``atoms`` are the impulses in it;
    ``phase`` is the one that begins here, if there are such; ``contact_solver`` is what is to be said about the impulses of contacts.
    ``corrected`` (n,) is the state after the last step where corrections made it another one than the dense output ends with.
    """

    times: np.ndarray
    coefficients: CoefficientsInMemory
    crossings: list[Crossing] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    failure: str | None = None
    stopped: bool = False
    change: ChartChange | None = None
    expanded: bool = True
    atoms: Atoms | None = None
    phase: Phase | None = None
    contact_solver: ContactSolver | None = None
    corrected: np.ndarray | None = None


StepSource = Iterator[Steps]
