"""Impacts that create energy: Newton's restitution with friction may do so, and the run says it."""

from typing import final

import numpy as np

from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.touching import Touching
from vinculum.tolerances.event_driven import ENERGY_WITHOUT_END, GAINED


@final
class GainedEnergy:
    r"""Looks at the work of contact impulses, :math:`P\cdot(u^- + u^+)/2` with the relative velocities u before and after an impact, and
    keeps a remark on the first that is positive. Impacts that create energy without end leave no motion.

    Kane and Levinson, Dynamics: Theory and Applications (1985), §5.8: a double pendulum that hits a floor gains energy by Newton's law.
    """

    def __init__(self, touching: Touching):
        self._touching, self._remarks = touching, []
        self._since, self._exchanged, self._created = 0.0, 0.0, 0.0

    def look_at(self, t: float, impulses: np.ndarray, before: Contacts, after: Contacts) -> None:
        """Look at the impulses (3 m,) of an impact."""
        work = 0.5 * (impulses * (before.speeds + after.speeds)).reshape(-1, 3).sum(axis=1)
        size = 0.5 * (np.abs(impulses) * (np.abs(before.speeds) + np.abs(after.speeds))).sum()
        if not work.sum() > GAINED * size:
            return
        self._created += float(work.sum())
        if not self._exchanged:
            self._since, self._exchanged = t, float(size)
            name = self._touching.names[int(np.argmax(work))]
            self._remarks.append(
                f"the impact at unilateral constraint '{name}' at t = {t:.9g} s creates {work.sum():.3g} J: its law asks for more speed "
                "than friction leaves, as Newton's law may do (Kane's example); vc.Inelastic() creates none. Later ones are not named"
            )

    def without_end(self, t: float) -> str | None:
        """Message for a run that cannot go on at t because its impacts have created energy without end; None if they have not."""
        if not self._created > ENERGY_WITHOUT_END * self._exchanged:
            return None
        return (
            f"since t = {self._since:.9g} s impacts have created {self._created:.3g} J until t = {t:.9g} s, and create ever more: no "
            "motion with finite velocities exists beyond. Newton's law may do so with friction (Kane's example); use vc.Poisson(…), "
            "vc.Inelastic() or less friction"
        )

    def take(self) -> list[str]:
        """The remarks since the last call."""
        told, self._remarks = self._remarks, []
        return told
