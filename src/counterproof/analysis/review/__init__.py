"""Facts about a change: the code it touches, its surroundings, and the results of checks.

Invariant: only surveyed files are read; none of the target's code is run; each claim is a proposal with a line as evidence. Not
handled here: reviewers, votes and reports.
"""
