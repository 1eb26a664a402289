"""Errors planted in the code of a real plan's blocks, and in the order of its tasks.

Always: a parameter is planted only where one definition alone, of the tree or of the plan, has the name that is called; an
order only where code that is no test needs what the other
task makes and the tree does not have. All of it is told by plain text search, not by the product's code.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from plan_mutations import Planted, Tree

_BLOCK = re.compile(r"(?ms)^[ \t]*```(\w+)[^\n]*\n(.*?)^[ \t]*```")
_CHECKED = ("python", "py", "ts", "tsx", "typescript", "go", "rust", "rs", "java", "csharp", "kotlin")
"""Languages in which an argument too many is an error."""
_HEAD = (
    r"(?:\b(?:def|function|fn|func)[ \t]+(?:\([^()\n]*\)[ \t]*)?{0}[ \t]*(?:<[^<>\n]*>|\[[^\[\]\n]*\])?\("
    r"|\bconst[ \t]+{0}[ \t]*=[ \t]*(?:async[ \t]*)?\()"
)
_TEST = re.compile(r"def test_|describe\(|\bit\(|\btest\(|#\[test\]|func Test|@Test")
_TASK = re.compile(
    r"(?m)^#{2,4} +(?:\[[ x]\] *)?(?P<kind>Task|Step|Phase|Unit|Chunk|Part|Stage|Milestone)? *#?(?P<number>\d{1,2})\b(?!\.\d).*$"
)


@dataclass(frozen=True)
class _Call:
    """A call in a block: what is called, where its arguments begin and end in the plan, and what they are."""

    name: str
    start: int
    end: int
    given: tuple[str, ...]


def _closed(text: str, start: int) -> int:
    """Where the parenthesis that opens before `start` closes; -1 if it does not nearby."""
    depth = 1
    for index in range(start, min(len(text), start + 1500)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if not depth:
            return index
    return -1


def _split(inner: str) -> tuple[str, ...]:
    parts, depth, quote = [""], 0, ""
    for index, each in enumerate(inner):
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'`":
            quote = each
        elif each == ">" and inner[index - 1 : index] in ("=", "-"):
            pass
        else:
            depth += (each in "([{<") - (each in ")]}>")
        if each == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += each
    return tuple(part.strip() for part in parts if part.strip())


def _parameters(name: str, text: str, tree: Tree) -> tuple[str, ...] | None:
    """What a function takes that one place alone defines; None where it is not so, or any number goes."""
    head = re.compile(_HEAD.format(re.escape(name)))
    texts = [tree.texts[path] for path in tree.defines(name)]
    found = [(each, match) for each in [text, *texts] for match in head.finditer(each)]
    if len(found) != 1:
        return None
    where, match = found[0]
    inner = where[match.end() : _closed(where, match.end())]
    taken = [part for part in _split(inner) if part.split(":")[0].strip() not in ("self", "cls", "&self", "&mut self", "*", "/")]
    return None if re.search(r"\.\.\.|\*|#|//", inner) else tuple(taken)


def _calls(text: str, languages: tuple[str, ...]) -> Iterator[_Call]:
    for block in _BLOCK.finditer(text):
        if block[1].lower() not in languages:
            continue
        for match in re.finditer(
            r"(?<![\w.$@#:])(?<!def )(?<!function )(?<!fn )(?<!func )(?<!new )([A-Za-z_]\w{3,60})\(", block[2]
        ):
            start = block.start(2) + match.end()
            end = _closed(text, start)
            line = text.rfind("\n", 0, start)
            commented = re.search(r"#|//|\"|'", text[line:start])
            if 0 < end < block.end(2) and not commented and not _is_head(text[line + 1 : start], text[end : end + 80]):
                yield _Call(match[1], start, end, _split(text[start:end]))


def _is_head(before: str, after: str) -> bool:
    """Whether what looks like a call is the head of a method: after a receiver, or with a type or a body behind it."""
    alone = re.fullmatch(r"[ \t]*(?:(?:async|public|private|protected|static|override|pub|suspend)[ \t]+)*\w+\(", before)
    return re.match(r"[ \t]*func\b", before) is not None or bool(alone and re.match(r"\)[ \t]*(?:\{|:|->|=>|[A-Za-z(*])", after))


def parameter(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """An argument too many, or a keyword under another name."""

    @cache
    def known(name: str) -> tuple[str, ...] | None:
        return _parameters(name, text, tree)

    more = [
        call
        for call in _calls(text, _CHECKED)
        if call.given
        and (taken := known(call.name)) is not None
        and len(call.given) == len(taken)
        and not any(re.match(r"\w+ *=(?!=)", part) for part in call.given)
        and "..." not in text[call.start : call.end]
    ]
    places = [("more", call, "") for call in more] + _keywords(text, tree, known)
    if not places:
        return None
    how, call, word = dice.choice(places)
    if how == "more":
        return Planted(
            "parameter",
            f"{call.name} with {len(call.given) + 1} arguments",
            f"{text[: call.end].rstrip().removesuffix(',')}, 7351{text[call.end :]}",
            (call.name,),
        )
    other = f"{word}_hint"
    inner = re.sub(rf"(?<![\w.]){re.escape(word)}(?= *=[^=])", other, text[call.start : call.end], count=1)
    return Planted("parameter", f"{call.name}({word}=) -> {other}", text[: call.start] + inner + text[call.end :], (other,))


def _keywords(text: str, tree: Tree, known: Callable[[str], tuple[str, ...] | None]) -> list[tuple[str, _Call, str]]:
    """Keywords of calls in Python that the one definition takes: a function's parameter or a class's field."""
    found: list[tuple[str, _Call, str]] = []
    for call in _calls(text, ("python", "py")):
        words = [match[1] for part in call.given if (match := re.match(r"([a-z_]\w{2,40}) *=(?!=)", part))]
        taken = known(call.name) or _fields(call.name, text, tree)
        found += [("keyword", call, word) for word in words if any(re.match(rf"{word}\b", each) for each in taken)]
    return found


def _fields(name: str, text: str, tree: Tree) -> tuple[str, ...]:
    body = r"\n((?:[ \t]+[^\n]*\n|\n)+)"
    heads = (
        rf"(?m)^@dataclass[^\n]*\nclass {re.escape(name)}\b[^\n]*:{body}",
        rf"(?m)^class {re.escape(name)}\(BaseModel\):{body}",
    )
    texts = [tree.texts[path] for path in tree.defines(name)]
    found = [match for each in [text, *texts] for head in heads for match in re.finditer(head, each)]
    return tuple(re.findall(r"(?m)^[ \t]+(\w+) *:", found[0][1])) if len(found) == 1 else ()


def order(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """Two tasks change places and numbers, the later of which uses what the earlier creates."""
    heads = _of_one_kind([match for match in _TASK.finditer(text) if not _is_fenced(text, match.start())])
    if len(heads) < 2:
        return None
    level = heads[0][0].split(" ")[0]
    last = re.compile(rf"(?m)^#{{1,{len(level)}}} ").search(text, heads[-1].end())
    starts = [match.start() for match in heads]
    ends = [*starts[1:], last.start() if last else len(text)]
    tasks = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    pairs = [
        (one, other, used)
        for one in range(len(tasks))
        for other in range(one + 1, len(tasks))
        if (used := _made_and_used(tasks[one], tasks[other], tree))
    ]
    if not pairs:
        return None
    one, other, used = dice.choice(pairs)
    told = f"{heads[other][0][:50]} before {heads[one][0][:50]}"
    numbers = {heads[one]["number"]: heads[other]["number"], heads[other]["number"]: heads[one]["number"]}
    kind = heads[one]["kind"] or ""
    tasks[one], tasks[other] = tasks[other], tasks[one]
    changed = text[: starts[0]] + "".join(tasks) + text[ends[-1] :]
    named = re.compile(
        rf"(?m)({kind}s? *#?|^#{{2,4}} +)(\d{{1,2}})\b(?![.\d])" if kind else r"(?m)(^#{2,4} +)(\d{1,2})\b(?!\.\d)"
    )
    return Planted("order", told, named.sub(lambda match: match[1] + numbers.get(match[2], match[2]), changed), used)


def _of_one_kind(heads: list[re.Match[str]]) -> list[re.Match[str]]:
    """The most frequent kind of numbered headings, at one level, whose numbers rise."""
    groups: dict[tuple[str, str], list[re.Match[str]]] = {}
    for match in heads:
        groups.setdefault((match[0].split(" ")[0], match["kind"] or ""), []).append(match)
    found = max(groups.values(), key=len, default=list[re.Match[str]]())
    numbers = [int(match["number"]) for match in found]
    return found if numbers == sorted(set(numbers)) else []


def _is_fenced(text: str, at: int) -> bool:
    return len(re.findall(r"(?m)^[ \t]*```", text[:at])) % 2 == 1


def _made_and_used(one: str, other: str, tree: Tree) -> tuple[str, ...]:
    """What the first task makes and the second one uses in code that is no test, or changes by a label."""
    kinds = "def|function|class|const|fn|func|struct|enum|type|interface"
    heads = rf"(?m)^(?:export +|default +|async +|pub +|public +)*(?:{kinds}) +(\w{{5,}})"
    mine = {name for block in _BLOCK.finditer(one) for name in re.findall(heads, block[2])}
    made = {name for name in mine if not name.lower().startswith("test") and name not in tree.words}
    files = {path for path in re.findall(r"(?im)^[-* ]*\**create:?\**:? *`([^`\n]+/[^`\n]+)`", one) if path not in tree.paths}
    blocks = "\n".join(block[2] for block in _BLOCK.finditer(other) if not _TEST.search(block[2]))
    theirs = set(re.findall(heads, blocks))
    used = {
        name
        for name in made - theirs
        if re.search(rf"(?<![\w.]){name}\(|\b(?:import|use)\b[^\n'\"]*\b{name}\b|<{name}[ />]", blocks)
    }
    changed = {path for path in files if re.search(rf"(?im)^[-* ]*\**modify:?\**:? *`{re.escape(path)}", other)}
    return tuple(sorted(used | changed))
