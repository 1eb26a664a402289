"""Errors planted in the text of a real plan, one of each kind where the text offers a place for it.

Always: what is planted is false by the tree itself, told by plain text search and Python's own parser, not by the product's code.
Every occurrence is changed alike, so that the plan stays consistent with itself.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_CODE = (".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".rs", ".java")
_TICKED = re.compile(r"`([^`\n]{3,150})`")
_DEFINED = re.compile(r"(?m)^[ \t]*(?:export +|default +|async +|pub +)*(?:def|function|const|fn|func|class) +(\w+)")
_CALLED = re.compile(r"(?<![\w$])(\w+)\(")
WORDS = ("digest", "transcript", "config", "bundle", "ledger", "harvest", "window")
MAX_FILE = 400_000
RARE = ("parameter", "order", "dependency", "statement", "command")
_LISTS = r"(?:package(?:-lock)?\.json|\.lockb?|\.toml|requirements[^/]*\.txt|pnpm-lock\.yaml|go\.(?:mod|sum)|setup\.(?:py|cfg))\Z"


@dataclass(frozen=True)
class Planted:
    """A plan with one error. `words` are those by which a challenge that names it is known."""

    kind: str
    told: str
    text: str
    words: tuple[str, ...]


class Tree:
    """The repository's files and texts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        paths = [path for path in folder.rglob("*") if path.is_file() and ".git/" not in str(path)]
        self.paths = sorted(str(path.relative_to(folder)) for path in paths)
        read = [path for path in paths if path.suffix in _CODE and path.stat().st_size < MAX_FILE]
        self.texts = {str(path.relative_to(folder)): path.read_text(errors="replace") for path in read}
        self.all = "\n".join(self.texts.values())
        self.words = set(re.findall(r"\w+", self.all))
        listed = [path for path in paths if re.search(_LISTS, path.name)]
        self.manifests = "\n".join(path.read_text(errors="replace") for path in listed)
        self._homes: dict[str, list[str]] = {}
        self._calls: dict[str, Counter[str]] = {}
        for path, text in self.texts.items():
            for name in set(_DEFINED.findall(text)):
                self._homes.setdefault(name, []).append(path)
            for name, count in Counter(_CALLED.findall(text)).items():
                self._calls.setdefault(name, Counter())[path] += count

    def defines(self, name: str) -> list[str]:
        return self._homes.get(name, [])

    def names_of(self, path: str) -> list[str]:
        """What a file defines."""
        return _DEFINED.findall(self.texts[path])

    def read(self, path: str) -> str:
        """The text of any file, of code or not."""
        return (self._folder / path).read_text(errors="replace")

    def users(self, name: str) -> int:
        """Calls outside of the file that defines it, and outside of tests."""
        homes = set(self.defines(name))
        return sum(count for path, count in self._calls.get(name, Counter()).items() if path not in homes and "test" not in path)


Maker = Callable[[str, Tree, random.Random], Planted | None]


def mutations(text: str, tree: Tree, dice: random.Random, makers: tuple[Maker, ...], most: int = 1) -> Iterator[Planted]:
    """One of each kind, and of those for which few plans have a place as many different ones as are asked for."""
    for make in makers:
        count = most if make.__name__ in RARE else 1
        planted = (make(text, tree, dice) for _ in range(count * 3))
        made = {each.told: each for each in planted if each and each.text != text}
        yield from list(made.values())[:count]


def _chosen(dice: random.Random, items: list[str]) -> str:
    return dice.choice(sorted(items)) if items else ""


