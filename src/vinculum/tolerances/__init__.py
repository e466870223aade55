"""Tolerances, each stated once: what it bounds, relative to what, and why it has its size.

Every number that decides (a bound, a count of rounds, a size that is refused, a safety factor) stands here with a line under
it. Nothing is imported, and everybody may import from here. Compiled functions hold the numbers they read and are compiled anew when
their file here changes; so numbers of kernels have files of their own: `round_off`, `shapes`, `contact`, `time_stepping`, `steps` and
`constraints`. The others may be edited at no such cost.
Begin with `round_off`; a new tolerance goes to the file of its subject, under the heading that says what it bounds.
"""
