"""Carriers: flows of vector fields, what they convect, and how the trace integral of a tensor measure changes. Begin with `carrier`."""
