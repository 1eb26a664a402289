"""Doubts about things that a plan takes to be there: files, names, tests, packages, endpoints, tables, settings, commands.

Always: what the plan itself creates is not missing, and a name counts as missing only when no file holds it as a word.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.plans.doubts import Case, Doubt, Kind, segments
from counterproof.analysis.plans.packages import imported_as, names_of
from counterproof.analysis.plans.statements import EXISTS
from counterproof.analysis.source.structured import parsed_json
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention, Named

_CODE = re.compile(r"\.(?:py|pyi|js|jsx|ts|tsx|java|kt|go|php|rb|rs|c|h|cpp|cs|sql|html|vue|toml|ya?ml|cfg|ini|sh|txt|in|lock)\Z")
_OUTPUT = re.compile(r"(?:^|/)(?:build|dist|out|target|tmp|node_modules|coverage|\.venv|venv)/|(?:^|/)coverage\.|\.log\Z")
_SPOKEN_OF = re.compile(
    r"\b(?:similar to|such as|e\.g\.|for example|like|output|outputs|produces?|generates?|generated)\b", re.IGNORECASE
)
_LINES = re.compile(r"\blines? (?:\d{1,7} ?(?:-|–|to|and) ?)?(\d{1,7})\b", re.IGNORECASE)
_PYTEST = re.compile(r"\b(?:pytest|python3? -m (?:pytest|unittest)|manage\.py test)\b(.{0,180})")
_MAKE = re.compile(r"make ([a-z][\w-]{1,40})\Z")
_NPM = re.compile(r"(?:npm|yarn|pnpm) run ([\w:-]{1,40})")
_PATH_ARGUMENT = re.compile(r"(?<![\w=/-])((?:[\w.-]{1,60}/){0,10}[\w.-]{1,60}\.py)(?:::([\w:\[\]-]{1,120}))?")


def missing_files(case: Case) -> Iterator[Doubt]:
    """Files that the plan changes, removes or uses and that are not there."""
    seen: set[str] = set()
    for each in case.of(Mention.FILE):
        line = case.line(each.line)
        if each.text in seen or _is_created(case, each.text) or not _CODE.search(each.text) or _OUTPUT.search(each.text):
            continue
        if case.ground.exists(each.text) or "*" in each.text or _SPOKEN_OF.search(line):
            continue
        seen.add(each.text)
        yield _missing_file(case, each)


def _is_created(case: Case, path: str) -> bool:
    return path in case.created or any(each.endswith(f"/{path}") for each in case.created if "/" in each)


def _missing_file(case: Case, each: Named) -> Doubt:
    near = case.ground.nearest_file(each.text)
    deed = {Intent.CHANGES: "changes", Intent.REMOVES: "removes"}.get(each.intent, "uses")
    bare = "/" not in each.text and each.intent is Intent.USES
    firm = each.intent in (Intent.CHANGES, Intent.REMOVES) and not near
    weight = Weight.MINOR if bare else Weight.BLOCKING if firm else Weight.SIGNIFICANT
    return Doubt(
        Kind.FILE,
        each.text,
        f"and {deed} it",
        f"The repository has no `{each.text}`" + (f"; the nearest is `{near}`" if near else " and nothing close to it"),
        f"Whoever carries the step out at line {each.line} does not find the file, and stops or creates a second one beside the "
        "real code",
        f"Name `{near}` instead, or say that the file is new"
        if near
        else "Say that the file is new, or name the one that is meant",
        weight,
        lines=(each.line,),
        places=(f"{near}:1",) if near else (),
    )


def lines_past_the_end(case: Case) -> Iterator[Doubt]:
    """Lines that a plan names and that a file does not have: whoever wrote the plan had another file in view."""
    named = case.of(Mention.FILE)
    for each in named:
        path, text = case.ground.resolve(each.text), case.line(each.line)
        if not path or case.ground.project.files[path].language is None or _is_created(case, each.text):
            continue
        numbers = [match[1] for match in re.finditer(rf"{re.escape(each.text)}`?:(\d{{1,7}})", text)]
        if sum(other.line == each.line for other in named) == 1:  # otherwise it is not told which file is meant
            numbers += [match[1] for match in _LINES.finditer(text)]
        last, there = max(map(int, numbers), default=0), case.ground.project.files[path].lines
        if last > there:
            yield Doubt(
                Kind.PLACE,
                each.text,
                f"with line {last}",
                f"`{path}` has {there} lines",
                f"What the step at line {each.line} of the plan works on is elsewhere, or belongs to another version of the file",
                "Name the function instead of the line, and look at the file as it is now",
                Weight.SIGNIFICANT,
                lines=(each.line,),
                places=(f"{path}:{max(there, 1)}",),
            )


def missing_names(case: Case) -> Iterator[Doubt]:
    """Functions, classes and tests that no file knows. Names of other packages are not ours to judge."""
    seen: set[str] = set()
    for each in case.of(Mention.SYMBOL, Mention.TEST):
        if each.text in seen or case.creates(each.text) or each.detail == "part" or _foreign(case, each.text):
            continue
        seen.add(each.text)
        owner = each.text.partition(".")[0]
        if not case.ground.occurrences(each.text).known and not case.ground.resolve(_as_module(each.text)):
            yield _missing_name(case, each)
        elif "." in each.text and owner[:1].isupper() and not case.ground.occurrences(owner).known and not case.creates(owner):
            yield _missing_name(case, replace(each, text=owner))
        elif _is_not_in_its_class(case, each.text):
            yield _missing_name(case, each)
    for each in case.of(Mention.FILE):
        test = each.detail.rpartition("::")[2]
        named = test.startswith("test") and not case.creates(test) and each.intent is not Intent.CREATES
        if named and case.ground.resolve(each.text) and not case.ground.occurrences(test).known:
            yield _missing_name(case, Named(Mention.TEST, test, each.line, each.step, each.intent))


def _is_not_in_its_class(case: Case, name: str) -> bool:
    """Whether a class of the project stands alone, without bases, and its file does not hold the attribute that is named."""
    owner, _, attribute = name.rpartition(".")
    places = case.ground.occurrences(owner).definitions if owner[:1].isupper() and "." not in owner else []
    if len(places) != 1:
        return False
    text = case.ground.text(places[0][0])
    alone = re.search(rf"(?m)^class[ \t]+{re.escape(owner)}(?:\(\))?:", text) is not None and "__getattr__" not in text
    return alone and re.search(rf"(?<!\w){re.escape(attribute)}(?!\w)", text) is None


def _as_module(name: str) -> str:
    return name.replace(".", "/") + ".py"


def _foreign(case: Case, name: str) -> bool:
    first = name.partition(".")[0]
    dotted = "." in name
    return dotted and (first in sys.stdlib_module_names or normal_name(first) in case.ground.dependencies)


def _missing_name(case: Case, each: Named) -> Doubt:
    near = case.ground.nearest_name(each.text)
    said = any(claim.line == each.line and claim.detail.startswith(EXISTS) for claim in case.of(Mention.CLAIM))
    certain = near or said or each.intent in (Intent.CHANGES, Intent.REMOVES) or _in_a_module_of_ours(case, each.text)
    kind = Kind.TEST if each.kind is Mention.TEST else Kind.SYMBOL
    return Doubt(
        kind,
        each.text,
        f"and {each.intent.value} it",
        f"No file of the repository holds the name `{each.text}`" + (f"; `{near}` comes closest" if near else ""),
        f"The step at line {each.line} has nothing to work on, and code written against this name does not run",
        f"Use `{near}`, or say in which step the name is created"
        if near
        else "Say in which step, or in which package, it is created",
        Weight.SIGNIFICANT if certain else Weight.MINOR,
        Confidence.HIGH if certain else Confidence.LOW,
        lines=(each.line,),
        places=tuple(f"{path}:{line}" for path, line in case.ground.occurrences(near).definitions[:2]) if near else (),
    )


def _in_a_module_of_ours(case: Case, name: str) -> bool:
    """Whether a dotted name begins with a module or a package of the project, which then does not have the rest."""
    first, _, rest = name.partition(".")
    return bool(rest) and bool(case.ground.resolve(f"{first}.py") or case.ground.resolve(f"{first}/__init__.py"))


def missing_packages(case: Case) -> Iterator[Doubt]:
    """Packages that no manifest declares."""
    seen: set[str] = set()
    for each in case.of(Mention.DEPENDENCY):
        name = normal_name(each.text)
        if name in seen or each.intent is Intent.CREATES or case.creates(each.text) or _declared(case, each.text):
            continue
        if (
            each.text in sys.stdlib_module_names
            or not case.ground.dependencies
            or case.ground.resolve(f"{imported_as(each.text)}/__init__.py")
        ):
            continue
        seen.add(name)
        adding = rf"\b(?:add|install|declare|introduce|pin)\w{{0,3}}\b[^.\n]{{0,60}}(?<!\w){re.escape(each.text)}"
        if re.search(adding, case.text, re.IGNORECASE):
            continue
        yield Doubt(
            Kind.DEPENDENCY,
            each.text,
            "",
            f"No manifest of the repository declares `{each.text}`, and no step adds it",
            f"The import of `{each.text}` fails where the plan is carried out or deployed",
            "Add a step that declares the package, or use one that is declared",
            Weight.SIGNIFICANT,
            lines=(each.line,),
        )


def _declared(case: Case, package: str) -> bool:
    """Whether a manifest or an import of the code names it."""
    imports = re.compile(rf"\s*(?:import|from)\s+{re.escape(imported_as(package))}\b")
    uses = case.ground.occurrences(imported_as(package)).uses[:50]
    return any(each in case.ground.dependencies for each in names_of(package)) or any(
        imports.match(case.ground.project.line(path, line)) for path, line in uses
    )


def missing_endpoints(case: Case) -> Iterator[Doubt]:
    """Endpoints none of whose fixed parts stands anywhere in the code, and tables and settings that nothing names."""
    for each in case.of(Mention.ENDPOINT):
        parts = segments(each.text)
        about_route = each.detail or re.search(r"\b(?:endpoint|route|url|api)\b", case.line(each.line), re.IGNORECASE)
        if each.intent is Intent.CREATES or case.creates(each.text) or not parts or not about_route:
            continue
        if not case.ground.occurrences(parts[-1]).known:
            yield _missing_word(Kind.ENDPOINT, each, Weight.SIGNIFICANT)
    for kind, mention, weight in (
        (Kind.TABLE, Mention.TABLE, Weight.SIGNIFICANT),
        (Kind.SETTING, Mention.SETTING, Weight.MINOR),
    ):
        for each in case.of(mention):
            if each.intent is not Intent.CREATES and not case.creates(each.text) and not _known_word(case, each):
                firm = kind is Kind.SETTING and each.intent in (Intent.CHANGES, Intent.REMOVES)
                yield _missing_word(kind, each, Weight.SIGNIFICANT if firm else weight)


def missing_options(case: Case) -> Iterator[Doubt]:
    """Options that the plan changes or removes, or says to be there already. Options of other programs are not ours to judge."""
    for each in case.of(Mention.OPTION):
        said = any(claim.line == each.line and claim.detail.startswith(EXISTS) for claim in case.of(Mention.CLAIM))
        if each.intent not in (Intent.CHANGES, Intent.REMOVES) and not said:
            continue
        as_parameter = each.text.strip("-").replace("-", "_")
        known = case.ground.occurrences(each.text).known or case.ground.occurrences(as_parameter).known
        if not known and not case.creates(each.text):
            yield _missing_word(Kind.OPTION, each, Weight.SIGNIFICANT)


def _known_word(case: Case, each: Named) -> bool:
    if case.ground.occurrences(each.text).known:
        return True
    words = [part for part in each.text.lower().split("_") if len(part) > 2]
    singular = "".join(part.capitalize() for part in words).rstrip("s")
    return bool(singular) and each.kind is Mention.TABLE and bool(case.ground.nearest_name(singular))


def _missing_word(kind: Kind, each: Named, weight: Weight) -> Doubt:
    return Doubt(
        kind,
        each.text,
        "",
        f"No source or configuration of the repository names `{each.text}`, and no step creates it",
        f"What line {each.line} builds on is not there when the step is carried out",
        "Name the one that exists, or add a step that creates it",
        weight,
        lines=(each.line,),
    )


def broken_commands(case: Case) -> Iterator[Doubt]:
    """Commands whose test file, make target or script does not exist."""
    for each in case.of(Mention.COMMAND):
        tested = _PYTEST.search(each.text)
        for match in _PATH_ARGUMENT.finditer(tested[1] if tested else ""):
            if not case.ground.exists(match[1]) and not _is_created(case, match[1]):
                yield _broken(each, f"`{match[1]}` does not exist", case.ground.nearest_file(match[1]))
        target = _MAKE.match(each.text.removeprefix("$ "))
        makefile = case.ground.text("Makefile") if target and "Makefile" in case.ground.project.files else ""
        if target and makefile and not re.search(rf"(?m)^{re.escape(target[1])}[ \t]*:", makefile) and "include " not in makefile:
            yield _broken(each, f"the Makefile has no target `{target[1]}`", "")
        script = _NPM.search(each.text)
        if script and "package.json" in case.ground.project.files and script[1] not in _scripts(case):
            yield _broken(each, f"package.json has no script `{script[1]}`", "")


def _scripts(case: Case) -> dict[str, object]:
    try:
        value: object = parsed_json(case.ground.text("package.json")).get("scripts", {})
    except (ValueError, AttributeError):
        return {}
    return {str(key): True for key in value} if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _broken(each: Named, why: str, near: str) -> Doubt:
    return Doubt(
        Kind.COMMAND,
        each.text,
        "",
        f"The command cannot work: {why}" + (f"; the nearest is `{near}`" if near else ""),
        f"The check at line {each.line} fails before it has checked anything, or passes without running a test",
        f"Use `{near}`" if near else "Name what exists, or add the step that creates it",
        Weight.SIGNIFICANT,
        lines=(each.line,),
        places=(f"{near}:1",) if near else (),
    )
