"""Platform wheels: with VINCULUM_KERNELS=1 a wheel holds compiled kernels (`packaging/ship_kernels.py`); otherwise it is pure Python."""

import os
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PINNED = ("numba", "llvmlite")
"""What compiled kernels must fit at run time, to the last digit."""


class CustomBuildHook(BuildHookInterface):
    def dependencies(self) -> list[str]:
        """What building needs: nothing, or all that the package needs to run, with the compiler's versions of constraints.txt."""
        if not self._compiles():
            return []
        pins = [line.strip() for line in Path(self.root, "constraints.txt").read_text().splitlines()]
        needed = [*self.metadata.core.dependencies, *self.metadata.core.optional_dependencies["full"]]
        return [*needed, *(pin for pin in pins if pin.split("==")[0] in PINNED)]

    def initialize(self, version: str, build_data: dict) -> None:
        """Compile the kernels and add them to the wheel; an editable installation stays as it is."""
        if not self._compiles() or version == "editable":
            return
        folder = Path(self.root, "build", "shipped")
        subprocess.run([sys.executable, Path(self.root, "packaging", "ship_kernels.py"), folder], check=True)
        build_data["pure_python"], build_data["infer_tag"] = False, True
        build_data["force_include"][str(folder)] = "vinculum/shipped"

    def _compiles(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("VINCULUM_KERNELS") == "1"
