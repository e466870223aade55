"""`audit`: the certificate of a motion."""

from typing import Any

from vinculum.audits.by_type import AUDITS
from vinculum.audits.certificate import Certificate


def audit(motion: Any) -> Certificate:
    """The certificate of a motion: every law for the type of its model."""
    return AUDITS.of(motion.model).certificate(motion)
