"""Row 6: the equations of motion, each form in its own file, over floats or symbols."""
