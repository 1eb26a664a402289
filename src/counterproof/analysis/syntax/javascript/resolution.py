"""Which file an import means: relative paths, folders, packages of the same repository, and the usual aliases.

Invariant: only files of the survey are named; what leads nowhere keeps its package's name. Not handled here: reading code.
"""

import posixpath
import re
from typing import Any, cast

from counterproof.analysis.syntax.javascript import EXPORTS, module_name, outside
from counterproof.analysis.syntax.structured import parsed_json

_SUFFIXES = ("", ".ts", ".js", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_ROOTED = ("@/", "~/", "src/", "app/")
BUILT = frozenset(
    {"dist", "build", "lib", "out", "output", "es", "esm", "cjs", "umd", "bundle", "pkg", "node", "browser", "types", "typings"}
)
"""Folders into which builds write."""
_SOURCES = ("src", "source", "lib")
"""Where the code of a package lies whose manifest names files that a build makes, nearest first."""
MAX_FITTING = 100
"""Files that a pattern in a manifest may mean."""
_ENDINGS = re.compile(
    r"\.(?:[cm]?[jt]s|[jt]sx|json|d|min|esm?|es[56]|umd|iife|amd|common|module|bundled?|global|prod|production|dev|development|slim"
    r"|runtime|browser|node|web|legacy|modern)(?=\.|$)"
)
"""What builds add to the name of the file that they make."""
_APART = ("src", "source")
"""Where only code lies that somebody wrote."""
_EXAMPLES = frozenset(
    {"example", "examples", "demo", "demos", "benchmark", "benchmarks", "playground", "sandbox", "docs", "website"}
)
MAX_MANIFEST = 1_000_000
MAX_ALIASES = 200


class Manifest:
    """What resolution and the search for exported functions need of a `package.json`, or of a `jsr.json` or `deno.json`."""

    __slots__ = ("exports", "folder", "main", "name", "offered", "private")

    def __init__(self, folder: str, text: str) -> None:
        self.folder = folder
        self.name, self.main, self.private = "", "", False
        self.offered: tuple[str, ...] = ()
        self.exports: tuple[str, ...] = ()
        try:
            read: Any = parsed_json(text[:MAX_MANIFEST])
        except ValueError:
            return
        if isinstance(read, dict):
            fields = cast("dict[str, Any]", read)
            self.name = fields["name"] if isinstance(fields.get("name"), str) else ""
            self.main = _main(fields)
            self.private = fields.get("private") is True
            self.exports = tuple(_texts(fields.get("exports")))
            self.offered = tuple(dict.fromkeys((self.main, *self.exports, *_texts(fields.get("bin")))))

    @property
    def is_published(self) -> bool:
        return bool(self.name and self.main) and not self.private


def _texts(value: Any) -> list[str]:
    """The texts inside lists and mappings, a few hundred at most."""
    found: list[str] = []
    pending = [value]
    for _ in range(MAX_ALIASES):
        if not pending:
            break
        each: Any = pending.pop()
        if isinstance(each, str):
            found.append(each)
        elif isinstance(each, dict):
            pending.extend(cast("dict[str, Any]", each).values())
        elif isinstance(each, list):
            pending.extend(cast("list[Any]", each))
    return found


def _main(fields: dict[str, Any]) -> str:
    for key in ("main", "module", "exports"):
        value: Any = fields.get(key)
        for _ in range(4):
            if isinstance(value, dict):
                inner = cast("dict[str, Any]", value)
                value = next((inner[each] for each in (".", "require", "import", "node", "default") if each in inner), None)
        if isinstance(value, str):
            return value
    return ""


class Aliases:
    """Names that a `tsconfig.json` or `jsconfig.json` gives to folders and files: `"@lib/*": ["src/lib/*"]`."""

    __slots__ = ("base", "folder", "pairs")

    def __init__(self, folder: str, text: str) -> None:
        self.folder = folder
        self.base: str | None = None
        self.pairs: tuple[tuple[str, str], ...] = ()
        try:
            read: Any = parsed_json(_plain_json(text[:MAX_MANIFEST]))
        except ValueError:
            return
        options: Any = cast("dict[str, Any]", read).get("compilerOptions") if isinstance(read, dict) else None
        if not isinstance(options, dict):
            return
        fields = cast("dict[str, Any]", options)
        base, paths = fields.get("baseUrl"), fields.get("paths")
        self.base = _inside(folder, base) if isinstance(base, str) else None
        if isinstance(paths, dict):
            listed = list(cast("dict[str, Any]", paths).items())[:MAX_ALIASES]
            self.pairs = tuple(
                (name, _inside(self.base if self.base is not None else folder, target))
                for name, targets in listed
                for target in (cast("list[Any]", targets) if isinstance(targets, list) else [])[:4]
                if isinstance(target, str)
            )

    def candidates(self, module: str) -> list[str]:
        """Paths that an import may mean, the most special alias first."""
        found: list[str] = []
        for name, target in sorted(self.pairs, key=lambda pair: -len(pair[0])):
            start, star, end = name.partition("*")
            if name == module:
                found.append(target)
            elif star and module.startswith(start) and module.endswith(end) and len(module) >= len(start) + len(end):
                found.append(target.replace("*", module[len(start) : len(module) - len(end) or None]))
        return found if self.base is None else [*found, posixpath.join(self.base, module)]


def _inside(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path)).removeprefix("./").removeprefix(".")


