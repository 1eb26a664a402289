"""Verification of an implementation plan, P1 to P15: the engine counts, agents argue. Pure."""
