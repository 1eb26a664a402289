"""Page templates (Jinja, Django, Tornado, Bottle) as small programs: what they print, where, and with which escaping.

Always holds: a template is only read, never rendered; every loop over its text is bounded. Does not belong here: where the
values come from; the flow engine follows those.
"""
