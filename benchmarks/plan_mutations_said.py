"""Errors planted in what a real plan says and runs: packages that nobody declares, commands that no list has, false words about
the code.

Always: a package is planted only where a manifest of its kind is there and neither it nor a lock file names it; a command only
where the list that it chooses from is there and lacks it; a statement only where a plain text search shows that it is false.
Nothing of it is told by the product's code. The words are many: no pattern of the product is made from one of them.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plan_mutations import Planted, Tree, functions

_BLOCK = re.compile(r"(?ms)^(?P<indent>[ \t]*)```(?P<language>\w+)[^\n]*\n(?P<code>.*?)^[ \t]*```")
_OLD = re.compile(r"\b(?:find|before|current|currently|old|existing|replace this)\b", re.IGNORECASE)
"""Words that lead to code as it was, in which nobody would plant."""
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


@dataclass(frozen=True)
class _Kind:
    """Packages of one kind: the manifest that declares them, how a block's own imports begin, how one is written, which ones
    there are, and what they are called."""

    manifest: str
    opening: str
    lines: tuple[str, ...]
    names: tuple[str, ...]
    noun: str


_KINDS = {
    "python": _Kind(
        r"pyproject\.toml|requirements[^/]*\.txt",
        r"(?:from|import) \w",
        ("import {}", "from {} import parse", "import {} as extra"),
        ("networkx", "polars", "pendulum", "msgspec", "glom", "pymupdf4llm", "aiohttp", "structlog", "tenacity", "cachetools"),
        "package",
    ),
    "script": _Kind(
        r"package\.json",
        r"import\b",
        ('import * as extra from "{}";', 'import extra from "{}";', 'import {{ extra }} from "{}";'),
        ("lodash-es", "immer", "date-fns-tz", "nanoevents", "p-limit", "proper-lockfile", "fast-glob", "ts-pattern", "mitt"),
        "package",
    ),
    "rust": _Kind(
        r"Cargo\.toml",
        r"(?:pub )?use \w",
        ("use {}::prelude::*;", "use {}::Builder;", "use {}::{{Builder, Error}};"),
        ("itertools", "rayon", "indexmap", "smallvec", "petgraph", "globset", "dashmap"),
        "crate",
    ),
    "go": _Kind(
        r"go\.mod",
        r"import \($",
        ('\t"github.com/{}"', '\textra "github.com/{}"'),
        ("samber/lo", "spf13/cast", "gammazero/deque", "emirpasic/gods", "dustin/go-humanize"),
        "module",
    ),
}
_LANGUAGES = {
    **dict.fromkeys(("python", "py"), "python"),
    **dict.fromkeys(("ts", "tsx", "typescript", "js", "jsx", "javascript"), "script"),
    **dict.fromkeys(("rust", "rs"), "rust"),
    "go": "go",
}
_RELIED = (
    "Use the existing `{}` dependency for this.",
    "`{}` (already a dependency) does the rest.",
    "This relies on `{}`, which is already declared in `{manifest}`.",
    "`{}` is already installed.",
    "No new dependency is needed: `{}` is in `{manifest}` already.",
    "Reuse the `{}` {noun} that the project already depends on.",
    "`{}` is already part of our dependencies, so nothing has to be added.",
)


def dependency(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """A package that no manifest declares: imported in a block, at its imports, its top or inside of a function, or relied on
    in words."""
    imported = list(_places(text, tree))
    kinds = [kind for kind, each in _KINDS.items() if _manifest(tree, each)]
    if not kinds or (not imported and not _prose(text)):
        return None
    if imported and dice.random() < 0.6:
        place, kind, indent = dice.choice(imported)
        package = _absent(text, tree, dice, kind)
        line = f"{indent}{dice.choice(_KINDS[kind].lines).format(package)}\n"
        planted = text[:place] + line + text[place:]
        return Planted("dependency", f"import: {line.strip()}", planted, (package,)) if package else None
    kind = dice.choice(kinds)
    package = _absent(text, tree, dice, kind)
    manifest = _manifest(tree, _KINDS[kind])
    said = dice.choice(_RELIED).format(package, manifest=manifest, noun=_KINDS[kind].noun)
    return Planted("dependency", f"words: {said}", _said(text, said, dice), (package,)) if package and _prose(text) else None


def _manifest(tree: Tree, kind: _Kind) -> str:
    return min((path for path in tree.paths if re.fullmatch(kind.manifest, path.rpartition("/")[2])), key=len, default="")


def _absent(text: str, tree: Tree, dice: random.Random, kind: str) -> str:
    known = f"{tree.manifests}\n{text}\n{tree.all}".lower()
    absent = [name for name in _KINDS[kind].names if name not in known and name.replace("-", "_") not in known]
    return dice.choice(absent) if absent else ""


def _places(text: str, tree: Tree) -> Iterator[tuple[int, str, str]]:
    """Where a block takes an import: (place, kind, what stands before it)."""
    for block in _BLOCK.finditer(text):
        kind = _LANGUAGES.get(block["language"].lower(), "")
        lead = text[: block.start()].rstrip().rpartition("\n")[2]
        if not kind or not _manifest(tree, _KINDS[kind]) or _OLD.search(f"{lead} {block['code'][:40]}"):
            continue
        start, code = block.start("code"), block["code"]
        own = re.search(rf"(?m)^{_KINDS[kind].opening}", code)
        if own:
            yield start + (own.end() + 1 if kind == "go" else own.start()), kind, ""
        elif kind != "go" and not re.match(r"\s", code) and code.count("\n") > 3:
            head = re.match(r"(?:#|//)[^\n]*\n", code)
            yield start + (head.end() if head else 0), kind, ""
        inside = re.search(r"(?m)^def [^\n]*:\n(?=    \w)", code) if kind == "python" else None
        if inside:
            yield start + inside.end(), kind, "    "


def _prose(text: str) -> list[int]:
    """Lines of prose that end in a sentence, outside of blocks."""
    found: list[int] = []
    fenced = False
    for number, line in enumerate(text.split("\n")):
        fenced ^= _FENCE.match(line) is not None
        if (
            not fenced
            and len(line) > 40
            and line.rstrip().endswith((".", ".**"))
            and not line.lstrip().startswith(("#", "|", ">"))
        ):
            found.append(number)
    return found


def _said(text: str, said: str, dice: random.Random) -> str:
    """The text with one more sentence at the end of a line."""
    lines = text.split("\n")
    at = dice.choice(_prose(text))
    lines[at] = f"{lines[at].rstrip()} {said}"
    return "\n".join(lines)


_ALONE = r"(?m)(?:`|^[ \t]*|&& )"
_BUILT_IN = r"(?!(?:run|add|install|exec|dlx|workspace|workspaces|remove)\b)"
_RUNS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"package\.json", r"\b(?:npm|pnpm|yarn|bun) run ([\w:-]{3,40})", ("npm run {}", "pnpm run {}", "bun run {}", "yarn run {}")),
    (r"package\.json", rf"{_ALONE}(?:pnpm|yarn) ({_BUILT_IN}[a-z][\w:-]{{3,40}})", ("pnpm {}", "yarn {}")),
    (r"[Mm]akefile", rf"{_ALONE}make ([a-z][\w-]{{2,40}})", ("make {}",)),
    (r"\.?[Jj]ustfile", rf"{_ALONE}just ([a-z][\w-]{{2,40}})", ("just {}",)),
    (r"tox\.ini", r"\btox -e ([\w-]{2,40})", ("tox -e {}",)),
    (r"noxfile\.py", r"\bnox -s ([\w-]{2,40})", ("nox -s {}",)),
    (r"Cargo\.toml", r"\bcargo (?:test|build|run|check|clippy) -p ([\w-]{3,40})", ("cargo test -p {}", "cargo build -p {}")),
)
"""Files that hold a list, how a plan chooses from it, and how one would."""
_OTHERS = ("{}-all", "{}:unit", "{}-strict", "compile-bundle", "typecheck-all", "verify-everything")


def command(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """A command that the plan runs, everywhere under a name that its list lacks; or one more such command, where it runs none."""
    offered = [each for each in _RUNS if any(re.fullmatch(each[0], path.rpartition("/")[2]) for path in tree.paths)]
    if not offered:
        return None
    used = [each for each in offered if re.search(each[1], text)]
    lists, pattern, forms = dice.choice(used or offered)
    listed = "\n".join(tree.read(path) for path in tree.paths if re.fullmatch(lists, path.rpartition("/")[2]))
    names = sorted(set(re.findall(pattern, text)))
    name = dice.choice(names) if names else ""
    allowed = [each for each in _OTHERS if (name or "{" not in each) and (":" not in each or "package" in lists)]
    other = dice.choice(allowed).format(name)
    if other in listed or re.search(rf"(?<![\w:-]){re.escape(other)}(?![\w:-])", text):
        return None
    if name:
        run = re.compile(rf"{pattern}(?![\w:-])")
        changed = run.sub(lambda match: match[0][: -len(name)] + other if match[1] == name else match[0], text)
        return Planted("command", f"{name} -> {other}", changed, (other,))
    lines = text.split("\n")
    spots = _prose(text)
    if not spots:
        return None
    runs = dice.choice(forms).format(other)
    lines.insert(dice.choice(spots) + 1, f"\n```bash\n{runs}\n```\n")
    return Planted("command", f"added: {runs}", "\n".join(lines), (other,))


def statement(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """A false word about the code as it is, at the end of a line of prose."""
    made = [found for make in _STATEMENTS if (found := make(text, tree, dice))]
    if not made or not _prose(text):
        return None
    said, words = dice.choice(made)
    return Planted("statement", said, _said(text, said, dice), words)


_Said = tuple[str, tuple[str, ...]]


def _callers(text: str, tree: Tree, dice: random.Random) -> _Said | None:
    """Nothing uses a function that is used, or one file alone does."""
    top = re.compile(r"(?m)^(?:export +|default +|async +|pub +)*(?:def|function|const|fn|func|class) +(\w+)")
    used = [
        name
        for name in sorted(functions(text, tree))
        if len(tree.defines(name)) == 1 and name in top.findall(tree.texts[tree.defines(name)[0]]) and tree.users(name) >= 1
    ]
    if not used:
        return None
    name = dice.choice(used)
    home = tree.defines(name)[0]
    forms = [
        "`{}()` has no other callers.",
        "Nothing else in the codebase uses `{}`.",
        "`{}` is never called anywhere.",
        "`{}` has no callers outside of `{home}`.",
        "`{}()` is only called from `{home}` itself.",
        "`{}` is not used anywhere else.",
        "Outside of its own module nobody calls `{}`.",
        "`{}` is dead code today.",
    ]
    if tree.users(name) > 1:
        forms += ["`{}()` is called in exactly one place.", "`{}` has a single caller.", "There is only one call site of `{}`."]
    return dice.choice(forms).format(name, home=home), (name,)


def _constant(text: str, tree: Tree, dice: random.Random) -> _Said | None:
    """A constant has another value."""
    setting = r"(?m)^(?:export +)?(?:const +)?{}(?:: *\w+)? *= *(\d[\d_]*|\"[^\"\n]{{2,40}}\"|'[^'\n]{{2,40}}');?\s*$"
    named = sorted(set(re.findall(r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]{2,40})\b", text)))
    found = [(name, values) for name in named if len(values := re.findall(setting.format(name), tree.all)) == 1]
    if not found:
        return None
    name, values = dice.choice(found)
    if re.search(rf"\b{name}\b[^\n]{{0,20}}=", text):
        return None
    value = "7351" if values[0][0].isdigit() else '"harvest-window"'
    forms = (
        "`{}` is currently {}.",
        "`{}` is set to {} today.",
        "`{}` already defaults to {}.",
        "`{}` (currently {}) stays as it is.",
        "The present value of `{}` is {}.",
        "`{} = {}` is kept.",
    )
    return dice.choice(forms).format(name, value), (name,)


def _files(text: str, tree: Tree) -> list[str]:
    """Files of the tree that the plan names and does not create."""
    created = "\n".join(line for line in text.split("\n") if re.search(r"\bcreate|\bnew\b|新", line, re.IGNORECASE))
    return sorted(path for path in tree.texts if "/" in path and path in text and path not in created)


def _presence(text: str, tree: Tree, dice: random.Random) -> _Said | None:
    """A file holds what it does not hold: a name of elsewhere, a route."""
    files = _files(text, tree)
    if not files:
        return None
    path = dice.choice(files)
    kind = path.rpartition(".")[2][:2]
    elsewhere = [
        name for home in tree.texts if home.rpartition(".")[2][:2] == kind for name in tree.names_of(home) if len(name) > 8
    ]
    names = sorted(
        {name for name in elsewhere if name not in tree.texts[path] and name not in text and re.search("_|[a-z][A-Z]", name)}
    )
    if names and dice.random() < 0.7:
        name = dice.choice(names)
        forms = (
            "`{path}` already imports `{}`.",
            "`{}` is already imported in `{path}`.",
            "`{path}` already calls `{}()`.",
            "`{path}` already defines `{}`.",
            "`{}` already lives in `{path}`.",
            "`{path}` already uses `{}()` for this.",
            "`{path}` currently exports `{}`.",
        )
        return dice.choice(forms).format(name, path=path), (name,)
    route = dice.choice(["/harvest/status", "/ledger/digest", "/bundles/active"])
    if route in tree.all:
        return None
    forms = (
        "`{path}` already registers `{}`.",
        "The route `{}` already exists in `{path}`.",
        "`{path}` already serves `{}`.",
        "`{path}` already handles `GET {}`.",
    )
    return dice.choice(forms).format(route, path=path), (route,)


def _lack(text: str, tree: Tree, dice: random.Random) -> _Said | None:
    """A file does not hold what it holds."""
    files = _files(text, tree)
    path = dice.choice(files) if files else ""
    names = sorted(name for name in tree.names_of(path) if len(name) > 8 and len(tree.defines(name)) == 1) if path else []
    if not names:
        return None
    forms = (
        "`{path}` does not define `{}` yet.",
        "There is no `{}` in `{path}` today.",
        "`{}` does not exist yet.",
        "`{path}` has no `{}` so far.",
        "`{path}` currently lacks `{}`.",
    )
    name = dice.choice(names)
    return dice.choice(forms).format(name, path=path), (name,)


def _count(text: str, tree: Tree, dice: random.Random) -> _Said | None:
    """Another number of jobs of a workflow or of tests of a file, or a job that is not there."""
    flows = [path for path in tree.paths if re.fullmatch(r"\.github/workflows/[^/]+\.ya?ml", path)]
    tests = [path for path, code in tree.texts.items() if len(re.findall(r"(?m)^(?:async )?def test_", code)) > 1]
    if not flows and not tests:
        return None
    path = dice.choice(sorted([*flows, *tests]))
    if path in flows:
        jobs = re.findall(r"(?m)^  ([\w-]+):[ \t]*$", tree.read(path).partition("\njobs:")[2])
        if not jobs:
            return None
        forms = ["`{}` has a single `prepare-seed` job.", "`{}` already has a `prepare-seed` job."]
        forms += ["`{}` has a single job."] if len(jobs) > 1 else ["`{}` has four jobs.", "`{}` runs 4 jobs."]
    else:
        forms = ["`{}` has 73 tests.", "`{}` contains 73 test functions.", "`{}` holds a single test."]
    return dice.choice(forms).format(path), (path,)


def _ignored(text: str, tree: Tree, dice: random.Random) -> _Said | None:
    """A list of what is ignored has an entry that it lacks."""
    if ".gitignore" not in tree.paths:
        return None
    listed = tree.read(".gitignore")
    folders = sorted({path.partition("/")[0] for path in tree.paths if "/" in path and not path.startswith(".")})
    free = [each for each in folders if each not in listed and len(each) > 2]
    if not free or "*" in listed.split("\n"):
        return None
    forms = (
        "`.gitignore` already ignores `{}/`.",
        "`{}/` is already in `.gitignore`.",
        "`.gitignore` ignores the whole `{}/` folder.",
        "`{}/` is git-ignored.",
    )
    folder = dice.choice(free)
    return dice.choice(forms).format(folder), (folder,)


_STATEMENTS: tuple[Callable[[str, Tree, random.Random], _Said | None], ...] = (
    _callers,
    _constant,
    _presence,
    _lack,
    _count,
    _ignored,
)
