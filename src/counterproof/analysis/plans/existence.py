"""Doubts about files, names and commands that a plan takes to be there, and about what it creates over what is there.

Always: what the plan itself makes is not missing. Something is missed only where the plan leaves no doubt that it counts on it,
or where the repository has a thing whose name differs by little and which the plan never names.
"""

import difflib
import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Intent, Mention, Named

_CODE = re.compile(
    r"\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|java|kt|go|php|rb|rs|c|h|cc|cpp|cs|swift|dart|sql|html|vue|svelte|toml|ya?ml|sh|css|scss|prisma|proto)\Z"
)
_OUTPUT = re.compile(
    r"(?:^|/)(?:build|dist|out|target|tmp|node_modules|coverage|\.venv|venv|\.next|generated|__pycache__|path|foo|example|examples)/|(?:^|/)coverage\.|\.log\Z|[*{}<>$]"
)
_SPOKEN_OF = re.compile(
    r"\b(?:similar to|such as|e\.g\.|for example|like|outputs?|produces?|generates?|generated|if (?:it )?exists?"
    r"|optional(?:ly)?|or|hypothetical|out of scope|future|later|upstream)\b",
    re.IGNORECASE,
)
MIN_NAME = 6
ALIKE = 0.92
"""How alike a name is to one of the code before it counts as that one misspelt, though the plan may mean a new one."""
_MAKE = re.compile(r"\bmake ([a-z][\w-]{1,40})(?=\s|\Z|&|;)")
_NPM = re.compile(r"\b(?:npm|yarn|pnpm|bun) run ([\w:.-]{1,40})(?=\s|\Z|&|;)")
_RUNS_FILE = re.compile(
    r"\b(?:python3?|node|bash|sh|bun|npx tsx|tsx|ts-node)[ \t]+((?:[\w.@-]{1,60}/){1,8}[\w.@-]{1,80}\.(?:py|m?js|ts|sh))(?=\s|\Z)"
)


def missing_files(case: Case) -> Iterator[Doubt]:
    """Files that the plan counts on and that are not there."""
    named = {each.text for each in case.of(Mention.FILE)}
    firmly = {code.path for code in case.codes}
    created = {each.text for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm}
    seen: set[str] = set()
    for each in case.of(Mention.FILE):
        if each.text in seen or each.text in created or "/" not in each.text or not _may_be_missed(case, each):
            continue
        near = _slip_for(case, each.text, named)
        if case.makes_file(each.text):
            loosely = each.text not in firmly and _is_typo(near, each.text)
            missed = bool(near) and (loosely or _letters(near) == _letters(each.text))
        else:
            missed = each.firm or (bool(near) and not _SPOKEN_OF.search(case.line(each.line)))
        if missed:
            seen.add(each.text)
            yield _missing_file(each, near)


def _may_be_missed(case: Case, each: Named) -> bool:
    if not _CODE.search(each.text) or _OUTPUT.search(each.text):
        return False
    return not case.ground.exists(each.text) and not case.ground.resolve(each.text.rpartition("../")[2])


def _slip_for(case: Case, path: str, named: set[str]) -> str:
    """The file that was meant by a path which no file has: its name differs by little, or it lies elsewhere under the same name;
    and the plan never names it."""
    near = case.ground.nearest_file(path)
    own, others = near.rpartition("/")[2], {name.rpartition("/")[2] for name in named - {path}}
    if not near or near in named or own in others:
        return ""
    moved = own == path.rpartition("/")[2] and case.ground.count(own) == 1 and len(own.partition(".")[0]) >= MIN_NAME
    return near if moved or _is_typo(near, path) else ""


def _letters(path: str) -> str:
    return re.sub(r"[\W_]", "", path.rpartition("/")[2].lower())


def _is_typo(one: str, other: str) -> bool:
    """Whether two paths lie in one folder and their names differ by a letter or two."""
    return f"/{one}".rpartition("/")[0].endswith(f"/{other}".rpartition("/")[0]) and _apart(_letters(one), _letters(other)) <= 2


