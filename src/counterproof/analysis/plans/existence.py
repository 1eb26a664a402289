"""Doubts about names of code that a plan takes to be there.

Always: what the plan itself makes is not missing. Something is missed only where the plan leaves no doubt that it counts on it,
or where the repository has a thing whose name differs by little and which the plan never names.
"""

import re
import sys
from collections.abc import Iterator

from counterproof.analysis.plans.calling import is_reworked
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.code_uses import is_own
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.hearing import said_of
from counterproof.analysis.plans.likeness import is_slip, words_of
from counterproof.model.plan.outline import Intent, Mention, Named

_SPOKEN_OF = re.compile(
    r"\b(?:if (?:it )?exists?|optional(?:ly)?|hypothetical|out of scope|upstream|generated)\b"
    r"|\b(?:similar(?: to)?|such as|e\.g\.|for example|like|or|future|later)\b[^`.]{0,30}[`*_(\[]{0,3}\Z"
    r"|(?<![\w-])(?:outputs?|produces?|generates?)[ \t]+(?:(?:an?|the)[ \t]+)?[`*_\[]{0,3}\Z",
    re.IGNORECASE,
)
"""Words by which a sentence names a thing without counting on it: anywhere before it, or right before it."""
_KIND_OF = re.compile(r"[`*_()]{0,4}[- ](?:style|like|esque)\b")
MIN_NAME = 6
MIN_WORDS = 3
"""Words from which on two names that differ by one are likely to be meant for one."""
ADDS = re.compile(
    r"\b(?:add|creat|new\b|implement|defin|writ|mov|extract|cop[yi]|port|introduc|put|plac|export|declar|renam|insert|append|generat"
    r"|expos|becom|gain|gets?\b|will|should|to be)\w{0,5}|→|->|=>|新|添加|创建|增加",
    re.IGNORECASE,
)
"""Words by which a line may bring a name."""
TAKEN = re.compile(
    r"\b(?:exist(?:s|ing)|current(?:ly)?|already|today"
    r"|(?:updat|modif|chang|fix|refactor|reus|call|keep|import|remov|delet|wrap|strengthen|extend|replac|delegat)\w{0,4}"
    r"|us(?:es?|ing))\b|现有|已有|当前|修改|更新|复用|调用",
    re.IGNORECASE,
)
"""Words by which a line takes a name to be there."""
_NEW = re.compile(r"\bnew\b|\badd(?:ed|itions?)?\b|新", re.IGNORECASE)
_DEEDS = r"(?:updat|modif|chang|fix|refactor|strengthen|extend|remov|delet)\w{0,4}|existing|current|already[ \t]\w{2,12}"
"""Words before a name that can be about nothing but what is there, and is the project's own."""
_TO = r"\b(?:add|append|insert)(?:s|ed|ing)?\b[^.;|\n]{1,80}[ \t](?:to|into)[ \t](?:the[ \t])?(?:existing[ \t])?"
"""Words that add something to what is named after them."""
_NOT_TO = r"(?<![ \t]to )(?<![ \t]to the )(?<![ \t]into )(?<![ \t]into the )(?<!existing )"
_THERE = r"(?:already|currently|exists|[(]existing)"
_IN = r"[ \t]+(?:(?:function|method|class|helper|constant|hook|component|type)[ \t]+)?(?:in|from|of|inside)[ \t]+"
_USES = re.compile(r"\b(?:use|uses|using|call|calls)\b", re.IGNORECASE)
_ADDED = re.compile(
    r"\b(?:append|add|insert)(?:s|ed|ing)?\b[^\n]{0,80}\b(?:to|into|in|at the end of)[ \t]+(?:the[ \t]+)?`", re.IGNORECASE
)
"""Words that add a block to the file that is named after them."""
_REWORKED = re.compile(
    r"\b(?:replac|updat|modif|chang|extend|edit|rewrit|exist|overwrit|refactor|rework|adjust|wrap|convert|full|final|whole)"
    r"|\bso that\b",
    re.IGNORECASE,
)
"""Words in the lead of a block that may show the thing as it will be, not a second one."""
_LEFT_OUT = re.compile(r"\.\.\.|…|\b(?:existing|unchanged|as before|rest of)\b", re.IGNORECASE)
_TOP = re.compile(r"(?m)^(?:export[ \t]+|async[ \t]+|pub[ \t]+)*(?:def|class|function|fn|func)[ \t]+([A-Za-z_]\w{5,80})")


