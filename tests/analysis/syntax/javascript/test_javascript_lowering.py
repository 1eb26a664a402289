"""JavaScript and TypeScript in the intermediate form: what is bound, called, defined and exported."""

from textwrap import dedent

import pytest

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import EXPORTS, lower
from counterproof.analysis.syntax.walk import calls, walk


def lowered(text: str, path: str = "app.js") -> ir.Module:
    return lower(path, dedent(text))


def assigned(module: ir.Module) -> list[str]:
    """Variables that the top level binds, in order, without those the lowering made up."""
    targets = [target for each in module.body if isinstance(each, ir.Assign) for target in each.targets]
    return [each.id for each in targets if isinstance(each, ir.Name) and not each.id.startswith("<")]


def test_destructuring_binds_every_name() -> None:
    module = lowered("const {a, b: [c, , d], e = 1, ...f} = load();")
    assert assigned(module) == ["a", "c", "d", "e", "f"]
    assert len(list(calls(module))) == 1


def test_a_function_in_an_expression_is_defined_before_its_statement() -> None:
    module = lowered("run(1, function () { return go(); });")
    kinds = [type(each) for each in module.body[1:3]]
    assert kinds == [ir.Function, ir.ExprStatement]
    assert module.functions[0].qualified == "function at 1:8"


def test_function_declarations_come_first() -> None:
    module = lowered("use(f);\nfunction f() {}\n")
    assert [type(each) for each in module.body[1:3]] == [ir.Function, ir.ExprStatement]


def test_parameters_of_every_shape() -> None:
    module = lowered("const f = (a, {b, c}, d = 1, ...e) => a;")
    function = module.functions[0]
    assert [each.kind for each in function.parameters] == ["positional", "positional", "positional", "*"]
    bound = [each.targets[0] for each in function.body if isinstance(each, ir.Assign)]
    assert [each.id for each in bound if isinstance(each, ir.Name)] == ["b", "c", "d"]


def test_classes_have_constructors_and_methods_with_this() -> None:
    module = lowered("class A extends B { constructor(x) { this.x = x } run(y) {} static make() {} get z() { return 1 } }")
    methods = {each.name: [one.name for one in each.parameters] for each in module.functions}
    assert methods == {"__init__": ["this", "x"], "run": ["this", "y"], "make": [], "z": ["this"]}
    assert [each.owner for each in module.functions] == ["A"] * 4


def test_a_constructor_function_with_a_prototype_is_a_class() -> None:
    module = lowered("function A(x) { this.x = x }\nA.prototype.run = function (y) { return this.x };\n")
    assert [each.name for each in module.classes] == ["A"]
    assert [(each.name, each.owner) for each in module.functions] == [("__init__", "A"), ("run", "A")]


def test_a_prototype_of_something_else_is_left_alone() -> None:
    module = lowered("String.prototype.cut = function (n) { return n };")
    assert module.classes == ()
    assert len(module.functions) == 1


def test_both_module_systems_meet_in_one_variable() -> None:
    module = lowered("exports.a = 1; module.exports.b = 2; export const c = 3; export { d as e }; export default 4;")
    targets = [target for each in module.body if isinstance(each, ir.Assign) for target in each.targets]
    names = [
        each.name
        for each in targets
        if isinstance(each, ir.Attribute) and isinstance(each.value, ir.Name) and each.value.id == EXPORTS
    ]
    assert names == ["a", "b", "c", "e", "default"]


def test_imports_keep_the_names_of_packages() -> None:
    module = lowered('import fs, {join as j} from "node:path"; import * as cp from "child_process"; const x = require("vm");')
    assert module.imports["fs"] == "path"
    assert module.imports["j"] == "path.join"
    assert module.imports["cp"] == "child_process"
    assert module.imports["<module vm>"] == "vm"


def test_other_words_for_the_same_thing() -> None:
    module = lowered('if (a.indexOf("..") === -1 && b.includes(c) && d.startsWith("/") && /^x$/.test(e)) go(parseInt(f));')
    compared = [(each.operators, type(each.operands[0])) for each in walk(*module.body) if isinstance(each, ir.Compare)]
    assert compared == [(("not in",), ir.Const), (("in",), ir.Name)]
    called = [each.callee.name for each in calls(module) if isinstance(each.callee, ir.Attribute)]
    assert called == ["startswith", "match", "compile"]
    assert "int" in [each.callee.id for each in calls(module) if isinstance(each.callee, ir.Name)]


def test_a_break_of_a_switch_leaves_no_loop() -> None:
    module = lowered("for (const x of xs) { switch (x) { case 1: case 2: a(); break; default: b() } if (x) break; }")
    switch = next(each for each in walk(*module.body) if isinstance(each, ir.Switch))
    assert [len(each.values) for each in switch.cases] == [2, 0]
    assert [each.kind for each in walk(*module.body) if isinstance(each, ir.Jump)] == ["break"]


def test_requests_are_known_by_name_or_type() -> None:
    plain = lowered("app.get('/', (req, res) => {}); sort((req, other) => 0);")
    assert [[each.annotation is not None for each in one.parameters] for one in plain.functions] == [[True, True], [False, False]]
    typed = lowered("function h(r: Request, n: number) {}", "app.ts")
    kinds = [each.annotation for each in typed.functions[0].parameters]
    assert isinstance(kinds[0], ir.Attribute)
    assert kinds[0].name == "IncomingMessage"
    assert isinstance(kinds[1], ir.Name)
    assert kinds[1].id == "int"


def test_this_in_a_named_object_is_that_object() -> None:
    module = lowered("const api = { run(x) { return this.go(x) }, go: function (x) { return x } };")
    called = next(calls(module))
    assert isinstance(called.callee, ir.Attribute)
    assert isinstance(called.callee.value, ir.Name)
    assert called.callee.value.id == "api"


def test_markup_without_escaping_is_a_call() -> None:
    module = lowered("const p = <div a={1} dangerouslySetInnerHTML={{__html: x}}>{y}</div>;", "page.jsx")
    assert [each.callee.id for each in calls(module) if isinstance(each.callee, ir.Name)] == ["dangerouslySetInnerHTML"]


def test_texts_are_decoded() -> None:
    module = lowered(r'const a = "x\n\x41\u{42}\u0043\"";')
    value = next(each for each in module.body[1:] if isinstance(each, ir.Assign)).value
    assert isinstance(value, ir.Const)
    assert value.value == 'x\nABC"'


TYPED = "export type Thunk = Action<void, State>;\nexport const run = (id: string): void => go(id as any);\n"


@pytest.mark.parametrize("path", ["store.js", "store.jsx", "store.ts", "store.tsx"])
def test_types_are_no_syntax_errors_whatever_the_file_is_called(path: str) -> None:
    module = lower(path, TYPED)
    assert module.problems == ()
    assert [[one.name for one in each.parameters] for each in module.functions] == [["id"]]


def test_unparsable_source_is_reported() -> None:
    assert lower("store.js", "const = ;\nexport const ok = 1;\n").problems
