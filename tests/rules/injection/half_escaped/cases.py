def literal(text):
    return '"' + text.replace('"', '\\"') + '"'  # expect: half-escaped


def both(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'  # ok: half-escaped


def marks(text):
    return text.replace("<", "&lt;").replace('"', "&quot;")  # ok: half-escaped
