"""Counterproof: reviews by agents, with the protocol in code. The version is the only thing that lives here."""

__version__ = "0.2.0"
