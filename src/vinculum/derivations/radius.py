"""How far a power series reaches, judged by its coefficients."""
import numpy as np
def radius_of_convergence(c): return np.inf
