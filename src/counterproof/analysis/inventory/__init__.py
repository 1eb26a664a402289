"""What reconnaissance lists besides entry points: modules, content types, frameworks, kind of project, files that matter most.

Invariant: every statement rests on a line, an import or a manifest. Not handled here: entry points, dependencies.
"""
