"""Interface of runs to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.models.by_type import ByType
from vinculum.models.model import Model
from vinculum.motion.method import Method
from vinculum.motion.motion import Motion
from vinculum.motion.problem import Problem
from vinculum.simulation.options import Options


@final
@dataclass(frozen=True, eq=False)
class Watched:
    """The functions of events: their ``tape``, the parameters that they alone have (``own``), and joints whose coordinates they look at
    (``shown``)."""

    tape: Tape | None = None
    own: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()


@final
@dataclass(frozen=True, eq=False)
class Prepared:
    """A start, before a method is chosen: ``values`` of the model's parameters, those that were ``given`` by name and those to be told
    (``named``), and what is to be said (``log``)."""

    system: Any
    model: Model
    begin: float
    until: float
    state: np.ndarray
    values: np.ndarray
    given: Mapping[str, float]
    named: Mapping[str, float]
    watched: Watched
    log: tuple[str, ...] = ()

    @property
    def span(self) -> float:
        """The length of the run [s]."""
        return self.until - self.begin

    @property
    def latest(self) -> float:
        """Its largest instant [s], without sign."""
        return max(abs(self.begin), abs(self.until))


class RunOfType(ABC):
    """How models of one type are run: `prepare` → `check_start` → `method` → `instants` → `problem` → `run`."""

    @abstractmethod
    def watch(self, model: Model, options: Options, given: Mapping[str, float]) -> Watched:
        """The functions of events."""

    @abstractmethod
    def check_start(self, prepared: Prepared, options: Options) -> Prepared:
        """The start, checked, and moved to where constraints hold."""

    @abstractmethod
    def default_method(self, model: Model, watched: Tape | None) -> str:
        """The name of the integrator that "auto" means."""

    @abstractmethod
    def check_method(self, model: Model, name: str) -> None:
        """Refuse integrators that cannot run such models."""

    @abstractmethod
    def method(self, prepared: Prepared, options: Options) -> Method:
        """The integrator with its settings."""

    @abstractmethod
    def instants(self, prepared: Prepared, method: Method, options: Options) -> np.ndarray:
        """The grid (T,) on which the motion is to be seen."""

    @abstractmethod
    def problem(self, prepared: Prepared, method: Method, options: Options) -> tuple[Problem, list[str]]:
        """What the integrator gets, and what is to be said about it."""

    @abstractmethod
    def run(
        self, prepared: Prepared, problem: Problem, instants: np.ndarray, options: Options, log: list[str]
    ) -> Motion:
        """The motion."""


RUNS = ByType[RunOfType]("simulation")
