"""`simulate`: from a system and a start to a motion. Everything that happens once a run stands here."""
