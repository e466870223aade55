"""Actions of motions, implemented for each type of model."""

from collections.abc import Callable
from typing import Any

from vinculum.audits.action.source import ActionSource
from vinculum.models.by_type import ByType

ACTIONS = ByType[Callable[[Any], ActionSource]]("audits.action")
"""Functions that give the action of a motion."""
