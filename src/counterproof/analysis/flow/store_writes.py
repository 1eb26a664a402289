"""Writes into stores, recorded like sinks so that callers' data is followed into them.

Always holds: a write never becomes a finding by itself. Does not belong here: matching writes with what is read back.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Hit
from counterproof.analysis.flow.index import ClassInfo, is_model
from counterproof.analysis.flow.rows import ACCOUNT, ACCOUNT_IN_REQUEST
from counterproof.analysis.flow.sinks import add
from counterproof.analysis.flow.statements import Written
from counterproof.analysis.flow.values import STORED, Param, Source, Taint, Trusted, Value, gathered, united_taints
from counterproof.analysis.libraries.concepts import Sink
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

WRITES = FlowRule(
    RuleInfo("<store>", "Data written into a store", Dimension.D1, "store", 79, Severity.LOW, Impact.LOCAL, "", ""), ()
)
"""Stands in for a rule in the record of writes."""

_SINK = Sink("<store>")


def record_write(
    frame: Frame, node: ir.Node, place: str, column: str, values: list[Value], statement: Param | None = None
) -> None:
    """Keep that these values go to a column of a table or a field of a model; '' stands for any of them."""
    taints: tuple[Taint, ...] = ()
    for value in values:
        taints = united_taints(taints, tuple(each for each in gathered(value) if not _is_stored(each)))
    if not taints:
        return
    add(
        frame,
        Hit(
            WRITES, _SINK, frame.path, node.line, node.end, frame.qualified, f"{place}\n{column}", taints, Trusted.NONE, None,
            True, frame.path, node.line, node.end, statement=statement,
        ),
    )  # fmt: skip


def _is_stored(taint: Taint) -> bool:
    return isinstance(taint.origin, Source) and taint.origin.channel == STORED


def write_columns(frame: Frame, node: ir.Node, shape: Written, parameters: Value | None, sql: Value) -> None:
    """A statement with the values for its place holders; data inside the statement's text may go to any column."""
    for column in shape.inlined or ("",):
        record_write(frame, node, shape.table, column, [sql])
    if parameters is None:
        return
    if not shape.columns:
        record_write(frame, node, shape.table, "", [parameters])
    for column, holder in shape.columns:
        record_write(frame, node, shape.table, column, [_filled(parameters, holder)])


def _filled(parameters: Value, holder: int | str) -> Value:
    if isinstance(holder, str) and parameters.entries is not None:
        return parameters.entries.get(holder, Value())
    if isinstance(holder, int) and parameters.items is not None:
        return parameters.items[holder] if holder < len(parameters.items) else Value()
    return parameters


def write_field(frame: Frame, node: ir.Node, owner: Value, name: str, value: Value) -> None:
    """`object.name = value` where the object is kept in a database."""
    if isinstance(owner.of, ClassInfo) and is_model(owner.of):
        record_write(frame, node, owner.of.node.name, name, [value])
        return
    if owner.path == ACCOUNT_IN_REQUEST:
        record_write(frame, node, ACCOUNT, name, [value])
        return
    for taint in owner.taints:
        if isinstance(taint.origin, Source) and taint.origin.channel == STORED and not taint.origin.parameter:
            record_write(frame, node, taint.origin.name, name, [value])


def write_object(frame: Frame, node: ir.Node, info: ClassInfo, keywords: dict[str, Value], spread: Value | None) -> None:
    """`Model(field=value)`."""
    if not is_model(info):
        return
    for name, value in keywords.items():
        record_write(frame, node, info.node.name, name, [value])
    if spread is not None:
        record_write(frame, node, info.node.name, "", [spread])
