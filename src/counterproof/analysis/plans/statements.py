"""What a plan says of one file as it is, held against the file: that it holds or lacks something, how many jobs or tests it has,
what it ignores.

Always: only a sentence about now that names one file and at most one thing in it, and only what reading that file whole decides.
What the plan's own code may have brought until then is not held against it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.source.globs import parse_glob
from counterproof.model.plan.outline import Intent, Mention

_TO_DO = re.compile(r"[ \t]*[-*+][ \t]+\[ \]")
"""A box to tick: what it says is to become true."""
_SENTENCE = re.compile(r"(?:[^.;!?]|[.;!?](?![*_)\]]{0,3}(?:\s|\Z)))+")
_MARKED = re.compile(r"`([^`\n]{1,200})`")
_OPEN = re.compile(
    r"\b(?:will|should|must|once|becomes?|no longer|would|if|when|ensure|verify|after|until|whether|expect\w{0,3}|fail\w{0,3}"
    r"|tasks?|steps?|phases?|make sure|new|add|adds|adding|create|check|confirm|grep|may|might|never|unless|assume\w{0,2})\b|\?",
    re.IGNORECASE,
)
"""Words by which a sentence speaks of what is to come, or leaves it open."""
_SMALL = r"(?:(?:the|a|an|its|our|route|endpoint|path|function|class|helper|method|constant|type|hook) ){0,3}"
_SINGLE = r"(?:only |just |exactly )?(?P<count>a single|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,4})"
_HOLDS = re.compile(
    r"\A[^§¤]{0,40}§ (?:also )?(?:already|currently) (?:also )?(?:imports?|exports?|defines?|declares?|contains?|calls?|uses?"
    rf"|registers?|serves?|handles?|exposes?|includes?|holds?|mounts?|has|provides?|implements?) {_SMALL}¤"
    r"|¤ (?:is )?(?:already|currently) (?:imported|exported|defined|declared|called|used|registered|served|handled|exposed"
    r"|included|lives|exists|stands|sits|present)(?: at the top)? (?:in|by|from|inside|inside of|of) §"
)
_LACKS = re.compile(
    r"§ (?:currently |still )?(?:does not|doesn't) (?:yet |currently )?(?:define|declare|have|contain|export) ¤"
    r"|§ (?:currently |still )?(?:has|defines|contains|exports) no ¤|§ (?:currently |still )?lacks ¤"
    r"|\b[Tt]here is no ¤ (?:yet )?in §"
)
_JOBS = re.compile(
    rf"§ (?:currently |already |only )?(?:has|runs|defines|contains) {_SINGLE}(?: (?P<word>[\w-]{{3,30}}))? jobs?\b"
)
_JOB = re.compile(r"§ (?:currently |already )?(?:has|runs|defines|contains) (?:only )?(?:a |an |the |one |a single )?¤ job\b")
_TESTS = re.compile(
    rf"§ (?:currently |already )?(?:has|defines|contains|holds) {_SINGLE} (?:unit )?tests?(?: functions?| cases?)?\b"
)
_IGNORES = re.compile(
    r"§ (?:already |currently )?(?:ignores|excludes|lists|covers) (?:the )?(?:whole |entire )?¤"
    r"|¤ (?:folder |directory |file )?is (?:already |currently )?(?:in|listed in|covered by|ignored by|excluded by|part of) §"
)
_NUMBERS = {
    word: at for at, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
} | {"a single": 1}
_NAME = re.compile(r"(?:[A-Za-z_$][\w$]*(?:\.|::))*(?P<last>[A-Za-z_$][\w$]{3,80})(?:\([^()]{0,80}\))?\Z")
_ROUTE = re.compile(r"(?:(?:GET|POST|PUT|PATCH|DELETE) )?(?P<path>(?:/[\w-]{2,60}){1,6})\Z")
_DEFINED = (
    r"(?m)^(?:(?:export|default|async|pub|public|abstract|declare) +){{0,4}}"
    r"(?:def|class|function|const|let|var|fn|func|type|interface|struct|enum) +{}\b"
)
"""A definition that stands inside of nothing else."""
_WORKFLOW = re.compile(r"\.github/workflows/[^/]+\.ya?ml\Z")


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence with the file as `§` and the thing in it as `¤`."""

    line: int
    words: str
    form: str
    path: str
    thing: str
    whole: bool
    """Whether it speaks of what one function of the file does, so that any file may hold the thing."""


def false_statements(case: Case) -> Iterator[Doubt]:
    """Sentences about a file that the file refutes."""
    for number, line in enumerate(case.lines, 1):
        if "`" in line and number not in case.code_lines and not _TO_DO.match(line):
            for sentence in _SENTENCE.finditer(line[:2_000]):
                said = _said(case, number, sentence[0])
                fact = next(filter(None, (refute(case, said) for refute in _REFUTED)), "") if said else ""
                if said and fact:
                    yield _false(said, fact)


def _said(case: Case, number: int, sentence: str) -> _Said | None:
    sentence = re.sub(r"\bgit-?ignored\b", "ignored by `.gitignore`", sentence)
    marked = _MARKED.findall(sentence)
    if not 0 < len(marked) < 3 or _OPEN.search(_MARKED.sub(" ", sentence)):
        return None
    files = [each for each in marked if case.ground.resolve(each) and case.ground.count(each) == 1]
    homes = {path for each in marked[:1] if not files for path, _ in _definitions(case, each)}
    path = case.ground.resolve(files[0]) if len(files) == 1 else next(iter(homes)) if len(homes) == 1 else ""
    own = files[0] if files else marked[0]
    if not path or path in _made(case):
        return None
    things = [each for each in marked if each != own]
    form = _MARKED.sub(lambda match: "§" if match[1] == own else "¤", sentence)
    return _Said(number, sentence.strip(" \t-*+>"), re.sub(r"[*_]{2,3}", "", form), path, things[0] if things else "", not files)


