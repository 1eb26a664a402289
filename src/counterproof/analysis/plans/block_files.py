"""The file of a code block if neither its first line nor the preceding words name it.

Invariant: at most one file: the only file of the block's language named above it in the same part of its step, or the only one
that its step creates or changes, or names at all. Tests are distinguished from tested files.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.plans.blocks import PYTHON, RUST, SCRIPTS, Code
from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.source.languages import is_test
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline

_FAMILIES = (
    (PYTHON, (".py",)),
    (SCRIPTS, (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte")),
    (RUST, (".rs",)),
    (("go",), (".go",)),
)
"""Languages of blocks, with the extensions of files in the same language."""
PART = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[-*+][ \t]+\[[ xX]\]|\d{1,3}[.)][ \t])")
"""A line that starts a part of a step."""


def endings_of(language: str) -> tuple[str, ...]:
    """The extensions of files in a block's language; empty if unknown."""
    return next((endings for languages, endings in _FAMILIES if language in languages), ())


def placed(codes: tuple[Code, ...], outline: PlanOutline, lines: list[str], ground: Ground) -> Iterator[Code]:
    """The blocks, with a file assigned to those without one."""
    files = [each for each in outline.named if each.kind is Mention.FILE]
    for code in codes:
        path = code.path if code.path or not endings_of(code.language) else _file_of(code, files, lines)
        path = _whole(code, path, files, ground)
        yield replace(code, path=path) if path != code.path else code


def _whole(code: Code, path: str, files: list[Named], ground: Ground) -> str:
    """The full path that the plan gives elsewhere for a shortened one; '' if several files match."""
    if not path or ground.resolve(path) == path:
        return path
    longer = [each for each in files if each.text.endswith(f"/{path}")]
    near = {ground.resolve(each.text) or each.text for each in longer if each.step == code.step > 0}
    named = {ground.resolve(each.text) or each.text for each in longer}
    return next((found.pop() for found in (near, named) if len(found) == 1), "" if ground.count(path) > 1 else path)


def _file_of(code: Code, files: list[Named], lines: list[str]) -> str:
    own = [each for each in files if code.step and each.step == code.step and each.text.endswith(endings_of(code.language))]
    own = [each for each in own if is_test(each.text) == code.is_test]
    fence = code.block.first - 1
    opening = next((at for at in range(fence - 1, 0, -1) if PART.match(lines[at - 1])), 1)
    above = {each.text for each in own if opening <= each.line < fence}
    worked_on = {each.text for each in own if each.intent in (Intent.CREATES, Intent.CHANGES)}
    listed = {each.text for each in own}
    return next((found.pop() for found in (above, worked_on, listed) if len(found) == 1), "")
