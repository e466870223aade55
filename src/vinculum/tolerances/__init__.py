"""Tolerances, each stated once: what it bounds, relative to what, and the reason for its size.

Every number that decides (a bound, an iteration limit, a largest accepted size, a safety factor) is defined here with
an explanation under it. This room imports nothing, and every room may import it. Compiled functions contain the
numbers they use and are recompiled when their file here changes. So the numbers of kernels have files of their own:
`round_off`, `shapes`, `contact`, `time_stepping`, `steps` and `constraints`. The others can be edited without
recompilation. Begin with `round_off`; a new tolerance goes to the file of its subject, under the heading that says
what it bounds.
"""
