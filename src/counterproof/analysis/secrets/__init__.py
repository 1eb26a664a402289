"""Secrets in the source: finding them, and keeping them out of everything that is shown."""

from counterproof.analysis.secrets.examination import examine

__all__ = ["examine"]
