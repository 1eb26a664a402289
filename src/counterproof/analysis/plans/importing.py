"""Who leans on a file, a module or a package: imports resolved from the importing file, and texts that quote a file's name.

Always: an import counts only when it leads to the very file; a name that merely looks alike accuses nobody. Tests are not asked:
whoever removes a thing removes its tests. What the plan means to do does not belong here.
"""

import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import Case

Place = tuple[str, int]

_FROM = re.compile(r"\s{0,40}from\s+(?P<dots>\.{0,10})(?P<module>[\w.]{0,200})\s+import\s+(?P<names>.{0,400})")
_NAMED = r"[\w.]{1,200}(?:\s+as\s+\w{1,80})?"
_IMPORT = re.compile(rf"\s{{0,40}}import\s+(?P<names>{_NAMED}(?:\s*,\s*{_NAMED}){{0,20}})")
_SCRIPT = re.compile(
    r"(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['\"](?P<root>[@~]/)?(?P<path>(?(root)|\.{1,2}/)[^'\"\n]{1,200})['\"]"
)
_PAGES = re.compile(r"(?:.{0,200}/)?(?P<kind>app|pages)/(?P<route>[^\[\]]{1,200})\.[jt]sx?\Z")
_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue")
_BUILDS = re.compile(
    r"(?:^|/)(?:package|(?:ts|js)config[\w.-]{0,40}|composer|deno|angular|project|turbo|nx|manifest)\.json\Z|(?:^|/)CMakeLists\.txt\Z"
    r"|(?:^|/)(?:Make|Docker|Just|Proc|Rake|Gem)file\b[^/]{0,40}\Z|\.(?:ya?ml|toml|cfg|ini|cmake|gradle|csproj|sln|mk|html|xml|gyp)\Z",
    re.IGNORECASE,
)
"""Files that builds and programs read, other than code."""
_OPENING = 12
"""Lines above in which an import in parentheses may have begun."""


def thing_meant(case: Case, text: str) -> str:
    """The file, or the folder of a package with a slash at its end, that a plan's word stands for; '' if none."""
    if text.endswith("/"):
        return _folder(case, text.strip("/"))
    if "/" in text or re.search(r"\.[a-z0-9]{1,6}\Z", text):
        real = case.ground.resolve(text)
        if real or "/" in text:
            return real
    if "." not in text or "/" in text:
        return ""
    path = text.replace(".", "/")
    found = case.ground.resolve(f"{path}.py")
    package = case.ground.resolve(f"{path}/__init__.py")
    return found or (f"{package.removesuffix('__init__.py')}" if package else "")


def _folder(case: Case, path: str) -> str:
    marker = case.ground.resolve(f"{path}/__init__.py")
    return marker.removesuffix("__init__.py") if marker else ""


def importers(case: Case, real: str) -> list[Place]:
    """Places outside the thing itself, and outside tests, that import it or quote its name."""
    stem = real.rstrip("/").rpartition("/")[2].partition(".")[0]
    if stem.startswith("__"):
        return []
    found = [place for place in case.ground.occurrences(stem).uses if not _inside(place[0], real)]
    return [place for place in found if _leads(case, place, real)] or _linked(case, real)


def _linked(case: Case, real: str) -> list[Place]:
    """Places that lead to a page by its address, which its folders tell; none where the plan has a word about the address."""
    page = _PAGES.match(real)
    parts = [part for part in page["route"].split("/") if not part.startswith("(")] if page else []
    parts = parts[:-1] if parts[-1:] in (["page"], ["index"]) else parts
    if not parts or parts[-1].startswith("_") or re.search(rf"[\s\"'`(]/{re.escape('/'.join(parts))}(?![\w./-])", case.text):
        return []
    address = re.compile(
        rf"\b(?:href|to|pathname|push|replace|navigate|redirect)\b[^'\"`]{{0,20}}['\"`]/{re.escape('/'.join(parts))}['\"`?#]"
    )
    found = [place for place in case.ground.occurrences(parts[-1]).uses if not _inside(place[0], real)]
    return [place for place in found if address.search(case.ground.project.line(*place)[:1_000])]


def _inside(path: str, real: str) -> bool:
    return path == real or (real.endswith("/") and path.startswith(real))


def _leads(case: Case, place: Place, real: str) -> bool:
    path, number = place
    lines = case.ground.text(path).split("\n")
    line = lines[number - 1][:1_000] if number <= len(lines) else ""
    if path.endswith(".py") and (real.endswith(("/", ".py"))):
        wanted = real.rstrip("/").removesuffix(".py").split("/")
        return any(_same(each, wanted, path) for each in imported_names(lines, number, path))
    if path.endswith(_SCRIPTS) and real.endswith(_SCRIPTS):
        stem = posixpath.splitext(real)[0].removesuffix("/index")
        for match in _SCRIPT.finditer(line):
            inner = posixpath.splitext(match["path"])[0] if posixpath.splitext(match["path"])[1] in _SCRIPTS else match["path"]
            folder = "" if match["root"] else posixpath.dirname(path)
            target = posixpath.normpath(posixpath.join(folder, inner))
            if target == stem or (match["root"] and stem.endswith(f"/{target}")):
                return True
        return False
    if not _BUILDS.search(path) and not case.ground.project.files[path].language:
        return False  # a log, a list or a text that speaks of the file
    name = real.rstrip("/").rpartition("/")[2]
    quoted = re.findall(rf"['\"(](?:\.{{0,2}}/)*((?:[\w.-]{{1,80}}/){{0,10}}{re.escape(name)})['\")]", line)
    alone = case.ground.count(name) == 1
    return not real.endswith(("/", ".py")) and any((alone or "/" in each) and f"/{real}".endswith(f"/{each}") for each in quoted)


def imported_names(lines: list[str], number: int, path: str) -> Iterator[list[str]]:
    """The dotted names that an import at this line brings, as parts. Relative ones are resolved from the importing file."""
    line = lines[number - 1][:1_000]
    plain = _IMPORT.match(line)
    if plain:
        for each in plain["names"].split(","):
            yield each.split()[0].split(".")
        return
    match = _FROM.match(line)
    names = match["names"] if match else line
    if match is None:
        match = _opened_above(lines, number)
    if match is None:
        return
    base: list[str] = []
    if match["dots"]:
        folders = path.split("/")[:-1]
        base = ["", *folders[: len(folders) - len(match["dots"]) + 1]]
    module = [*base, *(part for part in match["module"].split(".") if part)]
    yield module
    for name in re.findall(r"\w{1,100}", names.partition("#")[0])[:100]:
        yield [*module, name]


def _opened_above(lines: list[str], number: int) -> re.Match[str] | None:
    """The import in parentheses that this line continues."""
    for above in reversed(lines[max(0, number - 1 - _OPENING) : number - 1]):
        match = _FROM.match(above[:1_000])
        if match:
            return match if "(" in match["names"] and ")" not in match["names"] else None
        if ")" in above or not re.fullmatch(r"[\s\w,.#()]{0,300}", above[:300]):
            return None
    return None


def _same(parts: list[str], wanted: list[str], path: str) -> bool:
    """Whether a dotted name stands for the thing. One that begins with '' was resolved from the root of the tree."""
    if parts[:1] == [""]:
        return parts[1 : 1 + len(wanted)] == wanted
    for size in range(min(len(parts), len(wanted)), 0, -1):
        if parts[:size] == wanted[-size:]:
            return size > 1 or len(wanted) == 1 or path.split("/")[:-1] == wanted[:-1]
    return False