def file(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """A file that is there and that the plan does not create, under a name that differs a little, everywhere."""
    named = {match.split(":")[0] for match in _TICKED.findall(text)} & set(tree.paths)
    created = "\n".join(
        line for line in text.split("\n") if re.search(r"\bcreate|\bnew file|\(new\)|新建|创建|新增", line, re.IGNORECASE)
    )
    path = _chosen(dice, [each for each in named if each.endswith(_CODE) and "/" in each and each not in created])
    if not path:
        return None
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    other = dice.choice(
        [
            f"{folder}/{stem}s{dot}{ending}",
            f"{folder}/{re.sub(r'[_-]', '', stem) if re.search('[_-]', stem) else stem + 'er'}{dot}{ending}",
            f"{folder}/core/{name}",
        ]
    )
    return None if other in tree.paths else Planted("file", f"{path} -> {other}", text.replace(path, other), (other,))


def other_file(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """The same under another name, which no file is like."""
    planted = file(text, tree, dice)
    if planted is None:
        return None
    path = planted.told.partition(" -> ")[0]
    folder, name = path.rpartition("/")[::2]
    other = f"{folder}/{dice.choice(WORDS)}_{dice.choice(WORDS)}.{name.rpartition('.')[2]}"
    return None if other in tree.paths else Planted("other file", f"{path} -> {other}", text.replace(path, other), (other,))


def functions(text: str, tree: Tree) -> list[str]:
    """Functions of the tree that the plan names and does not define."""
    words = {word for part in _TICKED.findall(text) for word in re.findall(r"[A-Za-z_]\w{6,60}", part)}
    words |= set(re.findall(r"(?<![\w.])([a-z_]\w{6,60})\(", text))
    shaped = [word for word in words if re.search(r"_[a-z]|[a-z][A-Z]", word.strip("_"))]
    files = set(re.findall(r"/(\w+)\.\w{1,5}\b", text)) - {path.rpartition("/")[2].partition(".")[0] for path in tree.paths}
    return [word for word in shaped if tree.defines(word) and word not in files and not _is_made(word, text)]


def _is_made(name: str, text: str) -> bool:
    """Whether the plan's text defines a name itself: as a function, a type, a method, a parameter, a field or a variable."""
    heads = r"(?:(?:def|function|async|fn|func|static|private|public)\b[^\n(]*|(?!if|for|while|switch|catch|return)\b\w+)"
    keyword = r"(?:def|function|const|let|var|fn|func(?: *\([^()\n]*\))?|class|interface|type|struct|enum)"
    return any(
        re.search(pattern, text)
        for pattern in (
            rf"\b{keyword} +{name}\b",
            rf"(?m)^[ \t+]*(?:(?:async|static|public|private|get|set|readonly) +)*{name}\??[ \t]*(?::|=[^=]|\([^;\n]*\{{[ \t]*$)",
            rf"[\[{{,] *{name} *(?:,[^\n=]*)?[\]}}] *=",
            rf"(?m)^[ \t+]*{heads}\((?:[^()\n]*[, ])?{name}\??(?:[:=,][^()\n]*)?\)[^\n]*[{{:;][ \t]*$",
        )
    )


def function(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """A function that is there and that the plan does not define, with one part of its name changed, everywhere."""
    return _renamed("function", text, tree, dice, lambda part: part + dice.choice(["s", "ed", "er"]))


def other_function(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """The same with another word for one part of its name."""

    def word(part: str) -> str:
        chosen = dice.choice(WORDS)
        return chosen.capitalize() if part[0].isupper() else chosen

    return _renamed("other function", text, tree, dice, word)


def _renamed(kind: str, text: str, tree: Tree, dice: random.Random, change: Callable[[str], str]) -> Planted | None:
    name = _chosen(dice, functions(text, tree))
    if not name:
        return None
    parts = re.findall(r"_+|[A-Z]?[a-z0-9]+|[A-Z]+", name)
    words = [index for index, part in enumerate(parts) if len(part) > 2 and part.strip("_")]
    index = dice.choice(words[1:] or words)
    other = "".join([*parts[:index], change(parts[index]), *parts[index + 1 :]])
    if other in tree.words or re.search(rf"\b{other}\b", text):
        return None
    changed = re.sub(rf"(?<![\w$]){re.escape(name)}(?![\w$])", other, text)
    return Planted(kind, f"{name} -> {other}", changed, (other,))
