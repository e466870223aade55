"""Audits of models whose equations are graphs."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionSource
from vinculum.audits.balances.sensitivity import sensitivities
from vinculum.audits.bodies import certificate_of_bodies
from vinculum.audits.by_type import AuditOfType, BalancesOfType, Sides
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.impacts.joint_impulses import impulses_of_bonds
from vinculum.audits.impacts.seen_impacts import impacts
from vinculum.audits.weak.residual import weak_residual_of_bodies
from vinculum.audits.weak_result import WeakResidual
from vinculum.audits.written_out.lines import written_out_lines


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


def action_of_bodies(motion: Any) -> ActionSource:
    """The action of a motion of bodies whose equations are graphs."""
    from vinculum.audits.written_out.action import ActionOfBodies

    return ActionOfBodies(motion)
