"""Readers of model files. Begin with `toml_model`: `schema` and `tables/` check the keys, `values` reads numbers and units."""

from vinculum.systems.files.model_file import ModelFile
from vinculum.systems.files.toml_model import read_model

__all__ = ["ModelFile", "read_model"]
