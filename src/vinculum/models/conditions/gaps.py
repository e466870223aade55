"""Gaps of closed loops and rows of constraints in numbers: values, rates and derivatives on batches of states."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.evaluate import evaluate, evaluate_again, evaluate_one
from vinculum.compile.tape import Tape
from vinculum.models.model import Model
from vinculum.tolerances.constraints import FLAT_CONDITION

BEGINNINGS = ("gaps", "gap_rates", "jacobians", "sizes", "gap_drifts", "sides", "mass_matrix")


@final
@dataclass(frozen=True, eq=False)
class Gaps:
    """Gaps (B, m), their rates (B, m), derivatives (B, m, nv), mass matrices (B, nv, nv) and sides (B, s) at states; ``along`` (B, m, nv):
    the generalized forces of unit multipliers.

    ``drifts`` (B, m): the part of the rates that prescribed bodies make.
    Gaps that are lengths are measured in lengths of their loop: ``sizes`` (B, m) [m], one for the others.
    """

    values: np.ndarray
    rates: np.ndarray
    drifts: np.ndarray
    jacobians: np.ndarray
    mass: np.ndarray
    sides: np.ndarray
    sizes: np.ndarray
    along: np.ndarray

    @cached_property
    def steepness(self) -> np.ndarray:
        """The largest derivative of every row, (B, m), which converts its values to changes of coordinates; one if it
        is tiny."""
        largest = np.abs(self.jacobians).max(axis=2, initial=0.0)
        return np.where(np.isfinite(largest) & (largest > FLAT_CONDITION), largest, 1.0)

    @cached_property
    def defined(self) -> np.ndarray:
        """Whether every row has a value, a rate and derivatives, (B, m)."""
        return np.isfinite(self.values) & np.isfinite(self.rates) & np.isfinite(self.jacobians).all(axis=2)

    def freeze(self) -> "Gaps":
        """The same with arrays that cannot be written to."""
        for one in fields(self):
            getattr(self, one.name).flags.writeable = False
        return self


def gaps_at(model: Model, states: np.ndarray, times, values: np.ndarray, watching: bool = False) -> Gaps:
    """All gaps of a model at states (B, nq + nv) and instants, one or (B,), at which prescribed bodies have their places.

    ``values``: the model's parameters in order, (p,) or for each state (B, p). ``watching``: the numbers decide something and
    enter no state, so that they may come from machine code once that is quicker, with other last bits. Single states, which
    assembly asks for again and again, are interpreted, and the last one is remembered.
    """
    known = gap_places(model)
    X = known.rows(states, times, values)
    if watching:
        return known.gaps(evaluate_again(known.tape, X))
    if len(X) != 1:
        return known.gaps(evaluate(known.tape, X))
    return known.last(X[0]).gaps


@final
class LastGaps:
    """The conditions at one state: the row of inputs as bytes, the outputs (n_out,) and what they hold."""

    def __init__(self, places: "GapPlaces", key: bytes, outputs: np.ndarray):
        self._places, self.key, self.outputs = places, key, outputs

    @cached_property
    def gaps(self) -> Gaps:
        return self._places.gaps(self.outputs[None]).freeze()


@final
class GapPlaces:
    """Where the conditions of a model stand among the outputs of their ``tape``, and the gaps at the last single state.

    ``width``: of a row of inputs, ``at``: the place of the time in it. ``begins``: first outputs of gaps, rates, derivatives, sizes,
    drifts, sides and of the mass matrix.
    """

    def __init__(self, model: Model):
        self.tape: Tape = model.tape("closures")
        self.width, self.at, self._nv = self.tape.n_in, model.nq + model.nv, model.nv
        self._of = self.tape.slices(self.tape.outputs)
        self.begins = np.array([self._of[name].start for name in BEGINNINGS])
        self.sides = self._of["sides"].stop - self._of["sides"].start
        self.levels, self.kept = (np.array(x, dtype=np.int64) for x in (model.layout.levels, model.layout.kept))
        self._last: LastGaps | None = None

    def last(self, row: np.ndarray) -> LastGaps:
        """The conditions at one row of inputs, with a cache of the last one."""
        key, found = row.tobytes(), self._last
        if found is None or found.key != key:
            found = self._last = LastGaps(self, key, evaluate_one(self.tape, row))
        return found

    def jacobians(self, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        """J (B, k, nv) of the kept conditions at states, for decisions, as `gaps_at` has them with ``watching``."""
        Y = evaluate_again(self.tape, self.rows(states, times, values))
        sizes, J = Y[:, self._of["sizes"]][:, self.kept], Y[:, self._of["jacobians"]].reshape(len(Y), -1, self._nv)
        return J[:, self.kept] / np.where(sizes > 0.0, sizes, 1.0)[:, :, None]

    def rows(self, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
        """Rows of inputs of the tape."""
        X = np.empty((len(states), self.width))
        X[:, : self.at], X[:, self.at], X[:, self.at + 1 :] = states, times, values
        return X

    def gaps(self, Y: np.ndarray) -> Gaps:
        """The gaps that rows of outputs hold."""
        of, B, nv = self._of, len(Y), self._nv
        sizes = np.where(Y[:, of["sizes"]] > 0.0, Y[:, of["sizes"]], 1.0)
        m, each = sizes.shape[1], sizes[:, :, None]
        return Gaps(Y[:, of["gaps"]] / sizes, Y[:, of["gap_rates"]] / sizes, Y[:, of["gap_drifts"]] / sizes,
                    Y[:, of["jacobians"]].reshape(B, m, nv) / each, Y[:, of["mass_matrix"]].reshape(B, nv, nv), Y[:, of["sides"]],
                    sizes, Y[:, of["along"]].reshape(B, m, nv) / each)  # fmt: skip


_known: "WeakKeyDictionary[Model, GapPlaces]" = WeakKeyDictionary()


def gap_places(model: Model) -> GapPlaces:
    """The places of a model's conditions, found once."""
    known = _known.get(model)
    if known is None:
        known = _known[model] = GapPlaces(model)
    return known