def _plain_json(text: str) -> str:
    """Without the comments and the commas at the end that these files may hold; texts are left as they are. One pass."""
    kept: list[str] = []
    position = 0
    while position < len(text):
        end = _end_of_piece(text, position)
        piece = text[position:end]
        if piece[0] in "]}" and kept and kept[-1] == ",":
            kept.pop()
        if not piece.startswith(("//", "/*")) and not piece.isspace():
            kept.append(piece)
        position = end
    return "".join(kept)


def _end_of_piece(text: str, start: int) -> int:
    """Where a text, a comment or a single sign ends."""
    if text.startswith("//", start):
        found = text.find("\n", start)
    elif text.startswith("/*", start):
        closed = text.find("*/", start + 2)
        found = closed + 2 if closed >= 0 else -1
    elif text[start] == '"':
        position = start + 1
        while position < len(text) and text[position] != '"':
            position += 2 if text[position] == "\\" else 1
        found = position + 1
    else:
        return start + 1
    return len(text) if found < 0 else min(found, len(text))


class Resolver:
    """Looks imports up among the files of one project."""

    def __init__(self, paths: frozenset[str], manifests: tuple[Manifest, ...], aliases: tuple[Aliases, ...] = ()) -> None:
        self._aliases = {each.folder: each for each in aliases}
        self._paths = paths
        self._spelled = _by_folded(paths)
        self._by_folder = {each.folder: each for each in manifests}
        self._by_name = {each.name: each for each in manifests if each.name}

    def resolve(self, origin: str, module: str) -> str:
        """The dotted name of what a module exports, seen from another file."""
        found = self.file(origin, module)
        return f"{module_name(found)}.{EXPORTS}" if found else outside(module)

    def file(self, origin: str, module: str) -> str | None:
        folder = posixpath.dirname(origin)
        if module.startswith("."):
            path = posixpath.normpath(posixpath.join(folder, module))
            return self._at(path) or self._before_build(path)
        if module in self._by_name:
            return self.main(self._by_name[module])
        if found := self._aliased(folder, module):
            return found
        if module.startswith(_ROOTED):
            return self._rooted(folder, module.removeprefix("@/").removeprefix("~/"))
        package, _, rest = module.partition("/") if not module.startswith("@") else _scoped(module)
        if rest and package in self._by_name:
            return self._at(posixpath.join(self._by_name[package].folder, rest))
        return None

    def _aliased(self, folder: str, module: str) -> str | None:
        """By the nearest configuration above that gives the module a name."""
        above = folder.split("/") if folder else []
        for length in range(len(above), -1, -1):
            aliases = self._aliases.get("/".join(above[:length]))
            for candidate in aliases.candidates(module) if aliases is not None else ():
                if found := self._at(candidate):
                    return found
        return None

    def _rooted(self, folder: str, bare: str) -> str | None:
        """A path from the top of the package, tried from every folder above."""
        above = folder.split("/") if folder else []
        for length in range(len(above), -1, -1):
            top = "/".join(above[:length])
            for candidate in (posixpath.join(top, bare), posixpath.join(top, "src", bare)):
                if found := self._at(candidate):
                    return found
        return None

    def main(self, manifest: Manifest) -> str | None:
        """The file that whoever imports the package gets."""
        return self._written(manifest, manifest.main) or self._first(
            manifest, ("index", "main", _bare(manifest.name)), ("", *_SOURCES)
        )

    def _written(self, manifest: Manifest, named: str) -> str | None:
        """The file that a manifest names or, where a build makes it, the code it is made of: `dist/cjs/a.js` of `src/a.ts`. What
        a build made may be there as well."""
        if not named or "*" in named:
            return None
        there = self._plain(posixpath.normpath(posixpath.join(manifest.folder, named)))
        parts = posixpath.normpath(named).split("/")
        while len(parts) > 1 and parts[0] in BUILT:
            parts = parts[1:]
            if found := self._first(manifest, (_without_suffix("/".join(parts)),), _APART if there else (*_SOURCES, "")):
                return found
        return there

    def _before_build(self, path: str) -> str | None:
        """`require("./lib/messages")` in a package whose build makes `lib`."""
        parts = path.split("/")
        above = ("/".join(parts[:length]) for length in range(len(parts) - 1, -1, -1))
        manifest = next((self._by_folder[each] for each in above if each in self._by_folder), None)
        return self._written(manifest, posixpath.relpath(path, manifest.folder or ".")) if manifest is not None else None

    def _first(self, manifest: Manifest, names: tuple[str, ...], folders: tuple[str, ...]) -> str | None:
        """The first of these among the sources of a package."""
        places = [posixpath.join(folder, name) for name in names if name for folder in folders]
        found = (self._plain(posixpath.normpath(posixpath.join(manifest.folder, each))) for each in places)
        return next((each for each in found if each is not None), None)

    def installable(self, path: str) -> Manifest | None:
        """The package that a file belongs to; none for what nobody can install."""
        folders = path.split("/")[:-1]
        above = ("/".join(folders[:length]) for length in range(len(folders), -1, -1))
        manifest = next((self._by_folder[each] for each in above if each in self._by_folder), None)
        return manifest if manifest is not None and manifest.name and not manifest.private else None

    def publisher(self, path: str) -> Manifest | None:
        """The package that brings a file to whoever installs it, where it is known what of it is loaded."""
        manifest = self.installable(path)
        return manifest if manifest is not None and self.main(manifest) else None

    def offered(self, manifest: Manifest) -> tuple[str, ...]:
        """The files that a package names in its manifest for others to load or run."""
        found = (self.main(manifest), *(path for each in manifest.offered for path in self._all_written(manifest, each)))
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def _all_written(self, manifest: Manifest, named: str) -> list[str | None]:
        """What a manifest names or, where it names a pattern (`./lib/formatters/*.js`), all that fit."""
        first, star, _ = posixpath.normpath(named).partition("*")
        if not star:
            return [self._written(manifest, named)]
        parts = first.split("/")
        while len(parts) > 1 and parts[0] in BUILT:
            parts = parts[1:]
        inner = "/".join(parts)
        folders = ("", *_SOURCES) if inner else _APART
        starts = tuple("/".join(filter(None, (manifest.folder, each))) + "/" for each in folders)
        wanted = tuple((each + inner).removeprefix("/") for each in starts)
        return [*sorted(each for each in self._paths if each.startswith(wanted))[:MAX_FITTING]]

    def is_example(self, path: str) -> bool:
        """Whether a file lies among the examples of a package that others can install."""
        folders = path.split("/")[:-1]
        for depth, name in enumerate(folders):
            if name.lower() in _EXAMPLES:
                return self.publisher("/".join(folders[: depth + 1])) is not None
        return False

    def mains(self) -> tuple[str, ...]:
        """What others can import of all packages that they can install: main files, and the rest of what `exports` names."""
        found: dict[str, None] = {}
        for each in self._by_folder.values():
            main = None if each.private else self.main(each)
            if main is not None:
                named = (path for name in each.exports for path in self._all_written(each, name))
                found |= dict.fromkeys((main, *(path for path in named if path)))
            elif not each.private and each.name:
                found |= dict.fromkeys(self._outermost(each))
        return tuple(found)

    def _outermost(self, manifest: Manifest) -> list[str]:
        """The files that lie highest in a package of which nobody can tell what a build offers: all of them may be."""
        folders = [manifest.folder] if not manifest.main else [posixpath.join(manifest.folder, each) for each in _SOURCES]
        inside = ([path for path in self._paths if posixpath.dirname(path) == folder] for folder in folders)
        return sorted(next((each for each in inside if each), ()))

    def _at(self, path: str) -> str | None:
        manifest = self._by_folder.get(path)
        if manifest is not None and manifest.main:
            return self.main(manifest)
        return self._plain("" if path == "." else path)

    def _plain(self, path: str) -> str | None:
        bases = [path, path.rpartition(".")[0]] if path.endswith((".js", ".mjs", ".cjs")) else [path]
        for base in (*bases, posixpath.join(path, "index")):
            for suffix in _SUFFIXES:
                wanted = f"{base}{suffix}"
                if wanted in self._paths:
                    return wanted
                if found := self._spelled.get(wanted.lower()):
                    return found
        return None


def _by_folded(paths: frozenset[str]) -> dict[str, str]:
    """Paths that only one file has however it is spelled: on most developers' machines `./decorators/x` finds `Decorators/x`."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.lower(), []).append(path)
    return {folded: named[0] for folded, named in found.items() if len(named) == 1}


def _bare(name: str) -> str:
    """The name of a package without its scope."""
    return name.rpartition("/")[2]


def _without_suffix(path: str) -> str:
    """`a.min.js` and `a.d.ts` are made of `a`, and `jquery.a.js` of `jquery.a`."""
    folder, _, name = path.rpartition("/")
    return posixpath.join(folder, _ENDINGS.sub("", name))


def _scoped(module: str) -> tuple[str, str, str]:
    scope, _, rest = module.partition("/")
    name, slash, inner = rest.partition("/")
    return f"{scope}/{name}", slash, inner
