"""Files kept between processes: machine code of tapes (`cache`) and of compiled loops (`numba_cache`, `shipped` with a
wheel).
"""
