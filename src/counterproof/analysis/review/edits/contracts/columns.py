"""Columns of a Django model that changed while no migration came along.

Harmful where the application keeps migrations: the database lacks the column, or still has it, until somebody notices. Harmless
for abstract and unmanaged models, for arguments that the database never sees, and where the change brings a migration.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part, walk

_COLUMN = re.compile(r"(?:models \. )?\w+(?:Field|ForeignKey) \(|models \. (?:ForeignKey|OneToOneField|ManyToManyField) \(")
_UNSEEN = ("help_text", "verbose_name", "editable", "validators", "choices", "related_name", "error_messages", "blank")


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for a file of models."""
    folder = _application(file.path)
    kept = f"{folder}/migrations/" if folder else "migrations/"
    if (
        not file.path.endswith(".py")
        or f"{kept}__init__.py" not in change.paths
        or any(each.startswith(kept) for each in change.touched)
    ):
        return
    before, after = _columns(file.before), _columns(file.after)
    for model, columns in after.items():
        old = before.get(model)
        other = [
            name
            for name in sorted({*columns, *(old or ())})
            if old is not None and columns.get(name, ("", 0))[0] != old.get(name, ("", 0))[0]
        ]
        if other:
            line = columns[other[0]][1] if other[0] in columns else next((line for _, line in columns.values()), 1)
            yield Remark(
                "no migration for the column",
                "invariants",
                f"`{model}.{other[0]}` changes the database and no migration comes with it",
                f"The change adds, takes away or alters {', '.join(f'`{each}`' for each in other[:5])} of the model "
                f"`{model}`. The application keeps its migrations in {kept}, and the change brings none there, so the table and "
                "the model disagree.",
                "Make the migration and add it to the change",
                line,
                proved=True,
            )
            return


def _application(path: str) -> str:
    folder = path.rpartition("/")[0]
    return folder.removesuffix("/models")


def _columns(root: Part) -> dict[str, dict[str, tuple[str, int]]]:
    """Each model's columns as they are written, without what the database never sees."""
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for part in walk(root):
        bases, body, name = part.role("superclasses"), part.role("body"), part.role("name")
        if part.kind != "class" or bases is None or body is None or name is None or "models . Model" not in bases.text:
            continue
        if re.search(r"\babstract = True|\bmanaged = False|\bproxy = True", body.text) or any(_meta(each) for each in walk(body)):
            continue
        columns = found.setdefault(name.text, {})
        for each in body.parts:
            assigned = each.parts[0] if each.kind == "expr" and each.parts and each.parts[0].kind == "assign" else None
            target, value = (assigned.role("left"), assigned.role("right")) if assigned is not None else (None, None)
            if target is not None and value is not None and _COLUMN.match(value.text):
                columns[target.text] = (_as_stored(value), each.line)
    return found


def _meta(part: Part) -> bool:
    return part.kind == "assign" and re.fullmatch(r"(?:abstract|proxy) = True|managed = False", part.text) is not None


def _as_stored(value: Part) -> str:
    """What the database sees of a column."""
    callee, given = value.role("function"), value.role("arguments")
    seen = [each.text for each in (given.parts if given is not None else ()) if not _unseen(each)]
    return f"{callee.text if callee is not None else ''} {seen}"


def _unseen(argument: Part) -> bool:
    named = argument.role("name")
    return argument.kind == "keyword" and named is not None and named.text in _UNSEEN
