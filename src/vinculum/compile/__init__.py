"""Graphs become tapes, tapes become machine code. No mechanics here; imports `scalars` only.

Begin with `tape` and `trace`; `targets` make a tape executable, `evaluate` chooses among them. Importing this room
sets Numba's cache, and announces long compilations (`announce`).
"""

from vinculum.compile import announce, blas_check, linking
from vinculum.compile.disk import numba_cache

numba_cache.use()
linking.use()
blas_check.put_off()
announce.listen()
