"""The only interpreter of a `Sink`: which calls it matches, which arguments are dangerous, and which conditions apply.

Every walker presents a call as `Given`: the forward engine with computed values, others with the expressions in the code.
Anything a walker cannot see is UNKNOWN, so walkers differ in knowledge but never in the meaning of a sink.

Invariant: an unknown argument counts in favour of the sink, except that it never counts as absent. Not handled here: resolving
names, and whether the data is harmful.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, Generic, Protocol, TypeVar

from counterproof.analysis.libraries.concepts import (
    ANY,
    BODY,
    EXPONENTIAL,
    PAGE,
    POLYNOMIAL,
    PROGRAM,
    RECEIVER,
    SCRIPT,
    SQL_TEXT,
    SYSTEM,
    Sink,
)

R = TypeVar("R")
T = TypeVar("T")

Demand = tuple[str, str]
AROUND: Final = (PAGE, SQL_TEXT, EXPONENTIAL, POLYNOMIAL)
"""Demands about the code around the call, not about its arguments."""
SHELLS: Final = frozenset({
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "cmd", "cmd.exe", "powershell", "pwsh", "python", "python3", "perl",
    "ruby", "node", "php", "lua", "osascript", "su", "runuser",
})  # fmt: skip
"""Programs that run the text after their option."""
_SCRIPT_OPTIONS = ("-c", "/c", "/k", "-e", "-lc", "-ic", "-command", "-encodedcommand", "--eval", "--command")
_INSTRUCTING = ("system", "developer")


class Unknown(Enum):
    """Marks a value that a walker cannot see."""

    UNKNOWN = "unknown"


UNKNOWN: Final = Unknown.UNKNOWN


class Given(Protocol[T]):
    """A call as a walker sees it."""

    @property
    def receiver(self) -> T | None:
        """The receiver of the method."""
        ...

    def at(self, position: int, /) -> T | None: ...
    def named(self, keyword: str, /) -> T | None: ...
    def every(self) -> list[T]:
        """All arguments, including starred ones."""
        ...

    def starred(self) -> tuple[int, list[T]]:
        """The starred arguments, and the first position they can fill."""
        ...

    def literal(self, value: T, /) -> str | None:
        """The text of an argument, if it is a literal."""
        ...

    def text(self, value: T, /) -> str | None:
        """A literal, or the last part of a name, as sinks write it."""
        ...

    def is_mapping(self, value: T, /) -> bool: ...
    def items(self, value: T, /) -> Sequence[T] | Unknown | None:
        """The elements of a list: empty or UNKNOWN if they are not known; None for other values."""
        ...

    def entry(self, value: T, name: str, /) -> T | Unknown | None:
        """The value of a named part of an argument: an option of the object, or a key."""
        ...


class SinkTable(Generic[R]):
    """The sinks of several rules, by the names that calls and assignments can have."""

    def __init__(self, sinks: Iterable[tuple[R, Sink]]) -> None:
        self._exact: dict[str, list[tuple[R, Sink]]] = {}
        self._methods: dict[str, list[tuple[R, Sink]]] = {}
        self._made: dict[str, list[tuple[R, Sink]]] = {}
        for entry in sinks:
            self._add(entry)

    def _add(self, entry: tuple[R, Sink]) -> None:
        name = entry[1].call
        if name.startswith("*."):
            self._methods.setdefault(name[2:], []).append(entry)
            return
        self._exact.setdefault(name, []).append(entry)
        owner, _, method = name.rpartition(".")
        if owner.endswith("()"):
            self._made.setdefault(method, []).append(entry)

    def exact(self, name: str) -> Sequence[tuple[R, Sink]]:
        """Sinks with exactly this name."""
        return self._exact.get(name, ()) if name else ()

    def method(self, name: str) -> Sequence[tuple[R, Sink]]:
        """Methods of any receiver."""
        return self._methods.get(name, ())

    def method_of_made(self, name: str) -> Sequence[tuple[R, Sink]]:
        """Methods of a certain call's result (`smtplib.SMTP().sendmail`)."""
        return self._made.get(name, ())

    def field(self, owner: str, name: str) -> Sequence[tuple[R, Sink]]:
        """`response.text = value`: `falcon.Response().text=`, or `*.innerHTML=` on any object."""
        return (self.exact(f"{owner}.{name}=") if owner else ()) or self.method(f"{name}=")

    def element(self, owner: str, member: str, key: str) -> Sequence[tuple[R, Sink]]:
        """`response.headers["Location"] = value`: `django.http.HttpResponse()[location]`, or `*.headers[location]` on any object.
        Names are compared case-insensitively, like header names."""
        name = f"[{key.lower()}]"
        return (self.exact(owner + name) if owner else ()) or self.method(member + name)

    def any_element(self, owner: str) -> Sequence[tuple[R, Sink]]:
        """`session[key] = value`, whatever the key: `flask.session[]`."""
        return self.exact(f"{owner}[]") if owner else ()


