"""What a plan means to do with what it names, read from labels, marks, table cells, headings and the verb right before a thing.

Always: generous where a plan makes a thing, strict where it relies on one. A thing counts as made by any sign of it; it counts as
there before the plan only by a label, a mark or a verb whose object it is. What is unclear is USES, and not firm.
"""

import re

from counterproof.analysis.plans.layout import ITEM, STEP_TITLE, Line
from counterproof.analysis.plans.naming import Found
from counterproof.model.plan.outline import Intent, Mention

_MAKING = (
    "create|creates|created|creating|new|add|adds|added|adding|write|writes|introduce|introduces|introducing|implement|implements"
    "|implementing|generate|generates|generated|scaffold|define|defines|build|builds|produce|produces|expose|exposes|export|exports"
    "|provide|provides|extract|extracts|split|splits|emit|emits|register|test|tests|deliverables?|artifacts?|outputs?|introduced|copy"
    "|save|saves|port|rename to|append|insert|insta?ll|declare|accept|accepts|return|returns|gains?|grow|grows|called|named"
    "|into|to be"
    "|will|should|proposed|as"
)
_LABELS: tuple[tuple[Intent, str], ...] = (
    (
        Intent.CREATES,
        (
            r"creat\w{0,4}|new(?: files?)?|add(?:ed|s)?|tests?|produces?|exposes?|provides?|introduces?|exports?|outputs?"
            r"|nuev[oa]s?|nov[oa]s?|nouve(?:au|lle)s?|neu(?:e[rs]?)?|nuov[oa]|nieuwe?"
        ),
    ),
    (
        Intent.CHANGES,
        r"modif\w{0,6}|updat\w{0,3}|edit\w{0,3}|chang\w{0,3}|extend\w{0,3}|refactor\w{0,3}|patch\w{0,3}|amend\w{0,3}|replac\w{0,3}",
    ),
    (Intent.REMOVES, r"delet\w{1,3}|remov\w{1,3}|drop\w{0,4}|retir\w{1,3}"),
)
_KNOWN = r"(?<![\w/.])(?:" + "|".join(f"(?P<{intent.value}>{words})" for intent, words in _LABELS) + r")(?![\w/])"
_EXTRA = r"(?:[ \t]+(?:files?|tests?|modules?|only|existing|in|paths?))?"
_LABEL = re.compile(
    rf"[\W_\d]{{0,14}}(?:T\d{{1,4}}[ \t]+)?(?:{_KNOWN}){_EXTRA}(?:[ \t]*\([^)\n]{{0,80}}\))?[*_`]{{0,3}}["
    rf" \t]*[:：][*_]{{0,3}}[ \t]",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"(?:^|(?<=[\s*_-]))files?[_ \t](?:to[_ \t](?:be[_ \t])?)?(?=modif|creat|chang|edit|delet|remov|add)", re.IGNORECASE
)
"""The words before a label that is a key: `files_modified`, `Files to create`."""
_LISTED = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\|[ \t]*)[*_\[]{0,3}")
"""What stands before the first thing of an item or of a row."""
_CELL = re.compile(rf"[ \t*_`]{{0,6}}(?:{_KNOWN})[*_`]{{0,3}}[ \t]*(?:\Z|[—–(:;,-])", re.IGNORECASE)
_READ_CELL = re.compile(
    r"[ \t*_`]{0,6}(?:read(?:[ -]only)?|existing|reference|unchanged|no changes?)[ \t*_`]{0,6}", re.IGNORECASE
)
_OUTCOME = re.compile(r"[\W_\d]{0,14}(?:outputs?|produces?|exposes?|provides?|exports?)[*_`]{0,3}[ \t]*[:：]", re.IGNORECASE)
"""A label of what a step ends with: files under it are new, or changed."""
_READ_LABEL = re.compile(r"[\W_\d]{0,14}(?:reads?|references?|existing)[*_`]{0,3}[ \t]*[:：]", re.IGNORECASE)
_LINES = re.compile(r":L?\d|#L")
_CITED = re.compile(r"[`*_)\]]{0,3}[ \t]*[\[(（]?[ \t]*(?:lines?|L)[ \t]?~?\d", re.IGNORECASE)
_TEST_LABEL = re.compile(r"[\W_\d]{0,14}tests?(?:[ \t]+files?)?[*_`]{0,3}[ \t]*[:：]", re.IGNORECASE)
_MARK = re.compile(
    rf"[`*_]{{0,3}}[ \t]*(?:[—–-]{{1,2}}[ \t]*|[(\[|#←<:][ \t]*[*_`]{{0,2}}|\|[^|\w\n]{{0,20}})(?:{_KNOWN})\b", re.IGNORECASE
)
_OF_ITS_PARTS = re.compile(
    r"(?:add(?:ed|s)?|tests?|produces?|exposes?|provides?|introduces?|exports?|outputs?)[ \t]+[\w`\"'(/]", re.IGNORECASE
)
"""A mark that tells what a thing is to hold: `— add the route`, unlike `— new`."""
_REMOVES_A_PART = re.compile(
    r"(?:remove|drop|delete)[*_]{0,3}[ \t]+"
    r"(?!(?:in|at|after|once|when|entirely|completely|it|this|the file|file|because|as|if)\b)[`\w\"'(]",
    re.IGNORECASE,
)
"""A mark that takes something out of a thing: `— remove the import`, unlike `— remove` and `— delete after the switch`."""
_BEFORE_MARK = re.compile(rf"[\[(|*_]{{1,3}}[ \t]*(?:{_KNOWN})[ \t]*[\])|*_:]{{1,3}}[ \t]*[`*_\[]{{0,3}}\Z", re.IGNORECASE)
_CHANGE = (
    "change|update|modify|edit|extend|refactor|adjust|fix|rewrite|convert|adapt|improve|simplify|patch|alter|wire|harden|touch|tighten"
    "|replace|rework|open|run|read|in|(?:wire|hook|plug)(?: (?:it|this|up))?(?: in)?to"
)
_USING = ("in", "read", "run", "open")
_REMOVE = "remove|delete|drop|retire|get rid of"
_SMALL = (
    r"(?:(?:the|this|our|its|existing|current|old|whole|entire|now-unused|unused|legacy|dead|function|method|class|module|file|helper"
    r"|component|hook|script|type|constant|endpoint)[ \t]+){0,4}"
)
_VERB = re.compile(
    rf"(?:\A[\W_\d]{{0,14}}(?:T\d{{1,4}}[ \t]+(?:\[[^\]\n]{{1,12}}\][ \t]*){{0,3}})?|[.;:,!?)][*_]{{0,3}}[ \t]+(?:then[ \t]+"
    rf"|and[ \t]+)?|\b(?:and|then|to)[ \t]+)"
    rf"(?:(?P<change>{_CHANGE})|(?P<remove>{_REMOVE}))[ \t]+{_SMALL}[`*_\[]{{0,3}}\Z",
    re.IGNORECASE,
)
_ADDED_TO = re.compile(
    r"\b(?:add|append|insert|prepend)(?:[ \t]+[^`.:\n]{1,60})?[ \t]+(?:to|into|in|at the end of)"
    r"[ \t]+(?:the[ \t]+)?(?:existing[ \t]+)?[`*_\[]{0,3}\Z",
    re.IGNORECASE,
)
_CREATED = re.compile(
    rf"\b(?P<deed>create|add|write|introduce|implement|build|define|scaffold|generate|new)[ \t]+(?:(?:a|an"
    rf"|new)[ \t]+){{0,2}}{_SMALL}[`*_\[]{{0,3}}\Z",
    re.IGNORECASE,
)
_OF_A_KIND = ("build", "generate", "write")
"""What is done with a name to make something of its kind, as often as the name itself."""
_EXISTING = re.compile(
    r"\b(?:existing|already(?: \w{1,12}){0,2}|currently|today's|reuse|re-use|reuses"
    r"|reusing)[ \t]+(?:[\w-]{1,20}[ \t]+){0,2}[`*_\[]{0,3}\Z",
    re.IGNORECASE,
)
_CONTAINER = re.compile(
    r"\b(?:in|inside|from|of|within|on|at|to|by|via|through|using|with|calls?|uses?|use)[ \t]+(?:the[ \t]+|its[ \t]+"
    r"|our[ \t]+)?[`*_\[]{0,3}\Z",
    re.IGNORECASE,
)
"""What something is done in or with: it may be new all the same, and no line says so."""
_MAKES = re.compile(rf"\b(?:{_MAKING})\b|\[new\]|\+[ \t]*\Z|(?:→|->|=>)[ \t`*_]{{0,4}}\Z", re.IGNORECASE)
_NEW_AFTER = re.compile(
    r"[`*_)\]]{0,3}[^`\n]{0,40}\b(?:new|created?|to be|does not exist yet|doesn't exist|not yet|will|is added|are added"
    r"|introduced)\b",
    re.IGNORECASE,
)
_SECTION_MAKES = re.compile(
    r"\b(?:new|create[sd]?|produces?|exposes?|provides?|deliverables?|artifacts?|outputs?|structure|layout|tree|interfaces?|schema"
    r"|contracts?|data model|file map|files)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|no longer|don't|without|instead of|rather than|avoid|no)\b[^`.\n]{0,60}\Z", re.IGNORECASE)


def label_of(text: str) -> Intent | None:
    """What a label at the start of a line says of the things after it: `- Modify: …`, `**Create:** …`, `files_modified: …`."""
    return _which(_LABEL.match(_KEY.sub("", text)))


def _cell_of(text: str) -> Intent | None:
    """What a row of a table says in a cell of its own: `| a.py | what it does | Modify — the head |`."""
    cells = text.strip().strip("|").split("|")[1:] if text.lstrip().startswith("|") else []
    said = next((found for cell in cells if (found := _which(_CELL.match(cell)))), None)
    return said or (Intent.USES if any(_READ_CELL.fullmatch(cell) for cell in cells) else None)


def _heading_of(line: Line, each: Found) -> Intent | None:
    """What the heading above says of a file that opens an item or a row under it: `## Files to change`."""
    told = each.kind is Mention.FILE and re.search(r"\bfiles?\b", line.section, re.IGNORECASE) is not None
    opens = _LISTED.fullmatch(line.text[: each.start]) is not None and _NEW_AFTER.match(line.text[each.end :][:80]) is None
    return label_of(f"{line.section}: ") if told and opens else None


def is_test_label(text: str) -> bool:
    """Whether a line names a test, new or not: `- Test: …`."""
    return _TEST_LABEL.match(text) is not None


def section_makes(line: Line, lead: str) -> bool:
    """Whether things listed here may be new: by the heading above, or by the words that lead to the list."""
    heading = "" if STEP_TITLE.match(line.section) else line.section
    return _SECTION_MAKES.search(heading) is not None or _SECTION_MAKES.search(lead) is not None


def intent_of(line: Line, each: Found, lead: str) -> tuple[Intent, bool]:
    """(what is meant with a thing, whether it is firm)."""
    before, after = line.text[: each.start], line.text[each.end : each.end + 80]
    if _NEGATED.search(before[-80:]):
        return Intent.USES, False
    mark, verb = _MARK.match(after), _VERB.search(before[-120:])
    own = verb is not None and (verb["change"] or "remove").lower() not in _USING  # its verb is nearer than the label of the list
    label = _cell_of(line.text) or label_of(line.text) or (label_of(lead) if ITEM.match(line.text) and not own else None)
    label = label or _heading_of(line, each)
    marked = _which(mark) or _which(_BEFORE_MARK.search(before[-40:]))
    intent, firm = _marked(marked, mark, after) if marked else (Intent.USES, False)
    if marked and (firm or label is None):
        return intent, firm
    if label and (label is Intent.CREATES or each.kind in (Mention.FILE, Mention.FOLDER)):
        return label, each.kind is not Mention.FILE or not (_OUTCOME.match(line.text) or _OUTCOME.match(lead))
    if verb:
        firm = not _NEW_AFTER.match(after)
        change = Intent.CHANGES if own else Intent.USES
        return (Intent.REMOVES if verb["remove"] else change), firm and not (
            change is Intent.USES and verb["change"].lower() == "run"
        )
    cited = each.kind is Mention.FILE and (_LINES.match(each.detail) or _CITED.match(after) or _READ_LABEL.match(line.text))
    if cited or _EXISTING.search(before[-80:]):
        return Intent.USES, True
    if each.kind is Mention.FILE and _ADDED_TO.search(before[-120:]):
        return Intent.CHANGES, False
    made = _CREATED.search(before[-80:])
    if made:
        return Intent.CREATES, each.kind is not Mention.SYMBOL or made["deed"].lower() not in _OF_A_KIND
    if _CONTAINER.search(before[-60:]) and not _NEW_AFTER.match(after):
        return Intent.USES, False
    if _MAKES.search(before) or _NEW_AFTER.match(after) or section_makes(line, lead):
        return Intent.CREATES, False
    return Intent.USES, False


def _marked(marked: Intent, mark: re.Match[str] | None, after: str) -> tuple[Intent, bool]:
    if mark and marked is Intent.REMOVES and _REMOVES_A_PART.search(after):
        return Intent.CHANGES, False
    return marked, mark is None or _OF_ITS_PARTS.search(after, 0, mark.end() + 2) is None


def _which(match: re.Match[str] | None) -> Intent | None:
    if match is None:
        return None
    return next((intent for intent, _ in _LABELS if match[intent.value]), None)
