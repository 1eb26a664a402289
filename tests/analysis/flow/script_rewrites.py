"""Ways of writing the same JavaScript: modules, functions, texts, objects, questions, loops, classes, types."""

import re
from collections.abc import Iterator

from script_rewriting import (
    Edit,
    Text,
    around,
    asked,
    between,
    chains,
    get,
    handlers,
    ifs,
    inside,
    instead,
    read_whole,
    required,
    rewrite,
    typed,
)
from tree_sitter import Node


@rewrite
def require_to_import(t: Text) -> Iterator[Edit]:
    for statement, name, call in required(t):
        yield instead(statement, f"import {t.of(name).replace(':', ' as')} from {t.of(get(call, 'arguments'))[1:-1]};")


@rewrite
def require_to_dynamic_import(t: Text) -> Iterator[Edit]:
    for _, name, call in required(t):
        default = ".default" if name.type == "identifier" else ""
        yield instead(call, f"(await import{t.of(get(call, 'arguments'))}){default}")


@rewrite
def require_member_by_member(t: Text) -> Iterator[Edit]:
    for statement, name, call in required(t):
        if name.type == "object_pattern":
            names = [t.of(each) for each in name.named_children]
            yield instead(statement, "const " + ", ".join(f"{each} = {t.of(call)}.{each}" for each in names) + ";")


def _as_function(arrow: Node) -> Iterator[Edit]:
    body, single = get(arrow, "body"), arrow.child_by_field_name("parameter")
    given = single or get(arrow, "parameters")
    sign = next(each for each in arrow.children if each.type == "=>")
    yield given.start_byte, given.start_byte, "function (" if single else "function "
    yield sign.start_byte, sign.end_byte, ""
    if single:
        yield given.end_byte, given.end_byte, ")"
    if body.type != "statement_block":
        yield from around(body, "{ return ", "; }")


@rewrite
def arrow_to_function(t: Text) -> Iterator[Edit]:
    for arrow in t.nodes("arrow_function"):
        if "this" not in t.of(arrow):
            yield from _as_function(arrow)


@rewrite
def plus_to_concat(t: Text) -> Iterator[Edit]:
    for node, parts in chains(t):
        yield from around(node, '"".concat(', ")")
        yield from between(parts, ", ")


@rewrite
def plus_to_join(t: Text) -> Iterator[Edit]:
    for node, parts in chains(t):
        yield from around(node, "[", '].join("")')
        yield from between(parts, ", ")


def _alone(call: Node) -> Node | None:
    """The statement of a block that contains a call, not inside a nested function."""
    node: Node | None = call
    while node is not None and node.type not in ("expression_statement", "lexical_declaration", "return_statement"):
        node = None if node.type in ("arrow_function", "function_expression", "if_statement") else node.parent
    return node if node is not None and node.parent is not None and node.parent.type == "statement_block" else None


@rewrite
def arguments_in_variables(t: Text) -> Iterator[Edit]:
    kinds = ("binary_expression", "template_string", "member_expression", "object", "array")
    for number, call in enumerate(t.nodes("call_expression")):
        statement, given = _alone(call), get(call, "arguments")
        first = given.named_children[0] if given.named_children else None
        if statement is None or first is None or first.type not in kinds or statement.start_point[0] != first.end_point[0]:
            continue
        if not any(t.nodes("this", "await_expression", "arrow_function", within=first)):
            yield statement.start_byte, statement.start_byte, f"const given{number} = {t.of(first)}; "
            yield instead(first, f"given{number}")


def _written_out(t: Text) -> Iterator[Node]:
    for node in t.nodes("object"):
        if node.named_children and node.parent is not None and node.parent.type in ("arguments", "variable_declarator", "pair"):
            yield node


@rewrite
def objects_copied(t: Text) -> Iterator[Edit]:
    for node in _written_out(t):
        yield from around(node, "Object.assign({}, ", ")")


@rewrite
def objects_spread(t: Text) -> Iterator[Edit]:
    for node in _written_out(t):
        yield from around(node, "{ ...", " }")


@rewrite
def declared_then_set(t: Text) -> Iterator[Edit]:
    for node in t.nodes("lexical_declaration"):
        declared = node.named_children[0]
        value = declared.child_by_field_name("value")
        plain = len(node.named_children) == 1 and get(declared, "name").type == "identifier"
        if plain and value is not None and value.type not in ("arrow_function", "class"):
            name = t.of(get(declared, "name"))
            yield node.start_byte, value.start_byte, f"let {name}; {name} = "


@rewrite
def await_to_then(t: Text) -> Iterator[Edit]:
    for node in t.nodes("lexical_declaration"):
        value, block = node.named_children[0].child_by_field_name("value"), node.parent
        if value is not None and value.type == "await_expression" and block is not None and block.type == "statement_block":
            promise = value.named_children[0]
            yield node.start_byte, promise.start_byte, "return "
            yield promise.end_byte, node.end_byte, f".then(async ({t.of(get(node.named_children[0], 'name'))}) => {{"
            yield block.end_byte - 1, block.end_byte, "}); }"


def _leaves(block: Node) -> bool:
    last = block.named_children[-1] if block.type == "statement_block" and block.named_children else block
    return last.type in ("return_statement", "throw_statement")


@rewrite
def early_return_to_else(t: Text) -> Iterator[Edit]:
    for node, _, does in ifs(t):
        if _leaves(does) and node.next_named_sibling is not None and node.parent is not None:
            yield node.end_byte, node.end_byte, " else {"
            yield node.parent.end_byte - 1, node.parent.end_byte, "} }"


