"""Comparing a plan's text with the repository. Nothing here decides; doubts are passed to agents.

Invariant: the plan and the repository are both untrusted text. Sizes are bounded, nothing is run, and the order of every result
depends only on the text.
"""
