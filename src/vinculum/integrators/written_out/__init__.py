"""Steps of models whose equations are graphs."""
