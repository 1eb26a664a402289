"""Reconnaissance other than entry points: modules, content types, frameworks, kind of project, most important files.

Invariant: every statement is based on a line, an import or a manifest. Not handled here: entry points, dependencies.
"""
