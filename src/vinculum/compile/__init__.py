from vinculum.compile.disk import numba_cache

numba_cache.use()
