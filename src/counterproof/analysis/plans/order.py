"""Doubts about the order of steps: a step uses what only a later step makes (P17).

Always: a use is an import or a call in code that is not a test, a label that changes a file, a command that runs one, or a step's
own word that it depends on another. A test that is written first is no mistake unless its step expects it to pass, and what the
repository has already is not early.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import RUST, Code, Imported
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.intents import is_test_label
from counterproof.analysis.plans.packages import is_foreign
from counterproof.analysis.plans.stated_order import CONSUMES, forward_pointers
from counterproof.model.plan.outline import Intent, Mention, PlanStep

REMARK_LINES = 6
Early = tuple[str, int, int, Evidence]
"""What is used early, the line of the use, the line that makes it, and what shows it."""
_LABEL = re.compile(
    r"[\W_]{0,14}(?:modify|update|edit|change|delete|remove|consumes|uses|depends on|requires|needs)\b", re.IGNORECASE
)
_TRIED = re.compile(
    r"```(?:(?:ba|z)?sh|shell|console|powershell|pwsh)\b|\bgit commit\b|\b(?:run|verify|commit|expected)\b[^a-z]{0,6}(?::|`)"
    r"|\bstep \d+: [^\n]{0,60}\b(?:run|verify|commit|build|compile)\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"(?:\bexpect(?:ed|s)?\b|预期|期望|(?:→|->|—)(?=[ \t*`]{0,4}(?:pass|fail)))[^\n]{0,80}?"
    r"(?:(?P<good>\bpass(?:es|ed|ing)?\b|\bgreen\b|\bsucceeds?\b|通过)"
    r"|\bfail|\berror|\bred\b|失败)",
    re.IGNORECASE,
)
"""What a run is expected to end with."""
_RUST_MODULE = re.compile(r"(?m)^[ \t]*(?:pub(?:\([a-z]+\))?[ \t]+)?mod[ \t]+(\w+);")


def early_uses(case: Case) -> Iterator[Doubt]:
    """Everything that a step uses before the step that makes it; what one step needs of later steps is one doubt."""
    seen: set[str] = set()
    gaps: dict[tuple[int, bool], list[Early]] = {}
    for early in sorted((*_files(case), *_names(case), *_consumed(case)), key=lambda early: early[3] is not Evidence.EARLY_FILE):
        name, line, made, _ = early
        if name not in seen and not _is_known(case, name, line, made):
            seen.add(name)
            gaps.setdefault((case.step_of(line), _is_noticed(case, line, made)), []).append(early)
    for (_, noticed), ((name, line, made, evidence), *others) in gaps.items():
        yield _early(case, name, line, made, evidence if noticed else Evidence.ABSENT, tuple(others))
    for line, later in forward_pointers(case):
        yield _early(case, later.title[:80], line, later.start)


def _is_known(case: Case, name: str, use: int, made: int) -> bool:
    """Whether the lines around a use, or those of its step that name the thing, name the later step: whoever wrote them knows
    that it comes later."""
    title = re.search(
        r"(?P<kind>[A-Za-z]*)[ \t#]*(?P<number>\d{1,3}(?:\.\d{1,3})?)", case.outline.steps[case.step_of(made) - 1].title
    )
    if title is None:
        return False
    step = case.outline.steps[case.step_of(use) - 1]
    near = range(max(1, use - REMARK_LINES + 1), min(step.end, use + REMARK_LINES) + 1)
    lines = [case.line(number) for number in range(step.start, step.end + 1) if number in near or name in case.line(number)]
    named = rf"(?:{title['kind'] or 'task|step|phase|unit|stage|part'})s?\b[ \t#\d,.and-]{{0,30}}"
    return re.search(rf"\b{named}(?<![\d.]){re.escape(title['number'])}(?![\d.]*\d)", "\n".join(lines), re.IGNORECASE) is not None


def _is_noticed(case: Case, use: int, made: int) -> bool:
    """Whether anything meets the gap: a label that works on the file itself, or a command, a test or a commit in between. Where
    the steps are only tried together, the order in which they are written breaks nothing."""
    between = case.lines[use : made - 1]
    return _LABEL.match(case.line(use)) is not None or any(_TRIED.search(line) for line in between)


def _early(
    case: Case,
    name: str,
    line: int,
    made: int,
    evidence: Evidence = Evidence.LINES,
    others: tuple[Early, ...] = (),
) -> Doubt:
    along = f", and so it is with {', '.join(f'`{other}` (line {at})' for other, at, *_ in others[:6])}" if others else ""
    early, late = case.outline.steps[case.step_of(line) - 1], case.outline.steps[case.step_of(made) - 1]
    return Doubt(
        Kind.ORDER,
        name,
        f"in step {early.number}, and makes it in step {late.number}",
        f"Line {line} ({_short(early)}), `{_quoted(case, line)}`, needs `{name}`, which only line {made} ({_short(late)})"
        f" makes{along}",
        f"Carried out in order, {_short(early)} fails or works on nothing",
        f"Move {_short(late)} before {_short(early)}, or make `{name}` there",
        lines=(line, made),
        places=(f"plan:{made}",),
        evidence=evidence,
    )


def _quoted(case: Case, line: int) -> str:
    return case.line(line).strip().replace("`", "'")[:100]


def _short(step: PlanStep) -> str:
    return f'"{step.title[:60]}"'


def _files(case: Case) -> Iterator[Early]:
    """Files that a label changes, a block imports or a command runs, before the label that creates them."""
    made: dict[str, int] = {}
    created = [each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm and each.step]
    for each in sorted(created, key=lambda each: is_test_label(case.line(each.line))):  # a test may be named before it is made
        if "/" in each.text and not case.ground.exists(each.text):
            made.setdefault(each.text, each.line)
    for each in case.of(Mention.FILE):
        if each.intent in (Intent.CHANGES, Intent.REMOVES) and each.firm and _is_before(case, each.line, made.get(each.text, 0)):
            yield each.text, each.line, made[each.text], Evidence.EARLY_FILE
    modules = {
        re.sub(r"(?:/__init__)?\.py\Z", "", path).removeprefix("src/").replace("/", "."): (path, line)
        for path, line in made.items()
        if path.endswith(".py")
    }
    for code in case.codes:
        for match in _RUST_MODULE.finditer(code.plain) if code.block.language in RUST and not code.is_test else ():
            path = next((each for each in made if each.endswith((f"/{match[1]}.rs", f"/{match[1]}/mod.rs"))), "")
            if path and _is_before(case, code.line_of(match.start(1)), made[path]):
                yield path, code.line_of(match.start(1)), made[path], Evidence.EARLY_FILE
        for each in code.imports if _is_carried_out(case, code) else _needed(code):
            path, line = modules.get(each.module, ("", 0))
            if path and not each.optional and _is_before(case, each.line, line):
                yield path, each.line, line, Evidence.EARLY_FILE


def _needed(code: Code) -> tuple[Imported, ...]:
    """What a block needs as soon as it is loaded; tests are written first, and late imports wait for their step."""
    return () if code.is_test else tuple(each for each in code.imports if not each.late)


def _is_carried_out(case: Case, code: Code) -> bool:
    """Whether the step of a block ends on a run that is to succeed, and has a test of its own or runs the one that is named for
    the block's file: then all that it imports must be there by the end of the step, however late it is imported."""
    step = next((each for each in case.outline.steps if each.number == code.step), None)
    after = case.lines[code.block.first : step.end] if step else []
    told = [match for line in after if (match := _OUTCOME.search(line))]
    if not told or not told[-1]["good"]:
        return False
    stem = re.escape(code.path.rpartition("/")[2].partition(".")[0])
    run = re.compile(rf"\b(?:test_{stem}|{stem}[._](?:test|spec))\b")
    tested = any(each.is_test for each in case.codes if each.step == code.step)
    return tested or (bool(stem) and any(run.search(line) for line in after))


