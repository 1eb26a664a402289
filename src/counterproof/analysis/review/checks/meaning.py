"""Where a name and what stands behind it contradict each other, the same in every language that is lowered; and names with a
letter missing that the same file writes in full elsewhere.

Always: the contradiction is between two things that are both written down; what a name might have meant is not guessed.
"""

import re
from collections import Counter
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.expression_texts import written
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

_PART = re.compile(r"[A-Z]?[a-z]{5,30}")
_WORD = re.compile(r"[A-Za-z]{5,30}")
MIN_WRITTEN = 1

_EITHER = re.compile(r"(?:is|has|can)_?[A-Za-z]{2,40}(?:Or[A-Z]|_or_[a-z])[A-Za-z]{1,40}")
_UNIQUE = re.compile(r"(?:unique|distinct)(?:[A-Z_]\w{0,60})\Z|dedup\w{0,60}\Z")
_SET_LIKE = re.compile(
    r"set|uniq|distinct|dedup|indexof|findindex|lastindexof|group|index|seen|map\b|count|values_list|keys", re.I
)
_NARROWED = re.compile(r"(?:unique|valid|filtered|allowed|new|active|remaining|sanitized|clean)_?(\w{3,60})\Z", re.IGNORECASE)


def contradicted(view: View) -> Iterator[Claim]:
    """All of them, function by function."""
    for module, function in view.functions(tests=False, scripts=True):
        assigned = [(node, node.targets[0]) for node in walk(*function.body) if _single(node) and isinstance(node, ir.Assign)]
        for node, target in assigned:
            if isinstance(target, ir.Name) and view.touches(module.path, node.line, node.end):
                yield from _or(module.path, node, target.id)
                yield from _unique(module, node, target.id)
        if not function.within:
            yield from _folded(view, module.path, function)
            yield from _original(view, module.path, function)
        yield from _own_name(view, module.path, function)


def _single(node: ir.Node) -> bool:
    return isinstance(node, ir.Assign) and len(node.targets) == 1 and node.value is not None


def _or(path: str, node: ir.Assign, name: str) -> Iterator[Claim]:
    """`isAdminOrOwner = isAdmin && isOwner`."""
    value = node.value
    if not isinstance(value, ir.Boolean) or value.operator != "and" or len(value.operands) != 2 or not _EITHER.fullmatch(name):
        return
    parts = [part.lower() for part in re.split(r"Or(?=[A-Z])|_or_", name)]
    ends = [re.sub(r"^(?:is|has|can)_?", "", part) for part in parts]
    heard = ["".join(_words(each)).lower() for each in value.operands]
    named = all(any(end[-5:] in text for text in heard) for end in ends)
    if named:
        yield Claim(
            "name says or, code says and", f"{name} holds only if both hold", Severity.HIGH, at(path, node.line),
            f"The name {name} promises one or the other, and the value is true only when both are. Whoever is one of the two "
            "alone is treated as neither.", fix="Use `or`, or give it a name that says both",
        )  # fmt: skip


def _words(expr: ir.Expr) -> list[str]:
    return [
        each.id if isinstance(each, ir.Name) else each.name for each in walk(expr) if isinstance(each, ir.Name | ir.Attribute)
    ]


def _unique(module: ir.Module, node: ir.Assign, name: str) -> Iterator[Claim]:
    """`uniqueGuests = guests.filter(…)`: nothing in it takes duplicates out."""
    value = node.value
    plain_filter = isinstance(value, ir.Call) and isinstance(value.callee, ir.Attribute) and value.callee.name == "filter"
    listed = isinstance(value, ir.Comprehension) and value.kind == "list"
    if not _UNIQUE.fullmatch(name) or not (plain_filter or listed) or value is None:
        return
    inner = [each for each in module.functions if node.line <= each.line and each.end <= node.end and each.within]
    said = " ".join((*_words(value), *(word for each in inner for body in each.body for word in _spoken(body))))
    if not _SET_LIKE.search(said):
        yield Claim(
            "name says unique", f"{name} may hold the same element twice", Severity.MEDIUM, at(module.path, node.line),
            f"The name {name} promises that each element is there once. The value is filtered by other conditions only; an "
            "element that comes in twice goes out twice.", confidence=Confidence.MEDIUM,
            fix="Take duplicates out as well, for instance through a set, or give it another name",
        )  # fmt: skip


def _spoken(node: ir.Node) -> list[str]:
    return [
        each.id if isinstance(each, ir.Name) else each.name for each in walk(node) if isinstance(each, ir.Name | ir.Attribute)
    ]


def _folded(view: View, path: str, function: ir.Function) -> Iterator[Claim]:
    """A list whose texts were lower-cased, searched for a text that was not."""
    lists = {
        target.id
        for node in walk(*function.body)
        if isinstance(node, ir.Assign) and len(node.targets) == 1 and isinstance(target := node.targets[0], ir.Name)
        and node.value is not None and _folds_all(function, node.value)
    }  # fmt: skip
    folded = {
        name
        for node in walk(*function.body)
        if isinstance(node, ir.Assign) and node.value is not None and _folds(node.value)
        for name in _words_of_targets(node)
    }
    for node in walk(*function.body):
        if not isinstance(node, ir.Compare) or len(node.operands) != 2 or node.operators[0] not in ("in", "not in"):
            continue
        left, right = node.operands
        plain = isinstance(left, ir.Name | ir.Attribute) and not (isinstance(left, ir.Name) and left.id in folded)
        if isinstance(right, ir.Name) and right.id in lists and plain and view.touches(path, node.line, node.end):
            yield Claim(
                "case is folded on one side", f"{written(left)} is compared as written with lower-case texts", Severity.HIGH,
                at(path, node.line),
                f"Every text in {right.id} was made lower-case, and {written(left)} was not. A single capital letter makes the "
                "search fail; where the list blocks something, that is the way around it.",
                fix=f"Make {written(left)} lower-case too",
            )  # fmt: skip


