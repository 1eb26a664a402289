"""What a sink says is read once: every walker gets the same answer from what it knows of a call."""

from collections.abc import Callable, Sequence

import pytest

from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.values import Value, literal
from counterproof.analysis.libraries.concepts import ANY, BODY, PROGRAM, RECEIVER, SYSTEM, Sink
from counterproof.analysis.libraries.matcher import Given, SinkTable, applies, dangerous_arguments, is_certain
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python import lower


def written(code: str) -> WrittenCall:
    """The call as its written arguments show it."""
    statement = lower("code.py", code).body[0]
    assert isinstance(statement, ir.ExprStatement)
    assert isinstance(statement.value, ir.Call)
    return WrittenCall(statement.value)


def valued(code: str) -> Arguments:
    """The same call as the forward engine sees it."""
    call = written(code).call
    return Arguments(
        [_value(each.value) for each in call.arguments if not each.keyword],
        {each.keyword: _value(each.value) for each in call.arguments if each.keyword},
        None,
        _value(call.callee.value) if isinstance(call.callee, ir.Attribute) else None,
    )


def _value(expr: ir.Expr) -> Value:
    match expr:
        case ir.Const(value=value):
            return literal(value)
        case ir.Sequence(items=items):
            return Value(items=tuple(map(_value, items)))
        case ir.Mapping(entries=entries):
            return Value(entries={key.value: _value(value) for key, value in entries if isinstance(key, ir.Const)})
        case ir.Call(callee=ir.Name(id=name), arguments=arguments):
            return Value(path=f"{name}()", fields={each.keyword: _value(each.value) for each in arguments})
        case ir.Name(id=name):
            return Value(path=name)
        case _:
            raise AssertionError(expr)


Shown = Callable[[str], Given[object]]
both = pytest.mark.parametrize("shown", [written, valued])


@both
@pytest.mark.parametrize(
    ("code", "arguments", "count"),
    [
        ("run(a, b)", (0,), 1),
        ("run(a, b)", (0, 1), 2),
        ("run(a, command=b)", ("command",), 1),
        ("run(a)", ("command",), 0),
        ("run(a, b, key=c)", (ANY,), 3),
        ("client.run(a)", (RECEIVER,), 1),
        ("run(headers={'Location': a})", ("headers.Location",), 1),
        ("run(headers={'Other': a})", ("headers.Location",), 0),
        ("run({'key': a})", (BODY,), 0),
        ("run([])", (PROGRAM,), 0),
        ("ask(messages=[{'role': 'system', 'content': a}, {'role': 'user', 'content': b}])", (SYSTEM,), 1),
        ("ask(messages=[{'role': 'user', 'content': b}])", (SYSTEM,), 0),
    ],
)
def test_the_arguments_that_do_harm(shown: Shown, code: str, arguments: tuple[int | str, ...], count: int) -> None:
    assert len(dangerous_arguments(Sink("run", arguments), shown(code))) == count


@both
@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("run(['ls', 'folder'])", "ls"),
        ("run(['sh', '-c', 'script'])", "script"),
        ("run(['/bin/bash', '-lc', 'script'])", "script"),
        ("run('git', 'log')", "git"),
        ("run(args=['sh', '-c', 'script'])", "script"),
    ],
)
def test_the_program_that_a_command_runs(shown: Shown, code: str, meant: str) -> None:
    call = shown(code)
    assert [call.literal(each) for each in dangerous_arguments(Sink("run", (PROGRAM,)), call)] == [meant]


@both
@pytest.mark.parametrize(
    ("code", "demands", "held"),
    [
        ("run(a, shell=True)", {"shell": "True"}, True),
        ("run(a, shell=False)", {"shell": "True"}, False),
        ("run(a)", {"shell": "True"}, False),
        ("run(a)", {"shell": "!True"}, True),
        ("run(a, shell=True)", {"shell": "!True"}, False),
        ("load(a, 'SafeLoader')", {"1/Loader": "!SafeLoader|BaseLoader"}, False),
        ("load(a, Loader='SafeLoader')", {"1/Loader": "!SafeLoader|BaseLoader"}, False),
        ("send(a, 'text/html; charset=utf-8')", {"1": "~html"}, True),
        ("send(a, 'text/plain')", {"1": "~html"}, False),
        ("send(a)", {"1": "~html"}, True),
        ("render(a, fetch=b)", {"fetch": "-"}, False),
        ("render(a)", {"fetch": "-"}, True),
        ("parse(a, parser=Parser(entities=False))", {"1/parser.entities": "!False"}, False),
        ("parse(a, parser=Parser(entities=True))", {"1/parser.entities": "!False"}, True),
        ("parse(a, {'entities': True})", {"1.entities": "True"}, True),
        ("parse(a, {'other': True})", {"1.entities": "True"}, False),
    ],
)
def test_what_a_sink_demands_of_other_arguments(shown: Shown, code: str, demands: dict[str, str], held: bool) -> None:
    assert applies(Sink("run", when=tuple(demands.items())), shown(code), lambda _: True) is held


def test_what_a_walker_cannot_see_speaks_for_the_sink_but_is_not_absent() -> None:
    call = written("parse(a, options)")
    assert applies(Sink("parse", when=(("1.entities", "True"),)), call, lambda _: True)
    assert not applies(Sink("parse", when=(("1.entities", "-"),)), call, lambda _: True)


def test_sinks_are_found_by_every_kind_of_name() -> None:
    names = ("os.system", "*.execute", "smtplib.SMTP().sendmail", "*.innerHTML=", "falcon.Response().text=",
             "*.headers[location]", "flask.session[]")  # fmt: skip
    table = SinkTable(("rule", Sink(name)) for name in names)

    def called(found: Sequence[tuple[str, Sink]]) -> list[str]:
        return [sink.call for _, sink in found]

    assert called(table.exact("os.system")) == ["os.system"]
    assert called(table.exact("execute")) == []
    assert called(table.method("execute")) == ["*.execute"]
    assert called(table.method_of_made("sendmail")) == ["smtplib.SMTP().sendmail"]
    assert called(table.field("", "innerHTML")) == ["*.innerHTML="]
    assert called(table.field("falcon.Response()", "text")) == ["falcon.Response().text="]
    assert called(table.field("other.Response()", "text")) == []
    assert called(table.element("answer", "headers", "Location")) == ["*.headers[location]"]
    assert called(table.any_element("flask.session")) == ["flask.session[]"]


def test_a_receiver_is_certain_by_where_it_comes_from() -> None:
    assert is_certain(Sink("*.execute"), "")
    assert is_certain(Sink("*.execute", receiver_from=("sqlite3.connect()",)), "sqlite3.connect().cursor()")
    assert not is_certain(Sink("*.execute", receiver_from=("sqlite3.connect()",)), "pool")
