"""Audits of pair loops."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionSource
from vinculum.audits.balances.admitted import admitted_errors
from vinculum.audits.balances.lines import Judge, worst_line
from vinculum.audits.balances.tally import Tally
from vinculum.audits.bodies import certificate_of_bodies
from vinculum.audits.by_type import AuditOfType, BalancesOfType
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.exchanges.by_type import NOTHING_STRUCK, Sampled, SamplesOfType, Struck
from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.audits.pair_loop.exchanges import sample_points
from vinculum.audits.pair_loop.extents import extent_of_moments
from vinculum.audits.pair_loop.pair_forces import pair_lines
from vinculum.audits.pair_loop.sensitivity import pair_loop_sensitivities
from vinculum.audits.weak.residual import weak_residual_of_bodies
from vinculum.audits.weak_result import WeakResidual
from vinculum.motion.record import Record


@final
class PairLoopAudit(AuditOfType):
    """Balances of all points together, and the forces of their pairs."""

    def certificate(self, motion: Any) -> Certificate:
        return certificate_of_bodies(motion, _lines)

    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        return weak_residual_of_bodies(motion, fields, seed)


@final
class PairLoopBalances(BalancesOfType):
    """Sensitivities in closed form; one line for all points."""

    def sensitivities(
        self, motion: Any, sizes: np.ndarray, deviations: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], np.ndarray]:
        found = pair_loop_sensitivities(motion, deviations)
        return found, np.zeros_like(found[0])

    def extent(self, L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
        return extent_of_moments(L, balance)

    def sides(self, motion: Any) -> None:
        """Points of a pair loop take no impulses."""

    def constraint_impulses(self, motion: Any) -> None:
        """Points of a pair loop take no impulses."""

    def body_lines(self, lines: list[Line]) -> list[Line]:
        return [_together(lines)]


@final
class PairLoopSamples(SamplesOfType):
    """Forces on points, action by action."""

    def check(self, record: Record) -> None:
        """The loops know all of it."""

    def sample(
        self, record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
    ) -> Sampled:
        return sample_points(record, bodies, time, states, stretch)

    def impulses_on(self, record: Record, bodies: tuple[int, ...]) -> Struck:
        return NOTHING_STRUCK

    def jumps(self, record: Record) -> None:
        """Points of a pair loop take no impulses."""


def action_of_points(motion: Any) -> ActionSource:
    """The action of a motion of mass points."""
    from vinculum.audits.pair_loop.action import action_of_pair_loop

    return action_of_pair_loop(motion)


def _lines(motion: Record, hits: Impacts | None, found: Tally, whole: Record) -> list[Line]:
    return [*Judge(motion.model, found, admitted_errors(motion, found)).lines(), *pair_lines(motion)]


def _together(bodies: list[Line]) -> Line:
    """The worst of very many lines, in place of all of them."""
    worst = worst_line(bodies)
    detail = f"worst is the {worst.law}" + (f": {worst.detail}" if worst.detail else "")
    return replace(worst, law=f"momenta of {len(bodies)} bodies", detail=detail)
