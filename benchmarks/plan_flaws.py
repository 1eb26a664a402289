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
    words: dict[str, tuple[str, ...]]

    @property
    def path(self) -> str:
        return next(iter(self.change.touched))

    @property
    def parent(self) -> str:
        return self.path.rpartition("/")[0]

    def worded(self, key: str, **words: str) -> str:
        choices = self.words[key]
        return choices[self.variant % len(choices)].format(**words)

    def beside(self, targets: list[Target]) -> Target | None:
        """One of these that has nothing to do with the commit."""
        named = {*self.change.changed, *self.change.added}
        free = [each for each in targets if each.path not in named and not set(each.users) & named]
        return self.chance.choice(free) if free else None


def clean_steps(scene: Scene) -> list[str]:
    change = scene.change
    steps: list[str] = []
    for path, names in change.touched.items():
        created = change.created.get(path, [])
        steps += [scene.worded("add", name=name, path=path) for name in created]
        steps += [scene.worded("change", name=name, path=path) for name in names if name not in created]
        if not names and not created:
            steps.append(scene.worded("plain", path=path))
    steps += [scene.worded("new", path=path) for path in change.added]
    steps += [scene.worded("plain", path=path) for path in change.changed if path not in change.touched][:4]
    tests = [path for path in (*change.changed, *change.added) if re.search(r"(?:^|/)tests?[/_]", path) and path.endswith(".py")]
    steps.append(scene.worded("run", test=tests[0]) if tests else "Run the whole test suite.")
    return steps


def _missing_file(scene: Scene) -> Iterator[Flaw]:
    path = scene.path
    misspelt = path.replace(".py", "s.py") if not path.endswith("s.py") else path.replace("s.py", ".py")
    if misspelt not in scene.tree.texts:
        yield Flaw(misspelt, replaced=(f"`{path}`", f"`{misspelt}`"))


def _far_file(scene: Scene) -> Iterator[Flaw]:
    path = f"{scene.parent}/quorum_ledger.py".lstrip("/")
    yield Flaw(path, first=[scene.worded("work on a file", path=path)])


def _missing_name(scene: Scene) -> Iterator[Flaw]:
    names = [each for names in scene.change.touched.values() for each in names if len(each) > 5 and not each.startswith("__")]
    for symbol in names[:1]:
        wrong = f"{symbol}_all" if scene.variant % 2 else f"make_{symbol}"
        if not scene.tree.words[wrong]:
            yield Flaw(wrong, [scene.worded("work on a name", name=wrong, path=scene.path)])


def _wrong_order(scene: Scene) -> Iterator[Flaw]:
    fresh = f"{scene.parent}/_ledger_cache.py".lstrip("/")
    early = scene.worded("use early", fresh=fresh, path=scene.path)
    yield Flaw(fresh, [scene.worded("create", fresh=fresh)], [early])


def _rollback(scene: Scene) -> Iterator[Flaw]:
    words = ("igrat", "ackfill", "ALTER TABLE", "column", "legacy_flag", "drop the table", "Drop the table")
    yield Flaw("|".join(words), [scene.worded("data")])


def _decision(scene: Scene) -> Iterator[Flaw]:
    rule = (("docs/adr/9999-transport.md", f"# Rules\n\n{scene.worded('rule')}\n"),)
    yield Flaw("xmlrpc", [scene.worded("against")], extra=rule)


