"""The errors of the house: each names the object, the value, the condition and the remedy."""


class VinculumError(Exception):
    """Anything Vinculum refuses or cannot finish; its message says what to do."""


class ModelError(VinculumError, ValueError):
    """A description of bodies and bonds that cannot be a mechanical system."""


class StartError(VinculumError, ValueError):
    """A start value, an end time, a grid or a parameter that the model cannot take."""


class MethodError(VinculumError, ValueError):
    """A method that cannot honour what the model asks for."""


class SymbolError(VinculumError, TypeError):
    """A symbol used where a number is needed, or a foreign symbol used where ours is needed."""


class FileError(VinculumError, ValueError):
    """A model file or a stored run that cannot be read, or a place that cannot be written."""


class RunError(VinculumError, RuntimeError):
    """A run that had to stop; `motion` holds what was computed until then (or None)."""

    def __init__(self, message, motion=None):
        Exception.__init__(self, message)
        self.motion = motion
