"""Doubts about a linter run that a plan expects to be clean, although a file that the plan writes has unused imports.

Invariant: only Python files that the plan creates and whose blocks all parse, only a plain `ruff check` with a clean outcome, and
only if the configuration, in the repository and in the plan, reports unused imports.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.unimported import written

MAX_LINE = 1_000
REACH = 5
"""The number of lines after a command in which its outcome is expected."""
_CHECK = re.compile(r"\bruff[ \t]+check(?P<rest>[^\n`|;&]{0,300})")
_FIXES = re.compile(r"\bruff[ \t]+check[^\n`]{0,200}--(?:unsafe-)?fix|\bautoflake\b")
_NARROW = re.compile(r"--(?:select|ignore|extend-select|per-file-ignores|exit-zero|diff|statistics|config)\b|# noqa")
_CLEAN = re.compile(
    r"\b(?:no|zero|0|without)[ \t]+(?:\w{1,20}[ \t]+){0,2}(?:errors?|issues?|violations?|warnings?|findings?)\b|\bclean\b"
    r"|\ball checks pass|\bexpected[^\n]{0,20}\bpass|\bexit(?:s|[ \t]+code)?[ \t]+0\b",
    re.IGNORECASE,
)
_CONFIGURED = re.compile(r"(?:^|/)(?:pyproject|\.?ruff)\.toml\Z")
_SELECT = re.compile(r"(?m)^[ \t]*(?:lint\.)?select[ \t]*=[ \t]*\[(?P<codes>[^\]]{0,2000})\]")
_UNUSED = re.compile(r"[\"'](?:F(?:4(?:01?)?)?|ALL)[\"']")

Unused = tuple[str, str, int]
"""A file of the plan, an unused import in it, the line in the plan."""


def unused_imports(case: Case) -> Iterator[Doubt]:
    """The first clean outcome that unused imports prevent, with these imports."""
    new = [(path, codes) for path, (codes, there) in written(case) if there is None and path.endswith(".py")]
    unused = [each for path, codes in new for each in _unused(path, codes)] if new and _is_looked_for(case) else []
    for line, paths in _clean_runs(case) if unused else ():
        met = [
            each
            for each in unused
            if each[2] < line and (not paths or any(f"{each[0]}/".startswith(f"{path}/") for path in paths))
        ]
        if met:
            yield _forbidden(case, line, met)
            return


def _clean_runs(case: Case) -> Iterator[tuple[int, list[str]]]:
    """(line of a clean outcome, the checked paths); none if a command of the plan removes unused imports."""
    for number, line in enumerate(case.lines, 1) if not _FIXES.search(case.text) else ():
        match = _CHECK.search(line[:MAX_LINE])
        told = next((at for at in range(number, number + REACH + 1) if _CLEAN.search(case.line(at)[:MAX_LINE])), 0)
        fixed = any("fix" in case.line(at).lower() for at in range(number, told + 1))
        if match and told and not fixed and not _NARROW.search(match["rest"]):
            words = [word.strip("\"'").removeprefix("./").rstrip("/") for word in match["rest"].split()]
            yield told, [word for word in words if re.fullmatch(r"[\w./-]*\w", word) and not word.startswith("-")]


def _is_looked_for(case: Case) -> bool:
    """Return True if the linter reports unused imports: the default, unless a configuration excludes the rule."""
    texts = [case.ground.text(path) for path in case.ground.project.files if _CONFIGURED.search(path)]
    texts += [code.text for code in case.codes if code.block.language == "toml"]
    chosen = all(_UNUSED.search(match["codes"]) for text in texts for match in _SELECT.finditer(text))
    return chosen and not any(_UNUSED.search(_SELECT.sub("", text)) for text in texts)


def _unused(path: str, codes: list[Code]) -> Iterator[Unused]:
    text = "\n".join(code.text for code in codes)
    if path.endswith("__init__.py") or _NARROW.search(text):
        return
    for code, names in ((code, code.names) for code in codes):
        for name in names.imported if names else ():
            if names and len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text)) == 1:
                yield path, name, code.block.first + names.bound[name] - 1


def _forbidden(case: Case, line: int, unused: list[Unused]) -> Doubt:
    told = ", ".join(f"`{name}` at plan:{at}" for _, name, at in unused)
    return Doubt(
        Evidence.UNLINTED,
        "ruff check",
        f"{case.where(line)} expects `ruff check` to find nothing",
        f"It reports unused imports (F401) in what the plan writes: {told}",
        "The expected outcome cannot come about",
        "Take these imports out of the blocks",
        lines=(line,),
        places=tuple(dict.fromkeys(f"plan:{at}" for _, _, at in unused)),
    )