class Sanitisers:
    """Calls that make data harmless for some rule, by name; "*.name" is a method of any receiver."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._methods = frozenset(name[2:] for name in self._names if name.startswith("*."))

    def label(self, path: str, method: str) -> str:
        """The label of the sanitiser that a call matches, or ''."""
        if path in self._names:
            return path
        return f"*.{method}" if method in self._methods else ""


def is_certain(sink: Sink, receiver: str) -> bool:
    """Return True if a method's receiver is of the sink's type, by the name of its origin."""
    return not sink.receiver_from or receiver.startswith(sink.receiver_from)


def dangerous_arguments(sink: Sink, call: Given[T]) -> list[T]:
    """The arguments that a sink lists, including starred ones."""
    if ANY in sink.arguments:
        return call.every()
    found = [value for reference in sink.arguments for value in _meant(call, reference)]
    first, starred = call.starred()
    filled = any((each if isinstance(each, int) else 0) >= first for each in sink.arguments)
    return [*found, *starred] if filled else found


def applies(sink: Sink, call: Given[T], around: Callable[[Demand], bool]) -> bool:
    """Return True if all demands of the sink are met. `around` answers demands about the code around the call."""
    return all(around(each) if each in AROUND else satisfies(call, *each) for each in sink.when)


def satisfies(call: Given[T], reference: str, demand: str) -> bool:
    """Return True if one argument meets a sink's demand."""
    value = referred(call, reference)
    if value is UNKNOWN:
        return demand != "-"
    if demand == "-":
        return value is None
    text = call.text(value) if value is not None else None
    if demand.startswith("!"):
        return text is None or text not in demand[1:].split("|")
    if demand.startswith("~"):
        return value is None or text is None or demand[1:] in text
    return value is not None and (text is None or text in demand.split("|"))


def deciding(sink: Sink, call: Given[T]) -> Iterator[T]:
    """Arguments that decide whether the call is harmful, other than the dangerous ones."""
    for each in sink.when:
        value = referred(call, each[0]) if each not in AROUND else None
        if value is not None and value is not UNKNOWN:
            yield value
    if {PROGRAM, SCRIPT, BODY} & set(sink.arguments):
        first = _command(call)
        if first is not None:
            yield first


def referred(call: Given[T], reference: str) -> T | Unknown | None:
    """An argument by a sink's reference: "1/Loader", "shell", "parser.resolve_entities"."""
    head, *inner = reference.split(".")
    value: T | Unknown | None = None
    for name in head.split("/"):
        if value is None:
            value = call.at(int(name)) if name.isdigit() else call.receiver if name == RECEIVER else call.named(name)
    for name in inner:
        if value is None or value is UNKNOWN:
            break
        value = call.entry(value, name)
    return value


def _meant(call: Given[T], reference: int | str) -> Sequence[T]:
    """The values of one of a sink's dangerous arguments in this call."""
    if reference == PROGRAM:
        return _program(call)
    if reference == SCRIPT:
        return _script(call, _words(call, command)) if (command := _command(call)) is not None else ()
    if reference == BODY:
        return _body(call)
    if reference == SYSTEM:
        return _instructions(call)
    value = call.at(reference) if isinstance(reference, int) else referred(call, reference)
    return [value] if value is not None and value is not UNKNOWN else []


def _body(call: Given[T]) -> Sequence[T]:
    body = call.at(0)
    if body is None or call.is_mapping(body):
        return ()  # a mapping is sent as JSON
    items = call.items(body)
    return [items[0]] if items and items is not UNKNOWN else [body]


def _instructions(call: Given[T]) -> Sequence[T]:
    """The parts of a model's messages that are not from its user; all of them if they cannot be distinguished."""
    messages = call.named("messages") or call.named("input")
    if messages is None:
        return ()
    items = call.items(messages)
    if items is UNKNOWN:
        return [messages]
    found: list[T] = []
    for each in items or ():
        role, content = call.entry(each, "role"), call.entry(each, "content")
        if role is None or role is UNKNOWN or content is None or content is UNKNOWN:
            continue
        if call.literal(role) in _INSTRUCTING:
            found.append(content)
    return found


def _command(call: Given[T]) -> T | None:
    named = call.named("args")
    return named if named is not None else call.at(0)


def _program(call: Given[T]) -> Sequence[T]:
    """The program that a command without a shell runs: its first word, and the script if that word is or may be a shell."""
    command = _command(call)
    if command is None:
        return ()
    words = _words(call, command)
    if words is None or words is UNKNOWN:
        return [command]
    if not words:
        return ()
    return _script(call, words) or [words[0]]


def _script(call: Given[T], words: Sequence[T] | Unknown | None) -> Sequence[T]:
    """The text after the option by which a shell or an interpreter runs it."""
    if not words or words is UNKNOWN:
        return ()
    first, *rest = words
    name = (call.literal(first) or "").replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    options = [(call.literal(each) or "").lower() for each in rest]
    runs = next((at for at, option in enumerate(options[:-1]) if option in _SCRIPT_OPTIONS), None)
    if runs is None and name in SHELLS and len(rest) > 1 and options[0][:1] in ("-", "/"):
        runs = 0
    return rest[runs + 1 :] if runs is not None and (not name or name in SHELLS) else ()


def _words(call: Given[T], command: T) -> Sequence[T] | Unknown | None:
    """The words of a command, also if they are separate arguments, or a list after the program's name."""
    second = call.at(1)
    if call.literal(command) is None or second is None:
        return call.items(command)
    listed = call.items(second)
    return [command, *listed] if listed is not None and listed is not UNKNOWN and listed else list(_positional(call))


def _positional(call: Given[T]) -> Iterator[T]:
    """The positional arguments, in order."""
    position = 0
    while (value := call.at(position)) is not None:
        yield value
        position += 1
