"""Row 8: the equations as a user gets them: formulas, code and numbers."""

from vinculum.derivations.derive import derive
from vinculum.derivations.equations import Equations

__all__ = ["Equations", "derive"]
