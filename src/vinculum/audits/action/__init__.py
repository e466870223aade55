"""The action of a motion when a carrier moves it: Hamilton's principle with impacts, and the second variation. Begin with `rates`."""