def _folds(expr: ir.Expr) -> bool:
    return any(
        isinstance(each, ir.Attribute) and each.name in ("lower", "casefold", "toLowerCase", "upper") for each in walk(expr)
    )


def _folds_all(function: ir.Function, value: ir.Expr) -> bool:
    """`[e.lower() for e in …]` or `….map(e => e.toLowerCase())`."""
    inner = {node.name: node for node in walk(*function.body) if isinstance(node, ir.Function)}
    for each in walk(value):
        if isinstance(each, ir.Comprehension) and each.kind != "mapping" and _last_lowers(each.element):
            return True
        if isinstance(each, ir.Call) and isinstance(each.callee, ir.Attribute) and each.callee.name == "map" and each.arguments:
            mapped = each.arguments[0].value
            body = inner[mapped.id].body if isinstance(mapped, ir.Name) and mapped.id in inner else ()
            if any(isinstance(one, ir.Return) and one.value is not None and _last_lowers(one.value) for one in body):
                return True
    return False


def _last_lowers(expr: ir.Expr) -> bool:
    called = isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attribute)
    return called and isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attribute) and expr.callee.name == "lower"


def _words_of_targets(node: ir.Assign) -> list[str]:
    return [each.id for target in node.targets for each in walk(target) if isinstance(each, ir.Name)]


def _original(view: View, path: str, function: ir.Function) -> Iterator[Claim]:
    """`uniqueGuests = guests.filter(…)`, checked for being empty, and later `send(guests)`."""
    for node in walk(*function.body):
        if not isinstance(node, ir.Assign) or not isinstance(node.value, ir.Call) or len(node.targets) != 1:
            continue
        target, callee = node.targets[0], node.value.callee
        if not (isinstance(target, ir.Name) and isinstance(callee, ir.Attribute) and callee.name == "filter"):
            continue
        source = callee.value.id if isinstance(callee.value, ir.Name) else ""
        narrowed = _NARROWED.fullmatch(target.id)
        if not source or not narrowed or narrowed[1].lower() != source.lower():
            continue
        for call in walk(*function.body):
            passed = isinstance(call, ir.Call) and call.line > node.end and _passes(call, source)
            if passed and view.touches(path, call.line, call.end):
                yield _original_claim(path, call.line, source, target.id, node.line)


def _passes(call: ir.Call, name: str) -> bool:
    return any(isinstance(each.value, ir.Name) and each.value.id == name for each in call.arguments)


def _original_claim(path: str, line: int, source: str, narrowed: str, made: int) -> Claim:
    return Claim(
        "original is used after filtering", f"{source} is passed on, not {narrowed}", Severity.MEDIUM, at(path, line),
        f"Line {made} makes {narrowed} of {source} and leaves some elements out. This call gets {source} with all of them, so "
        "what was sorted out is dealt with here all the same.", confidence=Confidence.MEDIUM,
        fix=f"Pass {narrowed}, or say why everything is meant",
    )  # fmt: skip


def _own_name(view: View, path: str, function: ir.Function) -> Iterator[Claim]:
    """`if (!x.refresh_token) x.refresh_token = "refresh_token"`."""
    for branch in walk(*function.body):
        if not isinstance(branch, ir.Branch) or not isinstance(branch.test, ir.Not):
            continue
        for node in branch.body:
            if not isinstance(node, ir.Assign) or len(node.targets) != 1 or not isinstance(node.value, ir.Const):
                continue
            target, value = node.targets[0], node.value.value
            named = target.name if isinstance(target, ir.Attribute) else _key(target)
            if named and value == named and len(named) > 3 and view.touches(path, node.line, node.end):
                yield Claim(
                    "filled with its own name", f"{named} is filled with the text {named!r}", Severity.HIGH, at(path, node.line),
                    f"Where {named} is missing, the text {named!r} takes its place: a placeholder that looks like a value. "
                    "Whoever reads it later takes it for a real one and fails there.",
                    fix="Leave it out, or fail here and say what is missing",
                )  # fmt: skip


def _key(target: ir.Expr) -> str:
    key = target.key if isinstance(target, ir.Index) else None
    return key.value if isinstance(key, ir.Const) and isinstance(key.value, str) else ""


def misspelt(view: View) -> Iterator[Claim]:
    """Parts of new function names that occur once, one inner letter short of a word that the file has more often."""
    for module in view.modules():
        words = Counter(part.lower() for part in _PART.findall(view.project.text(module.path)))
        for function in module.functions:
            if not view.touches(module.path, function.line, function.line):
                continue
            for part in _PART.findall(function.name):
                full = _full(part.lower(), words)
                if full:
                    yield _claim(module.path, function.line, function.name, part, full)


def _full(part: str, words: Counter[str]) -> str:
    """The word that a part is short of by one inner letter; '' if there is none."""
    if words[part] != 1 or len(part) < 6:
        return ""
    for place in range(1, len(part)):
        head, tail = part[:place], part[place:]
        for word, count in words.items():
            if count >= MIN_WRITTEN and len(word) == len(part) + 1 and word.startswith(head) and word[place + 1 :] == tail:
                return word
    return ""


def _claim(path: str, line: int, name: str, part: str, full: str) -> Claim:
    return Claim(
        kind="misspelt name",
        title=f"{name} says {part} and means {full}",
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        at=at(path, line),
        why=f"{part!r} stands nowhere else in this file, and {full!r} does. A search for the word misses this name.",
        fix=f"Write {full}",
    )
