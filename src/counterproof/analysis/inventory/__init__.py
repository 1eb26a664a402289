"""What reconnaissance lists besides entry points: modules, content types, frameworks, kind of project, files that matter most.

Always holds: every statement rests on a line, an import or a manifest. Does not belong here: entry points, dependencies.
"""
