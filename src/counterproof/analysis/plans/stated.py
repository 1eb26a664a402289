"""Doubts about names and signatures that a plan states and the repository contradicts (P21).

Invariant: only an explicit form is a statement: `file.py::name`, a name changed in a file, a call in a block.
Things that the plan itself creates or changes are not checked.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import imports_of, source_of
from counterproof.analysis.plans.left_callers import is_only
from counterproof.analysis.plans.signatures import ARGUED, calls_in, functions_in
from counterproof.analysis.program.arguments import misfit, named
from counterproof.model.plan.outline import Intent, Mention

_MEMBER = re.compile(r"::?(?P<name>[A-Za-z_]\w{1,100}(?:[.:]{1,2}\w{1,100})*)")


def false_statements(case: Case) -> Iterator[Doubt]:
    """All statements of the plan about existing code that the code contradicts."""
    for each in case.of(Mention.FILE):
        member = _MEMBER.match(each.detail)
        if member:
            yield from _wrong_home(case, each.line, re.split(r"[.:]+", member["name"])[-1], each.text, "looks for")
    for each in case.intents(Mention.SYMBOL):
        if each.home and each.intent in (Intent.CHANGES, Intent.REMOVES, Intent.RENAMES):
            yield from _wrong_home(case, each.line, each.short, each.home, each.intent.value)
    for code in case.new_codes:
        if code.language in ("python", "go") or (code.language in SCRIPTS and not code.is_test):
            yield from _wrong_calls(case, code)


def _wrong_home(case: Case, line: int, name: str, home: str, verb: str) -> Iterator[Doubt]:
    """A name that its file lacks, while another place defines it."""
    path = case.ground.resolve(home)
    text = case.ground.text(path) if path else ""
    if not text or case.ground.count(home) > 1 or case.makes_name(name) or case.makes_file(home):
        return
    found = case.ground.occurrences(name).definitions[:1]
    if found and not re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
        place = f"{found[0][0]}:{found[0][1]}"
        yield Doubt(
            Evidence.STATED,
            name,
            f"{case.where(line)} {verb} in `{home}` `{name}`",
            f"`{path}` does not have it; it is defined at {place}",
            "The step rests on something that is not so",
            "Name the file that has it",
            lines=(line,),
            places=(place,),
        )


def _wrong_calls(case: Case, code: Code) -> Iterator[Doubt]:
    """Calls in a block that do not fit the function that they name, which the plan does not change."""
    homes = dict(_imported(case, code))
    go = code.language == "go"
    for written, call in calls_in(code.text, code.lowered_as or "a.go"):
        name = written.rpartition(".")[2]
        home = _go_home(case, written) if go else homes.get(written, "")
        known = functions_in(case.ground.text(home), home).get(name) if home else None
        why = misfit(call, known[1]) if known and not case.binds(name) and is_only(case, name, home) else ""
        if known and why:
            place, line = f"{home}:{known[0]}", code.block.first + call.line - 1
            yield Doubt(
                Evidence.MISFIT,
                name,
                f"{case.where(line)} calls `{name}`",
                f"`{name}` {why} ({place})",
                "The call fails when it runs",
                f"Call it with {', '.join(named(known[1])) or 'no arguments'}",
                lines=(line,),
                places=(place,),
            )


def _imported(case: Case, code: Code) -> Iterator[tuple[str, str]]:
    """(name, file) of the imports of a block, in TypeScript also of its file."""
    path = case.ground.resolve(code.path) if case.ground.count(code.path) == 1 else ""
    there = imports_of(case, path) if path and code.language in SCRIPTS else ()
    for each in (*there, *code.imports):
        home, name = source_of(case, path if each in there else code.lowered_as, each)
        if name and home.endswith(ARGUED) and _is_as_it_was(case, home, name):
            yield name, home


def _go_home(case: Case, written: str) -> str:
    """The file of a package's function called as `package.Name`, if no other file defines the name."""
    package, _, name = written.rpartition(".")
    homes = {path for path, _ in case.ground.occurrences(name).definitions} if package else set[str]()
    home = homes.pop() if len(homes) == 1 else ""
    named = home.endswith(".go") and home.split("/")[-2:-1] == [package]
    return home if named and _is_as_it_was(case, home, name) else ""


def _is_as_it_was(case: Case, path: str, name: str) -> bool:
    """Return True if a plan does not change a function: not its file, or at least not its name anywhere in prose."""
    prose = (line for number, line in enumerate(case.lines, 1) if number not in case.code_lines)
    return case.is_left(path) or not any(name in line for line in prose)
