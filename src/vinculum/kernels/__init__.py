from vinculum.kernels import numba_cache

numba_cache.use()
