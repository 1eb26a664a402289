"""Which file a block of code is for, where neither its own first line nor the words right before it say so.

Always: one file or none. It is the only one of the block's language that the part of the step above it names, or the heading of
that part, or the only one that the labels of its step give; tests are told apart from what they test. A name that no label gives
and no file has places nothing. A path without its first folders stands for the whole one that the plan names.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.plans.blocks import PYTHON, RUST, SCRIPTS, Code, is_test_path
from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline

_FAMILIES = (
    (PYTHON, (".py",)),
    (SCRIPTS, (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte")),
    (RUST, (".rs",)),
    (("go",), (".go",)),
    (("csharp", "cs"), (".cs",)),
    (("java",), (".java",)),
)
"""Languages of blocks, and how files of the same one end."""
PART = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[-*+][ \t]+\[[ xX]\]|\*\*step\b|\d{1,3}[.)][ \t])", re.IGNORECASE)
"""A line that opens a part of a step."""


LEADING = 8
"""Lines before a block in which another file may be named that it is for."""


def endings_of(language: str) -> tuple[str, ...]:
    """How files of a block's language end; none where it is not known."""
    return next((endings for languages, endings in _FAMILIES if language in languages), ())


def placed(codes: tuple[Code, ...], outline: PlanOutline, lines: list[str], ground: Ground) -> Iterator[Code]:
    """The blocks, those without a file with the one that they are for."""
    files = [each for each in outline.named if each.kind is Mention.FILE]
    for code in codes:
        known = code.path or not endings_of(code.language)
        path = _whole(code, code.path if known else _file_of(code, files, lines, ground), files, ground)
        yield replace(code, path=path) if path != code.path else code


def _whole(code: Code, path: str, files: list[Named], ground: Ground) -> str:
    """The path that the plan gives elsewhere for one without its first folders, best of all in the same step; '' for one that
    several files end with, where the plan names none of them, or several."""
    if not path or ground.resolve(path) == path:
        return path
    longer = [each for each in files if each.text.endswith(f"/{path}")]
    near = {ground.resolve(each.text) or each.text for each in longer if each.step == code.step > 0}
    named = {ground.resolve(each.text) or each.text for each in longer}
    return next((found.pop() for found in (near, named) if len(found) == 1), "" if ground.count(path) > 1 else path)


def _file_of(code: Code, files: list[Named], lines: list[str], ground: Ground) -> str:
    endings = endings_of(code.language)
    own = [each for each in files if code.step and each.step == code.step and each.text.endswith(endings)]
    own = [each for each in own if is_test_path(each.text) == code.is_test]
    fence = code.block.first - 1
    opening = next((at for at in range(fence - 1, 0, -1) if PART.match(lines[at - 1])), 1)
    labelled = {each.text for each in own if each.firm and each.intent in (Intent.CREATES, Intent.CHANGES)}
    above = {each.text for each in own if opening <= each.line < fence}
    near = {text for text in above if text in labelled or ground.resolve(text)}
    heading = next((at for at in range(fence - 1, 0, -1) if lines[at - 1].startswith("#")), 0)
    headed = {each.text for each in own if each.line == heading and lines[heading - 1].strip("# *`:") == each.text}
    path = next((found.pop() for found in (near, headed, labelled) if len(found) == 1), "")
    return "" if path and _is_about_another(path, lines[max(opening, fence - LEADING) - 1 : fence - 1]) else path


def _is_about_another(path: str, prose: list[str]) -> bool:
    """Whether the last line before a block that names any file of its kind names another one, be it without its folder."""
    ending, tests = path.rpartition(".")[2], is_test_path(path)
    named = [[match[0] for match in FILE.finditer(line)] for line in prose]
    kinds = [[each for each in files if each.endswith(f".{ending}") and is_test_path(each) == tests] for files in named]
    last = next(filter(None, reversed(kinds)), list[str]())
    return bool(last) and all(each.rpartition("/")[2] != path.rpartition("/")[2] for each in last)
