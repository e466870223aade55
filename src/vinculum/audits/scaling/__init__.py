"""Scales of residuals: sizes of terms, speeds that forces would give, and how well given numbers determine a motion.

Begin with `scales`. It imports the motion and the tolerances, and no law.
"""
