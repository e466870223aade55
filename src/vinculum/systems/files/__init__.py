"""Readers of model files."""

from vinculum.systems.files.model_file import EventSpec, ModelFile
from vinculum.systems.files.toml_model import read_model

__all__ = ["EventSpec", "ModelFile", "read_model"]
