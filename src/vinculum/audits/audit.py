"""`audit`: the certificate of a motion."""

from typing import Any

from vinculum.audits.by_type import AUDITS
from vinculum.audits.carried import certificate_of_carried
from vinculum.audits.certificate import Certificate
from vinculum.motion.frames.carried import relative_record


def audit(motion: Any) -> Certificate:
    """The certificate of a motion: every law for the type of its model."""
    found = AUDITS.of(motion.model).certificate(relative_record(motion))
    return found if motion.carried is None else certificate_of_carried(motion, found)