def _apart(one: str, other: str) -> int:
    """How many letters differ, seen from both ends."""
    front = next(
        (index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
    rest_one, rest_other = one[front:], other[front:]
    back = next(
        (index for index, pair in enumerate(zip(reversed(rest_one), reversed(rest_other), strict=False)) if pair[0] != pair[1]),
        min(len(rest_one), len(rest_other)),
    )
    return max(len(rest_one), len(rest_other)) - back


def _missing_file(each: Named, near: str) -> Doubt:
    deed = {Intent.CHANGES: "changes", Intent.REMOVES: "removes"}.get(each.intent, "uses")
    return Doubt(
        Kind.FILE,
        each.text,
        f"and {deed} it",
        f"The repository has no `{each.text}`, and no step creates it" + (f"; the nearest is `{near}`" if near else ""),
        f"Whoever carries out line {each.line} does not find the file, and stops or creates a second one beside the real code",
        f"Name `{near}`" if near else "Say that the file is new, or name the one that is meant",
        lines=(each.line,),
        places=(f"{near}:1",) if near else (),
        search=(each.text,),
    )


def existing_files(case: Case) -> Iterator[Doubt]:
    """Files that a label says to create and that are there. Where most of them are, the plan was carried out in part before."""
    made = [each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm and "/" in each.text]
    labelled = {
        each.text: each for each in reversed(made) if re.match(r"[\W_\d]{0,14}create\b", case.line(each.line), re.IGNORECASE)
    }
    there = [each for path, each in labelled.items() if path in case.ground.project.files]
    for each in there if len(there) * 2 <= len(labelled) else ():
        if case.ground.project.files[each.text].lines > 1:
            yield Doubt(
                Kind.EXISTING,
                each.text,
                "",
                f"`{each.text}` is there already, with {case.ground.project.files[each.text].lines} lines",
                f"Carried out as line {each.line} says, the step overwrites what the file holds",
                f"Say `Modify` and name what is added to `{each.text}`, or choose another path",
                lines=(each.line,),
                places=(f"{each.text}:1",),
            )


def lines_past_the_end(case: Case) -> Iterator[Doubt]:
    """Lines that a plan names and that a file does not have: whoever wrote the plan had another file in view."""
    for each in case.of(Mention.FILE):
        numbers = [int(number) for number in re.findall(r"\d{1,7}", each.detail)] if re.match(r":L?\d", each.detail) else []
        path = each.text if each.text in case.ground.project.files else ""
        there = case.ground.project.files[path].lines if path else 0
        if path and numbers and max(numbers) > there + 1 and not case.makes_file(path):
            yield Doubt(
                Kind.PLACE,
                each.text,
                f"with line {max(numbers)}",
                f"`{path}` has {there} lines",
                f"What line {each.line} of the plan works on is elsewhere, or belongs to another version of the file",
                "Name the function instead of the line, and look at the file as it is now",
                Weight.MINOR,
                lines=(each.line,),
                places=(f"{path}:{max(there, 1)}",),
            )


def missing_names(case: Case) -> Iterator[Doubt]:
    """Names of code that the plan counts on, and that neither the code nor the plan has."""
    seen: set[str] = set()
    for each in case.of(Mention.SYMBOL):
        short = each.text.rpartition(".")[2]
        if (
            short in seen
            or len(short) < MIN_NAME
            or case.defines(short)
            or case.ground.holds(short)
            or _is_foreign(case, each.text)
        ):
            continue
        near = case.slip_for(short)
        if not near or _SPOKEN_OF.search(case.line(each.line)):
            continue
        new = each.intent is Intent.CREATES or case.makes_name(short)
        alike = difflib.SequenceMatcher(None, short, near).ratio() >= ALIKE
        if (alike and not (new and each.firm)) if new or not (each.firm or each.detail) else True:
            seen.add(short)
            yield missing_name(case, short, each.line, near)


def _is_foreign(case: Case, name: str) -> bool:
    """Whether a dotted name begins with something that is not known to be the project's."""
    first, _, rest = name.partition(".")
    return bool(rest) and not case.ground.resolve(f"{first}.py") and not case.ground.occurrences(first).definitions


def missing_name(case: Case, name: str, line: int, near: str) -> Doubt:
    """No file of code holds a name, and no step makes it."""
    places = case.ground.occurrences(near).definitions[:2] if near else []
    return Doubt(
        Kind.SYMBOL,
        name,
        "",
        f"No file of the code holds the name `{name}`, and no step makes it" + (f"; `{near}` comes closest" if near else ""),
        f"Line {line} has nothing to work on, and code written against this name does not run",
        f"Write `{near}`, or say in which step `{name}` is made"
        if near
        else f"Say in which step, or in which package, `{name}` is made",
        lines=(line,),
        places=tuple(f"{path}:{number}" for path, number in places),
        search=(name,),
    )


def broken_commands(case: Case) -> Iterator[Doubt]:
    """Commands whose make target, script or program file neither exists nor is made."""
    seen: set[str] = set()
    for each in case.of(Mention.COMMAND):
        if re.search(r"\b(?:not|never|no longer|instead of)\b", case.line(each.line)[:200]):
            continue
        target, script, program = _MAKE.search(each.text), _NPM.search(each.text), _RUNS_FILE.search(each.text)
        named = next((match[0] for match in (target, script, program) if match), "")
        if named in seen:
            continue
        seen.add(named)
        if target and _is_no_target(case, target[1]):
            yield _broken(each, f"no Makefile has a target `{target[1]}`, and no step adds one", _first_file(case, "Makefile"))
        elif script and _is_no_script(case, script[1]):
            yield _broken(
                each, f"no package.json has a script `{script[1]}`, and no step adds one", _first_file(case, "package.json")
            )
        elif (
            program
            and not case.ground.exists(program[1])
            and not case.makes_file(program[1])
            and not case.ground.resolve(program[1])
        ):
            yield _broken(each, f"`{program[1]}` does not exist, and no step creates it", "", (program[1],))


def _first_file(case: Case, name: str) -> str:
    return min((path for path in case.ground.project.files if path.rpartition("/")[2] == name), key=len, default="")


def _is_no_target(case: Case, target: str) -> bool:
    texts = [
        case.ground.text(path)
        for path in case.ground.project.files
        if path.rpartition("/")[2] in ("Makefile", "makefile", "GNUmakefile")
    ]
    known = any(
        re.search(rf"(?m)^[^#\t\n]{{0,200}}(?<![\w-]){re.escape(target)}(?![\w-])[^=\n]{{0,200}}:|^[ \t]*-?include |^%", text)
        for text in texts
    )
    return (
        bool(texts)
        and not known
        and re.search(rf"(?m)^{re.escape(target)}[ \t]*:", case.text) is None
        and not re.search(r"Makefile", case.text)
    )


def _is_no_script(case: Case, script: str) -> bool:
    paths = [path for path in case.ground.project.files if path.rpartition("/")[2] == "package.json"]
    known = {name for path in paths for name in _scripts(case.ground.text(path))}
    return bool(known) and script not in known and re.search(rf"[\"'`]{re.escape(script)}[\"'`]", case.text) is None


def _scripts(text: str) -> list[str]:
    try:
        value: object = parsed_json(text).get("scripts", {})
    except (ValueError, AttributeError):
        return []
    return [str(key) for key in value] if isinstance(value, dict) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _broken(each: Named, why: str, place: str, search: tuple[str, ...] = ()) -> Doubt:
    return Doubt(
        Kind.COMMAND,
        each.text,
        "",
        f"The command cannot work: {why}",
        f"Line {each.line} fails before it has done anything",
        "Name what exists, or add the step that makes it",
        lines=(each.line,),
        places=(f"{place}:1",) if place else (),
        search=search,
    )
