"""Doubts about files that a plan takes to be there.

Always: what the plan itself makes is not missing. A file that is not there is doubted above MINOR only where the tree has the one
that was meant, by its path, or where the plan relies on it and its other files show that it is for this tree.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import SLIPS, Evidence
from counterproof.analysis.plans.existence import ADDS, MIN_NAME, is_spoken_of
from counterproof.analysis.plans.intents import is_test_label
from counterproof.analysis.plans.likeness import gaps_of, is_path_slip, is_slip, words_of
from counterproof.model.plan.outline import Intent, Mention, Named

_CODE = re.compile(
    r"\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|java|kt|go|php|rb|rs|c|h|cc|cpp|cs|swift|dart|sql|html|vue|svelte|toml|ya?ml|sh|css|scss|prisma|proto)\Z"
)
_OUTPUT = re.compile(
    r"(?:^|/)(?:build|dist|out|target|tmp|node_modules|coverage|\.venv|venv|\.next|generated|__pycache__|path|foo|example|examples)/|(?:^|/)coverage\.|\.log\Z|[*{}<>$]"
)
_ARISES = re.compile(
    r"\b(?:create|add|write|generate|new|move|extract|port|copy|introduce)\w{0,3}\b(?! (?:of|from)\b)|(?:→|->|=>)[ \t`*_]{0,4}\Z"
    r"|新增|新建|创建",
    re.IGNORECASE,
)
"""Words, or an arrow, before a path that comes to be."""
_MAY_ARISE = re.compile(
    r"[^.;,\w]{0,6}(?:\w{1,12}[ \t]){0,3}(?:creat\w{0,3}\b|new\b|新)|.{0,200}\bcreat\w{0,3}\b.{0,20}\bif\b", re.IGNORECASE
)
"""Words right behind a path that may come to be, or that make it if it is not there."""
_TEST = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)")
MAX_TOLD = 9
"""Files that are named after the first of a folder."""
MIN_THERE, SHARE_THERE = 2, 2
"""Files of the tree that a plan must name, at least and for each one that is missed, before it is certain that it is for this
tree."""
OPENS = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\|[ \t]*)[*_\[`]{0,4}")
"""What stands before the path that opens an item or a row."""
NEXT_LINES = 3
"""Lines from one item of a list to the next."""
BESIDE_LINES = 5
"""Lines around a label on which the other labels of the same list stand."""
MAX_NAMESAKES = 3
"""Files that may share a name which still tells them apart; `__init__.py` lies in every folder."""
_REPOSITORY = re.compile(r"\|[ \t*_]{0,6}(?:repo|repository|仓库)[ \t*_]{0,6}\|", re.IGNORECASE)
_ADDED_TO = re.compile(r"\b(?:add|append|insert)\b[^.\n]{1,80}[ \t]to[ \t]+(?:the[ \t]+)?[`*_]{0,3}\Z", re.IGNORECASE)


def missing_files(case: Case) -> Iterator[Doubt]:
    """Files that the plan counts on and that are not there; those of one folder that are missed for one reason are one doubt."""
    alike: dict[tuple[str, ...], list[Doubt]] = {}
    found = list(_missing_files(case))
    for doubt in found:
        if any(each.subject.endswith(f"/{doubt.subject}") and each.places == doubt.places for each in found):
            continue  # the same file, by a part of its path
        near = "".join(place.rpartition("/")[0] for place in doubt.places)
        alone = doubt.subject if doubt.evidence in SLIPS else ""  # each slip is a mistake of its own
        alike.setdefault((doubt.evidence, doubt.subject.rpartition("/")[0], near, alone), []).append(doubt)
    for first, *others in alike.values():
        told = f", and so it is with {', '.join(f'`{each.subject}`' for each in others[:MAX_TOLD])}" if others else ""
        every = [first, *others[:MAX_TOLD]]
        yield replace(
            first,
            concern=first.concern + told,
            lines=tuple(line for each in every for line in each.lines),
            places=tuple(place for each in every for place in each.places),
            search=tuple(word for each in every for word in each.search),
        )


def _missing_files(case: Case) -> Iterator[Doubt]:
    named = {each.text for each in case.of(Mention.FILE)}
    firmly = {code.path for code in case.codes}
    made = [each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm]
    tests = {each.text for each in case.of(Mention.FILE) if is_test_label(case.line(each.line))}
    created = {each.text for each in made if not is_test_label(case.line(each.line))}
    changed = {each.text for each in case.of(Mention.FILE) if each.firm and each.intent is Intent.CHANGES} - created
    odd = set(_odd_ones(case)) - firmly
    seen: set[str] = set()
    for each in sorted(case.of(Mention.FILE), key=lambda each: not _is_worked_on(each)):
        if each.text in seen or each.text in created or "/" not in each.text or not may_be_missed(case, each):
            continue
        near = _slip_for(case, each.text, named if not _is_worked_on(each) else {each.text})
        short = any(each.text.endswith(f"/{path}") for path in created)
        if each.text in odd and not short and not _is_worked_on(each) and not _lies_outside(case, each):
            seen.add(each.text)
            yield _absent_file(case, each, near or next(_sisters(case, each.text, named), ""), relied=True)
            continue
        if case.makes_file(each.text):
            loosely = (each.text not in firmly or each.text in tests) and _is_typo(near, each.text)
            loosely = loosely or (each.text in changed and (_is_beside(case, each.text, named) or is_path_slip(near, each.text)))
            anew = each.text in tests and _has_folder(case, each.text)
            anew = anew or any(each.text.endswith(f"/{made}") or each.text.startswith(f"{made}/") for made in case.made_files)
            near = near or (case.ground.nearest_file(each.text) if loosely else "")
            missed = bool(near) and (loosely or (_letters(near) == _letters(each.text) and not anew))
        else:
            near = near or (_home_of_stem(case, each.text) if _is_worked_on(each) else "")
            missed = bool(near) and not _lies_outside(case, each) and (each.firm or not is_spoken_of(case, each))
            sisters = list(_sisters(case, each.text, named)) if not near else []
            sister = sisters[0] if len(sisters) == 1 else ""
            if not near and (_is_taken(case, each) or (sister and _is_counted_on(case, each))):
                seen.add(each.text)
                yield _absent_file(case, each, sister, _is_relied_on(each))
        evidence = _evidence(case, each, near) if missed else Evidence.ABSENT
        if evidence is not Evidence.ABSENT:
            seen.add(each.text)
            yield missing_file(each, near, evidence)


def _evidence(case: Case, each: Named, near: str) -> Evidence:
    """What shows that a file which is there was meant: a label changes it, and its name is there but for a slip in the same
    folder, or its path but for one folder or its ending, or the only file of its name lies elsewhere. What is only spoken of may
    be new, or lie in another tree."""
    if not near or _arises(case.line(each.line).partition(each.text)[0]):
        return Evidence.ABSENT
    name = near.rpartition("/")[2]
    alone = case.ground.count(name) == 1 and name == each.text.rpartition("/")[2]
    cloned = f"/{each.text}".endswith(f"/{near}")  # what stands before it may be the folder that the repository lies in
    if each.intent is Intent.CHANGES and each.firm:
        if _is_typo(near, each.text):
            return Evidence.SLIPPED_FILE
        held = near == _home_of_stem(case, each.text) or (alone and _is_of_this_tree(case, each.text))
        moved = Evidence.MOVED_FILE if held or is_path_slip(near, each.text) else Evidence.ABSENT
        return Evidence.NEAR_FILE if cloned else moved
    twin = any(f"/{other.text}".endswith(f"/{name}") and other.text != each.text for other in case.of(Mention.FILE))
    new = twin or each.text in case.made_files or each.intent is Intent.CREATES or may_be_new(case, each.text)
    new = new or _is_among_new(case, each)
    if _is_typo(near, each.text) and (_letters(near) == _letters(each.text) or not new):
        return Evidence.SPOKEN_FILE
    telling = is_path_slip(near, each.text) or len(words_of(name.partition(".")[0])) > 1
    if alone and telling and not new and not cloned:
        return Evidence.MOVED_FILE
    common = case.ground.count(each.text.rpartition("/")[2]) > MAX_NAMESAKES
    alike = _is_typo(near, each.text) or (is_path_slip(near, each.text) and not common)
    return Evidence.NEAR_FILE if alike else Evidence.ABSENT


def _odd_ones(case: Case) -> Iterator[str]:
    """The one file of a list or table that is not there while the others are, at least two, where nothing makes it new."""
    files = [each for each in case.of(Mention.FILE) if "/" in each.text and _CODE.search(each.text)]
    made = {each.text for each in files if each.firm and each.intent is Intent.CREATES}
    opening = [each for each in files if OPENS.fullmatch(case.line(each.line).partition(each.text)[0])]
    lists: list[list[Named]] = []
    for each in sorted(opening, key=lambda each: each.line):
        if lists and each.line - lists[-1][-1].line <= NEXT_LINES:
            lists[-1].append(each)
        else:
            lists.append([each])
    for listed in lists:
        lacking = {each.text for each in listed if not case.ground.exists(each.text)}
        there = {each.text for each in listed} - lacking
        if len(lacking) == 1 and len(there) >= MIN_THERE and not lacking & made:
            path = lacking.pop()
            if not _TEST.search(path) and case.ground.exists(path.rpartition("/")[0]) and not _comes_to_be(case, path):
                yield path


def _comes_to_be(case: Case, path: str) -> bool:
    """Whether words right before or behind a path make the file, on any line."""
    told = (line.partition(path) for line in case.prose_lines if path in line)
    arises = any(_arises(before) or _MAY_ARISE.match(after) for before, _, after in told)
    return arises or _is_renamed(case, case.ground.nearest_file(path), path)


def _absent_file(case: Case, each: Named, sister: str, relied: bool) -> Doubt:
    """A file that is not there, and that no line makes. Where the plan is for this tree, as the files show that it names, and
    most of those that stand beside this one are there, nothing is left to be understood."""
    others = [other for other in case.of(Mention.FILE) if "/" in other.text and _is_relied_on(other)]
    lacking = {other.text for other in others if not case.ground.exists(other.text) and not case.makes_file(other.text)}
    beside = {other.text for other in others if abs(other.line - each.line) <= BESIDE_LINES} - {each.text}
    there = sum(case.ground.exists(path) for path in beside)
    grounded = len(case.touched) >= max(MIN_THERE, SHARE_THERE * len(lacking)) and there * 2 >= len(beside)
    certain = grounded and not case.builds_on and relied
    return missing_file(each, sister, Evidence.LABELLED_FILE if certain else Evidence.ABSENT_FILE)


def _sisters(case: Case, path: str, named: set[str]) -> Iterator[str]:
    """Files of the same folder whose names differ from this one by one word or by the order of words, and that the plan never
    names."""
    folder, _, name = path.rpartition("/")
    stem, _, ending = name.partition(".")
    gaps, words = set(gaps_of(stem)), sorted(words_of(stem))
    others = {other.rpartition("/")[2] for other in named}
    for other in case.ground.project.files:
        home, _, file = other.rpartition("/")
        mine, _, end = file.partition(".")
        beside = end == ending and f"/{home}".endswith(f"/{folder}") and file not in others
        if beside and (gaps & set(gaps_of(mine)) or (len(words) > 1 and sorted(words_of(mine)) == words)):
            yield other


def _is_relied_on(each: Named) -> bool:
    """Whether a label or a verb works on a file, or the plan cites lines of it, reads it or calls it existing."""
    return each.firm and each.intent is not Intent.CREATES


def _is_counted_on(case: Case, each: Named) -> bool:
    """Whether a path of code is used in a folder that is there, and no line that names it may bring it."""
    there = each.intent is Intent.USES and not is_spoken_of(case, each) and not _lies_outside(case, each)
    return there and not may_be_new(case, each.text)


def _is_taken(case: Case, each: Named) -> bool:
    """Whether a file is relied on, in a folder that is there, and no line makes it."""
    there = _is_relied_on(each) and case.ground.exists(each.text.rpartition("/")[0])
    return there and not _lies_outside(case, each) and not _comes_to_be(case, each.text)


def _lies_outside(case: Case, each: Named) -> bool:
    """Whether the plan names a path of the machine that ends so, or that ends with the first folder while the tree has none of
    that name, or tells in a column of its table which repository it is of."""
    first = each.text.partition("/")[0]
    ends = re.escape(each.text) if case.ground.is_part(first) else f"(?:{re.escape(each.text)}|{re.escape(first)})"
    if re.search(rf"(?<![\w.])(?:~|[A-Z]:)?[/\\](?:[\w .-]{{1,60}}[/\\]){{1,12}}{ends}(?![\w/-])", case.text):
        return True
    rows = takewhile(lambda line: line.lstrip().startswith("|"), reversed(case.lines[: each.line]))
    return any(_REPOSITORY.search(row) for row in rows)


def _is_among_new(case: Case, each: Named) -> bool:
    """Whether most of the files that are named beside one are not there: they are of a part that is to come."""
    others = {other.text for other in case.of(Mention.FILE) if abs(other.line - each.line) <= BESIDE_LINES} - {each.text}
    return sum(case.ground.exists(path) for path in others) * 2 < len(others)


def may_be_new(case: Case, path: str) -> bool:
    """Whether a path may come to be: it is that of a test, or a line that names it may bring it."""
    lines = [line for line in case.prose_lines if path in line]
    return _TEST.search(path) is not None or any(ADDS.search(line.replace(path, "")) for line in lines)


def _arises(before: str) -> bool:
    """Whether the clause before a path makes the file; what is added to it does not."""
    clause = re.split(r"[(;—]|\.[ \t]", before)[-1]
    return _ARISES.search(clause) is not None and _ADDED_TO.search(clause) is None


def _home_of_stem(case: Case, path: str) -> str:
    """The one file that defines what another is named for: the interface of `IClock.cs` stands in `Clock.cs`; '' if none does."""
    stem, _, ending = path.rpartition("/")[2].rpartition(".")
    if len(stem) < MIN_NAME or not re.search("[a-z][A-Z]", stem) or case.defines(stem):
        return ""
    homes = {home for home, _ in case.ground.occurrences(stem).definitions}
    return next(iter(homes)) if len(homes) == 1 and next(iter(homes)).endswith(f".{ending}") else ""


def _is_of_this_tree(case: Case, path: str) -> bool:
    """Whether a path begins in a folder that is there, and its name is none that many projects have."""
    first, name = path.removeprefix("./").partition("/")[0], path.rpartition("/")[2]
    return case.ground.exists(first) and len(name.partition(".")[0]) >= MIN_NAME


def _is_worked_on(each: Named) -> bool:
    return each.firm and each.intent in (Intent.CHANGES, Intent.REMOVES)


def may_be_missed(case: Case, each: Named) -> bool:
    if _OUTPUT.search(each.text) or not (_CODE.search(each.text) or _is_typo(case.ground.nearest_file(each.text), each.text)):
        return False
    if each.intent is Intent.USES and not case.ground.is_part(each.text.removeprefix("./").partition("/")[0]):
        return False  # spoken of, in a tree that is not this one
    if not _is_worked_on(each) and _is_shortened(case, each.text):
        return False
    return not case.ground.exists(each.text) and not case.ground.resolve(each.text.rpartition("../")[2])


def _is_shortened(case: Case, path: str) -> bool:
    """Whether a path begins inside of the tree and leaves out folders: `core/cart.ts` for `packages/core/src/cart.ts`."""
    whole = iter(case.ground.nearest_file(path).split("/"))
    begins = any(each.startswith(f"{path.partition('/')[0]}/") for each in case.ground.project.files)
    return not begins and all(part in whole for part in path.split("/"))


def _slip_for(case: Case, path: str, named: set[str]) -> str:
    """The file that was meant by a path which no file has: its name differs by little, or it lies elsewhere under the same name;
    and the plan never names it."""
    near = case.ground.nearest_file(path)
    if _is_renamed(case, near, path):
        return ""
    own, others = near.rpartition("/")[2], {name.rpartition("/")[2] for name in named - {path} if "/" in name}
    if not near or near in named or (own in others and not (is_path_slip(near, path) or _is_typo(near, path))):
        return ""
    moved = own == path.rpartition("/")[2] and case.ground.count(own) == 1 and len(own.partition(".")[0]) >= MIN_NAME
    return near if moved or is_path_slip(near, path) or _is_typo(near, path) else ""


def _is_renamed(case: Case, near: str, path: str) -> bool:
    """Whether a line of the plan gives the file that is there this other name, or puts it into this other folder."""
    old, new = near.rpartition("/")[2], path.rpartition("/")[2]
    old, new = (old, new) if old != new else (near, path)
    both = (line for line in case.lines if near and old in line and new in line.replace("\\", ""))
    return any(re.search(r"\b(?:git )?mv\b|\brenam|\bmov(?:e|es|ed|ing)\b|→|->|=>", line, re.IGNORECASE) for line in both)


def _has_folder(case: Case, path: str) -> bool:
    """Whether a file's folder is there, or the plan puts something else into it."""
    folder = path.rpartition("/")[0]
    return case.ground.exists(folder) or any(each != path and each.startswith(f"{folder}/") for each in case.made_files)


