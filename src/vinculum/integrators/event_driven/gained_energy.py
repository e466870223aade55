"""Impacts that create energy: Newton's restitution with friction may do so, and the run says it."""

from typing import final

import numpy as np

from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.touching import Touching
from vinculum.tolerances.event_driven import GAINED


@final
class GainedEnergy:
    r"""Looks at the work of contact impulses, :math:`P\cdot(u^- + u^+)/2` with the relative velocities u before and after an impact, and
    keeps a remark on the first that is positive.

    Kane and Levinson, Dynamics: Theory and Applications (1985), §5.8: a double pendulum that hits a floor gains energy by Newton's law.
    """

    def __init__(self, touching: Touching):
        self._touching, self._remarks, self._known = touching, [], False

    def look_at(self, t: float, impulses: np.ndarray, before: Contacts, after: Contacts) -> None:
        """Look at the impulses (3 m,) of an impact."""
        if self._known:
            return
        work = 0.5 * (impulses * (before.speeds + after.speeds)).reshape(-1, 3).sum(axis=1)
        size = 0.5 * (np.abs(impulses) * (np.abs(before.speeds) + np.abs(after.speeds))).sum()
        if work.sum() > GAINED * size:
            name = self._touching.names[int(np.argmax(work))]
            self._remarks.append(
                f"the impact at unilateral constraint '{name}' at t = {t:.9g} s creates {work.sum():.3g} J: its law asks for more speed "
                "than friction leaves, as Newton's law may do (Kane's example); vc.Inelastic() creates none. Later ones are not named"
            )
            self._known = True

    def take(self) -> list[str]:
        """The remarks since the last call."""
        told, self._remarks = self._remarks, []
        return told
