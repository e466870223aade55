"""Results derived from the equations: formulas, code, numbers, starts. Begin with `derive`. Imports `models` and
below.
"""

from vinculum.derivations.derive import derive, equations_of
from vinculum.derivations.equations import Equations
from vinculum.derivations.first_integrals import integrals_in
from vinculum.derivations.lagrangian.derive import refuse_forms
from vinculum.derivations.lagrangian.symmetries import integrals_of_lagrangian
from vinculum.derivations.lagrangian.system import LagrangianSystem

equations_of.register(LagrangianSystem, refuse_forms)
integrals_in.register(LagrangianSystem, integrals_of_lagrangian)

__all__ = ["Equations", "derive"]
