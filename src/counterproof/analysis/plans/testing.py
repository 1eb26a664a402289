"""Doubts about how a plan checks itself: tests that run and never reach the code that the plan changes.

Always: only where the named tests are all that is run, are there already and stay as they are, and reach the code by imports
that can be followed. Tests that go through a client, a process or an address say nothing here.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.doubts import Case, Doubt, Kind
from counterproof.analysis.plans.importing import imported_names
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention

DEPTH = 3
MAX_FOLLOWED = 300

_EVERYTHING = re.compile(
    r"\b(?:(?:whole|full|entire|complete|existing) (?:test )?suite|(?:the|test) suite|all (?:the )?(?:existing )?tests"
    r"|(?:run|runs) (?:the|our) (?:unit |existing )?tests|every test|tests? (?:stay|remain)s? green"
    r"|ci (?:is|stays|passes))\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:\$ ?)?(?:python3? -m )?(?:pytest|tox|nox|make (?:test|tests|check|ci)|npm (?:run )?test|yarn test)(?: -{1,2}\S{1,40})*\Z"
)
_INDIRECT = re.compile(
    r"\b(?:client|reverse|url_for|runner|CliRunner|invoke|subprocess|Popen|webtest|browser|page|live_server|testdir|pytester"
    r"|import_module|getattr|patch)\b"
)
_PATH = re.compile(r"(?<![\w=/-])((?:[\w.-]{1,60}/){0,10}[\w.-]{1,60}\.py)")


def untouched_tests(case: Case) -> Iterator[Doubt]:
    """Test files that the plan runs to check a change that they never reach."""
    changed, words = _changed(case)
    if not changed or _runs_everything(case):
        return
    named = _run_tests(case)
    if not named or any(_reaches(case, path, changed, words) for path, _ in named):
        return
    for path, line in named[:1]:
        yield Doubt(
            Kind.UNTOUCHED,
            path,
            "",
            f"`{path}` names nothing that the plan changes, and none of the modules that it imports is one of them",
            f"The check at line {line} passes whatever the change does",
            "Name a test that calls the changed code, or add a step that writes one",
            Weight.SIGNIFICANT,
            Confidence.MED,
            (line,),
            (f"{path}:1",),
        )


def _changed(case: Case) -> tuple[frozenset[str], frozenset[str]]:
    """Real files of code that the plan names, and the words by which a test would know them. Naming one is enough: what the plan
    does with it is not always said."""
    files: set[str] = set()
    words: set[str] = set()
    for each in case.of(Mention.FILE, Mention.SYMBOL):
        if each.kind is Mention.SYMBOL:
            words.add(each.text.rpartition(".")[2])
            continue
        real = case.ground.resolve(each.text)
        file = case.ground.project.files.get(real)
        if file and file.test:
            continue
        if file and file.language:
            files.add(real)
        if file is None or file.language:
            parts = each.text.split("/")
            words.add(parts[-2] if parts[-1].startswith("__") and len(parts) > 1 else parts[-1].partition(".")[0])
    return frozenset(files), frozenset(word for word in words if len(word) > 2)


def _runs_everything(case: Case) -> bool:
    return _EVERYTHING.search(case.text) is not None or any(_BARE.match(each.text) for each in case.of(Mention.COMMAND))


def _run_tests(case: Case) -> list[tuple[str, int]]:
    """Existing Python test files in commands of the plan, unless a step changes or creates one of them."""
    found: list[tuple[str, int]] = []
    for each in case.of(Mention.COMMAND):
        for match in _PATH.finditer(each.text):
            file = case.ground.project.files.get(case.ground.resolve(match[1]))
            if file is None or not file.test:
                return []
            found.append((file.path, each.line))
    written = {case.ground.resolve(each.text) for each in case.of(Mention.FILE) if each.intent is not Intent.USES}
    return [] if any(path in written for path, _ in found) else list(dict.fromkeys(found))


def _reaches(case: Case, test: str, changed: frozenset[str], words: frozenset[str]) -> bool:
    """Whether a test reaches the change, or may do so in a way that cannot be followed."""
    text = case.ground.text(test)
    if _INDIRECT.search(text) or any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words):
        return True
    seen, layer = {test}, [test]
    for _ in range(DEPTH):
        layer = [path for each in layer for path in _followed(case, each) if path not in seen][:MAX_FOLLOWED]
        seen.update(layer)
        if changed & seen:
            return True
    code = [path for path in seen if not case.ground.project.files[path].test]
    return not code


def _followed(case: Case, path: str) -> Iterator[str]:
    """Files of the repository that a file imports."""
    lines = case.ground.text(path).split("\n")
    for number, line in enumerate(lines[:2_000], 1):
        if "import" not in line:
            continue
        for parts in imported_names(lines, number, path):
            name = "/".join(part for part in parts if part)
            found = case.ground.resolve(f"{name}.py") or case.ground.resolve(f"{name}/__init__.py") if name else ""
            if found:
                yield found
