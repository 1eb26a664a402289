"""Doubts about what a plan breaks: files and names that it removes while others use them.

Always: only what the plan removes without a doubt, by a verb of which it is the object; anything less is MINOR. Files that the
plan names are taken care of, and so are its callers when the plan says that it changes them along. A name that several files
define is ambiguous and accuses nobody.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SHELLS
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind, in_files, shown
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.hearing import KEPT, MINDS, said_of
from counterproof.analysis.plans.importing import Place, importers, thing_meant
from counterproof.analysis.plans.intents import label_of
from counterproof.analysis.plans.left_files import read, stays, words_of
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Intent, Mention, Named
from counterproof.model.survey import Language

NEAR = 4
_PART = re.compile(
    r"`[^`\n]{0,100}`[ \t]+(?:calls?|imports?|usage|argument|parameter|field|option|flag|prop|line|check|branch)\b"
    r"|\b(?:calls?|uses?|references?|imports?)[ \t]+(?:to|of)[ \t]+`",
    re.IGNORECASE,
)
"""Words by which only a part or a use of a thing goes away."""


_TAKES = re.compile(
    r"(?:\b(?:delete|remove|drop|git rm(?: -\w+)?|rm(?: -\w+)?)[ds]?\b|删除|移除)[*_:： \t]{1,6}"
    r"(?:(?:the|old|legacy|unused|entire|file|module|function|class|helper|component|method) ){0,4}[`*_\[ \t]{0,4}\Z",
    re.IGNORECASE,
)
_DELETES = re.compile(
    r"(?m)^[ \t$]*(?:git[ \t]+)?rm(?:[ \t]+-\w{1,4})?(?P<paths>(?:[ \t]+[\"']?(?!-)[\w./@()\[\]-]{3,200}[\"']?){1,30})[ \t]*$"
)
MIN_FAMILY = 5
"""Letters from which on the first words of a file's name tell what it is about: `cart_sum` of `cart_sum_lib.py`."""
_REMOVES = re.compile(r"\b(?:delete|remove|git rm|rm)\b|删除|移除", re.IGNORECASE)
_TAKEN = re.compile(
    r"[`*_\])]{0,4}[ \t]*(?:\||[—–-]+|\(|is|are|gets?|→)[ \t*_(]{0,4}(?:to be |being )?(?:delete|remove|drop)(?:d|s)?\b"
    r"(?![ \t]+(?!after|once|when|in|as|file|entirely|altogether)[`\w/'\"])",
    re.IGNORECASE,
)
"""The verb after the thing, with no other object of its own."""
_OPENS = re.compile(r"[\W\d_]{0,14}(?:delete|remove|drop)\b", re.IGNORECASE)
_OTHER_NOUN = re.compile(
    r"(?:\([^()\n]{0,80}\))?[`*_\])]{0,4}[ \t]+(?!(?:from|in|at|and|or|with|to|of|for|as|by|on|once|after|if|when|because|since"
    r"|which|that|is|are|entirely|completely|altogether|too|also|now|here|then|but|not|function|method|class|helper|component|module|file"
    r"|export|constant|type|hook|interface|test|script|definition|folder|directory|package|itself)s?\b)[A-Za-z]"
)
"""What follows a thing that only tells which other one is meant: the `read_rows` loop."""
_OUT_OF = re.compile(
    r"(?:\([^()\n]{0,80}\))?[`*_\])]{0,4}[ \t]+from\b"
    r"(?![ \t]+(?:the |this )?(?:code ?base|repo|repository|module|file|package|project)\b)"
    r"[ \t*_]{0,4}(?:`(?P<path>[^`\n]{1,200})`)?"
)
"""What follows a name that is taken out of something."""
_FROM = re.compile(r"[`*_\])]{0,4}[ \t]*(?:[:：]|from\b)", re.IGNORECASE)
"""What follows a thing of which only a part is taken, or that is taken out of another."""


def users_left(case: Case, name: str) -> list[Place]:
    """Uses of a name outside the files that the plan names; none where the name is not one clear thing of this repository."""
    found = case.ground.occurrences(name)
    homes = {path for path, _ in found.definitions}
    short = name.rpartition(".")[2]
    if len(homes) != 1 or len(short) < 4 or short.startswith("__") or found.full:
        return []
    files = case.ground.project.files
    own = _family(files[next(iter(homes))].language)
    others = [(path, line) for path, line in found.uses if path not in case.touched and path not in homes]
    same = [place for place in others if own and _family(files[place[0]].language) == own]
    return [place for place in same if not _only_keyword(case, place, short) and short in words_of(read(case, place[0]))]


def _only_keyword(case: Case, place: Place, name: str) -> bool:
    """Whether a line only passes an argument of that name to something else: `column(primary_key=True)`."""
    line, word = case.ground.project.line(*place)[:2_000], re.escape(name)
    return len(re.findall(rf"[(,]\s*{word}\s*=(?!=)", line)) == len(re.findall(rf"(?<!\w){word}(?!\w)", line)) > 0


def _family(language: Language | None) -> str:
    """Languages that can call each other by name."""
    return "scripts" if language in (Language.JAVASCRIPT, Language.TYPESCRIPT) else str(language or "")


