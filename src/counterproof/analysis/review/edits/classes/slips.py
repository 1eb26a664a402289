"""Slips in what the change writes that the statement itself shows, whatever the program is for.

A result that nobody keeps, a comparison with an object that was just made, an index one past the end, a time with a zone
against one without: each fails or does nothing always, so each is proved. A handler that says nothing, a query for each
element, a value read, changed and written back rest on one belief (that the error matters, that there are many, that two may come
at once). Harmless: a comment in the handler, one query for all, a lock or an update by the database.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.classes.unset import fresh
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, Unit, heads
from counterproof.analysis.review.edits.wording import shown

_PURE = {
    True: ("strip", "lstrip", "rstrip", "lower", "upper", "casefold", "capitalize", "removeprefix", "removesuffix", "zfill"),
    False: ("trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "concat", "slice", "padStart", "padEnd", "replaceAll"),
}
"""Methods that give a new value and change nothing, by whether the file is Python."""
_ASKED = re.compile(r"\. (?:findUnique|findFirst|findOne|findById|findByPk|findOneBy|findOneOrFail|findUniqueOrThrow)$")
_NAIVE = re.compile(r"^(?:datetime \. )?datetime \. (?:now|utcnow) \(\)$")
_AWARE = re.compile(r"^(?:django \. utils \. )?timezone \. now \(\)$|^(?:datetime \. )?datetime \. now \( .+ \)$")
_READ = re.compile(r"\. objects \. get \(")


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Statement by statement."""
    python = file.path.endswith(".py")
    for unit, row in fresh(file):
        yield from _thrown_away(row, python)
        yield from _past_the_end(unit, row)
        yield from _written_back(unit, row)
        if not python:
            yield from _silent(row)
            yield from _query(row)
        for part in heads(row):
            yield from _compared(part, python)
            yield from _never_missing(part)
            yield from _taken_apart(part)


def _taken_apart(part: Part) -> Iterator[Remark]:
    """`const { a } = x?.y`, `for (… of x?.y)`: what may be missing is taken apart, which throws."""
    target, value = part.role("left", "name"), part.role("right", "value")
    taken = part.kind == "for" or (target is not None and target.kind in ("object_pattern", "array_pattern"))
    if part.kind not in ("assign", "for") or " in " in part.text or not taken or value is None:
        return
    if value.kind in ("attribute", "index", "call"):
        chain = next((each for each in walk(value) if each.optional), None)
        if chain is not None:
            yield _remark(
                part.line, "taken apart while it may be missing", "null-safety",
                f"`{shown(value)}` may be missing where it is taken apart",
                f"`?.` says that `{shown(chain.parts[0])}` may be missing, and then `{shown(value)}` is undefined. Taking that "
                "apart throws a TypeError, so the `?.` moves the failure and does not avoid it.",
                "Give a default (`?? {}`, `?? []`), or check first", proved=False,
            )  # fmt: skip


def _remark(line: int, kind: str, domain: str, title: str, why: str, fix: str, proved: bool = True) -> Remark:
    return Remark(kind, domain, title, why, fix, line, proved=proved)


def _thrown_away(row: Row, python: bool) -> Iterator[Remark]:
    call = row.part.parts[0] if row.kind == "expr" and row.part.parts else None
    callee = call.role("function") if call is not None and call.kind == "call" else None
    if callee is None or callee.kind != "attribute" or callee.parts[-1].text not in _PURE[python]:
        return
    name = callee.parts[-1].text
    yield _remark(
        row.line, "result is thrown away", "logic", f"`{shown(row.text)}` changes nothing",
        f"`{name}` gives a new value and leaves `{shown(callee.parts[0])}` as it is. Nobody keeps the new value, so the "
        "statement does "
        "nothing, whatever the value is.", f"Keep what `{name}` gives",
    )  # fmt: skip


def _never_missing(part: Part) -> Iterator[Remark]:
    """`a === 1 ?? c`: what a comparison gives is true or false, never nothing. `a && b` may be nothing where `a` is."""
    first = part.parts[0] if part.kind == "bool" and part.operator == "??" else None
    if first is not None and first.kind in ("compare", "not"):
        yield _remark(
            part.line, "the other side is never taken", "logic", f"`{shown(part)}` never comes to what stands after `??`",
            f"`{shown(first)}` is true or false and never missing, so `??` always takes it. What stands after it has no effect, "
            "whatever the values are.", "Use `||` if the second is to count where the first is false",
        )  # fmt: skip


