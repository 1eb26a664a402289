"""Go, PHP and Ruby: go.mod, go.sum, composer.json, composer.lock, Gemfile, Gemfile.lock.

Invariant: files are read by line or as JSON, never run; a Gemfile is a program, so only its literal lines are read. Not handled
here: problems in a manifest.
"""

import re

from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, IndexOption, Manifest, Role
from counterproof.analysis.dependencies.plain_data import Spots, as_list, as_table, parsed

_GO = re.compile(
    r"[ \t]{0,20}(?:require[ \t]{1,10})?([\w.~-]{1,100}(?:/[\w.~+-]{1,100}){1,20}|[\w.-]{1,60}\.[a-z]{2,20})"
    r"[ \t]{1,10}(v[\w.+-]{1,150})"
)
_GO_REPLACE = re.compile(
    r"(?:replace[ \t]{1,10})?(\S{1,300})(?:[ \t]{1,10}(v[\w.+-]{1,150}))?[ \t]{1,10}=>[ \t]{1,10}(\S{1,300})"
    r"(?:[ \t]{1,10}(v[\w.+-]{1,150}))?"
)
_SUM = re.compile(r"(\S{1,300})[ \t](v[\w.+-]{1,150})[ \t]h1:")
_EXACT = re.compile(r"v?=?[ \t]{0,3}(\d{1,9}(?:\.\d{1,9}){0,4}(?:[-+.]?[A-Za-z][\w.+-]{0,60})?)")
_GEM = re.compile(r"[ \t]{0,40}gem[ \t(]{1,5}['\"]([\w.-]{1,100})['\"](.{0,400})")
_GEM_VERSION = re.compile(r",[ \t]{0,10}['\"]([^'\"]{1,60})['\"]")
_GEM_PLACE = re.compile(r"\b(git|github|bitbucket|gist|path)(?::|['\"]?[ \t]{0,5}=>)[ \t]{0,10}['\"]([^'\"]{1,300})['\"]")
_GEM_FIXED = re.compile(r"\bref(?::|[ \t]{0,5}=>)[ \t]{0,10}['\"][0-9a-f]{40}['\"]")
_SOURCE = re.compile(r"[ \t]{0,40}source[ \t(]{1,5}['\"]([^'\"]{1,300})['\"]")
_GROUP = re.compile(r"[ \t]{0,40}group[ \t(]{1,5}(.{1,200}?)\)?[ \t]{1,5}do\b")
_LOCKED = re.compile(r"    ([\w.-]{1,100}) \(([^)\s]{1,100})\)$")
_DEVELOPMENT = ("test", "development", "ci", "lint")


def read_go_mod(path: str, text: str) -> Manifest:
    declared: list[Declared] = []
    replacements: dict[str, tuple[str, str, str]] = {}
    block = ""
    for number, row in enumerate(text.split("\n"), start=1):
        bare = row[:600].strip()
        if bare.endswith("("):
            block = bare.partition("(")[0].strip()
            continue
        if bare == ")":
            block = ""
            continue
        found = _GO.match(row[:600]) if block == "require" or bare.startswith("require ") else None
        if found:
            declared.append(Declared(found[1], found[2], True, number, verified=True))
        replaced = _GO_REPLACE.match(bare) if block == "replace" or bare.startswith("replace ") else None
        if replaced:
            replacements[replaced[1]] = (replaced[2] or "", replaced[3], replaced[4] or "")
    return Manifest(path, Role.DECLARES, tuple(_replaced(each, replacements) for each in declared), ecosystem="go")


def _replaced(declared: Declared, replacements: dict[str, tuple[str, str, str]]) -> Declared:
    """The actual dependency if the file replaces a module: by another one, another version, or a folder."""
    only, name, version = replacements.get(declared.name, ("", "", ""))
    if not name or only not in ("", declared.version):
        return declared
    if not version:
        return Declared(declared.name, name, False, declared.line, FetchedFrom.PATH, name, True)
    return Declared(name, version, True, declared.line, verified=True)


def read_go_sum(path: str, text: str) -> Manifest:
    declared = [
        Declared(found[1], found[2], True, number, verified=True)
        for number, row in enumerate(text.split("\n"), start=1)
        if (found := _SUM.match(row[:800])) and not found[2].endswith("/go.mod")
    ]
    return Manifest(path, Role.LOCKS, tuple(declared), ecosystem="go")


