"""Errors planted in the order of a real plan's tasks.

Always: two tasks change places and numbers, the later of which needs what the earlier alone makes and the tree does not have: by
code that is no test, as a member, under a label of what it consumes, or as a file that it changes; or a task that says what it
depends on is made to depend on a later one that needs it. All of it is told by plain text search, not by the product's code.
"""

import random
import re
from dataclasses import dataclass

from plan_mutations import Planted, Tree
from plan_mutations_code import BLOCK, TEST

_TASK = re.compile(
    r"(?m)^#{2,4} +(?:\[[ x]\] *)?(?P<kind>Task|Step|Phase|Unit|Chunk|Part|Stage|Milestone|U|T)? *#?"
    r"(?P<number>\d{1,2})\b(?!\.\d).*$"
)
_KINDS = "def|function|class|const|fn|func|struct|enum|type|interface"
_MADE = re.compile(rf"(?m)^(?:export +|default +|async +|pub +|public +)*(?:{_KINDS}) +(\w{{5,}})|^([A-Z][A-Z0-9_]{{4,}})[ :=]")
_MEMBER = re.compile(
    r"(?m)^[ \t]+(?:(?:async|pub|public|def|fn|readonly|static) +)*([a-z]\w{4,})(?:\??: *[A-Z\w]|\([^;\n]*\)[^;\n]*[{:]$)"
)
_NEEDED = re.compile(
    r"(?im)^[-* >]*\**(?P<label>depends on|dependencies|blocked by|consumes|requires|prerequisites)\**[:：]\** *(?P<told>.*)$"
)


@dataclass(frozen=True)
class _Task:
    """A task: its heading, its number, and its text with the heading."""

    head: re.Match[str]
    text: str

    @property
    def blocks(self) -> str:
        return "\n".join(block[2] for block in BLOCK.finditer(self.text))

    @property
    def code(self) -> str:
        """Its code that is no test."""
        return "\n".join(block[2] for block in BLOCK.finditer(self.text) if not TEST.search(block[2]))


def order(text: str, tree: Tree, dice: random.Random) -> Planted | None:
    """Two tasks change places and numbers, or one is made to depend on what depends on it."""
    tasks = _tasks(text)
    needs: dict[str, list[tuple[int, int, tuple[str, ...]]]] = {}
    for one in range(len(tasks)):
        others = [*tasks[:one], *tasks[one + 1 :]]
        made = _made(tasks[one], others, tree)
        for other in range(one + 1, len(tasks)):
            for how, used in _needed(tasks[other], made).items():
                needs.setdefault(how, []).append((one, other, used))
    found = [(one, other) for pairs in needs.values() for one, other, _ in pairs]
    pointed = [(one, other, ()) for one, other in sorted(set(found)) if _NEEDED.search(tasks[one].text)]
    if pointed:
        needs["pointer"] = [(one, other, ()) for one, other, _ in pointed]
    if not needs:
        return None
    how = dice.choice(sorted(needs))
    one, other, used = dice.choice(needs[how])
    return _pointed(text, tasks, one, other) if how == "pointer" else _swapped(text, tasks, one, other, used, how)


def _tasks(text: str) -> list[_Task]:
    heads = _of_one_kind([match for match in _TASK.finditer(text) if not _is_fenced(text, match.start())])
    if len(heads) < 2:
        return []
    level = heads[0][0].split(" ")[0]
    ends = re.compile(rf"(?m)^#{{1,{len(level)}}} ")
    closed = next(
        (match.start() for match in ends.finditer(text, heads[-1].end()) if not _is_fenced(text, match.start())), len(text)
    )
    starts = [*(match.start() for match in heads), closed]
    return [_Task(head, text[start:end]) for head, start, end in zip(heads, starts, starts[1:], strict=False)]


def _made(task: _Task, others: list[_Task], tree: Tree) -> dict[str, set[str]]:
    """What one task alone makes and the tree does not have: names, members, files."""
    names = {name for pair in _MADE.findall(task.code) for name in pair if name and not name.lower().startswith("test")}
    members = set(_MEMBER.findall(task.code)) - names
    elsewhere = {
        word for each in others for pattern in (_MADE, _MEMBER) for found in pattern.findall(each.blocks) for word in _flat(found)
    }
    created = set(re.findall(r"(?im)^[-* ]*\**create:?\**:? *`([^`\n]+/[^`\n]+)`", task.text))
    return {
        "name": names - elsewhere - tree.words,
        "member": members - elsewhere - tree.words,
        "file": {path for path in created if path not in tree.paths},
    }


def _flat(found: str | tuple[str, ...]) -> tuple[str, ...]:
    return (found,) if isinstance(found, str) else found


def _needed(task: _Task, made: dict[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """What of it another task needs, by the way in which it shows."""
    consumed = "\n".join(match["told"] for match in _NEEDED.finditer(task.text))
    used = r"(?<![\w.]){0}\(|\b(?:import|use)\b[^\n'\"]*\b{0}\b|<{0}[ />]|(?<![\w.]){0}\b(?= *[,)\].])"
    found = {
        "name": {name for name in made["name"] if re.search(used.format(name), task.code)},
        "member": {name for name in made["member"] if re.search(rf"\w[)\]?]*\.{name}\b", task.code)},
        "consumes": {name for name in made["name"] | made["member"] if re.search(rf"`[^`\n]*\b{name}\b", consumed)},
        "file": {path for path in made["file"] if re.search(rf"(?im)^[-* ]*\**modify:?\**:? *`{re.escape(path)}", task.text)},
    }
    return {how: tuple(sorted(names)) for how, names in found.items() if names}


def _swapped(text: str, tasks: list[_Task], one: int, other: int, used: tuple[str, ...], how: str) -> Planted:
    heads = [task.head for task in tasks]
    told = f"{how}: {heads[other][0][:50]} before {heads[one][0][:50]}"
    numbers = {heads[one]["number"]: heads[other]["number"], heads[other]["number"]: heads[one]["number"]}
    kind = heads[one]["kind"] or ""
    parts = [task.text for task in tasks]
    parts[one], parts[other] = parts[other], parts[one]
    end = heads[-1].start() + len(tasks[-1].text)
    changed = text[: heads[0].start()] + "".join(parts) + text[end:]
    named = re.compile(
        rf"(?m)({kind}s? *#?|^#{{2,4}} +)(\d{{1,2}})\b(?![.\d])" if kind else r"(?m)(^#{2,4} +)(\d{1,2})\b(?!\.\d)"
    )
    return Planted(
        "order", told, named.sub(lambda match: match[1] + numbers.get(match[2], match[2]), changed), (*used, _title(heads[one]))
    )


def _pointed(text: str, tasks: list[_Task], one: int, other: int) -> Planted:
    """The earlier task says that it depends on the later one, which needs it."""
    head, later = tasks[one].head, tasks[other].head
    label = _NEEDED.search(tasks[one].text)
    assert label is not None
    start, end = head.start() + label.start("told"), head.start() + label.end("told")
    name = f"{later['kind'] or 'Task '}{'' if (later['kind'] or '') in ('U', 'T') else ' '}{later['number']}".replace("  ", " ")
    return Planted("order", f"pointer: {head[0][:50]} on {name}", f"{text[:start]}{name}{text[end:]}", (_title(later),))


def _title(head: re.Match[str]) -> str:
    """A part of a task's title, without its number."""
    return head.string[head.end("number") : head.end()].strip(" .:—–-")[:30]


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
