"""Doubts about the order of steps: a step uses what only a later step makes (P17).

Always: a use is an import or a call in code that is not a test, a label that changes a file, a command that runs one, or a step's
own word that it depends on another. A test that is written first is no mistake unless its step expects it to pass, and what the
repository has already is not early.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import RUST, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.early_names import Early, defined_in, early_names, is_before
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.hearing import LEFT_OPEN, said_of
from counterproof.analysis.plans.intents import is_test_label
from counterproof.analysis.plans.needed_imports import needed_by
from counterproof.analysis.plans.stated_order import CONSUMES, forward_pointers
from counterproof.model.plan.outline import Intent, Mention, Named, PlanStep

REMARK_LINES = 6
_LABEL = re.compile(
    r"[\W_]{0,14}(?:modify|update|edit|change|delete|remove|consumes|uses|depends on|requires|needs)\b", re.IGNORECASE
)
_TRIED = re.compile(
    r"```(?:(?:ba|z)?sh|shell|console|powershell|pwsh)\b|\bgit commit\b|\b(?:run|verify|commit|expected)\b[^a-z]{0,6}(?::|`)"
    r"|\bstep \d+: [^\n]{0,60}\b(?:run|verify|commit|build|compile)\b",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\b(?:(?:py|vi|unit)test|jest|tsc)\b|\bpython3?[ \t]+(?:-m|[\w./-]{1,120}\.py)\b"
    r"|\b(?:npm|pnpm|yarn|bun|npx|bunx|deno|uv|cargo|go|swift|dotnet|mvnw?|gradlew?|bin/\w{2,12}|bundle exec)\b[^\n]{0,80}"
    r"\b(?:tests?|build|lint|\w{0,8}check|vet|clippy|dev|start|run)\b|(?:^|[`$&;])[ \t]*(?:make|just)[ \t]+[a-z]",
    re.IGNORECASE,
)
"""Commands that build, check or run code."""
_WAITS = re.compile(
    r"\b(?:fails?|failing|broken|will (?:error|fail)|until|later|continue|waits?|waiting|placeholders?|stubs?|stubbed|not yet)\b",
    re.IGNORECASE,
)
"""Words of a step that something in it comes later."""
_NOTHING = re.compile(r"\b(?:nothing|none|independent)\b", re.IGNORECASE)
_BY_WORTH = (Evidence.EARLY_FILE, Evidence.EARLY_LOAD, Evidence.EARLY_CODE, Evidence.EARLY_NAME)
_RUST_MODULE = re.compile(r"(?m)^[ \t]*(?:pub(?:\([a-z]+\))?[ \t]+)?mod[ \t]+(\w+);")


def early_uses(case: Case) -> Iterator[Doubt]:
    """Everything that a step uses before the step that makes it; what one step needs of later steps is one doubt."""
    seen: set[str] = set()
    gaps: dict[tuple[int, bool, bool], list[Early]] = {}
    found = (*_files(case), *early_names(case), *_consumed(case))
    for name, line, made, shown in sorted(found, key=lambda early: _BY_WORTH.index(early[3])):
        if name not in seen and not _is_known(case, name, line, made):
            seen.add(name)
            key = (case.step_of(line), _is_noticed(case, line, made), said_in_step(case, name, line) > 0)
            gaps.setdefault(key, []).append((name, line, made, shown))
    for (_, noticed, _), ((name, line, made, evidence), *others) in gaps.items():
        shown = evidence if _is_run(case, line, made) else Evidence.EARLY_NAME
        yield _early(case, name, line, made, shown if noticed else Evidence.ABSENT, tuple(others))
    for line, later in forward_pointers(case):
        yield _early(case, later.title[:80], line, later.start, Evidence.POINTED)


def said_in_step(case: Case, name: str, use: int) -> int:
    """The line of a step by which it leaves open what it uses; 0 if there is none."""
    step = case.outline.steps[case.step_of(use) - 1]
    return said_of(case, LEFT_OPEN, name, (use,), range(step.start, step.end + 1))


def _is_known(case: Case, name: str, use: int, made: int) -> bool:
    """Whether the lines around a use, or those of its step that name the thing or let something wait, name the later step:
    whoever wrote them knows that it comes later."""
    title = re.search(
        r"(?P<kind>[A-Za-z]*)[ \t#]*(?P<number>\d{1,3}(?:\.\d{1,3})?)", case.outline.steps[case.step_of(made) - 1].title
    )
    if title is None:
        return False
    step = case.outline.steps[case.step_of(use) - 1]
    near = range(max(1, use - REMARK_LINES + 1), min(step.end, use + REMARK_LINES) + 1)
    own = ((number, case.line(number)) for number in range(step.start, step.end + 1))
    lines = [line for number, line in own if number in near or name in line or _WAITS.search(line)]
    lines = [line for line in lines if not (CONSUMES.match(line) and _NOTHING.search(line))]
    named = rf"(?:{title['kind'] or 'task|step|phase|unit|stage|part'})s?\b[ \t#\d,.and-]{{0,30}}"
    return re.search(rf"\b{named}(?<![\d.]){re.escape(title['number'])}(?![\d.]*\d)", "\n".join(lines), re.IGNORECASE) is not None


def _is_noticed(case: Case, use: int, made: int) -> bool:
    """Whether anything meets the gap: a label that works on the file itself, or a command, a test or a commit in between. Where
    the steps are only tried together, the order in which they are written breaks nothing."""
    between = case.lines[use : made - 1]
    return _LABEL.match(case.line(use)) is not None or any(_TRIED.search(line) for line in between)


def _is_run(case: Case, use: int, made: int) -> bool:
    """Whether code is built, checked or run in between, so that what it lacks is met; a commit alone meets nothing."""
    return _LABEL.match(case.line(use)) is not None or any(_RUNS.search(line[:400]) for line in case.lines[use : made - 1])


def _early(
    case: Case,
    name: str,
    line: int,
    made: int,
    evidence: Evidence,
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
    """Files that a label changes or a block imports, before the label that creates them."""
    made: dict[str, int] = {}
    created = [each for each in case.of(Mention.FILE) if "/" in each.text and _is_made(case, each)]
    for each in sorted(created, key=lambda each: is_test_label(case.line(each.line))):  # a test may be named before it is made
        made.setdefault(each.text, each.line)
    yield from _changed(case, made)
    yield from _loaded(case, made)


def _changed(case: Case, made: dict[str, int]) -> Iterator[Early]:
    """Files that a label changes before they, or the folder around them, are created."""
    folders = {f"{each.text.strip('/')}/": each.line for each in reversed(case.of(Mention.FOLDER)) if _is_made(case, each)}
    for each in case.of(Mention.FILE):
        if each.intent in (Intent.CHANGES, Intent.REMOVES) and each.firm:
            around = (line for folder, line in folders.items() if each.text.startswith(folder))
            line = made.get(each.text, 0) or next(around, 0)
            if is_before(case, each.line, line):
                yield each.text, each.line, line, Evidence.EARLY_FILE


def _loaded(case: Case, made: dict[str, int]) -> Iterator[Early]:
    """Files that a block imports before they are created."""
    modules = {
        re.sub(r"(?:/__init__)?\.py\Z", "", path).removeprefix("src/").replace("/", "."): (path, line)
        for path, line in made.items()
        if path.endswith(".py")
    }
    for code in case.codes:
        for match in _RUST_MODULE.finditer(code.plain) if code.block.language in RUST and not code.is_test else ():
            path = next((each for each in made if each.endswith(_module_files(case, code, match[1]))), "")
            if path and is_before(case, code.line_of(match.start(1)), made[path]) and not _is_shown(case, path, code.step):
                yield path, code.line_of(match.start(1)), made[path], Evidence.EARLY_LOAD
        for each in needed_by(case, code):
            path, line = modules.get(each.module, ("", 0))
            if path and is_before(case, each.line, line) and not _is_shown(case, path, code.step):
                yield path, each.line, line, Evidence.EARLY_LOAD


def _is_shown(case: Case, path: str, step: int) -> bool:
    """Whether a step, or one before it, writes a file, be it as a placeholder."""
    return any(code.path == path and code.step <= step for code in case.codes)


def _module_files(case: Case, code: Code, module: str) -> tuple[str, ...]:
    """The files that a module of Rust may stand in: beside the file that declares it, or in the folder that has its name. Where
    that file is not known, a file of the tree may be meant."""
    folder, _, name = code.path.removesuffix(".rs").rpartition("/")
    base = f"{folder}/" if name in ("mod", "lib", "main") else f"{folder}/{name}/" if code.path else "/"
    files = (f"{base}{module}.rs", f"{base}{module}/mod.rs")
    return files if code.path or not any(case.ground.resolve(each.strip("/")) for each in files) else ()


def _is_made(case: Case, each: Named) -> bool:
    """Whether a label of a step creates a file or a folder that is not there."""
    return each.intent is Intent.CREATES and each.firm and each.step > 0 and not case.ground.exists(each.text)


def _consumed(case: Case) -> Iterator[Early]:
    """Names under `Consumes:` of a step that a later step alone makes."""
    made: dict[str, int] = {}
    for each in case.of(Mention.SYMBOL, Mention.FILE):
        if each.intent is Intent.CREATES and each.firm and each.step:
            made.setdefault(each.text, each.line)
    for code in case.codes:
        for name, line in defined_in(code).items():
            if code.step and not code.is_test:
                made[name] = min(line, made.get(name, line))
    for each in case.of(Mention.SYMBOL, Mention.FILE):
        name = each.text
        if (
            CONSUMES.match(case.line(each.line))
            and is_before(case, each.line, made.get(name, 0))
            and not _is_there(case, each.kind, name)
        ):
            yield name, each.line, made[name], Evidence.EARLY_LOAD if each.kind is Mention.FILE else Evidence.EARLY_CODE


def _is_there(case: Case, kind: Mention, name: str) -> bool:
    return case.ground.exists(name) if kind is Mention.FILE else case.ground.holds(name)
