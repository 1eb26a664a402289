"""One thing taken for another that does less or the opposite, while what it is given is the same.

Harmful where the two are known to differ just in the case that the first was written for: `Object.hasOwn` and the value's own
`hasOwnProperty`, `all` and `any`, `||` and `??`, a number and the next, a path joined by a function and one put
together from texts. Harmless where what is given changes along, and for exchanges that say the same in other words.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.differences import Difference, callee_of
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.wording import shown

_WEAKER = tuple(
    (re.compile(strong), re.compile(weak), lacks)
    for strong, weak, lacks in (
        (r"Object \. hasOwn$|hasOwnProperty \. call$", r"(?<!Object \. prototype) \. hasOwnProperty$",
         "it fails for objects without a prototype and is answered by the value itself where that has a member of this name"),
        (r"Number \. (?:isNaN|isFinite)$", r"^(?:isNaN|isFinite)$", "it turns the value into a number first, so texts count too"),
        (r"Buffer \. alloc$", r"Buffer(?: \. allocUnsafe)?$", "the memory that it gives holds what was there before"),
        (r"(?:^|\. )(?:execFile|spawn)(?:Sync)?$", r"(?:^|\. )exec(?:Sync)?$", "a shell reads the command"),
        (r"Promise \. allSettled$", r"Promise \. all$", "the first failure ends it, and the other results are lost"),
        (r"(?:^|\. )safe_load$", r"(?:^|\. )(?:load|unsafe_load)$", "it builds whatever objects the text names"),
        (r"(?:^|\. )literal_eval$|json \. loads$|JSON \. parse$", r"^eval$", "it runs the text"),
        (r"(?:^|\. )(?:mkdtemp|mkstemp|NamedTemporaryFile)$", r"(?:^|\. )mktemp$", "another process may take the name first"),
        (r"^secrets \. |(?:^|\. )(?:randomBytes|getRandomValues|randomUUID)$", r"^random \. |Math \. random$",
         "its values can be guessed"),
        (r"monotonic$|performance \. now$", r"^time \. time$|Date \. now$", "it jumps when the clock is set"),
        (r"(?:^|\. )deepcopy$|structuredClone$|(?:^|\. )cloneDeep$", r"(?:^|\. )(?:copy|clone|assign)$",
         "what lies further inside is shared"),
        (r"\. replaceAll$", r"\. replace$", "of a text it replaces the first occurrence alone"),
        (r"(?:^|\. )fullmatch$", r"(?:^|\. )(?:match|search)$", "what follows the match is not looked at"),
        (r"^re \. match$", r"^re \. search$", "what stands before the match is not looked at"),
        (r"encodeURIComponent$", r"^(?:encodeURI|escape)$", "it leaves the characters that part an address"),
    )
)  # fmt: skip
"""What was called, what is called now, and what the second lacks."""

_OPPOSITES = {
    frozenset(pair.split())
    for pair in (
        "any all", "some every", "min max", "floor ceil", "floor round", "ceil round", "push unshift", "pop shift",
        "append appendleft", "indexOf lastIndexOf", "find rfind", "index rindex", "split rsplit", "partition rpartition",
        "lstrip rstrip", "trimStart trimEnd", "slice splice", "startsWith endsWith", "startswith endswith", "once on",
        "add delete", "add remove", "next prev", "keys values", "keys entries", "values entries", "before after", "asc desc",
        "gt gte", "lt lte", "gt lt", "union intersection", "encode decode", "parse stringify", "loads dumps", "lower upper",
        "toLowerCase toUpperCase", "enable disable", "show hide",
    )
}  # fmt: skip
_JOINS = re.compile(r"(?:^|\. )(?:join|resolve|urljoin|joinpath)$")
_JOINERS = re.compile(r"^(?:os \. path|path|url|posix\w*|urllib\b.*|urljoin|Path\b.*) ?")


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Reworded statements, difference by difference."""
    for old, new, changes in edit.changes:
        for each in changes:
            if each.how in ("exchanged", "unwrapped", "wrapped") and (said := _said(each)):
                kind, title, why = said
                if kind == "arguments changed places" and change.signed_anew(callee_of(old.part, each.old)):
                    continue
                if kind == "moved by one" and not edit.new.is_function:
                    continue  # a file's own figure, such as its version, is no boundary that code counts on here
                yield Remark(
                    kind, "logic", title,
                    f"Before: `{shown(each.old)}`; now: `{shown(each.new)}`. {why} The rest of the statement is unchanged, and "
                    "nothing in the change prepares for that case.",
                    "Take it back, or say why that case cannot occur", new.line,
                )  # fmt: skip


