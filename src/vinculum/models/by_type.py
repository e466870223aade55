"""`ByType`: the implementation of a room's interface for each type of model."""

from collections.abc import Mapping
from typing import Generic, TypeVar, final

from vinculum.models.model import Model, ModelType

Answers = TypeVar("Answers")


@final
class ByType(Generic[Answers]):
    """The implementations of the interface of a room above `models`, one object for each type of model.

    The room defines the interface in an abstract class. Each type implements it in one file in its own folder of the
    room, and is registered with one line in the room's ``__init__``.
    """

    def __init__(self, room: str):
        self._room, self._answers = room, dict[type[ModelType], Answers]()

    def register(self, answers: Mapping[type[ModelType], Answers]) -> None:
        """Add implementations, each for a type of model."""
        self._answers |= answers

    def __contains__(self, one: type[ModelType]) -> bool:
        """Whether there is an implementation for a type of model."""
        return one in self._answers

    def answers_for(self, model: Model) -> bool:
        """Whether there is an implementation for the type of a model."""
        return type(model.type) in self._answers

    def of(self, model: Model) -> Answers:
        """The implementation for the type of a model."""
        try:
            return self._answers[type(model.type)]
        except KeyError:
            raise NotImplementedError(
                f"{self._room} has no answers for models of {type(model.type).__name__}"
            ) from None
