"""A motion in another inertial frame: `system` describes the system there, `record` carries the states over. Begin with `record`."""