def broken_users(case: Case) -> Iterator[Doubt]:
    """Names and files that the plan takes away while others use them."""
    removed = [
        each for each in case.of(Mention.FILE, Mention.FOLDER, Mention.SYMBOL) if each.intent is Intent.REMOVES and each.firm
    ]
    removed += _by_command(case)
    things = {
        each: thing_meant(case, each.text)
        for each in removed
        if not _is_part(case, each) and not case.makes_name(each.text) and not _is_minded(case, each)
    }
    gone = {real for real in things.values() if real}
    seen: set[str] = set()
    for each, real in things.items():
        if (real or each.text) in seen:
            continue
        seen.add(real or each.text)
        left = importers(case, real) if real else users_left(case, each.text) if each.kind is Mention.SYMBOL else []
        left = [place for place in left if place[0] not in case.touched or stays(case, place[0])]
        left = [place for place in left if not _within(place[0], gone)]
        left = [place for place in left if not _goes_elsewhere(case, place[0])]
        if left:
            shown = Evidence.REMOVED if _is_stated(case, each) else Evidence.REMOVED_IN_WORDS
            yield _broken(each, real or each.text, left, shown if _is_object(case, each) else Evidence.ABSENT)


def _is_stated(case: Case, each: Named) -> bool:
    """Whether a command, a label or a line that opens with the verb removes a thing, and not a clause of a sentence."""
    text = case.line(each.line)
    return each.line in case.code_lines or label_of(text) is Intent.REMOVES or _OPENS.match(text) is not None


def _by_command(case: Case) -> Iterator[Named]:
    """Files that a command of the plan deletes, and that no block writes anew."""
    written = {case.ground.resolve(code.path) for code in case.codes if code.path and code.block.language not in SHELLS}
    for code in case.codes:
        for match in _DELETES.finditer(code.block.text) if code.block.language in SHELLS else ():
            for path in (each.strip("\"'") for each in match["paths"].split()):
                if path in case.ground.project.files and path not in written:
                    yield Named(Mention.FILE, path, code.line_of(match.start("paths")), code.step, Intent.REMOVES, firm=True)


def _is_object(case: Case, each: Named) -> bool:
    """Whether the line's own verb removes the thing and nothing else: a label, a command, or the verb right before it."""
    if each.kind is Mention.SYMBOL and "." in each.text:
        return False  # a member is looked for by its last part, which other things may have too
    before, _, after = case.line(each.line).partition(each.text)
    if each.line in case.code_lines:
        return True  # a command deletes all that it names
    part = each.kind is not Mention.SYMBOL and _FROM.match(after) is not None
    other = _OTHER_NOUN.match(after) is not None or _is_taken_out(case, each, after)
    return (_TAKES.search(before) is not None and not part and not other) or _TAKEN.match(after) is not None


def _is_taken_out(case: Case, each: Named, after: str) -> bool:
    """Whether a name is removed from something other than the file that defines it: a use of it goes."""
    out = _OUT_OF.match(after)
    homes = {path for path, _ in case.ground.occurrences(each.text).definitions}
    return each.kind is Mention.SYMBOL and out is not None and not (out["path"] and case.ground.resolve(out["path"]) in homes)


def _is_minded(case: Case, each: Named) -> bool:
    """Whether the plan leaves the old form of the thing behind, or changes whoever uses it along."""
    step = next((step for step in case.outline.steps if step.start <= each.line <= step.end), None)
    near = range(each.line - NEAR, each.line + NEAR + 1)
    within = range(step.start, step.end + 1) if step else range(1, len(case.lines) + 1)
    module = each.text.rpartition(".")[0] if each.kind is Mention.FILE else each.text
    family = re.sub(r"[_-][^_-]{1,40}\Z", "", module.rpartition("/")[2])
    names = [each.text, module, *([family] if len(family) >= MIN_FAMILY and each.kind is Mention.FILE else [])]
    return bool(said_of(case, KEPT, each.text, near) or any(said_of(case, MINDS, name, within) for name in names))


def _is_part(case: Case, each: Named) -> bool:
    """Whether only a use of the thing is removed: by the words, or because the line names a file that is not its home."""
    files = {case.ground.resolve(other.text) for other in case.of(Mention.FILE) if other.line == each.line} - {""}
    homes = {path for path, _ in case.ground.occurrences(each.text).definitions}
    return _PART.search(case.line(each.line)) is not None or (each.kind is Mention.SYMBOL and bool(files) and not files & homes)


def _within(path: str, gone: set[str]) -> bool:
    """Whether a file goes away itself."""
    return path in gone or any(path.startswith(each) for each in gone if each.endswith("/"))


def _goes_elsewhere(case: Case, path: str) -> bool:
    """Whether another plan of the repository takes a file away."""
    return any(path in line and _REMOVES.search(line) for _, text in case.sisters for line in text.split("\n"))


def _broken(each: Named, thing: str, left: list[Place], evidence: Evidence) -> Doubt:
    return Doubt(
        Kind.REMOVAL,
        each.text,
        "",
        f"`{thing}` is used in {in_files(left)} that the plan does not name: {shown(left)}",
        f"After line {each.line} these places look for something that is gone, and fail when they are imported or run",
        f"Add a step that changes {shown(left, 3)}, or leave something behind that forwards to the new one",
        Weight.BLOCKING,
        lines=(each.line,),
        places=tuple(f"{path}:{number}" for path, number in left[:10]),
        evidence=evidence,
    )
