"""Row 10: laws measured on a motion."""

from vinculum.audits.audit import audit
from vinculum.audits.certificate import Certificate, Line

__all__ = ["Certificate", "Line", "audit"]
