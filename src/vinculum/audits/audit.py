"""`audit`: the certificate of a motion."""

from typing import Any

from vinculum.audits.by_type import AUDITS
from vinculum.audits.certificate import Certificate


def audit(motion: Any) -> Certificate:
    """Every law of the house that belongs to the type of the motion's model, measured on this motion."""
    return AUDITS.of(motion.model).certificate(motion)
