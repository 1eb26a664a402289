"""The map of a project: entry points, rights, sinks, settings, requests, files, sessions, component sizes, and unread files."""

from counterproof.analysis.map.build import map_of

__all__ = ["map_of"]
