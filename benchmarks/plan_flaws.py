"""Makes plans from real commits: our own words, the commit's files and names; clean, or with one labelled flaw put in.

Always: a plan is written from the commit's diff against its parent, and verified against the parent's tree. Every flaw names the
thing that a challenge has to name (`needle`), and is true of the tree by Python's own parser. How a plan is written down stands
in `plan_styles`; what is read, in `plan_sources`.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from plan_sources import Change, Target, Tree
from plan_styles import STYLES, Draft

CLEAN = ("clean", "clean, risky steps done right")


@dataclass(frozen=True)
class Plan:
    """A plan's text with its label. `needle` is what a challenge must name; `extra` are files that the tree gets besides,
    `subjects` commits of its history."""

    name: str
    label: str
    style: str
    text: str
    needle: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    subjects: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        return self.label in CLEAN


@dataclass
class Flaw:
    """One flaw: steps that are put in before the check, a sentence at the head, another way of checking."""

    needle: str
    steps: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    before: str = ""
    check: str = ""
    replaced: tuple[str, str] = ("", "")
    extra: tuple[tuple[str, str], ...] = ()
    subjects: tuple[str, ...] = ()


@dataclass
class Scene:
    """One commit's plan in the making, with the tree it is for."""

    change: Change
    tree: Tree
    variant: int
    chance: random.Random

    @property
    def path(self) -> str:
        return next(iter(self.change.touched))

    @property
    def parent(self) -> str:
        return self.path.rpartition("/")[0]

    def worded(self, choices: tuple[str, ...], **words: str) -> str:
        return choices[self.variant % len(choices)].format(**words)

    def beside(self, targets: list[Target]) -> Target | None:
        """One of these that has nothing to do with the commit."""
        named = {*self.change.changed, *self.change.added}
        free = [each for each in targets if each.path not in named and not set(each.users) & named]
        return self.chance.choice(free) if free else None


_CHANGE = (
    "Change `{name}()` in `{path}` to the new behaviour.",
    "Update `{path}`: adjust `{name}()`.",
    "In `{path}`, rework `{name}()`.",
    "The function `{name}` in `{path}` gets the new behaviour.",
)
_PLAIN = ("Update `{path}`.", "Edit `{path}` accordingly.", "Adjust `{path}`.", "`{path}` changes along.")
_ADD = (
    "Add `{name}()` to `{path}`.",
    "Introduce a new `{name}()` in `{path}`.",
    "Write `{name}()` in `{path}`.",
    "Implement a new function `{name}` in `{path}`.",
)
_NEW = ("Create `{path}`.", "Add a new file `{path}`.", "Write the new module `{path}`.", "Create the file `{path}` (new).")


def clean_steps(change: Change, variant: int) -> list[str]:
    steps: list[str] = []
    for path, names in change.touched.items():
        created = change.created.get(path, [])
        steps += [_ADD[variant % 4].format(name=name, path=path) for name in created]
        steps += [_CHANGE[variant % 4].format(name=name, path=path) for name in names if name not in created]
        if not names and not created:
            steps.append(_PLAIN[variant % 4].format(path=path))
    steps += [_NEW[variant % 4].format(path=path) for path in change.added]
    steps += [_PLAIN[variant % 4].format(path=path) for path in change.changed if path not in change.touched][:4]
    tests = [path for path in (*change.changed, *change.added) if re.search(r"(?:^|/)tests?[/_]", path) and path.endswith(".py")]
    steps.append(f"Run `pytest {tests[0]}` and check that it passes." if tests else "Run the whole test suite.")
    return steps


def _missing_file(scene: Scene) -> Iterator[Flaw]:
    path = scene.path
    misspelt = path.replace(".py", "s.py") if not path.endswith("s.py") else path.replace("s.py", ".py")
    if misspelt not in scene.tree.texts:
        yield Flaw(misspelt, replaced=(f"`{path}`", f"`{misspelt}`"))


