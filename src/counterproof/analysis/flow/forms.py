"""Forms as objects: what the sender typed into a field, read through the form's class instead of the request.

Always holds: only fields that carry text as it came are sources; a field that turns its text into a number, a date or one of its
choices is none. Does not belong here: request objects.
"""

from counterproof.analysis.flow.words import words
from counterproof.analysis.libraries import names

_PACKAGES = frozenset(names("request", "form"))
_READ = frozenset({"data", "raw_data", "object_data"})
_FORMS = words("Form FlaskForm BaseForm SecureForm ModelForm")
_TEXTS = words("""
StringField TextField TextAreaField PasswordField HiddenField EmailField URLField SearchField TelField Field CKEditorField
PageDownField ColorField FieldList FormField
""")
_FILES = words("FileField MultipleFileField")


def field_channel(path: str) -> str:
    """`form` or `file` where a resolved name is what somebody sent in a form's field, else ''."""
    head, _, last = path.rpartition(".")
    if last not in _READ or not head.endswith("()") or head.split(".", 1)[0] not in _PACKAGES:
        return ""
    kind = head[:-2].rpartition(".")[2]
    if kind in _TEXTS:
        return "form"
    if kind in _FILES:
        return "file"
    return "form" if kind in _FORMS and last == "data" else ""
