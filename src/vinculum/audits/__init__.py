"""Row 10: laws measured on a motion."""

from vinculum.audits.audit import audit
from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.weak.residual import weak_residual
from vinculum.audits.weak_result import WeakResidual

__all__ = ["Certificate", "Line", "WeakResidual", "audit", "weak_residual"]
