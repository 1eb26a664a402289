"""The arguments of a call as values, found by position, keyword, or the references that rules use.

Always holds: a collection passed with a star may be any argument. Does not belong here: what the call does with them.
"""

from dataclasses import dataclass
from functools import reduce

from counterproof.analysis.flow.access import Place, iterated
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.values import Value, contents, joined
from counterproof.analysis.flow.words import words
from counterproof.analysis.libraries.concepts import ANY, BODY, PROGRAM, RECEIVER, SCRIPT, SYSTEM
from counterproof.analysis.syntax import ir

SHELLS = words(
    "sh bash dash zsh ksh ash fish cmd cmd.exe powershell pwsh python python3 perl ruby node php lua osascript su runuser"
)
"""Programs that run the text after their option."""
_RUNNING = words("-c /c /k -e -lc -ic -command -encodedcommand --eval --command")
"""Those options."""


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
        if reference == SCRIPT:
            return _script(self._command())
        if reference == BODY:
            body = self.at(0)
            if body is not None and body.entries is not None:
                return None  # a mapping is sent as JSON
            return body.items[0] if body is not None and body.items else body
        if reference == SYSTEM:
            return _instructions(self.keywords.get("messages") or self.keywords.get("input"))
        if "." in reference:
            return self.referred(reference)
        return self.receiver if reference == RECEIVER else self.keywords.get(reference)

    def _command(self) -> Value | None:
        """A command as one list, also where its words are arguments of their own."""
        first = self.at(0, "args")
        if first is None or not isinstance(first.const, str) or len(self.positional) < 2:
            return first
        listed = self.positional[1].items  # `spawn("sh", ["-c", text])`
        return Value(items=tuple(self.positional) if listed is None else (first, *listed))

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
    return _script(command) or command.items[0]


def _script(command: Value | None) -> Value | None:
    """What stands behind the option by which a shell or an interpreter takes a text to run."""
    if command is None or not command.items:
        return None
    first, *rest = command.items
    name = first.const.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe") if isinstance(first.const, str) else ""
    options = [each.const.lower() if isinstance(each.const, str) else "" for each in rest]
    runs = next((at for at, option in enumerate(options[:-1]) if option in _RUNNING), None)
    if runs is None:
        runs = 0 if name in SHELLS and len(rest) > 1 and options[0][:1] in ("-", "/") else None
    return reduce(joined, rest[runs + 1 :]) if runs is not None and (not name or name in SHELLS) else None
