"""Graphs become tapes, tapes become machine code. No mechanics here; imports `scalars` only.

Begin with `tape` and `trace`; `targets` turn a tape into something that computes, `evaluate` chooses among them.
Importing this room tells Numba where its compiled functions are kept, and to say so where it compiles for long (`announce`).
"""

from vinculum.compile import announce, blas_check
from vinculum.compile.disk import numba_cache

numba_cache.use()
blas_check.put_off()
announce.listen()