def _far_file(scene: Scene) -> Iterator[Flaw]:
    path = f"{scene.parent}/quorum_ledger.py".lstrip("/")
    yield Flaw(path, first=[f"Update `{path}` to the new behaviour."])


def _missing_name(scene: Scene) -> Iterator[Flaw]:
    names = [each for names in scene.change.touched.values() for each in names if len(each) > 5 and not each.startswith("__")]
    for symbol in names[:1]:
        wrong = f"{symbol}_all" if scene.variant % 2 else f"make_{symbol}"
        if not scene.tree.words[wrong]:
            yield Flaw(wrong, [f"Change `{wrong}()` in `{scene.path}` as well."])


def _wrong_order(scene: Scene) -> Iterator[Flaw]:
    fresh = f"{scene.parent}/_ledger_cache.py".lstrip("/")
    early = ("Load the entries through `{fresh}` in `{path}`.", "Import the cache from `{fresh}` in `{path}`.")
    yield Flaw(fresh, [f"Create `{fresh}`."], [scene.worded(early, fresh=fresh, path=scene.path)])


def _rollback(scene: Scene) -> Iterator[Flaw]:
    data = (
        "Write a migration that drops the `legacy_flag` column from the orders table.",
        "Add a non-null column `channel` to the orders table and backfill it.",
        "Run `ALTER TABLE orders DROP COLUMN legacy_flag` on the database.",
    )
    yield Flaw("|".join(("migration", "backfill", "ALTER TABLE", "column", "legacy_flag")), [scene.worded(data)])


def _decision(scene: Scene) -> Iterator[Flaw]:
    rules = ("Never use `xmlrpc` in this code base.", "Do not add `xmlrpc`; it was decided against.", "Avoid `xmlrpc`, use HTTP.")
    against = ("Use `xmlrpc` to hand the result on.", "Add `xmlrpc` for the transport.", "Switch to `xmlrpc` for the transport.")
    rule = (("docs/adr/9999-transport.md", f"# Rules\n\n{scene.worded(rules)}\n"),)
    yield Flaw("xmlrpc", [scene.worded(against)], extra=rule)


def _history(scene: Scene) -> Iterator[Flaw]:
    subjects = (
        "Replace pigeonmail with plain HTTP",
        "Migrate from pigeonmail to plain HTTP",
        "Drop pigeonmail in favour of HTTP",
    )
    yield Flaw("pigeonmail", ["Send the result through `pigeonmail` with a call."], subjects=(scene.worded(subjects),))


def _missing_test(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("tests/test_ledger_cache.py", check="Run `pytest tests/test_ledger_cache.py` and check that it passes.")


def _untouched(scene: Scene) -> Iterator[Flaw]:
    words = {each for names in (*scene.change.touched.values(), *scene.change.created.values()) for each in names}
    words |= {path.rpartition("/")[2].removesuffix(".py") for path in (*scene.change.changed, *scene.change.added)}
    indirect = r"\b(?:client|reverse|url_for|runner|invoke|subprocess|webtest|browser|app)\b"
    free = [
        test
        for test in scene.tree.tests
        if test not in scene.change.changed
        and not scene.tree.reached(test) & set(scene.change.changed)
        and any(not re.search(r"test", path) for path in scene.tree.reached(test))
        and not re.search(indirect, scene.tree.texts[test])
        and not any(re.search(rf"\b{re.escape(word)}\b", scene.tree.texts[test]) for word in words)
    ]
    if free:
        test = scene.chance.choice(free)
        yield Flaw(test, check=f"Run `pytest {test}`.")


def _stale(scene: Scene) -> Iterator[Flaw]:
    said = ("We run {name} 0.4.", "The project is on {name} 0.4, so its older interface applies.", "{name} 0.4 is installed.")
    for name, _ in scene.tree.pinned()[:1]:
        yield Flaw(name, before=scene.worded(said, name=name))


def _removal(scene: Scene) -> Iterator[Flaw]:
    said = (
        "Remove `{name}()` from `{path}`.",
        "Delete the `{name}` function in `{path}`.",
        "Drop `{name}()`; it lives in `{path}`.",
    )
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, [scene.worded(said, name=target.name, path=target.path)])


