"""Models whose equations are graphs: a tree of bodies. Begin with `type`; `tapes` are its equations by name."""