def _is_beside(case: Case, path: str, named: set[str]) -> bool:
    """Whether a file whose name is close, and which the plan never names, lies where this one is looked for."""
    near = case.ground.nearest_file(path)
    return bool(near) and near not in named and near.rpartition("/")[0].endswith(path.rpartition("/")[0])


def _letters(path: str) -> str:
    return re.sub(r"[\W_]", "", path.rpartition("/")[2].lower())


def _is_typo(one: str, other: str) -> bool:
    """Whether two paths lie in one folder and one name is the other with a slip."""
    folder, _, name = f"/{other}".rpartition("/")
    return f"/{one}".rpartition("/")[0].endswith(folder) and is_slip(one.rpartition("/")[2], name)


def missing_file(each: Named, near: str, evidence: Evidence) -> Doubt:
    deed = {Intent.CHANGES: "changes", Intent.REMOVES: "removes"}.get(each.intent, "uses")
    return Doubt(
        Kind.FILE,
        each.text,
        f"and {deed} it",
        f"The repository has no `{each.text}`, and no step creates it" + (f"; the nearest is `{near}`" if near else ""),
        f"Whoever carries out line {each.line} does not find the file, and stops or creates a second one beside the real code",
        f"Name `{near}`" if near else "Say that the file is new, or name the one that is meant",
        lines=(each.line,),
        places=(f"{near}:1",) if near else (),
        search=(each.text,),
        evidence=evidence,
    )
