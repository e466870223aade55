"""A system ready to run: names, layout, tapes. Begin with `model`; `model_cache.model_for` returns the model of a system.

A model has a type (`model.ModelType`): equations as graphs (`written_out`), blocks and
bonds over tables (`tabled`), such blocks in contact (`blocks_in_contact`), free bodies in contact
(`free_bodies`), or a Lagrangian (`lagrangian`). `types` lists them; upper rooms implement their interfaces for each type by
`by_type`. Imports `equations` and below.
"""
