"""The equations of motion as a user gets them: `graphs` are what they are made of, `equations` shows them as numbers,
formulas and code. Begin with `equations`.
"""

from vinculum.derivations.equations.equations import Equations

__all__ = ["Equations"]
