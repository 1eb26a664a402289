"""Ways of registering the same routes, and of taking the same request."""

from collections.abc import Iterator

from script_rewriting import Edit, Text, around, get, handlers, instead, moves_routes, rewrite, routes


@rewrite
def other_names(t: Text) -> Iterator[Edit]:
    names = {"req": "question", "res": "answer"}
    for node in t.nodes("identifier"):
        if t.of(node) in names:
            yield instead(node, names[t.of(node)])


@rewrite
def request_copied(t: Text) -> Iterator[Edit]:
    for _, _, body in handlers(t):
        if body.type == "statement_block":
            yield body.start_byte, body.start_byte + 1, "{ const again = req;"
            yield from (instead(each, "again") for each in t.nodes("identifier", within=body) if t.of(each) == "req")


@rewrite
def request_taken_apart(t: Text) -> Iterator[Edit]:
    for _, given, body in handlers(t):
        used = [each for each in t.nodes("identifier", within=body) if t.of(each) == "req"]
        around_them = [each.parent for each in used if each.parent is not None and each.parent.type == "member_expression"]
        kept = [
            each for each in around_them if each.parent and each.parent.type not in ("call_expression", "assignment_expression")
        ]
        names = sorted({t.of(get(each, "property")) for each in kept})
        if names and len(kept) == len(used):
            yield instead(given.named_children[0], "{ " + ", ".join(f"{each}: of_{each}" for each in names) + " }")
            yield from (instead(each, f"of_{t.of(get(each, 'property'))}") for each in kept)


@rewrite
def handlers_in_a_list(t: Text) -> Iterator[Edit]:
    for _, _, given in routes(t):
        yield given[1].start_byte, given[1].start_byte, "["
        yield given[-1].end_byte, given[-1].end_byte, "]"


@rewrite
def route_then_verb(t: Text) -> Iterator[Edit]:
    for _, called, given in routes(t):
        verb = t.of(get(called, "property"))
        yield get(called, "object").end_byte, given[1].start_byte, f".route({t.of(given[0])}).{verb}("


@rewrite
def handler_wrapped(t: Text) -> Iterator[Edit]:
    found = list(routes(t))
    if found:
        yield (
            0,
            0,
            "function safely(act) { return async (req, res, next) => { try { await act(req, res, next); } catch (e) {} }; } ",
        )
    for _, _, given in found:
        yield from around(given[-1], "safely(", ")")


def _apart(t: Text, before: str, after: str, use: str) -> Iterator[Edit]:
    """The handler before the call that registers it."""
    for number, (call, _, given) in enumerate(routes(t)):
        head = t.source[call.start_byte : given[-1].start_byte].decode()
        if given[-1].type != "identifier" and "\n" not in head and call.parent and call.parent.type == "expression_statement":
            yield call.start_byte, given[-1].start_byte, before.replace("#", str(number))
            yield given[-1].end_byte, call.end_byte, after + head + use.replace("#", str(number)) + ")"


@moves_routes
def handler_in_a_class(t: Text) -> Iterator[Edit]:
    yield from _apart(t, "class Controller# { act = ", " } ", "new Controller#().act")


@moves_routes
def handler_called(t: Text) -> Iterator[Edit]:
    yield from _apart(t, "const handler# = ", "; ", "(req, res, next) => handler#(req, res, next)")


@moves_routes
def handler_made(t: Text) -> Iterator[Edit]:
    yield from _apart(t, "const make# = (unused) => ", "; ", "make#({})")