def is_spoken_of(case: Case, each: Named) -> bool:
    """Whether the sentence names the thing as an example, an outcome or a choice."""
    return is_spoken(case.line(each.line), each.text)


def is_spoken(line: str, name: str) -> bool:
    before, _, after = line.partition(name)
    return _SPOKEN_OF.search(re.split(r"[.;!?][ \t]", before)[-1]) is not None or _KIND_OF.match(after) is not None


def mentions_of(case: Case, name: str) -> Iterator[Named]:
    return (each for each in case.of(Mention.SYMBOL) if each.text.rpartition(".")[2] == name)


def renamed_names(case: Case) -> Iterator[Doubt]:
    """Names that the plan uses and that neither the code nor the plan has, while the code that the plan works on has the only one
    which differs by one word. Where several names of the plan are like the same one, it makes a family of them."""
    created = {each.text.rpartition(".")[2] for each in case.of(Mention.SYMBOL) if _is_created(case, each)}
    imported = {each.name: each.line for code in case.new_codes for each in code.imports if is_own(case, code, each.module)}
    marked = {each.text.rpartition(".")[2]: each.line for each in reversed(case.of(Mention.SYMBOL)) if _is_own(case, each)}
    found: dict[str, list[tuple[str, int]]] = {}
    for name, line in {**marked, **imported}.items():
        if name in created or not _is_name(name) or case.ground.holds(name) or case.ground.is_part(name) or case.binds(name):
            continue
        sibling = case.sibling_of(name) if len(words_of(name)) >= MIN_WORDS else ""
        if sibling and not is_slip(name, sibling) and not is_spoken(case.line(line), name) and not said_of(case, ADDS, name):
            found.setdefault(sibling, []).append((name, line))
    for sibling, (first, *others) in found.items():
        if not others:
            yield missing_name(case, *first, sibling, Evidence.SIBLING_NAME)


def _is_created(case: Case, each: Named) -> bool:
    """Whether a label or a verb makes a name, or a heading calls new what stands under it."""
    return each.intent is Intent.CREATES and (each.firm or _NEW.search(case.heading_of(each.line)) is not None)


def _is_name(name: str) -> bool:
    return len(name) >= MIN_NAME and not name.startswith("$") and not name.endswith("_")


def absent_names(case: Case) -> Iterator[Doubt]:
    """Names that words change as what is there, or look for in a file that is, while neither the code nor the plan has them.
    Where the code has the only one that differs by one word, that one was meant."""
    for name in {each.text.rpartition(".")[2]: None for each in case.of(Mention.SYMBOL) if _is_own(case, each)}:
        if len(name) < MIN_NAME or not re.search(r"[a-z0-9]_|[a-z0-9][A-Z]", name) or case.ground.holds(name):
            continue
        if (
            case.binds(name)
            or is_slip(name, case.slip_for(name))
            or any(_is_created(case, each) for each in mentions_of(case, name))
        ):
            continue
        line = taken_at(case, re.escape(name))
        if line:
            sibling = case.sibling_of(name, spoken_of=True)
            yield missing_name(case, name, line, sibling, Evidence.CHANGED_SIBLING if sibling else Evidence.ABSENT_NAME)


def taken_at(case: Case, name: str) -> int:
    """The first line that takes a name in code marks to be there; 0 where none does, or where one may bring it."""
    spoken = [(at, text) for at, text in enumerate(case.lines, 1) if at not in case.code_lines and name in text]
    adds = re.compile(rf"(?<!already )(?:{ADDS.pattern}|with)[^`.;|]{{0,40}}{_NOT_TO}`[^`]{{0,80}}\b{name}\b", re.IGNORECASE)
    if any(adds.search(text) for _, text in spoken):
        return 0
    marked = rf"(?:[\w.]{{1,80}}\.)?\b{name}(?:\([^()`]{{0,80}}\))?`"
    taken = re.compile(
        rf"\b(?:{_DEEDS})\b(?! any\b)[^`.;|]{{0,40}}`{marked}|`{marked}[^`.;|]{{0,20}}{_THERE}\b|{_TO}`{marked}", re.IGNORECASE
    )
    placed = re.compile(rf"`{marked}{_IN}`(?P<path>[^`\n:]{{3,200}})")
    return next((at for at, text in spoken if taken.search(text) or _is_file(case, placed.search(text))), 0)


