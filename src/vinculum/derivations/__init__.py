"""Results derived from the equations: formulas, code, numbers, starts. Begin with `derive`. Imports `models` and
below.
"""

from vinculum.derivations.adiabaticity.adiabaticity import adiabaticity_in
from vinculum.derivations.adiabaticity.lagrangian import adiabaticity_of_lagrangian
from vinculum.derivations.derive import derive, equations_of
from vinculum.derivations.equations import Equations
from vinculum.derivations.first_integrals import integrals_in
from vinculum.derivations.lagrangian.derive import refuse_forms
from vinculum.derivations.lagrangian.symmetries import integrals_of_lagrangian
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.derivations.linearization.lagrangian import linear_lagrangian
from vinculum.derivations.linearization.linearize import linear_equations

equations_of.register(LagrangianSystem, refuse_forms)
integrals_in.register(LagrangianSystem, integrals_of_lagrangian)
linear_equations.register(LagrangianSystem, linear_lagrangian)
adiabaticity_in.register(LagrangianSystem, adiabaticity_of_lagrangian)

__all__ = ["Equations", "derive"]
