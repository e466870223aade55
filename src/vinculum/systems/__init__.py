"""Row 5: the system, its tree, its state and its kinematics."""

from vinculum.systems.kinematics import Placement, joint_twist, link_pose, placements, world_poses
from vinculum.systems.start import At, start_state
from vinculum.systems.system import System, nearest
from vinculum.systems.tree import Link, Tree
from vinculum.systems.views import BodyView, JointView, joint_view

__all__ = ["At", "BodyView", "JointView", "Link", "Placement", "System", "Tree", "joint_twist", "joint_view", "link_pose",
           "nearest", "placements", "start_state", "world_poses"]  # fmt: skip