@rewrite
def condition_in_variable(t: Text) -> Iterator[Edit]:
    for number, (node, condition, _) in enumerate(ifs(t)):
        yield node.start_byte, node.start_byte, f"const asked{number} = {t.of(condition)}; "
        yield instead(condition, f"(asked{number})")


@rewrite
def compared_to_false(t: Text) -> Iterator[Edit]:
    for _, condition, _ in ifs(t):
        inner = condition.named_children[0]
        if inner.type == "unary_expression" and get(inner, "argument").type == "call_expression":
            yield instead(condition, f"({t.of(get(inner, 'argument'))} === false)")


@rewrite
def constant_first(t: Text) -> Iterator[Edit]:
    for node in t.nodes("binary_expression"):
        if t.of(get(node, "operator")) in ("==", "===", "!=", "!=="):
            yield instead(node, f"{t.of(get(node, 'right'))} {t.of(get(node, 'operator'))} {t.of(get(node, 'left'))}")


@rewrite
def includes_to_index(t: Text) -> Iterator[Edit]:
    for call, owner, sought in asked(t, "includes"):
        yield instead(call, f"({t.of(owner)}.indexOf({t.of(sought)}) >= 0)")


@rewrite
def includes_to_some(t: Text) -> Iterator[Edit]:
    for call, owner, sought in asked(t, "includes"):
        if sought.type != "string":
            yield instead(call, f"{t.of(owner)}.some((one) => one === {t.of(sought)})")


@rewrite
def includes_to_set(t: Text) -> Iterator[Edit]:
    for call, owner, sought in asked(t, "includes"):
        if sought.type != "string":
            yield instead(call, f"new Set({t.of(owner)}).has({t.of(sought)})")


@rewrite
def pattern_searched(t: Text) -> Iterator[Edit]:
    for call, pattern, text in asked(t, "test"):
        yield instead(call, f"({t.of(text)}.search({t.of(pattern)}) !== -1)")


@rewrite
def pattern_executed(t: Text) -> Iterator[Edit]:
    for call, pattern, text in asked(t, "test"):
        yield instead(call, f"({t.of(pattern)}.exec({t.of(text)}) !== null)")


@rewrite
def pattern_from_text(t: Text) -> Iterator[Edit]:
    for node in t.nodes("regex"):
        pattern = t.of(get(node, "pattern")).replace("\\", "\\\\").replace('"', '\\"')
        yield instead(node, f'new RegExp("{pattern}")')


@rewrite
def numbers_by_sign(t: Text) -> Iterator[Edit]:
    for call in t.nodes("call_expression"):
        if t.of(get(call, "function")) in ("parseInt", "Number"):
            yield instead(call, f"(+{t.of(get(call, 'arguments').named_children[0])})")


@rewrite
def numbers_by_method(t: Text) -> Iterator[Edit]:
    for call in t.nodes("call_expression"):
        if t.of(get(call, "function")) == "parseInt":
            yield instead(get(call, "function"), "Number.parseInt")


@rewrite
def texts_by_template(t: Text) -> Iterator[Edit]:
    for call in t.nodes("call_expression"):
        if t.of(get(call, "function")) == "String":
            yield instead(call, "`${" + t.of(get(call, "arguments").named_children[0]) + "}`")


@rewrite
def classes_to_prototypes(t: Text) -> Iterator[Edit]:
    for node in t.nodes("class_declaration"):
        body, name = get(node, "body"), t.of(get(node, "name"))
        first, *others = body.named_children
        if t.of(get(first, "name")) != "constructor":
            continue
        yield (
            node.start_byte,
            get(first, "name").end_byte,
            "\n" * (first.start_point[0] - node.start_point[0]) + f"function {name}",
        )
        yield body.end_byte - 1, body.end_byte, ""
        for each in others:
            yield each.start_byte, get(each, "name").end_byte, f"{name}.prototype.{t.of(get(each, 'name'))} = function "


@rewrite
def self_for_this(t: Text) -> Iterator[Edit]:
    for node in t.nodes("method_definition"):
        body = get(node, "body")
        if any(t.nodes("this", within=body)):
            yield body.start_byte, body.start_byte + 1, "{ const self = this;"
            yield from (instead(each, "self") for each in t.nodes("this", within=body))


@typed
def cast(t: Text) -> Iterator[Edit]:
    for node in read_whole(t):
        yield from around(node, "(", " as string)")


@typed
def generic_calls(t: Text) -> Iterator[Edit]:
    for call in t.nodes("call_expression"):
        called = get(call, "function")
        if called.type == "member_expression":
            yield called.end_byte, called.end_byte, "<any>"


@typed
def in_a_namespace(t: Text) -> Iterator[Edit]:
    if not re.search(r"\b(ex|im)port\b", t.of(t.root)):
        yield 0, 0, "namespace Whole {"
        yield t.root.end_byte, t.root.end_byte, "}\n"


@typed
def parameter_properties(t: Text) -> Iterator[Edit]:
    for node in t.nodes("method_definition"):
        given, body = get(node, "parameters").named_children, get(node, "body")
        plain = all(re.fullmatch(r"this\.(\w+) = \1;", t.of(each)) for each in body.named_children)
        if t.of(get(node, "name")) == "constructor" and given and plain and body.named_children:
            yield from ((each.start_byte, each.start_byte, "private readonly ") for each in given)
            yield instead(body, "{" + "\n" * t.of(body).count("\n") + "}")


def _in_blocks(t: Text, before: str, after: str) -> Iterator[Edit]:
    for _, _, body in handlers(t):
        if body.type == "statement_block":
            yield from inside(body, before, after)


@rewrite
def in_an_inner_function(t: Text) -> Iterator[Edit]:
    yield from _in_blocks(t, " async function inner() {", "} return inner(); ")
