"""Lowered modules as plain data, and back: JSON, made and read by what the nodes themselves declare.

Invariant: what is unpacked equals what was packed, shared definitions included; only nodes of the intermediate form come out,
each with fields of the declared types, or `Misfit` is raised; nothing in the data can name anything else. Not handled here:
where the bytes are kept.
"""

import base64
import json
import types
import typing
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, cast

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.ir import expressions, statements
from counterproof.analysis.syntax.ir.expressions import Node


class Misfit(ValueError):
    """The data is no module of this program."""


_Encode = Callable[[Any], Any]
_Decode = Callable[[Any], Any]
_Make = Callable[..., Node]
_NONE = type(None)
_SMALL = 60
"""Bits of a number that JSON is trusted with."""


@cache
def _kinds() -> tuple[type[Node], ...]:
    found = {each for module in (expressions, statements) for each in vars(module).values() if isinstance(each, type)}
    return tuple(sorted((each for each in found if issubclass(each, Node) and each is not Node), key=lambda kind: kind.__name__))


@cache
def _numbers() -> dict[type, int]:
    return {kind: number for number, kind in enumerate(_kinds())}


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind, vars(statements) | vars(expressions))


def _shape(hint: Any) -> str:
    """How a field is written: a plain value of one type, a literal, a node, or a tuple of these."""
    if hint in (str, int, bool):
        return cast("type", hint).__name__
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return "pairs" if typing.get_origin(parts[0]) is tuple else f"tuple of {_shape(parts[0])}"
    if origin in (types.UnionType, typing.Union):
        return "literal" if bytes in parts else "node or nothing" if _NONE in parts else "node"
    return "node"


def _packed_literal(value: Any) -> Any:
    if isinstance(value, bytes):
        return ["b", base64.b64encode(value).decode("ascii")]
    if isinstance(value, float):
        return ["f", value.hex()]
    return ["i", hex(value)] if type(value) is int and value.bit_length() > _SMALL else value


def _same(value: Any) -> Any:
    return value


class _Packing:
    """One module being written. `places` says which definition a function or class is, outer before inner."""

    def __init__(self) -> None:
        self.places: dict[int, int] = {}
        write: dict[str, _Encode] = {
            "node": self.node, "node or nothing": self.node, "literal": _packed_literal, "pairs": self._pairs,
            "tuple of node": self.nodes,
        }  # fmt: skip
        self._writers = [tuple(write.get(shape, _same) for shape in shapes) for shapes in _shapes()]
        self._names = [tuple(each.name for each in fields(kind)[2:]) for kind in _kinds()]

    def node(self, node: Any) -> Any:
        if node is None:
            return None
        number = _numbers()[type(node)]
        if type(node) is ir.Function or type(node) is ir.Class:
            self.places[id(node)] = len(self.places)
        parts = [write(getattr(node, name)) for name, write in zip(self._names[number], self._writers[number], strict=True)]
        return [number, node.line, node.end, *parts]

    def nodes(self, value: Any) -> Any:
        return [self.node(each) for each in value]

    def _pairs(self, value: Any) -> Any:
        return [[self.node(each) if isinstance(each, Node) else each for each in pair] for pair in value]


def _literal(data: Any) -> Any:
    match data:
        case ["b", str(text)]:
            return base64.b64decode(text, validate=True)
        case ["f", str(text)]:
            return float.fromhex(text)
        case ["i", str(text)]:
            return int(text, 16)
        case str() | bool() | int() | None:
            return data
        case _:
            raise Misfit("a literal is expected")


def _only(kind: type) -> _Decode:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise Misfit(f"{kind.__name__} is expected")
        return data

    return read


_text = _only(str)


def _texts(data: Any) -> tuple[str, ...]:
    if type(data) is not list or any(type(each) is not str for each in cast("list[Any]", data)):
        raise Misfit("texts are expected")
    return tuple(cast("list[str]", data))