def _names(case: Case) -> Iterator[Early]:
    """Functions and classes that code other than tests calls before the block that defines them."""
    made: dict[str, int] = {}
    homes: dict[str, frozenset[str]] = {}
    for code in case.codes:
        for name, line in code.defined.items():
            if code.step and not code.is_test and (name not in made or line < made[name]):
                made[name], homes[name] = line, _modules(case, code)
    for code in case.codes:
        if code.is_test or not code.step:
            continue
        needed = tuple(each for each in code.imports if not each.optional) if _is_carried_out(case, code) else _needed(code)
        late = {each.name for each in code.imports if each not in needed or is_foreign(case, code, each.module)}
        called = {(_called(call.name, homes), call.line) for call in code.calls} | set(code.elements)
        used = {(name, line) for name, line in called if name not in code.bound} | set(code.taken)
        used |= {(each.name, each.line) for each in needed}
        from_home = {each.name for each in needed if re.split(r"[/.]", each.module)[-1] in homes.get(each.name, ())}
        used = {(name, line) for name, line in used if name and name not in late}
        for name, line in sorted(used, key=lambda pair: pair[1]):
            if (
                len(name) > 4
                and _is_before(case, line, made.get(name, 0))
                and not case.ground.holds(name)
                and not _is_bound_by(case, name, case.step_of(line))
            ):
                yield name, line, made[name], Evidence.EARLY_FILE if name in from_home else Evidence.EARLY_NAME


