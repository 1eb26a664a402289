"""Intents in prose lines of a plan: what it creates, changes, removes, renames, moves and keeps (P21).

Invariant: only an explicit form states an intent: a label (`Modify: a.py`), an item or heading that starts with a verb and its
object, with nothing else following (`Remove old_total() from shop/prices.py`), a table cell, a mark after a path (`a.py (new)`),
or a heading over a list of files. Any other line only mentions things. Not handled here: code blocks, which `block_intents`
reads.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.layout import ITEM, STEP_TITLE, Line
from counterproof.analysis.plans.naming import Found
from counterproof.model.plan.outline import Intent, Mention, Named

_FORMS: tuple[tuple[Intent, str], ...] = (
    (Intent.CREATES, "created?|creates|new|adds?|added"),
    (Intent.CHANGES, "modify|modifie[ds]|update[sd]?|change[sd]?|edit(?:s|ed)?|extend(?:s|ed)?"),
    (Intent.REMOVES, "delete[sd]?|remove[sd]?|drop(?:s|ped)?"),
    (Intent.RENAMES, "rename[sd]?"),
    (Intent.MOVES, "move[sd]?"),
    (Intent.KEEPS, "keep|kept|unchanged|untouched|do not (?:change|modify|touch|edit|remove|delete|rename)"),
)
"""Each intent with the words of its labels and instructions."""
_WORD = "|".join(f"(?P<{intent.value}>{words})" for intent, words in _FORMS)
_LABEL = re.compile(
    rf"(?:files?[ _](?:to[ _](?:be[ _])?)?)?(?<![\w/.])(?:{_WORD})(?:[ \t]+files?)?(?:[ \t]*\([^)\n]{{0,80}}\))?"
    r"[*_`]{0,3}[ \t]*[:：][*_]{0,3}(?=\s|\Z)",
    re.IGNORECASE,
)
_OVER_A_LIST = re.compile(rf"(?:files?[ ](?:to[ ](?:be[ ])?)?)?(?:{_WORD})(?:[ ]files?)?\Z", re.IGNORECASE)
"""A heading over a list of files: `Files to modify`, `New files`."""
_INSTRUCTION = re.compile(rf"(?:{_WORD})(?=[ \t])", re.IGNORECASE)
_OPENING = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?#{0,6}[ \t]*[*_]{0,3}")
_BEFORE_OBJECT = re.compile(r"[ \t*_]{0,4}(?:the[ \t]+|file[ \t]+){0,2}[*_\[(]{0,3}", re.IGNORECASE)
_BETWEEN = re.compile(r"[*_\])]{0,3}[ \t]*(?:,[ \t]*and|,|and|&|\+)[ \t]+[*_\[]{0,3}", re.IGNORECASE)
_BESIDE = re.compile(r"[*_\])]{0,3}[ \t]*(?:/|,|and|&|\+|<br ?/?>)[ \t]*[*_\[]{0,3}")
"""Separators between the things in one table cell."""
_TO = re.compile(r"[*_\])]{0,3}[ \t]*(?:\b(?:to|as|into)[ \t]|→|->|=>)[ \t]*[*_\[]{0,3}", re.IGNORECASE)
_HOME = re.compile(r"[*_\])]{0,3}[ \t]+(?:from|in|inside|of|within|at|to|into)[ \t]+[*_\[(]{0,3}", re.IGNORECASE)
_END = re.compile(r"[`*_\])]{0,4}[ \t]*(?:\([^()\n]{0,80}\))?[ \t]*(?:[.;:]?[*_]{0,3}[ \t]*(?:[—–-][ \t].*)?|[.;][ \t].*)\Z")
"""The allowed text after the last object of an instruction: other words may restrict its meaning."""
_OPEN = (Intent.CREATES, Intent.CHANGES)
_CELL = re.compile(rf"[ \t*_`]{{0,6}}(?:{_WORD})[*_`]{{0,3}}[ \t]*(?:\Z|[—–(:;,.-])", re.IGNORECASE)
_MARK = re.compile(
    rf"[`*_)]{{0,3}}[ \t]*(?:[—–-]{{1,2}}[ \t]*|[(\[#←<][ \t]*)[*_`]{{0,2}}(?:{_WORD})[*_`]{{0,2}}[ \t]*(?:\Z|[)\]>.,;:—–])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Lead:
    """The intent that a label or heading above applies to a list, if any."""

    intent: Intent | None = None


def lead_after(line: Line, lead: Lead) -> Lead:
    """The lead for the following lines."""
    text = line.text.strip()
    if line.level:
        return Lead(_of_heading(text.lstrip("# ")))
    if not text or line.code:
        return lead
    start = _start(line.text)
    label = _LABEL.match(line.text, start)
    if label and not line.text[label.end() :].strip(" *_`"):
        return Lead(_which(label))
    return lead if ITEM.match(line.text) or line.text[:1] in " \t|" else Lead()


def _of_heading(title: str) -> Intent | None:
    match = _OVER_A_LIST.match(STEP_TITLE.sub("", title).strip(" .:*_`"))
    return _which(match) if match else None


def stated_in(line: Line, things: list[Found], lead: Lead, step: int, opens: bool) -> Iterator[Named]:
    """The intents in one prose line. `opens` is True if it starts a sentence."""
    text = line.text
    start = _start(text)
    label = _LABEL.match(text, start)
    if label:
        yield from _objects(line, things, label.end(), _which(label), step, labelled=True)
        return
    marked = [(each, _which(match)) for each in things if (match := _MARK.match(text, each.end))]
    yield from (Named(each.kind, each.text, line.number, step, intent or Intent.USES) for each, intent in marked)
    if marked or text.lstrip().startswith("|"):
        yield from _of_row(line, things, step) if not marked else ()
    elif lead.intent and ITEM.match(text) and things and _BEFORE_OBJECT.fullmatch(text, start, things[0].start):
        yield from _objects(line, things, start, lead.intent, step, labelled=True)
    elif (verb := _INSTRUCTION.match(text, start)) and opens:
        yield from _objects(line, things, verb.end(), _which(verb), step, labelled=False)


def _objects(line: Line, things: list[Found], at: int, intent: Intent | None, step: int, labelled: bool) -> Iterator[Named]:
    """The objects of a verb or label: the thing directly after it, and those listed with it."""
    text = line.text
    objects = [each for each in things if each.start >= at and _BEFORE_OBJECT.fullmatch(text, at, each.start)][:1]
    if intent is None or not objects:
        return
    for each in things:
        if each.start >= objects[-1].end and _BETWEEN.fullmatch(text, objects[-1].end, each.start):
            objects.append(each)
    last = objects[-1]
    rest = [each for each in things if each.start >= last.end]
    to, home, end = _tail(text, rest, last, intent)
    if not labelled and intent not in _OPEN and not _END.match(text, end):
        return
    for each in objects:
        yield Named(
            each.kind, each.text, line.number, step, intent, each.detail, to, home if each.kind is not Mention.FILE else ""
        )
    if home and intent is not Intent.KEEPS and any(each.kind is not Mention.FILE for each in objects):
        yield Named(Mention.FILE, home, line.number, step, Intent.CHANGES)


def _tail(text: str, rest: list[Found], last: Found, intent: Intent) -> tuple[str, str, int]:
    """(the new name or location, the file of a symbol, the end position), from the words after the object."""
    to = home = ""
    end = last.end
    for each in rest:
        turned = intent in (Intent.RENAMES, Intent.MOVES) and not to and _TO.fullmatch(text, end, each.start)
        if turned:
            to = each.text
        elif not home and each.kind in (Mention.FILE, Mention.FOLDER) and _HOME.fullmatch(text, end, each.start):
            home = each.text
        else:
            break
        end = each.end
    return to, home, end


def _of_row(line: Line, things: list[Found], step: int) -> Iterator[Named]:
    """The intent of a table row in a cell of its own: `| a.py | Modify | why |`."""
    cells = line.text.strip().strip("|").split("|")
    intent = next((_which(match) for cell in cells if (match := _CELL.match(cell))), None)
    first = next(
        (
            each
            for each in things
            if re.fullmatch(r"[ \t|]*[*_\[]{0,3}", line.text[line.text.rfind("|", 0, each.start) : each.start])
        ),
        None,
    )
    for each in things if intent and first else ():
        end = first.end if first else 0
        if each is first or (each.start >= end and _BESIDE.fullmatch(line.text, end, each.start)):
            first = each
            yield Named(each.kind, each.text, line.number, step, intent or Intent.USES, each.detail)


def mark_of(text: str) -> Intent | None:
    """The intent of a mark at the start of a text: `(new)`, `# modified`."""
    match = _MARK.match(text)
    return _which(match) if match else None


def _start(text: str) -> int:
    """The start of a line's own words: after the item mark, a check box, and the title of a step."""
    opening = _OPENING.match(text)
    at = opening.end() if opening else 0
    title = STEP_TITLE.match(text, at)
    if title and text[at : title.end()].strip():
        rest = re.compile(r"[*_]{0,3}[ \t]*[:.)—–-]{0,2}[*_]{0,3}[ \t]*[*_]{0,3}").match(text, title.end())
        return rest.end() if rest else title.end()
    return at


def _which(match: re.Match[str]) -> Intent | None:
    groups = match.groupdict()
    return next((intent for intent, *_ in _FORMS if groups.get(intent.value)), None)
