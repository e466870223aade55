"""Built-in potentials and forces, one file each. Begin with `spring`."""

from vinculum.bonds.potentials.bushing import Bushing
from vinculum.bonds.potentials.coulomb_charges import CoulombCharges
from vinculum.bonds.potentials.damper import Damper
from vinculum.bonds.potentials.gravitation import Gravitation
from vinculum.bonds.potentials.lennard_jones import LennardJones
from vinculum.bonds.potentials.magnetic_dipoles import MagneticDipoles
from vinculum.bonds.potentials.morse import Morse
from vinculum.bonds.potentials.spring import Spring
from vinculum.bonds.potentials.torsion_spring import TorsionSpring
from vinculum.bonds.potentials.uniform_gravity import UniformGravity

__all__ = [
    "Bushing",
    "CoulombCharges",
    "Damper",
    "Gravitation",
    "LennardJones",
    "MagneticDipoles",
    "Morse",
    "Spring",
    "TorsionSpring",
    "UniformGravity",
]
