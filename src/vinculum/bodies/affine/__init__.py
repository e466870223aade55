"""The affine body, its kinematics, energies and dissipations. Begin with `body`."""

from vinculum.bodies.affine.body import AffineBody

__all__ = ["AffineBody"]
