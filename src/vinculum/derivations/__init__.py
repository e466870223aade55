"""Results derived from the equations: formulas, code, numbers, starts. Begin with `derive`. Imports `models` and
below.
"""

from vinculum.derivations.derive import derive, equations_of
from vinculum.derivations.equations import Equations
from vinculum.derivations.lagrangian.derive import refuse_forms
from vinculum.derivations.lagrangian.system import LagrangianSystem

equations_of.register(LagrangianSystem, refuse_forms)

__all__ = ["Equations", "derive"]
