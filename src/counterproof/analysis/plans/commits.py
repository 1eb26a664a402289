"""Doubts about a plan's own commits: files of a task that no `git add` from there on takes in.

Always: only where the plan lists a task's files under labels and the same task commits path by path. A folder, a pattern, an
option that takes in whatever there is, and what is not written out take in any file; words that leave a file open keep it out of
the reckoning.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.intents import is_test_label, label_of
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.outline import Intent, Mention, Named

MAX_COMMAND = 4_000
"""Letters of a command that are read, with the lines that continue it."""
MAX_TOLD = 6
NEAR = 20
"""Lines before a commit in which its files are chosen."""
_STAGES = re.compile(
    rf"(?:\bgit(?:[ \t]+-C[ \t]+\S{{1,200}})?[ \t]+(?P<verb>add|stage|rm|mv|commit)|(?<![\w./-])(?:rm|unlink))"
    rf"\b(?P<rest>[^\n]{{0,{MAX_COMMAND}}})"
)
_END = re.compile(r"&&|\|\||;|\||\s#|`|(?<!\\)\)(?:\s|\Z)")
_ESCAPED = re.compile(r"\\([()\[\]{}$&'])")
"""A letter of a path that the shell is to take as it is."""
_WORD = re.compile(r"\"([^\"\n]{0,300})\"|'([^'\n]{0,300})'|([^\s\"']{1,300})")
_EVERYTHING = re.compile(r"-(?!f\Z|v\Z|-force\Z|-\Z).*|\.{1,2}/?|\*|:/.*|.*[$<>{}…].*|.*\.\.\..*")
"""Options and words that take in more than they name, or that are not written out; `--` and `-f` are none."""
_COMMITS_ALL = re.compile(r"[ \t](?:--all|-[b-zA-Z]{0,3}a[a-zA-Z]{0,3})(?=[ \t]|\Z)")
_SEPARATED = re.compile(r"[`*_\]]{0,3}[ \t]*(?:(?:,|、|，|;|\+|&|/|and|和|及|以及)[ \t]*){0,2}[`*_\[]{0,3}")
_OPEN = re.compile(
    r"\b(?:if|only|maybe|optional(?:ly)?|possibly|probably|likely|may|might|could|(?:as|when|where)(?:ver)? needed|verify"
    r"|verification|reads?|reference|no (?:code )?changes?|unchanged|unmodified|untouched|unless|either|or|existing"
    r"|(?:git)?ignored?|untracked|local|not committed|generated?|auto\w{0,10}|already|delete[ds]?|removed?|rename[ds]?|moved?)\b"
    r"|若|如果|如需|可选|按需|必要|视情况|或|已",
    re.IGNORECASE,
)
"""Words that leave open whether a file of a list is changed, or that say that something else becomes of it."""

_DOES = re.compile(
    r"\b(?:updat|add|remov|replac|renam|exten|chang|wir|regist|export|import|merg|mov|delet|drop|fix|us|set|bump|introduc|adapt|switch"
    r"|refactor|mount|inject|pass|call|read|writ|show|render|append|insert|includ|clean)(?:e|es|ed|s|ing|d|ning|ping|ting)?\b"
    r"|添加|新增|修改|更新|删除|替换|追加|接入|注册",
    re.IGNORECASE,
)
"""Words that say what is done to a file."""
_MAYBE = re.compile(r"\b(?:if|only|optional(?:ly)?|when|unless)\b|若|如果|如有", re.IGNORECASE)
"""Words before a commit that may as well not be made."""
_STAYS = re.compile(
    r"\b(?:no|without) (?:\w{1,20} )?(?:changes?|edits?) (?:is |are )?(?:need|requir|necess)|\bno-op\b|无需修改|不需要修改",
    re.IGNORECASE,
)
"""Words by which a task finds that something stays as it is."""


@dataclass(frozen=True, slots=True)
class _Staged:
    """One command that takes files into a commit: its line and its paths as written; none where it takes in whatever there is."""

    line: int
    paths: tuple[str, ...] = ()
    adds: bool = True
    """Whether it chooses what the commit holds; what is moved or removed goes in beside that."""

    def takes(self, path: str) -> bool:
        return not self.paths or any(_covers(each, path) for each in self.paths)


def omitted_files(case: Case) -> Iterator[Doubt]:
    """Files that a task is to create or change, and that neither its commit nor a later one takes in."""
    staged = _staged(case)
    left: dict[int, list[Named]] = {}
    for each in case.of(Mention.FILE) if staged else ():
        after = [one for one in staged if one.line > each.line]
        commit = next((one for one in after if one.adds), None)
        left_out = commit and commit.paths and _is_listed(case, each) and not _is_taken(case, each, after)
        if commit and left_out and _is_own(case, each.line, commit.line) and _is_worked_on(case, each, commit.line):
            left.setdefault(commit.line, []).append(each)
    for line, files in left.items():
        yield _omitted(case, line, files)


def _is_worked_on(case: Case, each: Named, commit: int) -> bool:
    """Whether a task does something to a file that its list names: a file that is new, words behind it that say what is done, or
    another line of the task that names it. A list that no step follows leaves nothing behind."""
    name = re.compile(rf"(?<![\w/.-])(?:[\w./-]{{0,200}}/)?{re.escape(each.text.rpartition('/')[2])}(?![\w/-])")
    said = case.line(each.line).partition(each.text)[2]
    return (
        each.intent is Intent.CREATES
        or _DOES.search(said) is not None
        or any(name.search(case.line(at)) for at in range(each.line + 1, commit) if label_of(case.line(at)) is None)
        or any(code.path == each.text for code in case.codes if each.line < code.block.first < commit)
    )


def _is_own(case: Case, line: int, commit: int) -> bool:
    """Whether a commit belongs to the task that lists a file, and is to be made in any case."""
    titles = [(at, len(case.line(at)) - len(case.line(at).lstrip("#"))) for at in range(commit, 0, -1) if _is_title(case, at)]
    above = next((level for at, level in titles if at < line), 0)
    prose = [case.line(at) for at in range(commit - 1, line, -1) if at not in case.code_lines and case.line(at).strip()]
    return (
        all(level > above for at, level in titles if at > line)
        and not any(_MAYBE.search(text) for text in prose[:2])
        and not any(_STAYS.search(text) for text in prose)
    )


def _is_title(case: Case, line: int) -> bool:
    """Whether a line is a heading, other than one over a list of files."""
    text = case.line(line)
    return text.startswith("#") and line not in case.code_lines and not re.match(r"#+[ \t*]*files\b", text, re.IGNORECASE)


def _is_taken(case: Case, each: Named, staged: list[_Staged]) -> bool:
    """Whether a commit takes in a file, by its path as written or by its real one."""
    real = case.ground.resolve(each.text) or each.text
    return any(one.takes(each.text) or one.takes(real) for one in staged)


def _is_listed(case: Case, each: Named) -> bool:
    """Whether a label of a list creates or changes a file of this tree, without a word that leaves it open. A test under a label
    of its own may be one that is only run, unless it is new."""
    text = case.line(each.line)
    there = case.ground.resolve(each.text) == each.text
    top = each.text.partition("/")[0]
    if "..." in each.text or "…" in each.text:
        return False  # a path that is not written out
    placed = there or ("/" in each.text and any(path.startswith(f"{top}/") for path in case.ground.project.files))
    label = label_of(text)
    return (
        placed
        and label is each.intent
        and each.intent in (Intent.CREATES, Intent.CHANGES)
        and not (there and is_test_label(text))
        and _is_item(text, each.text)
        and not _OPEN.search(text.partition(":")[2].replace(each.text, " "))
    )


def _is_item(text: str, path: str) -> bool:
    """Whether nothing but other files stands between the label and a file: it is the thing that the label speaks of."""
    between = text.partition(":")[2].partition(path)[0]
    return _SEPARATED.fullmatch(FILE.sub("", between).replace("`", "").strip(" ,*")) is not None


def _staged(case: Case) -> list[_Staged]:
    """The commands of the plan that take files into a commit, in order. A commit that nothing is chosen for holds whatever is
    meant."""
    found: list[_Staged] = []
    for number, text in _commands(case):
        for match in _STAGES.finditer(text):
            if match["verb"] == "commit":
                chosen = any(one.adds and number - NEAR <= one.line <= number for one in found[-NEAR:])
                everything = _COMMITS_ALL.search(match["rest"].partition('"')[0]) is not None
                found += [_Staged(number)] if everything or not chosen else []
                continue
            given = ("".join(word.groups("")) for word in _WORD.finditer(_END.split(match["rest"])[0]))
            words = [_ESCAPED.sub(r"\1", word) for word in given]
            words = words if match["verb"] else [word for word in words if not word.startswith("-")] or ["-"]
            paths = tuple(word.removeprefix("./").rstrip("/") for word in words if word not in ("--", "-f", "-v", "--force"))
            adds = match["verb"] in ("add", "stage")
            found.append(_Staged(number, () if any(_EVERYTHING.fullmatch(word) for word in words) else paths, adds))
    return found


def _commands(case: Case) -> Iterator[tuple[int, str]]:
    """The plan's lines, each with those that a backslash joins to it."""
    held, first = "", 0
    for number, text in enumerate(case.lines, 1):
        first = first if held else number
        held = f"{held} {text.strip()}" if held else text
        if held.endswith("\\") and len(held) < MAX_COMMAND:
            held = held[:-1]
        else:
            yield first, held[:MAX_COMMAND]
            held = ""


