"""What is drawn of trees of bodies, and of points that act in pairs."""