def _compared(part: Part, python: bool) -> Iterator[Remark]:
    if part.kind == "compare" and len(part.parts) == 2:
        fresh_side = next(
            (each for each in part.parts if each.kind in ("list", "mapping", "set") or each.text in ("[]", "{}")), None
        )
        identity = ("is", "is not") if python else ("==", "===", "!=", "!==")
        if fresh_side is not None and part.operator in identity:
            yield _remark(
                part.line, "compared with a fresh object", "logic", f"`{shown(part)}` has the same outcome always",
                f"`{shown(fresh_side)}` makes a new object each time, and the comparison asks whether both sides are one "
                "object. They "
                "never are, so the branch is always or never taken.", "Compare the contents or the length",
            )  # fmt: skip
    if not python and part.kind == "compare" and len(part.parts) == 2 and part.parts[0].kind == "not":
        number = part.parts[1].kind == "number" or part.parts[1].text == "- 1" or part.parts[1].text == "-1"
        if part.operator in ("in", "instanceof") or number:
            yield _remark(
                part.line, "negation before the comparison", "logic", f"`{shown(part)}` negates before it compares",
                f"`!` takes only `{shown(part.parts[0].parts[0])}`, and the true or false that comes of it is what is "
                "compared. The "
                "comparison has the same outcome whatever the value is.", "Put what is compared in brackets",
            )  # fmt: skip
    times = part.parts if part.kind in ("compare", "binary") and len(part.parts) == 2 else ()
    if python and any(_NAIVE.match(each.text) for each in times) and any(_AWARE.match(each.text) for each in times):
        yield _remark(
            part.line, "time without a zone", "edge-cases", f"`{shown(part)}` mixes a time with a zone and one without",
            "One side knows its time zone and the other does not. Python refuses to compare or subtract the two with a "
            "TypeError, each "
            "time the line runs.", "Take both in one zone",
        )  # fmt: skip


def _past_the_end(unit: Unit, row: Row) -> Iterator[Remark]:
    found = re.search(r"\bfor (\w+) in range \( len \( ([\w. ]+?) \) \+ 1 \)", row.text) if row.kind == "for" else None
    script = re.search(r"(\w+) <= ([\w. ]+?) \. length\b", row.text) if row.kind == "for" and found is None else None
    match = found or script
    if match is None:
        return
    index, collection = match.groups()
    wanted = f"{collection} [ {index} ]"
    inside = [each for each in unit.rows if any(outer is row for outer, _ in each.within)]
    use = next((part.line for each in inside for part in heads(each) if part.kind == "index" and part.text == wanted), 0)
    if use:
        yield _remark(
            row.line, "one past the end", "edge-cases", f"the last round asks for `{shown(wanted)}` beyond the end",
            f"The loop lets `{index}` reach the length of `{shown(collection)}`, whose last element stands one before "
            f"that. Line {use} "
            "then asks for an element that is not there, on every run.", "End the loop one earlier",
        )  # fmt: skip


def _silent(row: Row) -> Iterator[Remark]:
    body = row.part.role("body") if row.kind == "handler" else None
    if body is not None and not body.parts and body.end - body.line <= 1:
        yield _remark(
            row.line, "error is swallowed", "error-handling", "every error ends here without a word",
            "The handler takes whatever is thrown, does nothing with it and says nothing about why. What failed is not "
            "noticed here, "
            "and what follows runs as if it had worked.", "Handle it, report it, or say why it may be lost", proved=False,
        )  # fmt: skip


def _query(row: Row) -> Iterator[Remark]:
    loop = next((outer for outer, slot in reversed(row.within) if outer.kind == "for" and slot == "body"), None)
    if loop is None:
        return
    for part in heads(row):
        callee, given = part.role("function"), part.role("arguments")
        if part.kind == "call" and callee is not None and given is not None and _ASKED.search(callee.text):
            target = loop.part.role("left")
            names = {leaf.text for leaf in walk(target)} if target is not None else set[str]()
            if names & {each.text for each in walk(given)}:
                yield _remark(
                    row.line, "query in a loop", "io", f"`{shown(callee)}` is asked once for each element",
                    f"The loop at line {loop.line} waits for one query for each of its elements. With many of them this "
                    "is as many round "
                    "trips, one after the other, where one query for all would do.", "Ask for all of them at once", proved=False,
                )  # fmt: skip


def _written_back(unit: Unit, row: Row) -> Iterator[Remark]:
    """`a = M.objects.get(…)`, `a.n += 1`, `a.save()`."""
    assigned = row.part.parts[0] if row.kind == "expr" and row.part.parts else None
    target = assigned.role("left") if assigned is not None and assigned.kind in ("assign", "augment") else None
    value = assigned.role("right") if assigned is not None else None
    if target is None or value is None or target.kind != "attribute" or target.parts[0].kind != "name":
        return
    sums = assigned is not None and assigned.kind == "augment"
    sums = sums or (value.kind == "binary" and value.text.startswith(f"{target.text} "))
    owner = target.parts[0].text
    texts = [each.text for each in unit.rows]
    read = any(text.startswith(f"{owner} = ") and _READ.search(text) and "select_for_update" not in text for text in texts)
    saved = any(text.startswith(f"{owner} . save (") for text in texts)
    if sums and read and saved and not re.search(r"\bF \(", value.text):
        yield _remark(
            row.line, "lost update", "races", f"`{shown(target)}` is read, changed and written back",
            f"`{owner}` is read, `{shown(row.text)}` changes it here, and `{owner}.save()` writes it back. Of two "
            "requests at the same "
            "time both read the old value, and one of the two changes is lost.",
            "Let the database do the sum (`F(…)`), or lock the row with `select_for_update()`", proved=False,
        )  # fmt: skip
