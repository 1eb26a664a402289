"""Doubts about the order of steps: a step uses something that only a later step creates (P17).

Invariant: both steps are explicit. A label or instruction that changes the thing, and a command that runs a file, block the plan;
an import in a block is a question. A test may be written before the tested code.
"""

import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import SCRIPTS
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.outline import Intent, Mention, Named


def early_uses(case: Case) -> Iterator[Doubt]:
    """Files and names that a step uses and only a later step creates."""
    yield from _changed_early(case)
    yield from _run_early(case)
    yield from _imported_early(case)


def _made_in_steps(case: Case, *kinds: Mention) -> dict[str, Named]:
    """Things that a step creates first and the repository does not contain."""
    made: dict[str, Named] = {}
    for each in case.intents(*kinds):
        if each.intent is Intent.CREATES and each.step:
            made.setdefault(each.short if each.kind is Mention.SYMBOL else each.text, each)
    there = case.ground.exists if Mention.FILE in kinds else case.ground.holds
    written = {code.path: code.step for code in reversed(case.codes) if code.path}
    return {name: each for name, each in made.items() if not there(name) and written.get(name, each.step) >= each.step}


def _changed_early(case: Case) -> Iterator[Doubt]:
    for kind in (Mention.FILE, Mention.SYMBOL):
        made = _made_in_steps(case, kind)
        for each in case.intents(kind):
            later = made.get(each.short if kind is Mention.SYMBOL else each.text)
            if later and 0 < each.step < later.step and each.intent not in (Intent.CREATES, Intent.KEEPS):
                yield _early(case, each.text, each.line, later, Evidence.EARLY, each.intent.value)


def _run_early(case: Case) -> Iterator[Doubt]:
    """Files that a command runs before the step that creates them; a test that must fail first already exists by then."""
    made = _made_in_steps(case, Mention.FILE)
    for each in case.of(Mention.COMMAND):
        for match in FILE.finditer(each.text):
            later = made.get(match[0].removeprefix("./"))
            if later and 0 < each.step < later.step:
                yield _early(case, later.text, each.line, later, Evidence.EARLY, "runs")


def _imported_early(case: Case) -> Iterator[Doubt]:
    made = _made_in_steps(case, Mention.FILE)
    for code in case.new_codes:
        for each in code.imports if code.step and not code.is_test else ():
            path = next((path for path in made if _is_of(code, each.module, path)), "")
            if path and code.step < made[path].step:
                yield _early(case, path, each.line, made[path], Evidence.EARLY_NAME, "imports")


def _is_of(code: Code, module: str, path: str) -> bool:
    """Return True if an import leads to a file: by its full name, or in Python without the search path's folders."""
    if code.language == "python":
        whole = re.sub(r"(?:/__init__)?\.py\Z", "", path).replace("/", ".")
        named = (module, module.rpartition(".")[0])
        return path.endswith(".py") and any(each == whole or ("." in each and whole.endswith(f".{each}")) for each in named)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(code.path), re.sub(r"\.[cm]?jsx?\Z", "", module)))
    return module.startswith(".") and path.endswith(SCRIPTS) and path.startswith(f"{target}.")


def _early(case: Case, name: str, line: int, later: Named, evidence: Evidence, verb: str) -> Doubt:
    ask = " Should the steps change places?" if evidence is Evidence.EARLY_NAME else ""
    return Doubt(
        evidence,
        name,
        f"{case.where(line)} {verb} `{name}`",
        f"Only step {later.step} creates it, at line {later.line}: {case.line(later.line).strip()[:120].replace('`', chr(39))}"
        + (f".{ask}" if ask else ""),
        "Carried out in order, the step has nothing to work on",
        f"Move step {later.step} before it, or create `{name}` there",
        lines=(line, later.line),
        places=(f"plan:{later.line}",),
    )