def _is_file(case: Case, placed: re.Match[str] | None) -> bool:
    return placed is not None and "." in placed["path"] and case.ground.resolve(placed["path"]) != ""


def _is_own(case: Case, each: Named) -> bool:
    """Whether a name may be one of the project: it stands alone, or behind a name that the code holds."""
    first, dot, _ = each.text.partition(".")
    ours = case.ground.holds(first) and first not in sys.stdlib_module_names
    return (not dot or ours) and not is_spoken_of(case, each)


def misplaced_names(case: Case) -> Iterator[Doubt]:
    """Names that a line looks for in a file which does not hold them, while one other file alone defines them."""
    for each in case.of(Mention.SYMBOL):
        line = case.line(each.line)
        match = re.search(rf"`{re.escape(each.text)}(?:\(\))?`{_IN}`(?P<path>[^`\n:]{{3,200}})", line)
        path = case.ground.resolve(match["path"]) if match and case.ground.count(match["path"]) == 1 else ""
        short = each.text.rpartition(".")[2]
        if match is None or not path or len(short) < MIN_NAME or case.defines(short):
            continue
        if ADDS.search(line[: match.start()]) or _USES.search(line[: match.start()]):
            continue
        homes = case.ground.occurrences(short).definitions
        if len(homes) == 1 and homes[0][0] != path and not re.search(rf"(?<!\w){re.escape(short)}(?!\w)", case.ground.text(path)):
            yield _misplaced(each, path, homes[0])


def _misplaced(each: Named, path: str, home: tuple[str, int]) -> Doubt:
    return Doubt(
        Kind.HOME,
        each.text,
        f"than {home[0]}",
        f"`{path}` does not hold `{each.text}`; it is defined at {home[0]}:{home[1]}",
        f"Whoever carries out line {each.line} does not find it there",
        f"Name `{home[0]}`",
        lines=(each.line,),
        places=(f"{home[0]}:{home[1]}",),
        evidence=Evidence.NEAR_NAME,
    )


def existing_names(case: Case) -> Iterator[Doubt]:
    """Functions and classes to be added to a file that has them. Where most are there, the plan was carried out before."""
    added = there = 0
    found: list[Doubt] = []
    for code in case.new_codes:
        path = case.ground.resolve(code.path) if code.path and case.ground.count(code.path) == 1 else ""
        lead = code.block.lead
        if not path or code.path not in lead or not _ADDED.search(lead) or _REWORKED.search(lead) or _LEFT_OUT.search(code.text):
            continue
        text = case.ground.text(path)
        before = {match[1]: text.count("\n", 0, match.start(1)) + 1 for match in _TOP.finditer(text)}
        names = [(match[1], code.line_of(match.start(1))) for match in _TOP.finditer(code.text)]
        added, there = added + len(names), there + sum(name in before for name, _ in names)
        found += [
            _twice(name, line, path, before[name]) for name, line in names if name in before and not is_reworked(case, name)
        ]
    yield from found if there * 2 <= added else ()


def _twice(name: str, line: int, path: str, there: int) -> Doubt:
    return Doubt(
        Kind.EXISTING,
        name,
        f"in {path} a second time",
        f"`{path}` defines `{name}` already, at line {there}",
        f"Line {line} of the plan adds another one under the same name: it takes the place of the first, or does not compile",
        "Say that the one which is there is changed, or choose another name",
        lines=(line,),
        places=(f"{path}:{there}",),
        evidence=Evidence.REDEFINED,
    )


def missing_name(case: Case, name: str, line: int, near: str, evidence: Evidence) -> Doubt:
    """No file of code holds a name, and no step makes it."""
    held = case.ground.occurrences(near)
    places = (held.definitions or held.test_uses)[:2] if near else []
    return Doubt(
        Kind.SYMBOL,
        name,
        "",
        f"No file of the code holds the name `{name}`, and no step makes it" + (f"; `{near}` comes closest" if near else ""),
        f"Line {line} has nothing to work on, and code written against this name does not run",
        f"Write `{near}`, or say in which step `{name}` is made"
        if near
        else f"Say in which step, or in which package, `{name}` is made",
        lines=(line,),
        places=tuple(f"{path}:{number}" for path, number in places),
        search=(name,),
        evidence=evidence,
    )
