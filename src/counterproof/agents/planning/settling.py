"""How a researcher checks one challenge by a second method: by search and by syntax, not by the check that raised it (P11).

Always: an answer names a source that can be looked up. What cannot be checked here is said to be unresolvable, not guessed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.plans.doubts import Kind, Read
from counterproof.analysis.plans.packages import imported_as
from counterproof.analysis.syntax.ir import Attribute, Call, Name
from counterproof.model.counting import counted
from counterproof.model.errors import CounterproofError
from counterproof.model.plan.outline import Intent, Mention
from counterproof.model.plan.research import UnknownResolution, UnknownType, Verified
from counterproof.model.survey import Language
from counterproof.model.text import lines_in
from counterproof.toolbox.plan_tools import Hit, PlanTools

MAX_FILES_READ = 3

TYPES: dict[Kind, UnknownType] = {
    Kind.FILE: UnknownType.FILE_MISSING,
    Kind.TEST: UnknownType.FILE_MISSING,
    Kind.COMMAND: UnknownType.FILE_MISSING,
    Kind.VERSION: UnknownType.STALE_KNOWLEDGE,
    Kind.CALL: UnknownType.API_BEHAVIOR,
    Kind.IMPORT: UnknownType.API_BEHAVIOR,
    Kind.PROPERTY: UnknownType.STALE_KNOWLEDGE,
    Kind.SIGNATURE: UnknownType.API_BEHAVIOR,
    Kind.DECISION: UnknownType.PRIOR_DECISION,
}
"""All others are INTEGRATION_UNKNOWN."""

_DOCUMENT = re.compile(r"\.(?:md|rst|txt|adoc|html|po)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """How an unknown ended, with its source, or with the reason why there is none."""

    resolution: UnknownResolution
    source: str
    finding: str
    impact: str

    @property
    def line(self) -> str:
        if self.resolution is UnknownResolution.UNRESOLVABLE:
            return self.finding[:1_000]
        clean = [" ".join(text.replace("|", "/").replace("]", ")").split()) for text in (self.source, self.finding, self.impact)]
        return str(Verified(clean[0][:480], clean[1][:900], clean[2][:480]))


_MANIFEST = re.compile(
    r"(?:requirements|constraints)[^/]*\.(?:txt|in)\Z|\.lock\Z|(?:pyproject\.toml|package(?:-lock)?\.json|setup\.cfg)\Z"
)


def word_of(read: Read) -> str:
    """The word to search for."""
    subject = read.subject
    if read.kind is Kind.VERSION:
        return normal_name(subject)
    if read.kind is Kind.DEPENDENCY:
        return imported_as(subject)
    if read.kind is Kind.CALL:
        subject = subject.partition("(")[0]
    if "/" in subject:
        return subject.rstrip("/").rpartition("/")[2].partition(".")[0]
    return subject.rpartition(".")[2]


def settle(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """Check what a claim is about. `hits` are the lines that hold its word."""
    return _METHODS.get(read.kind, _as_written)(read, hits, tools)


def _confirmed(source: str, finding: str, impact: str) -> Answer:
    return Answer(UnknownResolution.CONFIRMED, source, finding, impact)


def _refuted(source: str, finding: str, impact: str) -> Answer:
    return Answer(UnknownResolution.REFUTED, source, finding, impact)


def _plan_place(read: Read) -> str:
    return f"plan:{read.line or 1}"


def _file(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By the plan's raw text and by the list of files without regard to case."""
    created = re.compile(rf"\b(?:new|creates?|generates?d?)\b[^`\n]{{0,40}}`?(?:\./)?{re.escape(read.subject)}", re.IGNORECASE)
    for number, line in enumerate(tools.bench.case.lines, 1):
        if created.search(line[:2_000]):
            return _refuted(f"plan:{number}", "the plan says that this file is new", "it need not be there yet")
    wanted = read.subject.lower()
    same = next((path for path in tools.bench.project.files if path.lower() == wanted or path.lower().endswith(f"/{wanted}")), "")
    if same:
        return Answer(
            UnknownResolution.PARTIALLY_RESOLVED, f"{same}:1", f"{same} differs only in case", "the name must be mended"
        )
    count = len(tools.bench.project.files)
    return _confirmed(_plan_place(read), f"none of {count} files has this path, in any case", "the step has nothing to work on")