def _history(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("pigeonmail", [scene.worded("again")], subjects=(scene.worded("subject"),))


def _missing_test(scene: Scene) -> Iterator[Flaw]:
    test = "tests/test_ledger_cache.py"
    yield Flaw(test, check=scene.worded("run", test=test))


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
        yield Flaw(test, check=scene.worded("run", test=test))


def _stale(scene: Scene) -> Iterator[Flaw]:
    for name, _ in scene.tree.pinned()[:1]:
        yield Flaw(name, before=scene.worded("stale", name=name))


def _removal(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, [scene.worded("remove", name=target.name, path=target.path)])


def _rename(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, [scene.worded("rename", name=target.name, path=target.path)])


def _signature(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, [scene.worded("require", name=target.name, path=target.path)])


def _false_unused(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside(scene.tree.targets)
    if target:
        yield Flaw(target.name, before=scene.worded("unused", name=target.name))


def _module(scene: Scene) -> tuple[str, list[str]] | None:
    named = {*scene.change.changed, *scene.change.added}
    free = [path for path in scene.tree.code if "/" in path and not path.endswith("__init__.py") and path not in named]
    pairs = [(path, scene.tree.importers(path)) for path in free]
    used = [(path, users) for path, users in pairs if users and not set(users) & named]
    return scene.chance.choice(used) if used else None


def _module_removed(scene: Scene) -> Iterator[Flaw]:
    found = _module(scene)
    if found:
        dotted = found[0].removeprefix("src/").removesuffix(".py").replace("/", ".")
        text = scene.worded("remove module", path=found[0], dotted=dotted)
        yield Flaw(f"{found[0]}|{dotted}", [text])


def _module_unused(scene: Scene) -> Iterator[Flaw]:
    found = _module(scene)
    if found:
        yield Flaw(found[0], before=scene.worded("module unused", path=found[0]))


def _wrong_call(scene: Scene) -> Iterator[Flaw]:
    target = scene.beside([each for each in scene.tree.targets if each.keywords])
    if target:
        yield Flaw(target.name, [scene.worded("call", name=target.name)])


def _property(scene: Scene) -> Iterator[Flaw]:
    simple = [each for each in scene.tree.functions if each.simple]
    if simple:
        yield Flaw((name := scene.chance.choice(simple).name), before=scene.worded("property", name=name))


def _tested(scene: Scene) -> Iterator[Flaw]:
    bare = [each for each in scene.tree.targets if not any(each.name in scene.tree.texts[test] for test in scene.tree.tests)]
    bare = [each for each in bare if not any(each.name in text for name, text in scene.tree.texts.items() if "test" in name)]
    if bare:
        yield Flaw((name := scene.chance.choice(bare).name), before=scene.worded("tested", name=name))


def _incompatible(scene: Scene) -> Iterator[Flaw]:
    public = [each for each in scene.tree.functions if not each.name.startswith("_")]
    target = scene.beside(public)
    if target:
        steps = [scene.worded("remove minded", name=target.name, path=target.path)]
        yield Flaw(target.name, steps, before=scene.worded("compatible"))


def _option(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("--ledger-mode", [scene.worded("option")])


def _package(scene: Scene) -> Iterator[Flaw]:
    manifests = ("requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "requirements")
    if any((scene.tree.folder / name).exists() for name in manifests) and not scene.tree.words["ledgerkit"]:
        yield Flaw("ledgerkit", [scene.worded("package")])


def _table(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("ledger_rows", [scene.worded("table")])


def _route(scene: Scene) -> Iterator[Flaw]:
    yield Flaw("ledger_rows", [scene.worded("route", path=scene.path)])


def _failing(scene: Scene) -> Iterator[Flaw]:
    if any(scene.tree.words[word] for word in ("timeout", "retry", "retries", "backoff")):
        yield Flaw("Stripe|stripe|external service", [scene.worded("outside")])


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
    steps = clean_steps(scene)
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
    fresh = f"{scene.parent}/ledger_notes.py".lstrip("/")
    risky = [
        scene.worded("careful data"),
        scene.worded("careful new", fresh=fresh),
        scene.worded("careful use", path=scene.path),
    ]
    target = scene.beside(scene.tree.targets)
    if target:
        holding = [path for path in scene.tree.code if re.search(rf"\b{target.name}\b", scene.tree.texts[path])]
        listed = ", ".join(f"`{path}`" for path in holding if path != target.path)
        risky.append(scene.worded("careful remove", name=target.name, path=target.path, listed=listed))
    alone = scene.beside(scene.tree.unused)
    if alone:
        risky.append(scene.worded("careful unused", name=alone.name, path=alone.path))
    pinned = scene.tree.pinned()[-1:]
    before = " ".join(scene.worded("version", name=package, version=version) for package, version in pinned)
    return Plan(name, CLEAN[1], style, _written(scene, style, [*steps[:-1], *risky, steps[-1]], before=before))
