"""Readers of model files."""

from vinculum.systems.files.model_file import ModelFile
from vinculum.systems.files.toml_model import read_model

__all__ = ["ModelFile", "read_model"]
