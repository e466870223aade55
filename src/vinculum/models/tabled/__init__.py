"""Models of many blocks: what is alike is traced once and evaluated over tables of indices.

Begin with `blocks`, then `type`. `kinds` and `bonds` trace blocks and bonds, `board` is the array that tables read and write, `rates` are
those of a run. Constraints: `conditions`, their `reactions` and sparse `factors`, and the `projection` of states.
"""
