"""Command lines and main scripts: click, typer, `__main__` blocks, scripts that read arguments, declared console scripts."""

import configparser
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from counterproof.analysis.endpoints.convention import Convention, Handler, entry, handler_of
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import LOCAL
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.file import File
from counterproof.analysis.program.mentioned import decorator_names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.structured import parsed_toml
from counterproof.analysis.syntax.walk import walk
from counterproof.model.errors import CounterproofError
from counterproof.model.recon import EntryKind, EntryPoint

MAX_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class ConsoleScript:
    """`target` is the dotted name of the function."""

    name: str
    target: str


def console_scripts(project: Project) -> Iterator[ConsoleScript]:
    for file in project.survey.files:
        name = file.path.rpartition("/")[2]
        reader = {"pyproject.toml": _pyproject, "setup.cfg": _setup_cfg}.get(name)
        if file.size > MAX_BYTES or (reader is None and name != "setup.py"):
            continue
        try:
            lines = list(reader(project.text(file.path))) if reader else _setup_py(project, file.path)
        except (CounterproofError, ValueError, RecursionError, configparser.Error):
            continue  # a broken manifest is reported by the code that reads manifests
        yield from (script for line in lines if (script := _parsed(line)))


def _pyproject(text: str) -> Iterator[str]:
    document = _table(parsed_toml(text))
    for owner in (_table(document.get("project")), _table(_table(document.get("tool")).get("poetry"))):
        for name, target in _table(owner.get("scripts")).items():
            yield f"{name}={target if isinstance(target, str) else ''}"


