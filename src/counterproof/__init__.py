"""Counterproof: reviews by agents, with the protocol in code. This file contains only the version."""

__version__ = "0.2.0"
