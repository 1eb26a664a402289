"""Static analysis of the code. Knows nothing of agents, rounds or reports; returns facts and candidates."""