def _modules(case: Case, code: Code) -> frozenset[str]:
    """What the file of a block may be called by other code, or the files that its step creates where the block names none."""
    created = (each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm and each.step == code.step)
    paths = [code.path] if code.path else [each.text for each in created]
    return frozenset(part for path in paths for part in path.rpartition(".")[0].split("/")[-2:])


def _called(dotted: str, homes: dict[str, frozenset[str]]) -> str:
    """What a call needs: its first word, or what it takes out of the module that a step writes it into."""
    owner, _, name = dotted.rpartition(".")
    return name if owner and owner.rpartition(".")[2] in homes.get(name, ()) else dotted.partition(".")[0]


def _is_bound_by(case: Case, name: str, step: int) -> bool:
    """Whether a block up to a step, in whatever language, gives the name a meaning in any form: a definition, a method, a field,
    a value, a part of what is taken apart. What a test makes up serves the test alone."""
    word = rf"(?<![\w$.]){re.escape(name)}"
    bound = re.compile(
        rf"{word}[ \t]*(?:\??:(?!:)|=(?![=>]|[ \t]*require\()|:=)"
        rf"|{word}[ \t]*(?:<[^<>\n]{{0,80}}>)?\([^()\n]{{0,200}}\)[^\n;=]{{0,80}}\{{[ \t]*$"
        rf"|\b(?:def|function|class|const|let|var|fn|func|type|interface|struct|enum|trait|mod)[ \t]+{re.escape(name)}\b"
        rf"|[{{,][ \t]*{re.escape(name)}[ \t]*[,}}][^\n]{{0,120}}=(?![=>]|[ \t]*require\()",
        re.MULTILINE,
    )
    before = (code for code in case.codes if 0 < code.step <= step and not code.is_test)
    return any(
        name in code.bound and name not in {*(each.name for each in code.imports), *(taken for taken, _ in code.taken)}
        if code.tree
        else name in code.text and bound.search(code.text)
        for code in before
    )


def _consumed(case: Case) -> Iterator[Early]:
    """Names under `Consumes:` of a step that a later step alone makes."""
    made: dict[str, int] = {}
    for each in case.of(Mention.SYMBOL, Mention.FILE):
        if each.intent is Intent.CREATES and each.firm and each.step:
            made.setdefault(each.text, each.line)
    for code in case.codes:
        for name, line in code.defined.items():
            if code.step and not code.is_test:
                made[name] = min(line, made.get(name, line))
    for each in case.of(Mention.SYMBOL, Mention.FILE):
        name = each.text
        if (
            CONSUMES.match(case.line(each.line))
            and _is_before(case, each.line, made.get(name, 0))
            and not _is_there(case, each.kind, name)
        ):
            yield name, each.line, made[name], Evidence.EARLY_FILE


def _is_there(case: Case, kind: Mention, name: str) -> bool:
    return case.ground.exists(name) if kind is Mention.FILE else case.ground.holds(name)


def _is_before(case: Case, use: int, made: int) -> bool:
    """Whether a line stands in an earlier step than another; both must stand in steps."""
    return 0 < case.step_of(use) < case.step_of(made) if made else False
