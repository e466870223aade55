"""Audits of tables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionSource
from vinculum.audits.balances.admitted import admitted_errors
from vinculum.audits.balances.jumps import Jumps
from vinculum.audits.balances.lines import Judge, worst_line
from vinculum.audits.balances.quantities import ENERGY, energies
from vinculum.audits.balances.tally import Tally
from vinculum.audits.bodies import certificate_of_bodies
from vinculum.audits.by_type import AuditOfType, BalancesOfType, Sides
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.exchanges.by_type import Sampled, SamplesOfType, Struck
from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.audits.tabled.bonds import lines_of_bonds
from vinculum.audits.tabled.conditions import condition_lines
from vinculum.audits.tabled.descriptions import lines_against_description
from vinculum.audits.tabled.exchanges import sample_blocks
from vinculum.audits.tabled.impulses import impulse_lines, impulses_of_constraints, jumps_of_tables, sides_of_impulses
from vinculum.audits.tabled.sensitivity import extent_of_bodies, tabled_sensitivities
from vinculum.audits.tabled.struck import struck_blocks
from vinculum.audits.weak.residual import weak_residual_of_bodies
from vinculum.audits.weak_result import WeakResidual
from vinculum.motion.record import Record


@final
class TabledAudit(AuditOfType):
    """Balances of all bodies together, and the forces of all bonds."""

    def certificate(self, motion: Any) -> Certificate:
        return certificate_of_bodies(motion, _lines, lambda part, _: jumps_of_tables(part))

    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        return weak_residual_of_bodies(motion, fields, seed)


@final
class TabledBalances(BalancesOfType):
    """Sensitivities block by block; one line for all bodies."""

    def sensitivities(
        self, motion: Any, sizes: np.ndarray, deviations: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], np.ndarray]:
        found = tabled_sensitivities(motion, sizes, deviations)
        found = [np.append(one, one[[ENERGY] * len(energies(motion.model))]) for one in found]
        return found, np.zeros_like(found[0])

    def extent(self, L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
        return extent_of_bodies(L, balance)

    def sides(self, motion: Any) -> Sides | None:
        return sides_of_impulses(motion)

    def constraint_impulses(self, motion: Any) -> tuple[np.ndarray, dict[str, np.ndarray]] | None:
        return impulses_of_constraints(motion)

    def body_lines(self, lines: list[Line]) -> list[Line]:
        worst = worst_line(lines)
        detail = f"worst is the {worst.law}" + (f": {worst.detail}" if worst.detail else "")
        return [replace(worst, law=f"momenta of {len(lines)} bodies", detail=detail)]


@final
class TabledSamples(SamplesOfType):
    """The rows of bonds that touch the bodies, and the joints of their blocks."""

    def check(self, record: Record) -> None:
        """Tables know all of it."""

    def sample(
        self, record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
    ) -> Sampled:
        return sample_blocks(record, bodies, time, states, stretch)

    def impulses_on(self, record: Record, bodies: tuple[int, ...]) -> Struck:
        return struck_blocks(record, bodies)

    def jumps(self, record: Record) -> Jumps | None:
        return jumps_of_tables(record)


def _lines(motion: Record, hits: Impacts | None, found: Tally, whole: Record) -> list[Line]:
    judged = Judge(motion.model, found, admitted_errors(motion, found)).lines()
    described = [*lines_of_bonds(motion), *lines_against_description(motion)]
    return [*judged, *described, *condition_lines(motion), *impulse_lines(motion)]


def action_of_blocks(motion: Any) -> ActionSource:
    """The action of a motion of blocks and bonds."""
    from vinculum.audits.tabled.action import action_of_tables

    return action_of_tables(motion)
