"""Accelerations of a batch of states: one public function, the fastest route."""
