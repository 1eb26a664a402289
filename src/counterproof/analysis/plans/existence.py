"""Doubts about files, names and commands that a plan takes to be there, and about what it creates over what is there.

Always: what the plan itself makes is not missing. Something is missed only where the plan leaves no doubt that it counts on it,
or where the repository has a thing whose name differs by little and which the plan never names.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind, Proof
from counterproof.analysis.plans.intents import is_test_label, label_of
from counterproof.analysis.plans.likeness import is_slip
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Intent, Mention, Named

_CODE = re.compile(
    r"\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|java|kt|go|php|rb|rs|c|h|cc|cpp|cs|swift|dart|sql|html|vue|svelte|toml|ya?ml|sh|css|scss|prisma|proto)\Z"
)
_OUTPUT = re.compile(
    r"(?:^|/)(?:build|dist|out|target|tmp|node_modules|coverage|\.venv|venv|\.next|generated|__pycache__|path|foo|example|examples)/|(?:^|/)coverage\.|\.log\Z|[*{}<>$]"
)
_SPOKEN_OF = re.compile(
    r"\b(?:if (?:it )?exists?|optional(?:ly)?|hypothetical|out of scope|upstream|generated)\b"
    r"|\b(?:similar to|such as|e\.g\.|for example|like|or|future|later)\b[^`.]{0,30}[`*_(\[]{0,3}\Z"
    r"|(?<![\w-])(?:outputs?|produces?|generates?)[ \t]+(?:(?:an?|the)[ \t]+)?[`*_\[]{0,3}\Z",
    re.IGNORECASE,
)
"""Words by which a line names a thing without counting on it: anywhere before it, or right before it."""
_ARISES = re.compile(
    r"\b(?:create|add|write|generate|new|move|extract|port|copy|introduce)\w{0,3}\b(?! (?:of|from)\b)|(?:→|->|=>)[ \t`*_]{0,4}\Z",
    re.IGNORECASE,
)
"""Words, or an arrow, before a path that comes to be."""
MIN_NAME = 6


_IN = r"[ \t]+(?:(?:function|method|class|helper|constant|hook|component|type)[ \t]+)?(?:in|from|of|inside)[ \t]+"
_BRINGS = re.compile(
    r"\b(?:add|adds|create|creates|new|implement|define|defines|write|move|moves|extract|copy|port|introduce|put|place|export|declare|use|uses|using|call|calls)\b",
    re.IGNORECASE,
)
"""Words by which a line brings a name into a file, or uses it there."""


def missing_files(case: Case) -> Iterator[Doubt]:
    """Files that the plan counts on and that are not there."""
    named = {each.text for each in case.of(Mention.FILE)}
    firmly = {code.path for code in case.codes}
    made = [each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm]
    tests = {each.text for each in case.of(Mention.FILE) if is_test_label(case.line(each.line))}
    created = {each.text for each in made if not is_test_label(case.line(each.line))}
    labelled = {each.text for each in case.of(Mention.FILE) if each.firm and label_of(case.line(each.line)) is Intent.CHANGES} - {
        *created,
        *tests,
    }
    seen: set[str] = set()
    for each in sorted(case.of(Mention.FILE), key=lambda each: not _is_worked_on(each)):
        if each.text in seen or each.text in created or "/" not in each.text or not _may_be_missed(case, each):
            continue
        near = _slip_for(case, each.text, named if not _is_worked_on(each) else {each.text})
        if case.makes_file(each.text):
            loosely = (each.text not in firmly or each.text in tests) and _is_typo(near, each.text)
            loosely = loosely or (each.text in labelled and _is_beside(case, each.text, named))
            anew = each.text in tests and _has_folder(case, each.text)
            near = near or (case.ground.nearest_file(each.text) if loosely else "")
            missed = bool(near) and (loosely or (_letters(near) == _letters(each.text) and not anew))
        else:
            missed = each.firm or (bool(near) and not is_spoken_of(case, each))
        if missed:
            seen.add(each.text)
            yield _missing_file(each, near, Proof.OTHERWISE if _is_meant(case, each, near) else Proof.NOTHING)


def _is_meant(case: Case, each: Named, near: str) -> bool:
    """Whether a file that is there was meant: its name but for a slip, in the same folder; or its path but for one folder, where
    the plan says to change or to remove it, or where it is the only one of its name and nothing else lies or comes in the folder
    that is named. Any other path that nothing has may be new, or lie in another tree."""
    if not near or _ARISES.search(case.line(each.line).partition(each.text)[0]):
        return False
    alone = case.ground.count(near.rpartition("/")[2]) == 1 and not _has_folder(case, each.text)
    return _is_typo(near, each.text) or (_is_a_folder_apart(near, each.text) and (alone or _is_worked_on(each)))


def _is_worked_on(each: Named) -> bool:
    return each.firm and each.intent in (Intent.CHANGES, Intent.REMOVES)


def _is_a_folder_apart(near: str, path: str) -> bool:
    one, other = sorted((path.split("/"), near.split("/")), key=len)
    return len(other) == len(one) + 1 and any(other[:at] + other[at + 1 :] == one for at in range(len(other) - 1))


def _may_be_missed(case: Case, each: Named) -> bool:
    if _OUTPUT.search(each.text) or not (_CODE.search(each.text) or _is_typo(case.ground.nearest_file(each.text), each.text)):
        return False
    if each.intent is Intent.USES and not case.ground.is_part(each.text.removeprefix("./").partition("/")[0]):
        return False  # spoken of, in a tree that is not this one
    return not case.ground.exists(each.text) and not case.ground.resolve(each.text.rpartition("../")[2])


def _slip_for(case: Case, path: str, named: set[str]) -> str:
    """The file that was meant by a path which no file has: its name differs by little, or it lies elsewhere under the same name;
    and the plan never names it."""
    near = case.ground.nearest_file(path)
    own, others = near.rpartition("/")[2], {name.rpartition("/")[2] for name in named - {path} if "/" in name}
    if not near or near in named or (own in others and not _is_a_folder_apart(near, path)):
        return ""
    moved = own == path.rpartition("/")[2] and case.ground.count(own) == 1 and len(own.partition(".")[0]) >= MIN_NAME
    return near if moved or _is_a_folder_apart(near, path) or _is_typo(near, path) else ""


def _has_folder(case: Case, path: str) -> bool:
    """Whether a file's folder is there, or the plan puts something else into it."""
    folder = path.rpartition("/")[0]
    return case.ground.exists(folder) or any(each != path and each.startswith(f"{folder}/") for each in case.made_files)


