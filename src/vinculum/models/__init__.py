"""A system ready to run: names, layout, tapes. Begin with `model`; `kept.model_for` gives the model of a system.

What a model is, is its type (`model.ModelType`): written out as graphs (`written_out`), a loop over pairs of mass points (`pair_loop`),
free bodies in contact (`free_bodies`), or a Lagrangian (`lagrangian`). `types` lists them; `by_type` is how rooms above answer for each.
"""