def _table(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _setup_cfg(text: str) -> Iterator[str]:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    yield from parser.get("options.entry_points", "console_scripts", fallback="").splitlines()


def _setup_py(project: Project, path: str) -> list[str]:
    """Literals of the form `name = module:function`; nothing is executed."""
    module = project.module(path)
    return [line for node in walk(*module.body) for line in (text_of(node) or "").splitlines() if ":" in line and "=" in line]


def _parsed(line: str) -> ConsoleScript | None:
    name, equals, target = line.partition("=")
    module, colon, function = target.strip().partition(":")
    function = function.partition("[")[0].strip()
    parts = [*module.split("."), *function.split(".")]
    if not equals or not colon or not all(part.isidentifier() for part in parts):
        return None
    return ConsoleScript(name.strip(), ".".join(parts))


_COMMANDS = ("command", "group", "callback")
_CHATS = frozenset(names("entry", "chat-command"))
_PACKAGES = names("entry", "command-line")
_RUNNERS = ("run", "exit", "SystemExit", "run_until_complete")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in having(codebase, _may_be_run):
        for function in outline.module.functions:
            yield from _command(codebase, outline, function)
        yield from _main(codebase, outline)
    for script in console_scripts(codebase.project):
        found = codebase.define(script.target, "")
        if found and isinstance(found.node, ir.Function | ir.Class):
            handler = Handler(found.outline, found.node, found.node.qualified)
            yield entry(EntryKind.CLI, "console script", script.name, handler, "", LOCAL)


def _command(codebase: Codebase, outline: Outline, function: ir.Function) -> Iterator[EntryPoint]:
    for decorator in function.decorators:
        value = decorator.value
        callee = value.callee if isinstance(value, ir.Call) else value
        dotted = outline.dotted(callee)
        name = dotted.rpartition(".")[2]
        if name not in _COMMANDS or not _is_cli(codebase, outline, dotted, callee):
            continue
        label = text_of(value.arguments[0].value) if isinstance(value, ir.Call) and value.arguments else None
        framework = "Typer" if "typer" in codebase.constructor(outline, _receiver(callee)) else "click"
        handler = handled(outline, function)
        yield entry(EntryKind.CLI, name, label or function.name, handler, framework, LOCAL)
        return


def _receiver(callee: ir.Expr) -> ir.Expr:
    return callee.value if isinstance(callee, ir.Attribute) else callee


def _is_cli(codebase: Codebase, outline: Outline, dotted: str, callee: ir.Expr) -> bool:
    if dotted.startswith(_PACKAGES) or ".cli." in f".{dotted}":
        return True
    built = codebase.constructor(outline, _receiver(callee))
    if not _CHATS.isdisjoint(name.partition(".")[0] for name in outline.module.imports.values()):
        return built.startswith(("typer.", "click."))  # chat command groups use the same syntax
    found = codebase.meaning(outline, _receiver(callee))
    return built.startswith(("typer.", "click.")) or bool(found and isinstance(found.node, ir.Function) and found.node.decorators)


def _main(codebase: Codebase, outline: Outline) -> Iterator[EntryPoint]:
    block = _main_block(outline)
    if block is not None:
        yield _block(codebase, outline, block)
        return
    first = _script_line(outline)
    if first is not None:
        handler = Handler(outline, first, "<module>")
        yield entry(EntryKind.MAIN, "script", outline.path, handler, "", LOCAL)


@trait("command lines and scripts")
def _may_be_run(outline: File) -> bool:
    commands = not set(_COMMANDS).isdisjoint(decorator_names.tell(outline))
    return commands or _main_block(outline) is not None or _script_line(outline) is not None


def _main_block(outline: Outline) -> ir.If | None:
    found = (each for each in outline.module.body if isinstance(each, ir.If))
    return next((each for each in found if any(_is_main_test(branch.test) for branch in each.branches)), None)


def _is_main_test(test: ir.Expr) -> bool:
    return (
        isinstance(test, ir.Compare)
        and any(isinstance(each, ir.Name) and each.id == "__name__" for each in test.operands)
        and any(text_of(each) == "__main__" for each in test.operands)
    )


def _block(codebase: Codebase, outline: Outline, block: ir.If) -> EntryPoint:
    """The project function that the block calls, or else the block itself."""
    body = block.branches[0].body
    for statement in body if len(body) == 1 else ():
        call = _called(statement)
        found = codebase.meaning(outline, call.callee) if call else None
        if call and found and isinstance(found.node, ir.Function):
            return entry(EntryKind.MAIN, "main", outline.path, handler_of(found, outline, call), "", LOCAL)
    return entry(EntryKind.MAIN, "main", outline.path, Handler(outline, block, "<module>"), "", LOCAL)


def _called(statement: ir.Statement) -> ir.Call | None:
    """`main()`, also inside `sys.exit(main())` and `asyncio.run(main())`."""
    value = statement.value if isinstance(statement, ir.ExprStatement) else None
    for _ in range(4):
        if isinstance(value, ir.Await):
            value = value.value
        if not isinstance(value, ir.Call):
            return None
        last = (
            value.callee.name
            if isinstance(value.callee, ir.Attribute)
            else value.callee.id
            if isinstance(value.callee, ir.Name)
            else ""
        )
        if last in _RUNNERS and value.arguments and isinstance(value.arguments[0].value, ir.Call):
            value = value.arguments[0].value
            continue
        return value
    return None


def _script_line(outline: Outline) -> ir.Call | ir.Attribute | None:
    """The first module-level place that reads arguments or input, or starts a server."""
    found: list[Site[ir.Attribute] | Site[ir.Call]] = [
        site for site in outline.of(ir.Attribute) if site.function is None and outline.dotted(site.node) == "sys.argv"
    ]
    found += [
        site
        for site in outline.of(ir.Call)
        if site.function is None
        and (_is_input(outline, site.node) or outline.dotted(site.node.callee).endswith("execute_from_command_line"))
    ]
    return min(found, key=lambda site: site.line).node if found else None


def _is_input(outline: Outline, call: ir.Call) -> bool:
    return outline.dotted(call.callee) in ("input", "raw_input")


CONVENTION = Convention("click", ("click", "typer"), ("click", "typer"), _find)
