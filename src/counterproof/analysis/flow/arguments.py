"""The arguments of a call as values, found by position, keyword, or the references that rules use.

Always holds: a collection passed with a star may be any argument. Does not belong here: what the call does with them.
"""

from dataclasses import dataclass

from counterproof.analysis.flow.access import Place, iterated
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.values import Source, StepKind, Taint, Value, contents, is_stored, joined
from counterproof.analysis.flow.words import words
from counterproof.analysis.libraries.concepts import ANY, BODY, PROGRAM, RECEIVER, SYSTEM
from counterproof.analysis.syntax import ir

SHELLS = words(
    "sh bash dash zsh ksh ash fish cmd cmd.exe powershell pwsh python python3 perl ruby node php lua osascript su runuser"
)
"""Programs that run the text after their option."""


@dataclass(slots=True, eq=False)
class Arguments:
    """`spread` joins what was passed with a star; `spread_from` is the first position that it can fill."""

    positional: list[Value]
    keywords: dict[str, Value]
    spread: Value | None
    receiver: Value | None = None
    spread_from: int = 0

    def every(self) -> list[Value]:
        return [*self.positional, *self.keywords.values(), *([self.spread] if self.spread else [])]

    def at(self, position: int, keyword: str = "") -> Value | None:
        if keyword and keyword in self.keywords:
            return self.keywords[keyword]
        return self.positional[position] if position < len(self.positional) else None

    def chosen(self, references: tuple[int | str, ...]) -> list[Value]:
        """The arguments that a sink names, those passed with a star included."""
        if ANY in references:
            return self.every()
        found: list[Value] = []
        for reference in references:
            value = self._one(reference)
            if value is not None:
                found.append(value)
        filled = any((each if isinstance(each, int) else 0) >= self.spread_from for each in references)
        return [*found, self.spread] if self.spread and filled else found

    def _one(self, reference: int | str) -> Value | None:
        if isinstance(reference, int):
            return self.at(reference)
        if reference == PROGRAM:
            return _program(self._command())
        if reference == BODY:
            body = self.at(0)
            if body is not None and (body.entries is not None or _is_record(body)):
                return None  # a mapping or a row is sent as JSON
            return body.items[0] if body is not None and body.items else body
        if reference == SYSTEM:
            return _instructions(self.keywords.get("messages") or self.keywords.get("input"))
        if "." in reference:
            return self.referred(reference)
        return self.receiver if reference == RECEIVER else self.keywords.get(reference)

    def _command(self) -> Value | None:
        """A command as one list, also where its words are arguments of their own."""
        first = self.at(0, "args")
        words_apart = first is not None and isinstance(first.const, str) and len(self.positional) > 1
        return Value(items=tuple(self.positional)) if words_apart else first

    def referred(self, reference: str) -> Value | None:
        """An argument by a rule's reference: "1/Loader", "shell", "parser.resolve_entities"."""
        head, *inner = reference.split(".")
        value: Value | None = None
        for name in head.split("/"):
            value = value or self._one(int(name) if name.isdigit() else name)
        for name in inner:
            value = ((value.fields or {}).get(name) or (value.entries or {}).get(name)) if value else None
        return value


def evaluated(frame: Frame, node: ir.Call, receiver: Value | None) -> Arguments:
    """Evaluate all arguments, in order."""
    result = Arguments([], {}, None, receiver)
    for argument in node.arguments:
        value = frame.value(argument.value)
        if argument.keyword:
            result.keywords[argument.keyword] = value
        elif argument.spread == "*" and value.items is not None:
            result.positional.extend(value.items)
        elif argument.spread:
            if argument.spread == "*" and result.spread is None:
                result.spread_from = len(result.positional)
            _spread(frame, result, argument, value)
        else:
            result.positional.append(value)
    return result


def _spread(frame: Frame, result: Arguments, argument: ir.Argument, value: Value) -> None:
    if argument.spread == "**" and value.entries is not None:
        result.keywords.update({key: each for key, each in value.entries.items() if isinstance(key, str)})
        value = value.rest or Value()
    inner = value if not contents(value) else iterated(value, Place(frame.path, argument.line))
    result.spread = joined(result.spread, inner) if result.spread else inner


def _instructions(messages: Value | None) -> Value | None:
    """What the messages to a model say that are not its user's."""
    found: Value | None = None
    for each in (messages.items if messages is not None else None) or ():
        role, content = (each.entries or {}).get("role"), (each.entries or {}).get("content")
        if role is not None and role.const in ("system", "developer") and content is not None:
            found = joined(found, content) if found else content
    return found


def _program(command: Value | None) -> Value | None:
    """What a command without a shell runs: its first word, and the script where that word is a shell itself, or may be one."""
    if command is None or not command.items:
        return command if command is not None and command.items is None and command.rest is None else None
    first, *rest = command.items
    name = first.const.rsplit("/", 1)[-1] if isinstance(first.const, str) else ""
    option = rest[0].const if len(rest) > 1 else None
    known = option in ("-c", "/c", "/C", "-e") if not name else name in SHELLS and isinstance(option, str) and option[:1] in "-/"
    return rest[1] if known else first


def _is_record(value: Value) -> bool:
    """Whether this is a row, or rows, as read from a store: no column of it, and no text that it was put into."""
    return bool(value.taints) and all(is_stored(each) and _is_whole(each) for each in value.taints)


def _is_whole(taint: Taint) -> bool:
    step = taint.step
    while step is not None and step.kind is not StepKind.BUILD:
        step = step.before
    return step is None and isinstance(taint.origin, Source) and not taint.origin.parameter
