"""Doubts about modules that a plan writes out in full: another block, mostly a test, takes from one what it does not have.

Always: only files that a label creates and the tree lacks, where no block for them leaves anything out. A name that any block
defines, or that the prose names in code marks, may be meant to stand there.
"""

import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import DIFFS, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.written_files import OMITTED
from counterproof.model.plan.outline import Intent, Mention

_OPEN = re.compile(
    r"export[ \t]+\*|module\.exports|import[ \t]+\*|__getattr__|globals\(\)|setattr\(|\.\.\.[ \t]*(?:existing|rest)"
)


def unmade_names(case: Case) -> Iterator[Doubt]:
    """Names that a block imports from a file which the plan itself writes without them."""
    whole = _written_out(case)
    seen: set[tuple[str, str]] = set()
    found: dict[str, dict[str, int]] = {}
    for code in case.new_codes if whole else ():
        for each in code.imports:
            path = _path(code, each.module, whole) if each.name not in ("", "*", "default") else ""
            if not path or (path, each.name) in seen:
                continue
            seen.add((path, each.name))
            word = re.compile(rf"(?<![\w$]){re.escape(each.name)}(?![\w$])")
            blocks = whole[path]
            if (
                not any(word.search(own.text) for own in blocks)
                and not case.defines(each.name)
                and each.name not in case.prose_words
            ):
                found.setdefault(path, {})[each.name] = each.line
    yield from (_unmade(path, names, whole[path][0].block.first) for path, names in found.items())


def _written_out(case: Case) -> dict[str, list[Code]]:
    """Files that the plan creates, by path, with their blocks, where the blocks are the whole of them."""
    made = {each.text for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm}
    found: dict[str, list[Code]] = {}
    for code in case.new_codes:
        if code.path in made and not case.ground.exists(code.path):
            found.setdefault(code.path, []).append(code)
    return {path: codes for path, codes in found.items() if all(_is_full(code) for code in codes)}


def _is_full(code: Code) -> bool:
    """Whether a block shows everything it stands for: it opens with an import or a definition, and leaves nothing out."""
    opens = re.match(
        r"\s*(?:(?:#|//|/\*)[^\n]*\s+)*(?:from|import|export|def|class|const|function|@|\"\"\"|'use|\"use)", code.text
    )
    left_out = (
        OMITTED.search(code.text)
        or _OPEN.search(code.text)
        or re.search(r"(?://|/\*|\{/\*)[ \t]*(?:\.\.\.|…|existing|rest|same)", code.text)
    )
    return opens is not None and not left_out and code.block.language not in DIFFS


def _path(code: Code, module: str, whole: dict[str, list[Code]]) -> str:
    """The file of the plan that an import leads to; '' if none, or more than one."""
    if code.tree is not None:
        ends = (f"{module.replace('.', '/')}.py", f"{module.replace('.', '/')}/__init__.py")
        found = [path for path in whole if any(f"/{path}".endswith(f"/{end}") for end in ends)]
    elif code.block.language in SCRIPTS and module.startswith("./" if "/" not in code.path else ".") and code.path:
        base = posixpath.normpath(posixpath.join(posixpath.dirname(code.path), module))
        base = re.sub(r"\.(?:js|jsx|mjs)\Z", "", base)
        found = [path for path in whole if re.fullmatch(rf"{re.escape(base)}(?:/index)?(?:\.(?:d\.)?[mc]?[jt]sx?)?", path)]
    else:
        found = []
    return found[0] if len(found) == 1 else ""


def _unmade(path: str, names: dict[str, int], first: int) -> Doubt:
    (name, line), *others = names.items()
    more = f", nor {', '.join(f'`{other}` (line {at})' for other, at in others[:6])}" if others else ""
    return Doubt(
        Kind.IMPORT,
        name,
        f"and {len(others)} more" if others else "",
        f"The import cannot work: the code that the plan gives for `{path}` has no `{name}`{more}",
        f"The code of line {line} fails when it is loaded",
        f"Add what is missing to the code of line {first}, or import what stands there",
        lines=(line, first),
        places=(f"plan:{first}",),
        evidence=Evidence.UNBOUND,
    )
