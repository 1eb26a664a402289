"""Makes plans from real commits: our own words, the commit's files and names; clean, or with one labelled flaw put in.

Always: a plan is written from the commit's diff against its parent, and verified against the parent's tree. Flaws are chosen by
reading that tree with Python's own parser, not with the product's code, so that the label does not depend on what is measured.
"""

import ast
import random
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Plan:
    """A plan's text with its label; `label` is "clean" or the flaw's class. `extra` are files that the tree gets besides."""

    name: str
    label: str
    text: str
    extra: tuple[tuple[str, str], ...] = ()


@dataclass
class Change:
    """What a commit did, file by file."""

    subject: str
    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    touched: dict[str, list[str]] = field(default_factory=dict)
    created: dict[str, list[str]] = field(default_factory=dict)


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "--git-dir", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


def commits(repository: Path, count: int, seed: int) -> list[str]:
    """Commits with a few changed Python files, spread over the newest part of the history."""
    listed = git(repository, "log", "--no-merges", "--max-count=1500", "--format=%H", "--", "*.py").split()
    random.Random(seed).shuffle(listed)
    found = []
    for commit in listed:
        change = read_change(repository, commit)
        if change and len(found) < count:
            found.append(commit)
        if len(found) == count:
            break
    return found


def read_change(repository: Path, commit: str) -> Change | None:
    """The commit as data; None if it is no good ground for a plan."""
    change = Change(git(repository, "log", "-1", "--format=%s", commit).strip()[:80])
    for line in git(repository, "diff-tree", "-r", "--no-renames", "--name-status", f"{commit}^", commit).splitlines():
        status, _, path = line.partition("\t")
        {"M": change.changed, "A": change.added, "D": change.deleted}.get(status, []).append(path)
    code = [path for path in change.changed if path.endswith(".py") and "test" not in path]
    if not 1 <= len(code) <= 5 or len(change.changed) + len(change.added) > 12 or change.deleted:
        return None
    for path in code:
        diff = git(repository, "diff", "-U0", f"{commit}^", commit, "--", path)
        change.touched[path] = list(dict.fromkeys(re.findall(r"@@.*@@ *(?:async )?def (\w+)", diff)))[:2]
        change.created[path] = [
            name for name in re.findall(r"(?m)^\+ *(?:async )?def (\w+)", diff) if f"def {name}" not in _old(diff)
        ][:2]
    return change if any(change.touched.values()) else None


def _old(diff: str) -> str:
    return "\n".join(line for line in diff.splitlines() if not line.startswith("+"))


def checkout(repository: Path, commit: str, folder: Path) -> None:
    """The parent's tree, without its history."""
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "--git-dir", str(repository), "archive", f"{commit}^"], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)


_CHANGE = (
    "Change `{name}()` in `{path}` to the new behaviour.",
    "Update `{path}`: adjust `{name}()`.",
    "In `{path}`, rework `{name}()`.",
)
_PLAIN = ("Update `{path}`.", "Edit `{path}` accordingly.", "Adjust `{path}`.")
_ADD = ("Add `{name}()` to `{path}`.", "Introduce a new `{name}()` in `{path}`.", "Write `{name}()` in `{path}`.")
_NEW = ("Create `{path}`.", "Add a new file `{path}`.", "Write the new module `{path}`.")


def clean_steps(change: Change, variant: int) -> list[str]:
    steps = []
    for path, names in change.touched.items():
        created = change.created.get(path, [])
        for name in created:
            steps.append(_ADD[variant % 3].format(name=name, path=path))
        for name in names:
            if name not in created:
                steps.append(_CHANGE[variant % 3].format(name=name, path=path))
        if not names and not created:
            steps.append(_PLAIN[variant % 3].format(path=path))
    steps += [_NEW[variant % 3].format(path=path) for path in change.added]
    steps += [_PLAIN[variant % 3].format(path=path) for path in change.changed if path not in change.touched][:4]
    tests = [path for path in (*change.changed, *change.added) if re.search(r"(?:^|/)tests?[/_]", path) and path.endswith(".py")]
    steps.append(f"Run `pytest {tests[0]}` and check that it passes." if tests else "Run the whole test suite.")
    return steps


def write(title: str, steps: list[str], before: str = "", layout: int = 0) -> str:
    """The plan's text in one of three layouts that people use."""
    goal = f"Make the behaviour match its description. {before}".strip()
    if layout % 3 == 1:
        parts = "\n\n".join(f"### Step {number}: part {number}\n\n{step}" for number, step in enumerate(steps, 1))
        risks = "If the change misbehaves in production, revert the commit." if "migration" not in parts else "None known."
        return f"# {title}\n\n**Why:** {goal}\n\n## Implementation\n\n{parts}\n\n## Risks\n\n{risks}\n"
    if layout % 3 == 2:
        boxes = "\n".join(f"- [ ] {step}" for step in steps)
        return f"# {title}\n\n## Context\n\n{goal}\n\n## Tasks\n\n{boxes}\n\n## Test plan\n\nThe suite stays green.\n"
    lines = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return f"# Plan: {title}\n\n## Goal\n\n{goal}\n\n## Steps\n\n{lines}\n\n## Verification\n\nAll tests pass.\n"


@dataclass(frozen=True)
class Target:
    """A function that other files use, with the number of arguments it takes."""

    name: str
    path: str
    users: tuple[str, ...]
    keywords: bool


def _definitions(folder: Path) -> Counter[str]:
    """How often each name is defined or assigned in the whole tree."""
    written: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        if path.stat().st_size < 300_000:
            text = path.read_text(encoding="utf-8", errors="replace")
            pairs = re.findall(r"(?m)^[ \t]*(?:(?:async )?(?:def|class) (\w+)|(\w+) =)", text)
            written.update(one or other for one, other in pairs)
    return written


