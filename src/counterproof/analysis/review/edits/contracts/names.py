"""Names that two files share as plain texts: routes, settings, messages, columns. One side was changed and the other was not.

Harmful where nothing defines the old name any more and something still asks for it. Harmless where another definition of
the name is left, and where the change adapts who asks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts.users import listed
from counterproof.analysis.review.edits.parts import Part, walk


@dataclass(frozen=True, slots=True)
class Kind:
    """How a name is given (`callees` with the text as the first argument, or under a keyword), and how others ask for it."""

    word: str
    callees: re.Pattern[str]
    keyword: str
    asks: str
    defines: str


KINDS = (
    Kind(
        "route",
        re.compile(r"(?:^|\. )(?:path|re_path|url)$"),
        "name",
        r"(?:\breverse(?:_lazy)?|\bredirect|\bresolve_url|\burl_for)\(\s*['\"](?:[\w-]+:)?NAME['\"]"
        r"|{%\s*url\s+['\"](?:[\w-]+:)?NAME['\"]",
        r"\bname\s*=\s*['\"]NAME['\"]",
    ),
    Kind(
        "message",
        re.compile(r"\. (?:emit|publish|dispatchEvent|send_task|sendMessage)$"),
        "",
        r"\.(?:on|once|addListener|subscribe|addEventListener)\(\s*['\"]NAME['\"]",
        r"\.(?:emit|publish|dispatchEvent|send_task|sendMessage)\(\s*['\"]NAME['\"]",
    ),
)
"""NAME stands for the name that is looked for."""


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Names that the old file gave and nothing gives any more; settings of a module of settings; columns without a migration."""
    for kind in KINDS:
        given = _given(file.after, kind)
        for name in _given(file.before, kind):
            if name not in given:
                yield from _asked(file, change, kind, name)
    yield from _settings(file, change)


def _given(root: Part, kind: Kind) -> dict[str, int]:
    found: dict[str, int] = {}
    for call in walk(root):
        if call.kind != "call":
            continue
        callee, given = call.role("function"), call.role("arguments")
        if callee is None or given is None or not kind.callees.search(callee.text):
            continue
        for each in given.parts if kind.keyword else given.parts[:1]:
            named = each.role("name")
            value = each.role("value") if kind.keyword and named is not None and named.text == kind.keyword else None
            text = value if kind.keyword else each
            if text is not None and text.kind == "text" and re.fullmatch(r'"[\w.:-]{3,80}"', text.text):
                found[text.text.strip('"')] = call.line
    return found


def _asked(file: FileEdit, change: Change, kind: Kind, name: str) -> Iterator[Remark]:
    asks, defines = (re.compile(each.replace("NAME", re.escape(name))) for each in (kind.asks, kind.defines))
    places: list[tuple[str, int]] = []
    for path, text in change.everywhere(name):
        if defines.search(text):
            return
        places += [(path, text.count("\n", 0, found.start()) + 1) for found in asks.finditer(text)]
    if places:
        yield Remark(
            f"{kind.word} is gone",
            "invariants",
            f"the {kind.word} `{name}` is gone and {listed(places[:1])} still asks for it",
            f"The change takes the {kind.word} `{name}` away or renames it, and nothing else in the tree gives it. It is still "
            f"asked for at {listed(places)}, where it is not found any more.",
            f"Use the new name there too, or keep `{name}`",
            _nearest(file, name),
            proved=kind.word == "route",
        )


def _settings(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Constants of a Django project's settings that others read as `settings.NAME`."""
    if not re.search(r"(?:^|/)settings(?:/\w+)?\.py$", file.path):
        return
    before, after = _constants(file.before), _constants(file.after)
    for name in sorted(set(before) - set(after)):
        read = re.compile(rf"(?<![\w.])settings\.{name}\b(?!\s*=[^=])")
        places: list[tuple[str, int]] = []
        for path, text in change.everywhere(name):
            if path != file.path and re.search(rf"^{name}\s*[:=]", text, re.MULTILINE):
                places = []
                break
            if "from django.conf import settings" in text:
                places += [(path, text.count("\n", 0, found.start()) + 1) for found in read.finditer(text)]
        if places:
            yield Remark(
                "setting is gone",
                "invariants",
                f"the setting `{name}` is gone and {listed(places[:1])} still reads it",
                f"The change takes `{name}` out of {file.path}, and no other module of the tree sets it. It is still read at "
                f"{listed(places)}, which fails with an AttributeError unless the framework itself has a default for it.",
                f"Keep `{name}`, or take its readers out too",
                _nearest(file, name),
            )


def _constants(root: Part) -> dict[str, int]:
    targets = [
        (target.text, part.line)
        for part in walk(root)
        if part.kind == "assign" and (target := part.role("left")) is not None and target.kind == "name"
    ]
    return {name: line for name, line in targets if name.isupper() and len(name) > 3}


def _nearest(file: FileEdit, name: str) -> int:
    stood = next((part.line for part in walk(file.before) if name in part.text and not part.parts), 1)
    lines = [row.line for each in file.new.values() for row in each.rows]
    return min(lines, key=lambda line: abs(line - stood), default=1)
