"""Numbers that may be symbols, and the functions, derivatives and linear algebra that work on both. Begin with `scalar`.

Imports `errors` and `tolerances` only.
"""

from vinculum.scalars.differentiate import Along, directional, gradient, jacobian
from vinculum.scalars.formulas import formulas
from vinculum.scalars.graph import depends_on, parameters, replay, substitute, value
from vinculum.scalars.linear import cholesky, cholesky_solve, inverse3, ldl, ldl_solve, orthogonalize, qr_solve
from vinculum.scalars.math import vector
from vinculum.scalars.parameter import parameter
from vinculum.scalars.piecewise import Piecewise
from vinculum.scalars.scalar import Scalar, Value, symbol, symbols
from vinculum.scalars.table import Table

__all__ = [
    "Along",
    "Piecewise",
    "Scalar",
    "Table",
    "Value",
    "cholesky",
    "cholesky_solve",
    "depends_on",
    "directional",
    "formulas",
    "gradient",
    "inverse3",
    "jacobian",
    "ldl",
    "ldl_solve",
    "orthogonalize",
    "parameter",
    "parameters",
    "qr_solve",
    "replay",
    "substitute",
    "symbol",
    "symbols",
    "value",
    "vector",
]