def _rename(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, [f"Rename `{target.name}()` to `{target.name}_of()` in `{target.path}`."])


def _signature(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, [f"Add a required parameter `mode` to `{target.name}()` in `{target.path}`."])


def _false_unused(scene: Scene) -> Iterator[Flaw]:
    said = ("Nothing uses `{name}()` any more.", "`{name}` is dead code.", "There are no callers of `{name}()`.")
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, before=scene.worded(said, name=target.name))


def _module(scene: Scene) -> tuple[str, list[str]] | None:
    named = {*scene.change.changed, *scene.change.added}
    free = [path for path in scene.tree.code if "/" in path and not path.endswith("__init__.py") and path not in named]
    pairs = [(path, scene.tree.importers(path)) for path in free]
    used = [(path, users) for path, users in pairs if users and not set(users) & named]
    return scene.chance.choice(used) if used else None


def _module_removed(scene: Scene) -> Iterator[Flaw]:
    said = ("Delete `{path}`.", "Remove the module `{dotted}`.", "Remove `{path}`; its content is not needed.")
    found = _module(scene)
    if found:
        dotted = found[0].removeprefix("src/").removesuffix(".py").replace("/", ".")
        text = scene.worded(said, path=found[0], dotted=dotted)
        yield Flaw(f"{found[0]}|{dotted}", [text])


def _module_unused(scene: Scene) -> Iterator[Flaw]:
    said = ("Nothing imports `{path}` any more.", "`{path}` is unused.", "No code uses `{path}`.")
    found = _module(scene)
    if found:
        yield Flaw(found[0], before=scene.worded(said, path=found[0]))


