"""Audits of models whose equations are graphs."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionSource
from vinculum.audits.balances.jumps import Jumps
from vinculum.audits.balances.sensitivity import sensitivities
from vinculum.audits.bodies import certificate_of_bodies
from vinculum.audits.by_type import AuditOfType, BalancesOfType, Sides
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.exchanges.by_type import Sampled, SamplesOfType, Struck
from vinculum.audits.impacts.joint_impulses import impulses_of_bonds
from vinculum.audits.impacts.seen_impacts import impacts
from vinculum.audits.weak.residual import weak_residual_of_bodies
from vinculum.audits.weak_result import WeakResidual
from vinculum.audits.written_out.exchanges import jumps_of_bodies, sample_bodies, struck_bodies
from vinculum.audits.written_out.lines import written_out_lines
from vinculum.errors import MethodError
from vinculum.motion.record import Record


@final
class WrittenOutAudit(AuditOfType):
    """Balances of every body, and all laws of bonds and impacts."""

    def certificate(self, motion: Any) -> Certificate:
        return certificate_of_bodies(motion, written_out_lines)

    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        return weak_residual_of_bodies(motion, fields, seed)


@final
class WrittenOutBalances(BalancesOfType):
    """Sensitivities by differences; a line for every body."""

    def sensitivities(
        self, motion: Any, sizes: np.ndarray, deviations: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], np.ndarray]:
        return sensitivities(motion, sizes, deviations)

    def extent(self, L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
        return L

    def sides(self, motion: Any) -> Sides | None:
        found = impacts(motion)
        return None if found is None else Sides(found.times, found.left, found.right, found.given)

    def constraint_impulses(self, motion: Any) -> tuple[np.ndarray, dict[str, np.ndarray]] | None:
        return impulses_of_bonds(motion)

    def body_lines(self, lines: list[Line]) -> list[Line]:
        return lines


@final
class WrittenOutSamples(SamplesOfType):
    """Every bond on each of its bodies."""

    def check(self, record: Record) -> None:
        model = record.model
        rolling = [name for name, entry in model.layout.unilaterals.items() if entry.lengths]
        if rolling:
            raise MethodError(
                f"unilateral constraint '{rolling[0]}' resists rolling or spinning, and its moments are not available as exchanges; leave "
                "rolling= and spinning= out"
            )

    def sample(
        self, record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
    ) -> Sampled:
        return sample_bodies(record, bodies, time, states, stretch)

    def impulses_on(self, record: Record, bodies: tuple[int, ...]) -> Struck:
        return struck_bodies(record, bodies)

    def jumps(self, record: Record) -> Jumps | None:
        return jumps_of_bodies(record)


def action_of_bodies(motion: Any) -> ActionSource:
    """The action of a motion of bodies whose equations are graphs."""
    from vinculum.audits.written_out.action import ActionOfBodies

    return ActionOfBodies(motion)
