"""A system ready to run: names, layout, tapes. Begin with `model`; `kept.model_for` gives the model of a system.

A model is written out as graphs, or is a loop over pairs of mass points (`pair_loop`), or free bodies in contact (`free_bodies`).
"""