def _wrong_call(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside([each for each in scene.tree.targets if each.keywords])
    if target:
        yield Flaw(target.name, [f"Call `{target.name}(ledger_mode=1)` at the end."])


def _property(scene: Scene) -> Iterator[Flaw]:
    said = (
        "`{name}()` already validates its input.",
        "The input is already validated by `{name}()`.",
        "`{name}()` already handles errors.",
    )
    simple = [each for each in scene.tree.functions if each.simple]
    if simple:
        yield Flaw((name := scene.chance.choice(simple).name), before=scene.worded(said, name=name))


def _tested(scene: Scene) -> Iterator[Flaw]:
    bare = [each for each in scene.tree.targets if not any(each.name in scene.tree.texts[test] for test in scene.tree.tests)]
    bare = [each for each in bare if not any(each.name in text for name, text in scene.tree.texts.items() if "test" in name)]
    if bare:
        yield Flaw((name := scene.chance.choice(bare).name), before=f"`{name}()` is already covered by tests.")


def _incompatible(scene: Scene) -> Iterator[Flaw]:
    public = [each for each in scene.tree.functions if not each.name.startswith("_")]
    target = scene.beside(public)
    if target:
        steps = [f"Remove `{target.name}()` from `{target.path}` and update all callers."]
        yield Flaw(target.name, steps, before="The change is backwards compatible.")


def _option(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("--ledger-mode", ["Remove the `--ledger-mode` option from the command line."])


def _package(scene: Scene) -> Iterator[Flaw]:
    manifests = ("requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "requirements")
    if any((scene.tree.folder / name).exists() for name in manifests) and not scene.tree.words["ledgerkit"]:
        yield Flaw("ledgerkit", ["Use the `ledgerkit` package to count the entries."])


def _table(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("ledger_rows", ["Read the totals from the `ledger_rows` table."])


def _route(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("ledger_rows", [f"Call the endpoint `GET /api/ledger_rows` in `{scene.path}`."])


def _failing(scene: Scene) -> Iterator[Flaw]:
    if any(scene.tree.words[word] for word in ("timeout", "retry", "retries", "backoff")):
        yield Flaw("Stripe|stripe", ["Call Stripe to charge the card of the order."])


FLAWS: dict[str, Callable[[Scene], Iterator[Flaw]]] = {
    "missing file": _missing_file,
    "missing file, nothing near": _far_file,
    "missing name": _missing_name,
    "missing test": _missing_test,
    "missing package": _package,
    "missing table": _table,
    "missing route": _route,
    "missing option": _option,
    "wrong order": _wrong_order,
    "wrong call": _wrong_call,
    "stale version": _stale,
    "removed, still called": _removal,
    "renamed, still called": _rename,
    "new required parameter": _signature,
    "removed module, still used": _module_removed,
    "false claim: no callers": _false_unused,
    "false claim: module unused": _module_unused,
    "false claim: validated": _property,
    "false claim: covered by tests": _tested,
    "false claim: compatible": _incompatible,
    "tests do not reach the change": _untouched,
    "missing rollback": _rollback,
    "silent on failure": _failing,
    "contradicts a document": _decision,
    "contradicts history": _history,
}


def plans(scene: Scene, name: str, most: int) -> list[Plan]:
    """Two clean plans and up to `most` flawed ones of different classes, all in one style."""
    style = list(STYLES)[scene.variant % len(STYLES)]
    steps = clean_steps(scene.change, scene.variant)
    made = [Plan(name, CLEAN[0], style, _written(scene, style, steps)), _careful(scene, name, style, steps)]
    labels = list(FLAWS)
    offset = (scene.variant * most) % len(labels)
    for label in labels[offset:] + labels[:offset]:
        if len(made) >= most + 2:
            break
        for flaw in FLAWS[label](scene):
            made.append(_flawed(scene, name, label, style, steps, flaw))
    return made


def _written(scene: Scene, style: str, steps: list[str], check: str = "", before: str = "") -> str:
    files = [*scene.change.touched, *scene.tree.code[:4]] if style in ("long", "tabled") else []
    names = [each.name for each in scene.tree.functions[:4]]
    title = re.sub(r"[`#*]", "", scene.change.subject)
    last = "" if check else "All tests pass."
    return STYLES[style](Draft(title, steps, check or last, before, list(dict.fromkeys(files)), names))


def _flawed(scene: Scene, name: str, label: str, style: str, steps: list[str], flaw: Flaw) -> Plan:
    body = [step.replace(*flaw.replaced) if flaw.replaced[0] else step for step in steps]
    run = [] if flaw.check else body[-1:]
    text = _written(scene, style, [*flaw.first, *body[:-1], *flaw.steps, *run], flaw.check, flaw.before)
    return Plan(name, label, style, text, flaw.needle, flaw.extra, flaw.subjects)


def _careful(scene: Scene, name: str, style: str, steps: list[str]) -> Plan:
    """The same plan with steps that look risky and are not, and with claims that are true."""
    risky = [
        "Write a migration that adds the column `channel` to the orders; the rollback drops it again.",
        f"Create `{scene.parent}/ledger_notes.py` with a `read_notes()` function.".replace("`/", "`"),
        f"Call `read_notes()` in `{scene.path}`.",
    ]
    before = ""
    target = scene.beside(scene.tree.targets)
    if target:
        holding = [path for path in scene.tree.code if re.search(rf"\b{target.name}\b", scene.tree.texts[path])]
        listed = ", ".join(f"`{path}`" for path in holding if path != target.path)
        risky.append(f"Remove `{target.name}()` from `{target.path}` and change {listed}, which use it today.")
    alone = scene.beside(scene.tree.unused)
    if alone:
        risky.append(f"Remove `{alone.name}()` from `{alone.path}`; nothing calls it.")
    pinned = [f"We run {package} {version}." for package, version in scene.tree.pinned()[-1:]]
    before = " ".join(pinned)
    return Plan(name, CLEAN[1], style, _written(scene, style, [*steps[:-1], *risky, steps[-1]], before=before))
