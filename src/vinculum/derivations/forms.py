"""The forms of the equations of motion, each with the module that derives it."""

import importlib
from types import ModuleType

from vinculum.errors import MethodError
from vinculum.systems import Tree, nearest

MODULES = {
    "newton-euler": "vinculum.equations.forms.newton_euler_blocks",
    "lagrange": "vinculum.equations.forms.lagrange",
    "telegin": "vinculum.equations.forms.telegin",
    "hamilton": "vinculum.equations.forms.hamilton",
}
IN_RATES = ("lagrange", "hamilton")
"""Forms over coordinates and their rates; the others are over quasi-velocities."""


def form_module(form: str) -> ModuleType:
    """The module with `standard_form(tree, q, v, t)`; an unknown form is refused."""
    if form not in MODULES:
        raise MethodError(f"there is no form {form!r} of the equations{nearest(form, MODULES)}")
    return importlib.import_module(MODULES[form])


def check_form(tree: Tree, form: str) -> None:
    """Refuse a form that cannot express the system."""
    if not tree.nv:
        raise MethodError(
            f"system '{tree.name}' has no velocities, so there is nothing to derive; add a joint that moves"
        )
    if tree.varied and form == "hamilton":
        names = ", ".join(f"'{one.constraint.name}'" for one in tree.varied)
        raise MethodError(
            f"system '{tree.name}': {names} add{'s' * (len(tree.varied) == 1)} to the Lagrangian, whose momenta Hamilton's form here does "
            'not have; use form="newton-euler", "lagrange" or "telegin"'
        )
    if tree.varying and form == "hamilton":
        raise MethodError(
            f"system '{tree.name}': the mass of '{tree.varying[0].body.name}' varies, and such a system has no Hamiltonian; use "
            'form="newton-euler", "lagrange" or "telegin"'
        )
    if form not in IN_RATES:
        return
    for link in tree.links:
        if link.joint.nq != link.joint.nv:
            others = " or ".join(f'form="{name}"' for name in MODULES if name not in IN_RATES)
            raise MethodError(
                f"joint '{link.joint.name}' has {link.joint.nq} coordinates for {link.joint.nv} velocities (a quaternion), "
                f"and the form '{form}' needs as many of both: the mass matrix of the coordinates is singular; "
                f'use {others}, or a chart of three numbers: chart="fedorov", "xyz" or "zxz"'
            )
