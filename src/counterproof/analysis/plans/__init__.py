"""Plans: what a text says it will do, and what the repository says to that. Nothing here decides; doubts are handed to agents.

Always: the plan and the repository are both untrusted text. Sizes are bounded, nothing is run, and the order of every result
follows from the text alone.
"""
