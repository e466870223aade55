"""Event-driven contact: smooth phases, and impacts between them. Begin with `event_driven` and `touching`."""