def _place(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By the text of the file itself, and by every number on the plan's line."""
    path = next((each for each in tools.bench.project.files if f"/{each}".endswith(f"/{read.subject}")), "")
    if not path:
        return Answer(UnknownResolution.UNRESOLVABLE, "", "the file was not found again", "")
    count = len(lines_in(tools.bench.project.text(path)))
    named = [int(each) for each in re.findall(r"\d{1,7}", tools.bench.case.line(read.line))]
    if max(named, default=0) <= count:
        return _refuted(f"{path}:{count}", f"the file has {counted(count, 'line')}", "the line is there")
    return _confirmed(f"{path}:{max(count, 1)}", f"the file ends at line {count}", "the step points at nothing")


def _name(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    code = [hit for hit in hits if not _DOCUMENT.search(hit.path)]
    home = _home_of_class(read.subject.rpartition(".")[0], tools)
    if home:
        code = [hit for hit in code if hit.path == home]
        if not code:
            return _confirmed(f"{home}:1", "the file of the class does not hold this name", "the call fails")
    if code:
        return _refuted(code[0].place, f"the name stands in {counted(len(code), 'line')} of the code", "it is there")
    if hits:
        found = f"only documents name it, in {counted(len(hits), 'line')}"
        return Answer(UnknownResolution.PARTIALLY_RESOLVED, hits[0].place, found, "no code defines it")
    return _confirmed(
        _plan_place(read), "a search over all files finds no line with this word", "the step has nothing to work on"
    )


def _home_of_class(owner: str, tools: PlanTools) -> str:
    """The file of the one class of this name; '' if there is none, or more than one."""
    places = tools.bench.case.ground.occurrences(owner).definitions if owner[:1].isupper() and "." not in owner else []
    return places[0][0] if len(places) == 1 else ""


def _package(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    word = re.escape(imported_as(read.subject))
    imported = re.compile(rf"\s*(?:import|from)\s+{word}\b|.{{0,200}}require\(['\"]{re.escape(read.subject)}['\"]")
    found = next((hit for hit in hits if imported.match(hit.text)), None)
    if found:
        return _refuted(found.place, "the code imports the package already", "it is available, though no manifest names it")
    return _confirmed(_plan_place(read), "no manifest and no import names the package", "the import fails")


def _version(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By the manifests themselves: a package is spelled in many ways there, and its name stands on many lines of the code."""
    wanted = re.compile(rf"(?<![\w-]){re.escape(normal_name(read.subject))}(?![\w-])")
    manifests = sorted(
        (path for path in tools.bench.project.files if _MANIFEST.search(path)), key=lambda path: (path.count("/"), path)
    )
    for path in manifests[:MAX_FILES_READ]:
        for number, line in enumerate((tools.read(path) or "").split("\n"), 1):
            if wanted.search(normal_name(line[:500])) and re.search(r"\d", line[:500]):
                found = f"the manifest says: {line.strip()[:200]}"
                return _confirmed(f"{path}:{number}", found, "the plan rests on another version")
    return Answer(UnknownResolution.UNRESOLVABLE, "", "no manifest that could be read states the version", "")


def _users(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By syntax: a use counts when the parsed module holds it, not when a comment or a text does."""
    touched, word = tools.bench.case.touched, word_of(read)
    tests = {path for path, file in tools.bench.project.files.items() if file.test}
    outside = [hit for hit in hits if hit.path not in touched and hit.path not in tests and not _DOCUMENT.search(hit.path)]
    anywhere = outside or [hit for hit in hits if hit.path not in tests and not _DOCUMENT.search(hit.path)]
    imports = [hit.path for hit in anywhere if re.match(r"\s*(?:from|import)\b", hit.text)]
    paths = list(dict.fromkeys([*imports, *(hit.path for hit in anywhere)]))
    for path in paths[:MAX_FILES_READ]:
        if tools.read(path) is None:
            return Answer(UnknownResolution.UNRESOLVABLE, "", "the budget of reads is used up before a use was seen", "")
        line = _used_at(tools, path, word, [hit for hit in anywhere if hit.path == path])
        if line:
            return _confirmed(
                f"{path}:{line}", f"{word} is used here, by the parsed code", "this place breaks or was not counted"
            )
    if len(paths) > MAX_FILES_READ:
        more = f"{len(paths) - MAX_FILES_READ} further files hold the name and were not read"
        return Answer(UnknownResolution.UNRESOLVABLE, "", more, "")
    if anywhere:
        return _refuted(anywhere[0].place, "only comments, texts or definitions hold the name", "nobody is broken")
    return _refuted(_plan_place(read), "a search over all files finds no further use", "nobody is broken")


def _used_at(tools: PlanTools, path: str, word: str, hits: list[Hit]) -> int:
    outline = _parsed(tools, path)
    if outline is None:
        defining = re.compile(rf"\b(?:class|function|func|def|const|let|var|interface)\s+{re.escape(word)}\b")
        used = [hit for hit in hits if not defining.search(hit.text) and not re.match(r"\s*(?:#|//|\*)", hit.text)]
        return used[0].line if used else 0
    lines = [site.line for site in outline.of(Attribute) if site.node.name == word]
    lines += [site.line for site in outline.of(Call) if isinstance(site.node.callee, Name) and site.node.callee.id == word]
    if any(word in dotted.split(".") for dotted in outline.module.imports.values()):
        lines += [hit.line for hit in hits if "import" in hit.text] or [hits[0].line]
    return min(lines, default=0)


def _parsed(tools: PlanTools, path: str) -> Outline | None:
    """A Python module by its syntax; None for what has to be judged by its lines."""
    if tools.bench.project.files[path].language is not Language.PYTHON:
        return None
    try:
        return Outline(tools.bench.project.module(path))
    except CounterproofError:
        return None


def _call(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    word = word_of(read)
    defined = [hit for hit in hits if re.match(rf"\s*(?:async\s+)?def\s+{re.escape(word)}\b", hit.text)]
    if not defined or tools.read(defined[0].path) is None:
        return Answer(UnknownResolution.UNRESOLVABLE, "", f"no definition of {word} was found that could be read", "")
    return _confirmed(defined[0].place, f"it is defined as: {defined[0].text.strip()[:200]}", "the call does not fit")


def _import(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By the list of files, and by the syntax of the module that the name would come from."""
    module, _, name = read.subject.rpartition(".")
    endings = (f"/{module.replace('.', '/')}.py", f"/{module.replace('.', '/')}/__init__.py")
    path = next((each for each in tools.bench.project.files if f"/{each}".endswith(endings)), "")
    if not path:
        return _confirmed(_plan_place(read), f"no file is the module {module}", "the import fails")
    outline = _parsed(tools, path) if tools.read(path) is not None else None
    if outline is None:
        return Answer(UnknownResolution.UNRESOLVABLE, "", f"{path} could not be read", "")
    if any(hit.path == path for hit in hits) or outline.module.wildcards:
        return _refuted(f"{path}:1", f"the module holds {name}, or takes names from elsewhere", "the import may work")
    return _confirmed(f"{path}:1", f"the module neither defines nor imports {name}", "the import fails")


def _property(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By the definition itself; for a claim about tests, by the files that count as tests."""
    word = word_of(read)
    tests = [hit for hit in hits if tools.bench.project.files[hit.path].test]
    about_tests = re.search(r"\btest|\bcovered", tools.bench.case.line(read.line), re.IGNORECASE) is not None
    if about_tests and tests:
        return _refuted(tests[0].place, f"a test names {word}", "the claim holds")
    defined = [hit for hit in hits if re.match(rf"\s*(?:async\s+)?def\s+{re.escape(word)}\b", hit.text)]
    if len(defined) != 1 or tools.read(defined[0].path) is None:
        return Answer(UnknownResolution.UNRESOLVABLE, "", f"{len(defined)} definitions of {word} were found, not one", "")
    fact = "no test file holds its name" if about_tests else "it shows no trace of what the plan says"
    return _confirmed(defined[0].place, f"{word} is defined here; {fact}", "the plan rests on work not done")


def _test_reach(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """By the words of the test file: a name that the plan changes in it refutes the doubt."""
    text = tools.read(read.subject)
    if text is None:
        return Answer(UnknownResolution.UNRESOLVABLE, "", "the test file could not be read", "")
    changed = [each.text.rpartition(".")[2] for each in tools.bench.case.of(Mention.SYMBOL) if each.intent is not Intent.USES]
    for number, line in enumerate(text.split("\n"), 1):
        if any(word in line for word in changed if len(word) > 3):
            return _refuted(f"{read.subject}:{number}", "the test names what is changed", "it reaches the change")
    return _confirmed(f"{read.subject}:1", "no line of the test names what is changed", "the check proves nothing")


def _decision(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    written = [hit for hit in hits if _DOCUMENT.search(hit.path)]
    if not written:
        return Answer(UnknownResolution.UNRESOLVABLE, "", "the decision was not found again", "")
    return _confirmed(written[0].place, written[0].text.strip()[:300], "the plan goes against it")


def _as_written(read: Read, hits: tuple[Hit, ...], tools: PlanTools) -> Answer:
    """What the plan's own text settles."""
    if not 0 < read.line <= tools.bench.outline.lines:
        return Answer(UnknownResolution.UNRESOLVABLE, "", "the claim names no line of the plan", "")
    line = tools.bench.case.line(read.line).strip()
    return _confirmed(f"plan:{read.line}", f"the plan says: {line[:300]}", "nothing else in the plan settles it")


_METHODS: dict[Kind, Callable[[Read, tuple[Hit, ...], PlanTools], Answer]] = {
    Kind.FILE: _file,
    Kind.PLACE: _place,
    Kind.SYMBOL: _name,
    Kind.TEST: _name,
    Kind.ENDPOINT: _name,
    Kind.TABLE: _name,
    Kind.SETTING: _name,
    Kind.DEPENDENCY: _package,
    Kind.VERSION: _version,
    Kind.REMOVAL: _users,
    Kind.RENAME: _users,
    Kind.SIGNATURE: _users,
    Kind.UNUSED: _users,
    Kind.COUNT: _users,
    Kind.CALL: _call,
    Kind.IMPORT: _import,
    Kind.OPTION: _name,
    Kind.PROPERTY: _property,
    Kind.UNTOUCHED: _test_reach,
    Kind.DECISION: _decision,
}
