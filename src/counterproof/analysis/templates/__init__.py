"""Page templates (Jinja, Django, Tornado, Bottle) as small programs: what they print, where, and with which escaping.

Invariant: a template is only read, never rendered; every loop over its text is bounded. Not handled here: where the values
come from; the flow engine follows those.
"""
