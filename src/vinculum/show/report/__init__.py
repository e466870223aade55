"""A report on a motion in one HTML file. Begin with `report`."""
