"""The equations of motion, each form in its own file, over floats or symbols. Begin with `recursions.newton_euler`.

Imports `systems` and below.
"""