def _covers(given: str, path: str) -> bool:
    """Whether a path of a command takes in a file, seen from any folder: it is the file, a folder above it, or a pattern."""
    return (
        f"/{path}".endswith(f"/{given}")
        or f"/{given}".endswith(f"/{path}")
        or f"/{given}/" in f"/{path}"
        or any(f"/{given}".endswith(f"/{path[:at]}") for at, letter in enumerate(path) if letter == "/")
        or fnmatchcase(path, given)
        or fnmatchcase(path, f"*/{given}")
    )


def _omitted(case: Case, line: int, files: list[Named]) -> Doubt:
    names = list(dict.fromkeys(each.text for each in files))
    more = f", nor of {', '.join(f'`{each}`' for each in names[1:MAX_TOLD])}" if len(names) > 1 else ""
    written = any(code.path == names[0] and files[0].line < code.block.first < line for code in case.codes)
    what = "its change is made and left behind" if written else "no later line commits it either"
    return Doubt(
        Kind.UNCOMMITTED,
        names[0],
        "",
        f"The task's list has `{names[0]}`, and the commit at plan:{line} names its files one by one without it: {what}{more}",
        "Whoever takes the commits lacks the change, or it was never made",
        f"Name {', '.join(f'`{each}`' for each in names[:MAX_TOLD])} in the `git add` of line {line}, or take it off the list",
        lines=tuple(dict.fromkeys(each.line for each in files)),
        places=(f"plan:{line}",),
        evidence=Evidence.UNCOMMITTED,
    )
