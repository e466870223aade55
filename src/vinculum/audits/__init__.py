"""Laws measured on a motion. Begin with `audit`, which calls one function for every law; `certificate` is the result."""

from vinculum.audits.audit import audit
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.weak.residual import weak_residual
from vinculum.audits.weak_result import WeakResidual

__all__ = ["Certificate", "Line", "WeakResidual", "audit", "weak_residual"]