def _called(tree: ast.Module) -> list[str]:
    callees = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [each.id for each in callees if isinstance(each, ast.Name)]
    return names + [each.attr for each in callees if isinstance(each, ast.Attribute)]


def targets(folder: Path) -> list[Target]:
    """Functions defined once in the tree and used in other files, by Python's own parser."""
    defined: dict[str, list[tuple[str, ast.FunctionDef]]] = {}
    used: dict[str, set[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if re.search(r"(?:^|/)(?:tests?|docs|examples?)[/_]", name) or path.stat().st_size > 300_000:
            continue
        try:
            tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                defined.setdefault(node.name, []).append((name, node))
        for called in _called(tree):
            used.setdefault(called, set()).add(name)
    written = _definitions(folder)
    found = []
    for name, places in sorted(defined.items()):
        users = sorted(used.get(name, set()) - {places[0][0]})
        if len(places) == 1 and users and len(name) > 5 and written[name] == 1:
            node = places[0][1]
            found.append(Target(name, places[0][0], tuple(users), node.args.kwarg is None and not node.decorator_list))
    return found


_REMOVAL = (
    "Remove `{name}()` from `{path}`.",
    "Delete the `{name}` function in `{path}`.",
    "Drop `{name}()`; it lives in `{path}`.",
)
_CLAIM = ("Nothing uses `{name}()` any more.", "`{name}` is dead code.", "There are no callers of `{name}()`.")
_DATA = (
    "Write a migration that drops the `legacy_flag` column from the orders table.",
    "Add a non-null column `channel` to the orders table and backfill it.",
    "Run `ALTER TABLE orders DROP COLUMN legacy_flag` on the database.",
)
_DECISION = (
    "Never use `xmlrpc` in this code base.",
    "Do not add `xmlrpc`; it was decided against.",
    "Avoid `xmlrpc`, use plain HTTP.",
)
_AGAINST = ("Use `xmlrpc` to hand the result on.", "Add `xmlrpc` for the transport.", "Switch to `xmlrpc` for the transport.")
_EARLY = (
    "Load the entries through `{fresh}` in `{path}`.",
    "Import the cache from `{fresh}` in `{path}`.",
    "Wire `{fresh}` into `{path}`.",
)
_STALE = (
    "We run {name} {version}.",
    "The project is on {name} {version}, so its older interface applies.",
    "{name} {version} is installed.",
)


def pinned(folder: Path) -> list[str]:
    """Names of packages that a requirements file at the top, or in its folder, fixes to a version above 1."""
    found = []
    for path in (*sorted(folder.glob("requirements*.txt")), *sorted(folder.glob("requirements/*.txt"))):
        found += re.findall(r"(?m)^([A-Za-z][\w-]{3,30})==(?:[2-9]|[1-9]\d)", path.read_text(errors="replace"))
    return sorted(set(found))


def plans(change: Change, folder: Path, name: str, variant: int, chance: random.Random) -> list[Plan]:
    """One clean plan and one for each flaw that this tree allows."""
    steps = clean_steps(change, variant)
    made = [Plan(name, "clean", write(change.subject, steps, layout=variant))]

    def flawed(label: str, wrong: list[str], before: str = "", extra: tuple[tuple[str, str], ...] = ()) -> None:
        made.append(Plan(name, label, write(change.subject, wrong, before, variant), extra))

    def inserted(step: str) -> list[str]:
        return [*steps[:-1], step, steps[-1]]

    def worded(choices: tuple[str, ...], **words: str) -> str:
        return choices[variant % len(choices)].format(**words)

    path = next(iter(change.touched))
    parent = path.rpartition("/")[0]
    misspelt = path.replace(".py", "s.py") if not path.endswith("s.py") else path.replace("s.py", ".py")
    if not (folder / misspelt).exists():
        flawed("missing file", [step.replace(f"`{path}`", f"`{misspelt}`") for step in steps])
    flawed("missing file, nothing near", [f"Update `{parent}/quorum_ledger.py` to the new behaviour.".replace("`/", "`"), *steps])
    symbol = next(
        (each for names in change.touched.values() for each in names if len(each) > 5 and not each.startswith("__")), ""
    )
    if symbol:
        flawed(
            "missing name", inserted(f"Change `{symbol + '_all' if variant % 2 else 'make_' + symbol}()` in `{path}` as well.")
        )
    fresh = f"{parent}/_ledger_cache.py".lstrip("/")
    early = worded(_EARLY, fresh=fresh, path=path)
    flawed("wrong order", [early, *steps[:-1], f"Create `{fresh}`.", steps[-1]])
    flawed("missing rollback", inserted(worded(_DATA)))
    rule = (("docs/adr/9999-transport.md", f"# Rules\n\n{worded(_DECISION)}\n"),)
    flawed("contradicted decision", inserted(worded(_AGAINST)), extra=rule)
    flawed("missing test", [*steps[:-1], "Run `pytest tests/test_ledger_cache.py` and check that it passes."])
    for package in pinned(folder)[:1]:
        flawed("stale version", steps, worded(_STALE, name=package, version="0.4"))
    allowed = [each for each in targets(folder) if each.path not in change.changed and not set(each.users) & set(change.changed)]
    if allowed:
        target = chance.choice(allowed)
        flawed("broken caller", inserted(worded(_REMOVAL, name=target.name, path=target.path)))
        flawed("false claim", steps, worded(_CLAIM, name=target.name))
        if target.keywords:
            flawed("wrong call", inserted(f"Call `{target.name}(ledger_mode=1)` at the end."))
    return made
