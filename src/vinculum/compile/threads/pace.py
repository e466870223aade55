"""Whether sharing work with other cores saves time: on a busy machine it may not."""

from typing import final

TRY_AGAIN = 16


@final
class Pace:
    """Seconds for a unit of work, alone and shared; both are tried, the quicker is used, the other is tried again now and then."""

    def __init__(self):
        self._seconds: dict[bool, float] = {}
        self._count = 0

    def shares(self) -> bool:
        """Whether the next piece of work should be shared."""
        self._count += 1
        for choice in (True, False):
            if choice not in self._seconds:
                return choice
        better = self._seconds[True] <= self._seconds[False]
        return not better if self._count % TRY_AGAIN == 0 else better

    def took(self, shared: bool, seconds: float, units: int) -> None:
        """Note what a piece of work took."""
        if units > 0:
            self._seconds[shared] = seconds / units
