"""The system, its tree, its state and its kinematics; readers of model files. Begin with `system` and `tree`.

Imports `bonds` and below.
"""

from vinculum.systems.accelerations import body_acceleration, twist_rates
from vinculum.systems.actions_in_tree import (
    Acting,
    ActingRows,
    AlongJoint,
    Bounded,
    Constrained,
    FreeViews,
    Struck,
    free_views,
)
from vinculum.systems.bases import base_names, base_parameters, turning_links, with_bases
from vinculum.systems.event import Event
from vinculum.systems.kinematics import (
    Placement,
    joint_pose,
    joint_twist,
    link_pose,
    link_steps,
    placements,
    still_placements,
    world_poses,
)
from vinculum.systems.start import At, named_in_start, start_parameters, start_state
from vinculum.systems.subsystems import path_between, subsystem, subsystem_range
from vinculum.systems.system import System, nearest
from vinculum.systems.tree import Closure, Link, Tree, with_masses
from vinculum.systems.views import JointView, body_view, ground_view, joint_view

__all__ = [
    "Acting",
    "ActingRows",
    "AlongJoint",
    "At",
    "Bounded",
    "Closure",
    "Constrained",
    "Event",
    "FreeViews",
    "JointView",
    "Link",
    "Placement",
    "Struck",
    "System",
    "Tree",
    "base_names",
    "base_parameters",
    "body_acceleration",
    "body_view",
    "free_views",
    "ground_view",
    "joint_pose",
    "joint_twist",
    "joint_view",
    "link_pose",
    "link_steps",
    "named_in_start",
    "nearest",
    "path_between",
    "placements",
    "start_parameters",
    "start_state",
    "still_placements",
    "subsystem",
    "subsystem_range",
    "turning_links",
    "twist_rates",
    "with_bases",
    "with_masses",
    "world_poses",
]  # fmt: skip
