"""Intents in a plan's code blocks: diffs, file trees and commands (P21).

Invariant: a block states only the intents in its own lines, and nothing is run. A diff removes a definition that it deletes and
does not add again; a tree states only its marked entries.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import DIFFS, SHELLS
from counterproof.analysis.plans.intents import mark_of
from counterproof.analysis.plans.layout import Block
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.outline import Intent, Mention, Named

_BRANCH = re.compile(r"[ \t│├└─|`+\\-]*")
_SHELL = re.compile(
    r"[ \t$]*(?:git[ \t]+)?(?P<verb>rm|mv|touch)(?:[ \t]+-\w{1,4})*(?P<paths>(?:[ \t]+[\"']?(?!-)[\w./@()\[\]-]{3,200}"
    r"[\"']?){1,30})[ \t]*(?:#.*)?\Z"
)
_OLD_SIDE = re.compile(r"--- (?:a/)?(?P<path>\S{1,300})")
_NEW_SIDE = re.compile(r"\+\+\+ (?:b/)?(?P<path>\S{1,300})")
_DEFINED = re.compile(
    r"[+-][ \t]*(?:(?:export|default|async|pub|public|private|protected|static|abstract|final)[ \t]+){0,4}"
    r"(?:def|class|function|func|fn|interface|type|struct|enum|trait)[ \t]+(?P<name>[A-Za-z_$][\w$]{1,80})"
)


def stated_in(block: Block, step: int) -> Iterator[Named]:
    """The intents of one block."""
    if block.language in DIFFS:
        yield from _of_diff(block, step)
        return
    if re.search("[├└]", block.text):
        yield from _of_tree(block, step)
        return
    for number, line in enumerate(block.text.split("\n"), block.first):
        shell = _SHELL.match(line[:2_000]) if block.language in (*SHELLS, "text") else None
        if shell:
            yield from _of_command(shell, number, step)


def _of_command(shell: re.Match[str], line: int, step: int) -> Iterator[Named]:
    paths = [each.strip("\"'").removeprefix("./") for each in shell["paths"].split()]
    if shell["verb"] == "mv":
        if len(paths) == 2:
            yield Named(_kind(paths[0]), paths[0], line, step, Intent.MOVES, to=paths[1])
        return
    intent = Intent.REMOVES if shell["verb"] == "rm" else Intent.CREATES
    yield from (Named(_kind(path), path, line, step, intent) for path in paths)


def _kind(path: str) -> Mention:
    return Mention.FILE if FILE.fullmatch(path) else Mention.FOLDER


def _of_diff(block: Block, step: int) -> Iterator[Named]:
    """The files of a diff, and the definitions that it removes."""
    old, taken, put = "", dict[str, tuple[int, str]](), set[str]()
    path = ""
    for number, line in enumerate(block.text.split("\n"), block.first):
        before, after = _OLD_SIDE.match(line), _NEW_SIDE.match(line)
        if before:
            old = before["path"]
        elif after:
            path = after["path"] if after["path"] != "/dev/null" else old
            intent = Intent.REMOVES if after["path"] == "/dev/null" else Intent.CREATES if old == "/dev/null" else Intent.CHANGES
            yield Named(Mention.FILE, path, number, step, intent)
        elif found := _DEFINED.match(line[:400]):
            if line[0] == "-":
                taken.setdefault(found["name"], (number, path))
            else:
                put.add(found["name"])
    for name, (number, home) in taken.items():
        if name not in put:
            yield Named(Mention.SYMBOL, name, number, step, Intent.REMOVES, home=home)


def _of_tree(block: Block, step: int) -> Iterator[Named]:
    """The marked files of a tree, by full path."""
    above: list[tuple[int, str]] = []
    for number, line in enumerate(block.text.split("\n"), block.first):
        branch = _BRANCH.match(line)
        depth = branch.end() if branch else 0
        name, _, _ = line[depth:].partition(" ")
        if not name or name.strip("/") in ("", "."):
            continue
        above = [each for each in above if each[0] < depth]
        path = "/".join([*(each.strip("/") for _, each in above), name.strip("/")])
        above.append((depth, name))
        intent = mark_of(line[depth + len(name) :])
        if intent and FILE.fullmatch(path):
            yield Named(Mention.FILE, path, number, step, intent)