class _Unpacking:
    """One module being read. `defined` are its functions and classes in the order in which they stand."""

    def __init__(self) -> None:
        self.defined: list[Node] = []
        self._readers: list[Callable[[list[Any]], Node]] = []
        read: dict[str, _Decode] = {
            "str": _text, "int": _only(int), "bool": _only(bool), "literal": _literal, "tuple of str": _texts,
            "node": self.node, "node or nothing": self._maybe, "tuple of node": self.nodes, "pairs": self._pairs,
        }  # fmt: skip
        for kind, shapes in zip(_kinds(), _shapes(), strict=True):
            reader = _reader(kind, [read[shape] for shape in shapes])
            self._readers.append(self._defining(reader) if kind in (ir.Function, ir.Class) else reader)

    def node(self, data: list[Any]) -> Node:
        number: int = data[0]
        return self._readers[number](data)

    def nodes(self, data: list[Any]) -> tuple[Any, ...]:
        readers = self._readers
        return tuple([readers[each[0]](each) for each in data])

    def _defining(self, reader: Callable[[list[Any]], Node]) -> Callable[[list[Any]], Node]:
        def read(data: list[Any]) -> Node:
            place = len(self.defined)
            self.defined.append(_RESERVED)
            self.defined[place] = made = reader(data)
            return made

        return read

    def _maybe(self, data: list[Any] | None) -> Node | None:
        return None if data is None else self.node(data)

    def _pairs(self, data: Any) -> Any:
        return tuple([(self._side(first), self._side(second)) for first, second in data])

    def _side(self, data: Any) -> Any:
        return data if data is None or type(data) is str else self.node(data)


def _reader(kind: _Make, reads: list[_Decode]) -> Callable[[list[Any]], Node]:
    """Reads one kind of node. The two commonest numbers of fields are written out: they are read millions of times."""
    first, second = reads[0], reads[-1]

    def one(data: list[Any]) -> Node:
        _, line, end, a = data
        if type(line) is not int or type(end) is not int:
            raise Misfit("a line is expected")
        return kind(line, end, first(a))

    def two(data: list[Any]) -> Node:
        _, line, end, a, b = data
        if type(line) is not int or type(end) is not int:
            raise Misfit("a line is expected")
        return kind(line, end, first(a), second(b))

    def many(data: list[Any]) -> Node:
        _, line, end, *rest = data
        if type(line) is not int or type(end) is not int or len(rest) != len(reads):
            raise Misfit("a node is expected")
        return kind(line, end, *[read(each) for read, each in zip(reads, rest, strict=True)])

    return {1: one, 2: two}.get(len(reads), many)


_RESERVED = Node(0, 0)


@cache
def _shapes() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_shape(_hints(kind)[each.name]) for each in fields(kind)[2:]) for kind in _kinds())


def packed(module: ir.Module) -> bytes:
    """A module as bytes."""
    packing = _Packing()
    body = packing.nodes(module.body)
    data = {
        "path": module.path,
        "name": module.name,
        "package": module.package,
        "lines": module.lines,
        "body": body,
        "functions": [packing.places[id(each)] for each in module.functions],
        "classes": [packing.places[id(each)] for each in module.classes],
        "imports": module.imports,
        "wildcards": module.wildcards,
        "rebound": module.rebound,
        "problems": [[each.line, each.text] for each in module.problems],
    }
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def unpacked(body: bytes) -> ir.Module:
    """The module that bytes hold; raises `Misfit` for anything else."""
    reading = _Unpacking()
    try:
        data: dict[str, Any] = json.loads(body)
        nodes = reading.nodes(data["body"])
        functions: tuple[Node, ...] = tuple(reading.defined[place] for place in cast("list[int]", data["functions"]))
        classes: tuple[Node, ...] = tuple(reading.defined[place] for place in cast("list[int]", data["classes"]))
        module = ir.Module(
            _text(data["path"]),
            _text(data["name"]),
            _text(data["package"]),
            _only(int)(data["lines"]),
            nodes,
            cast("tuple[ir.Function, ...]", functions),
            cast("tuple[ir.Class, ...]", classes),
            dict(zip(_texts(list(data["imports"])), _texts(list(data["imports"].values())), strict=True)),
            _texts(data["wildcards"]),
            _texts(data["rebound"]),
            tuple(ir.Problem(_only(int)(line), _text(text)) for line, text in data["problems"]),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise Misfit("the data is no module") from error
    if any(type(each) is not ir.Function for each in functions) or any(type(each) is not ir.Class for each in classes):
        raise Misfit("a definition is expected")
    return module