def _said(difference: Difference) -> tuple[str, str, str] | None:
    old, new = difference.old, difference.new
    if old.kind == new.kind == "arguments" and len(old.parts) > 1 and sorted(_texts(old)) == sorted(_texts(new)):
        why = "The same values are passed in another order, so each of them stands for another parameter."
        return "arguments changed places", f"`{shown(new)}` has the arguments in another order", why
    if old.kind == new.kind == "number" and abs(_number(old) - _number(new)) == 1:
        why = "The two differ by one, which moves a boundary or a position to the neighbour."
        return "moved by one", f"`{shown(new)}` stands where `{shown(old)}` stood", why
    if old.kind == new.kind == "call":
        return _called(old, new)
    if old.kind == new.kind in ("bool", "compare") and _texts(old) == _texts(new):
        return _operator(old, new)
    if old.kind == new.kind == "attribute" and _texts(old)[:-1] == _texts(new)[:-1]:
        one, other = _texts(old)[-1], _texts(new)[-1]
        return _other(one, other) if frozenset((one, other)) in _OPPOSITES else None
    name = _callee(old)
    if old.kind == "call" and new.kind in ("binary", "template_string") and _JOINS.search(name) and _JOINERS.match(name):
        why = f"`{shown(name)}` minds the separators and whether a part is absolute or empty; texts that are put together do not."
        return "weaker form taken", f"a path is put together from texts, no longer by `{shown(name)}`", why
    return None


def _called(old: Part, new: Part) -> tuple[str, str, str] | None:
    before, after = _callee(old), _callee(new)
    for strong, weak, lacks in _WEAKER:
        if strong.search(before) and weak.search(after) and not strong.search(after):
            why = f"`{shown(after)}` is no `{shown(before)}`: {lacks}."
            return "weaker form taken", f"`{shown(after)}` stands where `{shown(before)}` stood", why
    one, other = before.rpartition(" ")[2], after.rpartition(" ")[2]
    same = before.rpartition(" ")[0] == after.rpartition(" ")[0] and _given(old) == _given(new)
    return _other(one, other) if same and frozenset((one, other)) in _OPPOSITES else None


def _other(one: str, other: str) -> tuple[str, str, str]:
    return (
        "opposite taken",
        f"`{other}` stands where `{one}` stood",
        f"`{other}` is the counterpart of `{one}`: what went one way goes another.",
    )


def _operator(old: Part, new: Part) -> tuple[str, str, str] | None:
    turn = (old.operator, new.operator)
    if turn in (("||", "??"), ("or", "??")):
        why = "`??` goes on to the right only where the left is null or undefined; where it is false, 0 or '' it stays there."
        return "operator exchanged", f"a false left side of `{shown(new)}` is now the answer", why
    if {*turn} in ({"||", "&&"}, {"or", "and"}):
        why = "One of the two was enough before and now both are needed, or the other way round."
        return "operator exchanged", f"`{turn[0]}` became `{turn[1]}`", why
    if turn in (("===", "=="), ("!==", "!=")) and not any(each.kind == "none" for each in (*old.parts, *new.parts)):
        why = "The comparison turns its sides into one type first, so 0, '', '0', false and null meet where they did not."
        return "weaker form taken", f"`{shown(new)}` compares across types", why
    return None


def _number(part: Part) -> float:
    return int(part.text) if part.text.isdecimal() else float("nan")


def _callee(call: Part) -> str:
    callee = call.role("function", "constructor")
    return callee.text if callee is not None else ""


def _given(call: Part) -> str:
    arguments = call.role("arguments")
    return arguments.text if arguments is not None else ""


def _texts(part: Part) -> list[str]:
    return [each.text for each in part.parts]
