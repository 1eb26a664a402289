"""Page templates (Jinja, Django, Tornado, Bottle) as small programs: their output, its position in the page, and its escaping.

Invariant: a template is only read, never rendered; every loop over its text is bounded. Not handled here: the origin of values;
the flow engine follows those.
"""
