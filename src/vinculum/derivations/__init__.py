"""What a user asks of the equations: formulas, code, numbers, starts. Begin with `derive`. Imports `models` and below."""

from vinculum.derivations.derive import derive
from vinculum.derivations.equations import Equations

__all__ = ["Equations", "derive"]
