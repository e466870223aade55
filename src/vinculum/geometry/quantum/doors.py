"""What the room `show` draws of states."""

from vinculum.upward import Door

STATE_PICTURE = Door("vinculum.show")
"""A picture of one state, as a Matplotlib figure."""
