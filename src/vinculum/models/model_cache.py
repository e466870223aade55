"""The model of a system, made once for each state of its description."""

from vinculum.errors import ModelError, StartError
from vinculum.models.model import Model
from vinculum.models.types import model_of, stepping_model_of
from vinculum.systems import System

PLACE, STEPPING_PLACE = "_model", "_stepping_model"
"""A tree keeps its models itself: a weak dictionary would keep both forever, because a model refers to its tree."""


def model_for(system) -> Model:
    """The model of a `System`; a `Model` (of a loaded run) is itself."""
    if isinstance(system, Model):
        return system
    if not isinstance(system, System):
        raise StartError(f"a vc.System is needed, got {type(system).__name__}")
    tree = system.tree()
    model = vars(tree).get(PLACE)
    if model is None:
        model = vars(tree)[PLACE] = model_of(tree)
    return model


def stepping_model_for(system) -> Model:
    """The model of a `System` for time steps over its contacts: that of `model_for`, or another one over tables."""
    if not isinstance(system, System):
        return model_for(system)
    tree = system.tree()
    if STEPPING_PLACE not in vars(tree):
        try:
            vars(tree)[STEPPING_PLACE] = stepping_model_of(tree)
        except ModelError:  # tables refuse something that can be written out
            vars(tree)[STEPPING_PLACE] = None
    return vars(tree)[STEPPING_PLACE] or model_for(system)
