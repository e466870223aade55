"""Moreau–Jean time stepping of trees with contact. Begin with `moreau`; `loop` is the compiled step."""