def read_composer_json(path: str, text: str) -> Manifest:
    data = parsed(text)
    if data is None:
        return Manifest(path, Role.DECLARES, problems=(f"{path} is not valid JSON and was not read",), ecosystem="packagist")
    declared: list[Declared] = []
    for section, development in (("require", False), ("require-dev", True)):
        spots = Spots(text)
        if not spots.enter(section):
            continue
        for name, version in as_table(data.get(section)).items():
            if "/" not in name or not isinstance(version, str):
                continue  # php itself, and its extensions
            exact = _EXACT.fullmatch(version.strip())
            declared.append(
                Declared(
                    name, exact[1] if exact else version or "*", exact is not None, spots.line(name), development=development
                )
            )
    options: list[IndexOption] = []
    for each in as_list(data.get("repositories")):
        url = as_table(each).get("url")
        if isinstance(url, str):
            options.append(IndexOption("index", url[:300], Spots(text).line(url, value=True)))
    packaged = data.get("type", "library") == "library" and "artisan" not in text and isinstance(data.get("name"), str)
    return Manifest(path, Role.DECLARES, tuple(declared), tuple(options), packaged=packaged, ecosystem="packagist")


def read_composer_lock(path: str, text: str) -> Manifest:
    data = parsed(text)
    if data is None:
        return Manifest(path, Role.LOCKS, problems=(f"{path} is not valid JSON and was not read",), ecosystem="packagist")
    spots = Spots(text)
    declared: list[Declared] = []
    for section, development in (("packages", False), ("packages-dev", True)):
        spots.enter(section)
        for each in as_list(data.get(section)):
            name, version = as_table(each).get("name"), as_table(each).get("version")
            if isinstance(name, str) and isinstance(version, str):
                line = spots.line(name, value=True)
                declared.append(Declared(name, version.removeprefix("v"), True, line, verified=True, development=development))
    return Manifest(path, Role.LOCKS, tuple(declared), ecosystem="packagist")


def read_gemfile(path: str, text: str) -> Manifest:
    declared: list[Declared] = []
    options: list[IndexOption] = []
    blocks: list[bool] = []
    for number, row in enumerate(text.split("\n"), start=1):
        row = row[:1_000]
        group = _GROUP.match(row)
        source = _SOURCE.match(row)
        gem = _GEM.match(row)
        if gem:
            declared.append(_gem(gem, number, any(blocks)))
        elif source:
            options.append(IndexOption("index", source[1], number))
        if group:
            blocks.append(all(name.strip(" :'\"") in _DEVELOPMENT for name in group[1].split(",")))
        elif row.rstrip().endswith(" do"):
            blocks.append(False)
        elif row.strip() == "end" and blocks:
            blocks.pop()
    return Manifest(path, Role.DECLARES, tuple(declared), tuple(options), ecosystem="rubygems")


def _gem(found: re.Match[str], line: int, development: bool) -> Declared:
    rest = found[2]
    place = _GEM_PLACE.search(rest)
    version = _GEM_VERSION.match(rest.lstrip())
    wanted = version[1].strip() if version else "*"
    if place and place[1] == "path":
        return Declared(found[1], wanted, False, line, FetchedFrom.PATH, place[2], True, development)
    if place:
        fixed = _GEM_FIXED.search(rest) is not None
        return Declared(
            found[1], wanted if wanted != "*" else place[2], fixed, line, FetchedFrom.REPOSITORY, place[2], fixed, development
        )
    exact = _EXACT.fullmatch(wanted)
    grouped = re.search(r"\bgroup(?:s)?:[ \t]{0,5}\[?:(test|development)", rest) is not None
    return Declared(found[1], exact[1] if exact else wanted, exact is not None, line, development=development or grouped)


def read_gemfile_lock(path: str, text: str) -> Manifest:
    """Resolved gems are indented by four spaces; their dependencies are indented further."""
    declared: list[Declared] = []
    section = ""
    for number, row in enumerate(text.split("\n"), start=1):
        if row and not row[0].isspace():
            section = row.strip()
        found = _LOCKED.match(row[:300]) if section in ("GEM", "GIT", "PATH") else None
        if found:
            origin = {"GIT": FetchedFrom.REPOSITORY, "PATH": FetchedFrom.PATH}.get(section, FetchedFrom.INDEX)
            declared.append(Declared(found[1], found[2], True, number, origin, verified=True))
    return Manifest(path, Role.LOCKS, tuple(declared), ecosystem="rubygems")
