"""Doubts about commands that a plan runs: scripts, targets, programs, modules and tests that neither exist nor are made.

Always: only where the list that a command chooses from can be read: the scripts of `package.json`, the targets of a Makefile, the
recipes of a justfile, the files of the tree. A name that the plan writes anywhere else between quotes or as a target is made.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.existence import is_spoken_of
from counterproof.analysis.plans.likeness import is_slip
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.plan.outline import Mention, Named

_END = r"(?=\s|\Z|&|;|\"|\\|\|)"
_PLACE = r"(?:[ \t]+(?:(?:--prefix|-w|--workspace|--filter|-F|-C|--dir|--cwd)(?:[= \t][\w@./-]{1,80})?|--silent|-s|-r)){0,3}"
_SCRIPT = re.compile(
    rf"\b(?:npm|yarn|pnpm|bun){_PLACE}[ \t]+run(?:-script)?{_PLACE}[ \t]+(\w[\w:.-]{{0,40}}){_END}(?!.{{0,200}}\|\|)"
)
_ALONE = re.compile(
    r"\b(?:yarn|pnpm)(?:[ \t]+(?:(?:--filter|-F|-C|--dir|--cwd)[= \t][\w@./*-]{1,80}|--silent|-s|-r|--recursive)){0,3}[ \t]+"
    rf"(\w+[:-][\w:.-]{{1,40}}){_END}(?!.{{0,200}}\|\|)"
)
"""A script without `run`: two words with a mark between them, as no command of these programs is called."""
_MAKE = re.compile(rf"(?<![\w-])make[ \t]+(?:-C[ \t]+\S{{1,80}}[ \t]+)?([a-z][\w-]{{1,40}}){_END}")
_JUST = re.compile(rf"(?<![\w-])just[ \t]+([a-z][\w-]{{1,40}}){_END}")
_PROGRAM = re.compile(
    rf"\b(?P<by>python3?|node|bash|sh|bun|npx tsx|tsx|ts-node|pytest)(?:[ \t]+-[\w-]{{1,20}}){{0,3}}[ \t]+"
    rf"(?P<file>(?:[\w.@-]{{1,60}}/){{1,8}}[\w.@-]{{1,80}}\.(?:py|m?js|ts|sh))(?:::[\w:\[\]-]{{1,200}})?{_END}"
)
_MODULE = re.compile(rf"\bpython3?[ \t]+-m[ \t]+((?:\w{{1,60}}\.){{1,6}}\w{{1,60}}){_END}")
_PACKAGES = ("package.json",)
_RUN = re.compile(
    r"\b(?:re-?)?(?:run|runs|running|execute|verify|verified|expect(?:ed)?|command|build|test|check|passes)\b|运行|执行|验证",
    re.IGNORECASE,
)
_ENGLISH = ("sure", "it", "this", "that", "them", "sense", "use", "the", "a", "an", "works", "like", "one", "certain")
_LISTS = (
    (_SCRIPT, _PACKAGES, "script"),
    (_MAKE, ("Makefile", "makefile", "GNUmakefile"), "target"),
    (_JUST, ("justfile", "Justfile", ".justfile"), "recipe"),
)
"""Commands that choose from a list, and the files that hold it."""
_WORDS = (
    (
        re.compile(rf"\bcargo[ \t]+\w+(?:[ \t]+--?[\w-]+)*?[ \t]+(?:-p|--package)[ \t]+([\w-]{{2,60}}){_END}"),
        r"Cargo\.(?:toml|lock)",
        "package",
    ),
    (re.compile(rf"\bnox[ \t]+(?:-s|--session)[ \t]+([\w-]{{2,60}}){_END}"), r"noxfile\.py", "session"),
    (
        re.compile(rf"\btox[ \t]+(?:run[ \t]+)?-e[ \t]+((?!py\d)[\w-]{{2,60}}){_END}"),
        r"tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml",
        "environment",
    ),
)
"""Commands that choose from a list, and the files one of which must hold the word."""
_SCRIPTS = re.compile(r"[\"']scripts[\"'][ \t]*:")
_TARGET = re.compile(r"(?m)^([a-z][\w-]{1,40})(?:[ \t][\w \t=\"']{0,80})?:(?!=)")
REACH = 60
"""Letters before a command in which a word has it run; after it a quarter of them."""
MAX_TOLD = 8
"""Names of a list that are told instead."""


@dataclass(frozen=True, slots=True)
class _Lack:
    """What a command needs and does not find: the words that say so, the file that stands against it, what was looked for."""

    why: str
    place: str = ""
    search: tuple[str, ...] = ()
    evidence: Evidence = Evidence.UNLISTED
    instead: str = "what exists"


def broken_commands(case: Case) -> Iterator[Doubt]:
    """Commands that cannot do anything, each thing that they lack once."""
    seen: set[str] = set()
    for each in sorted(case.of(Mention.COMMAND), key=lambda each: not _is_run(case, each)):
        if re.search(r"\b(?:not|never|no longer|instead of)\b", case.line(each.line)[:200]) or is_spoken_of(case, each):
            continue
        for lack in _lacks(case, each.text.partition("git commit")[0]) if not _is_elsewhere(case, each.text) else ():
            if lack.why not in seen:
                seen.add(lack.why)
                yield _broken(each, lack, lack.evidence if _is_run(case, each) else Evidence.ABSENT)


def _is_elsewhere(case: Case, command: str) -> bool:
    """Whether a command is run in a folder that neither the tree nor the plan has: it may be one of another repository."""
    match = re.match(r"[ \t(]{0,8}cd[ \t]+(?:\./)?([\w@-][\w./@-]{0,120})", command)
    folder = f"/{match[1].strip('/')}/" if match else "/"
    return not any(folder in f"/{path}/" for path in (*case.ground.project.files, *case.made_files))


def _is_run(case: Case, each: Named) -> bool:
    """Whether the plan itself has somebody run it: it stands in a block, alone in its item, or beside a word that says so."""
    before, _, after = case.line(each.line).partition(each.text)
    beside = f"{before[-REACH:]} {after[: REACH // 4]}"
    return "`" not in before or not before.strip("`*_ \t-+[]|.)0123456789").strip() or _RUN.search(beside) is not None


def _lacks(case: Case, command: str) -> Iterator[_Lack]:
    for check in (_unlisted, _unscripted, _unworded, _unprogrammed, _unmodular):
        yield from check(case, command)


def _unlisted(case: Case, command: str) -> Iterator[_Lack]:
    """Scripts, targets and recipes that no list has."""
    for pattern, names, kind in _LISTS:
        for match in pattern.finditer(command):
            if names != _PACKAGES and _is_phrase(case, command[match.start(1) :], names):
                continue
            if _is_no_script(case, match[1]) if names == _PACKAGES else _is_no_target(case, match[1], names):
                yield _unnamed(case, names, kind, match[1])


def _unnamed(case: Case, names: tuple[str, ...], kind: str, word: str) -> _Lack:
    """What a list has instead of a word."""
    path = _first_file(case, names)
    listed = _scripts(case.ground.text(path)) if names == _PACKAGES else _TARGET.findall(case.ground.text(path))
    instead = f"one that `{path}` has ({', '.join(listed[:MAX_TOLD])})" if listed else "what exists"
    place = case.ground.at(path, _SCRIPTS if names == _PACKAGES else _TARGET)
    return _Lack(f"no {names[0]} has a {kind} `{word}`, and no step adds one", place, instead=instead)


def _unscripted(case: Case, command: str) -> Iterator[_Lack]:
    """Scripts that are run without `run`, unless a package may bring a program of that name."""
    for match in _ALONE.finditer(command):
        if _is_no_script(case, match[1]) and not _is_program(case, match[1]):
            yield _unnamed(case, _PACKAGES, "script", match[1])


def _unworded(case: Case, command: str) -> Iterator[_Lack]:
    """Packages, sessions and environments by words that none of the files has."""
    for pattern, files, kind in _WORDS:
        for match in pattern.finditer(command):
            listed = sorted((path for path in case.ground.project.files if re.fullmatch(files, path.rpartition("/")[2])), key=len)
            word = re.compile(rf"(?<![\w-]){re.escape(match[1])}(?![\w-])")
            if listed and not any(word.search(case.ground.text(path)) for path in listed) and not _is_written(case, match[1]):
                yield _Lack(f"`{listed[0]}` has no {kind} `{match[1]}`, and no step adds one", f"{listed[0]}:1")


def _unprogrammed(case: Case, command: str) -> Iterator[_Lack]:
    """Files that are to be run and are not there."""
    for match in _PROGRAM.finditer(command):
        path = match["file"]
        if _is_no_file(case, path) and (match["by"] != "pytest" or _is_misspelt(case, path)):
            near = case.ground.nearest_file(path) if _is_misspelt(case, path) else ""
            told = f"; the nearest is `{near}`" if near else ""
            place, instead = (f"{near}:1", f"`{near}`") if near else ("", "what exists")
            yield _Lack(f"`{path}` does not exist, and no step creates it{told}", place, (path,), Evidence.NEAR_FILE, instead)


def _unmodular(case: Case, command: str) -> Iterator[_Lack]:
    """Modules of the project that are to be run and are not there."""
    for match in _MODULE.finditer(command):
        path = match[1].replace(".", "/")
        ours = case.ground.resolve(f"{match[1].partition('.')[0]}/__init__.py")
        if ours and all(_is_no_file(case, each) for each in (f"{path}.py", f"{path}/__main__.py", f"{path}/__init__.py", path)):
            yield _Lack(f"the project has no module `{match[1]}`, and no step makes it", "", (f"/{path}",))


def _is_program(case: Case, name: str) -> bool:
    """Whether a package may bring a program of that name."""
    return ":" not in name and any(name in each or name.startswith(f"{each}-") for each in case.ground.dependencies)


def _is_written(case: Case, name: str) -> bool:
    """Whether the plan makes a part of that name: it writes it in quotes, or makes a folder or a file of it."""
    named = re.search(rf"[\"']{re.escape(name)}[\"']", case.text) is not None
    return named or any(name in re.split(r"[/.]", path) for path in case.made_files)


def _is_no_file(case: Case, path: str) -> bool:
    return not (case.ground.exists(path) or case.makes_file(path) or case.ground.resolve(path))


def _is_misspelt(case: Case, path: str) -> bool:
    """Whether a test was meant that is there. Any other one may be written by a step that does not name its file."""
    near = case.ground.nearest_file(path)
    return bool(near) and near not in case.text and is_slip(near.rpartition("/")[2], path.rpartition("/")[2])


def _first_file(case: Case, names: tuple[str, ...]) -> str:
    """The nearest file of these names; one of them is there."""
    return min((path for path in case.ground.project.files if path.rpartition("/")[2] in names), key=len)


def _is_phrase(case: Case, words: str, names: tuple[str, ...]) -> bool:
    """Whether the words after `make` or `just` are English: `make it robust`. Targets come as one word, or are known."""
    said = re.split(r"[;&|#]", words)[0].split()
    plain = [word for word in said if re.fullmatch(r"[a-z']+[.,!]?", word)]
    known = any(not _is_no_target(case, word, names) for word in plain)
    return not known and ((len(plain) > 1 and plain == said) or said[0] in _ENGLISH)


def _is_no_target(case: Case, target: str, names: tuple[str, ...]) -> bool:
    texts = [case.ground.text(path) for path in case.ground.project.files if path.rpartition("/")[2] in names]
    known = any(
        re.search(
            rf"(?m)^[^#\t\n]{{0,200}}(?<![\w-]){re.escape(target)}(?![\w-])[^=\n]{{0,200}}:|^[ \t]*-?include |^%|^import ", text
        )
        for text in texts
    )
    written = re.search(rf"(?m)^[+ \t]*{re.escape(target)}\b[^=\n]{{0,80}}:", case.text) is not None
    worked_on = any(path.rpartition("/")[2] in names for path in (*case.made_files, *case.touched))
    spoken = worked_on and re.search(rf"`(?:make |just )?{re.escape(target)}`", case.text) is not None
    return bool(texts) and not known and not written and not spoken


def _is_no_script(case: Case, script: str) -> bool:
    paths = [path for path in case.ground.project.files if path.rpartition("/")[2] == "package.json"]
    known = {name for path in paths for name in _scripts(case.ground.text(path))}
    unseen = any(path.endswith("package.json") and not case.ground.resolve(path) for path in case.made_files) and not any(
        code.path.endswith("package.json") or '"scripts"' in code.text for code in case.codes
    )
    named = re.compile(rf"[\"'`]{re.escape(script)}[\"'`]")
    return (
        bool(known)
        and not unseen
        and script not in known
        and not any(named.search(text) for text in (case.text, *(text for _, text in case.sisters)))
    )


def _scripts(text: str) -> list[str]:
    try:
        value: object = parsed_json(text).get("scripts", {})
    except (ValueError, AttributeError):
        return []
    return [str(key) for key in value] if isinstance(value, dict) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _broken(each: Named, lack: _Lack, evidence: Evidence) -> Doubt:
    return Doubt(
        Kind.COMMAND,
        each.text,
        "",
        f"The command cannot work: {lack.why}",
        f"Line {each.line} fails before it has done anything",
        f"Name {lack.instead}, or add the step that makes it",
        lines=(each.line,),
        places=(lack.place,) if lack.place else (),
        search=lack.search,
        evidence=evidence,
    )