def _made(case: Case) -> set[str]:
    """Files that are there and that a label creates all the same."""
    return {case.ground.resolve(each.text) for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm}


def _definitions(case: Case, marked: str) -> list[tuple[str, int]]:
    name = _NAME.match(marked)
    return case.ground.occurrences(name["last"]).definitions if name else []


def _is_brought(case: Case, said: _Said, word: str, beside: str = "") -> bool:
    """Whether another line of the plan names the thing: it may bring it."""
    return any(word in line and beside in line for number, line in enumerate(case.lines, 1) if number != said.line)


def _unheld(case: Case, said: _Said) -> str:
    """The file holds nothing by that name."""
    if not _HOLDS.search(said.form):
        return ""
    text = case.ground.text(said.path)
    name, route = _NAME.match(said.thing), _ROUTE.match(said.thing)
    word = name["last"] if name else route["path"] if route else ""
    if not word or not text or _is_brought(case, said, word) or re.search(r"import[ \t]*\*|from[^\n]*import \*|export \*", text):
        return ""
    last = f"/{word.rpartition('/')[2]}" if route else word
    held = last.lower() in text.lower() or (route and re.search(rf"[\"'`]{re.escape(last[1:])}\b", text))
    if not held and said.whole:
        held = any(word in case.ground.text(file.path) for file, _ in case.ground.holding((word.strip("/"),)) if file.language)
    return "" if held else f"`{said.path}`, read whole, does not hold `{word}`"


def _held(case: Case, said: _Said) -> str:
    """The file defines what it is said to lack, outside of everything else."""
    if not _LACKS.search(said.form):
        return ""
    name = _NAME.match(said.thing)
    found = re.search(_DEFINED.format(re.escape(name["last"])), case.ground.text(said.path)) if name else None
    line = case.ground.text(said.path).count("\n", 0, found.start()) + 1 if found else 0
    return f"`{said.thing}` is defined at {said.path}:{line}" if found else ""


def _miscounted(case: Case, said: _Said) -> str:
    """A workflow has another number of jobs or no such job; a file has more tests, or fewer where none runs more than once."""
    text = case.ground.text(said.path)
    jobs = _jobs(text) if _WORKFLOW.search(said.path) else []
    counted, one = _JOBS.search(said.form), _JOB.search(said.form)
    if jobs and counted and _number(counted["count"]) != len(jobs) and (counted["word"] or "\0") not in text:
        return f"`{said.path}` has the jobs {', '.join(jobs)}"
    if jobs and one and said.thing not in text and not _is_brought(case, said, said.thing):
        return f"`{said.path}` has no job `{said.thing}`, only {', '.join(jobs)}"
    tests = _TESTS.search(said.form)
    there = re.findall(r"(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)", text) if said.path.endswith(".py") else []
    changed = any(case.ground.resolve(code.path) == said.path for code in case.codes if code.path)
    number = _number(tests["count"]) if tests else 0
    if number and there and not changed and (number < len(there) or (number > len(there) and "parametrize" not in text)):
        return f"`{said.path}` has {len(there)} tests"
    return ""


def _number(word: str) -> int:
    return _NUMBERS.get(word) or int(word)


def _jobs(text: str) -> list[str]:
    _, _, listed = f"\n{text}".partition("\njobs:")
    within = re.split(r"(?m)^\S", listed.partition("\n")[2])[0]
    first = re.search(r"(?m)^([ ]+)[\w-]+:", within)
    return re.findall(rf"(?m)^{first[1]}([\w-]+):", within) if first else []


def _unignored(case: Case, said: _Said) -> str:
    """No pattern of a list of ignored paths speaks of a path, nor of a folder above it, nor of anything by its name."""
    if not said.path.rpartition("/")[2].startswith(".") or not said.path.endswith("ignore") or not _IGNORES.search(said.form):
        return ""
    thing = said.thing.strip("/")
    if not re.fullmatch(r"[\w.@-]+(?:/[\w.@-]+)*", thing) or _is_brought(case, said, said.thing, "ignore"):
        return ""
    parts = tuple(thing.split("/"))
    name = said.path.rpartition("/")[2]
    text = "\n".join(case.ground.text(path) for path in case.ground.project.files if path.rpartition("/")[2] == name)
    globs = [glob for glob in map(parse_glob, text.split("\n")) if glob]
    above = (parts[start:end] for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
    matched = any(glob.matches(each, directory) for each in above for glob in globs for directory in (True, False))
    return "" if matched or parts[-1] in text else f"`{said.path}` has no line that matches `{thing}`"


_REFUTED: tuple[Callable[[Case, _Said], str], ...] = (_unheld, _held, _miscounted, _unignored)


def _false(said: _Said, fact: str) -> Doubt:
    return Doubt(
        Kind.SAID,
        said.path,
        f'("{said.words[:160]}")'.replace("`", "'"),
        f"The file says otherwise: {fact}",
        "A step that rests on this sentence finds something else",
        f"Correct line {said.line}, or add the step that makes it true",
        lines=(said.line,),
        places=(f"{said.path}:1",),
        evidence=Evidence.FILE_READ,
    )
