"""Doubts about names and signatures that a plan states and the repository contradicts (P21).

Invariant: only an explicit form is a statement: `file.py::name`, a name changed in a file, a call in a block.
Things that the plan itself creates or changes are not checked.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.heads import GO, calls_in, heads_in
from counterproof.analysis.plans.imports import module_file, modules_of
from counterproof.analysis.plans.left_callers import is_only
from counterproof.analysis.plans.python_trees import parsed
from counterproof.analysis.plans.script_trees import taken_by
from counterproof.analysis.plans.signatures import Signature, functions_in, misfit
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

_MEMBER = re.compile(r"::?(?P<name>[A-Za-z_]\w{1,100}(?:[.:]{1,2}\w{1,100})*)")


def false_statements(case: Case) -> Iterator[Doubt]:
    """All statements of the plan about existing code that the code contradicts."""
    yield from _wrong_homes(case)
    yield from _wrong_calls(case)
    yield from _wrong_counts(case)


def _wrong_homes(case: Case) -> Iterator[Doubt]:
    """Names cited, changed or removed in a file that does not contain them."""
    for each in case.of(Mention.FILE):
        member = _MEMBER.match(each.detail)
        if member:
            yield from _wrong_home(case, each.line, re.split(r"[.:]+", member["name"])[-1], each.text, "looks for")
    for each in case.intents(Mention.SYMBOL):
        if each.home and each.intent in (Intent.CHANGES, Intent.REMOVES, Intent.RENAMES):
            yield from _wrong_home(case, each.line, each.short, each.home, each.intent.value)


def _wrong_home(case: Case, line: int, name: str, home: str, verb: str) -> Iterator[Doubt]:
    """A name that its file lacks, while another place defines it."""
    path = case.ground.resolve(home)
    text = case.ground.text(path) if path else ""
    if not text or case.ground.count(home) > 1 or case.makes_name(name) or case.makes_file(home):
        return
    if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
        return
    found = case.ground.occurrences(name).definitions[:1]
    if not found:
        return
    place = f"{found[0][0]}:{found[0][1]}"
    concern = f"`{path}` does not have it; it is defined"
    yield _stated(case, line, name, f"{verb} in `{home}`", concern, place, "Name the file that has it")


def _wrong_calls(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's Python that do not fit the imported function, in a file that the plan does not touch."""
    for code in case.new_codes:
        if code.tree is None:
            continue
        raising = _expected_to_fail(code.tree)
        taken = {each.name: each.module for each in code.imports if each.name}
        for call in code.calls:
            signature = (
                _function(case, taken[call.name], call.name) if call.name in taken and call.name not in code.defined else None
            )
            why = misfit(call.node, signature) if signature and id(call.node) not in raising else ""
            if signature and why:
                yield _stated(
                    case,
                    call.line,
                    call.name,
                    "calls",
                    f"`{call.name}` {why}",
                    signature.place,
                    f"Call it with {_taken(signature)}",
                    Evidence.MISFIT,
                )


def _wrong_counts(case: Case) -> Iterator[Doubt]:
    """Calls in a TypeScript or Go block with more or fewer arguments than the named function takes."""
    for code in case.new_codes:
        if code.block.language not in (*SCRIPTS, GO) or code.is_test or not code.path:
            continue
        homes = dict(_imported_from(case, code))
        for written, line, count in calls_in(code.text, code.block.language):
            name = written.rpartition(".")[2]
            home = _go_home(case, written) if code.block.language == GO else homes.get(written, "")
            language = GO if home.endswith(".go") else "ts"
            heads = [head for each, head in heads_in(case.ground.text(home), language) if each == name] if home else []
            head = heads[0] if len(heads) == 1 else None
            if head is None or case.binds(name) or head.least <= count <= head.most:
                continue
            taken = ", ".join(head.names) or "no arguments"
            why, place = f"`{name}` takes {taken}, not {counted(count, 'argument')}", f"{home}:{head.line}"
            told = f"Call it with {taken}"
            yield _stated(case, code.block.first + line - 1, name, "calls", why, place, told, Evidence.MISFIT)


def _imported_from(case: Case, code: Code) -> Iterator[tuple[str, str]]:
    """(name, file) of the TypeScript imports of a block, or of its file, that the plan does not change."""
    there = case.ground.text(case.ground.resolve(code.path)) if case.ground.count(code.path) == 1 else ""
    taken = {name: module for module, name, _ in taken_by(there, code.path) or ()}
    taken |= {each.name: each.module for each in code.imports}
    for name, module in taken.items() if code.block.language in SCRIPTS else ():
        home = module_file(case, code.path, module) if name else ""
        if home.endswith((".ts", ".tsx", ".mts")) and _is_as_it_was(case, home, name) and is_only(case, name, home):
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


def _expected_to_fail(tree: ast.Module) -> set[int]:
    """The calls inside a test's expectation of an exception."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.With) and "raises" in ast.dump(node.items[0]).lower()]
    return {id(inner) for node in blocks for each in node.body for inner in ast.walk(each) if isinstance(inner, ast.Call)}


def _function(case: Case, module: str, name: str) -> Signature | None:
    """The function of a project module, if the plan does not change it."""
    path = modules_of(case).find(module, "") or ""
    if not path or not _is_as_it_was(case, path, name) or case.binds(name):
        return None
    tree = parsed(case.ground.text(path))
    found = [each for each in functions_in(tree, path, 1) if each.name == name] if tree else []
    return found[0] if len(found) == 1 and len(case.ground.occurrences(name).definitions) == 1 else None


def _taken(signature: Signature) -> str:
    return ", ".join(signature.names) or "no arguments"


def _stated(
    case: Case, line: int, what: str, verb: str, concern: str, place: str, fix: str, evidence: Evidence = Evidence.STATED
) -> Doubt:
    return Doubt(
        evidence,
        what,
        f"{case.where(line)} {verb} `{what}`",
        f"{concern} at {place}" if concern.endswith("defined") else f"{concern} ({place})",
        "The call fails when it runs" if evidence is Evidence.MISFIT else "The step rests on something that is not so",
        fix,
        lines=(line,),
        places=(place,),
    )