def _is_beside(case: Case, path: str, named: set[str]) -> bool:
    """Whether a file whose name is close, and which the plan never names, lies where this one is looked for."""
    near = case.ground.nearest_file(path)
    return bool(near) and near not in named and near.rpartition("/")[0].endswith(path.rpartition("/")[0])


def is_spoken_of(case: Case, each: Named) -> bool:
    """Whether the line names the thing as an example, an outcome or a choice."""
    return _SPOKEN_OF.search(case.line(each.line).partition(each.text)[0]) is not None


def _letters(path: str) -> str:
    return re.sub(r"[\W_]", "", path.rpartition("/")[2].lower())


def _is_typo(one: str, other: str) -> bool:
    """Whether two paths lie in one folder and one name is the other with a slip."""
    folder, _, name = f"/{other}".rpartition("/")
    return f"/{one}".rpartition("/")[0].endswith(folder) and is_slip(one.rpartition("/")[2], name)


def _missing_file(each: Named, near: str, proof: Proof) -> Doubt:
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
        proof=proof,
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


def missing_owners(case: Case) -> Iterator[Doubt]:
    """Classes and modules before a dot that neither the code nor the plan has, while the code has one that was meant."""
    seen: set[str] = set()
    for each in case.of(Mention.SYMBOL):
        owner = each.text.partition(".")[0]
        if owner == each.text or owner in seen or len(owner) < MIN_NAME or case.defines(owner) or case.ground.holds(owner):
            continue
        seen.add(owner)
        near = case.slip_for(owner)
        if near and is_slip(owner, near) and not case.makes_name(owner) and not case.ground.is_part(owner):
            yield missing_name(case, owner, each.line, near)


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
        if not near or is_spoken_of(case, each):
            continue
        new = each.intent is Intent.CREATES or case.makes_name(short)
        alike = is_slip(short, near)
        if (alike and not (new and each.firm)) or (each.firm and not new and each.intent is not Intent.USES):
            seen.add(short)
            yield missing_name(case, short, each.line, near)


def misplaced_names(case: Case) -> Iterator[Doubt]:
    """Names that a line looks for in a file which does not hold them, while one other file alone defines them."""
    for each in case.of(Mention.SYMBOL):
        line = case.line(each.line)
        match = re.search(rf"`{re.escape(each.text)}(?:\(\))?`{_IN}`(?P<path>[^`\n:]{{3,200}})", line)
        path = case.ground.resolve(match["path"]) if match and case.ground.count(match["path"]) == 1 else ""
        short = each.text.rpartition(".")[2]
        if match is None or not path or len(short) < MIN_NAME or _BRINGS.search(line[: match.start()]) or case.defines(short):
            continue
        homes = case.ground.occurrences(short).definitions
        if len(homes) == 1 and homes[0][0] != path and not re.search(rf"(?<!\w){re.escape(short)}(?!\w)", case.ground.text(path)):
            yield _misplaced(each, path, homes[0])


def _misplaced(each: Named, path: str, home: tuple[str, int]) -> Doubt:
    return Doubt(
        Kind.HOME,
        each.text,
        f"than {home[0]}",
        f"`{path}` does not hold `{each.text}`; it is defined at {home[0]}:{home[1]}",
        f"Whoever carries out line {each.line} does not find it there",
        f"Name `{home[0]}`",
        lines=(each.line,),
        places=(f"{home[0]}:{home[1]}",),
    )


def _is_foreign(case: Case, name: str) -> bool:
    """Whether a dotted name begins with something that is not known to be the project's."""
    first, _, rest = name.partition(".")
    return bool(rest) and not case.ground.is_part(first) and not case.ground.occurrences(first).definitions


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
        proof=Proof.OTHERWISE if is_slip(name, near) else Proof.NOTHING,
    )
