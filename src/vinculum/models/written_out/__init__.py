"""Models whose equations are written out as graphs: a tree of bodies. Begin with `type`; `tapes` are its equations by name."""
