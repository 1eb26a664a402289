"""Uploaded file of any type accepted.

## What it finds
A handler that stores an upload under a name with the sender's extension, cleaned or not, where no code that the handler runs
checks the extension, the content type or the content.

## Why it matters
A page with scripts served from the same site runs with that site's origin, and some servers execute files with certain
extensions. Users who open the file trust it because it comes from the application.

## What is safe
A fixed list of extensions together with a check of the content, a name with an extension chosen by the server, and a folder
that is served as downloads only.

## Limits
Checks are recognised by names in conditions and calls. The place that serves the stored file is not followed, so confidence
is medium. Endpoints that require a role are skipped, and so are Django forms.
"""

from collections.abc import Iterator

from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.messages import UPLOAD_TYPE, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.traversal import called, calls_in, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Conditional, Expr, Function, If, Index, Name, Node
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

_CHECKED_BY_FRAMEWORK = ("Django",)
"""Frameworks whose forms and fields validate uploads in ways not analysed here."""
_NAMES = ("filename", "raw_filename", "file_name")
_CHECKING = vocabulary(
    "allowed allow extension extensions ext exts content_type mimetype mime suffix suffixes endswith imghdr magic filetype "
    "validate validated validator whitelist accepted supported verify format image"
)
_SNIFFING = ("what", "from_buffer", "guess", "verify")
_JOINING = ("join", "str", "Path", "format", "open")
_WRITING = ("wb", "w+b", "wb+", "xb")
MAX_FUNCTIONS = 8
MAX_STEPS = 30


def unchecked_types(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """The first place in each handler that stores an upload of any type.

    Invariant: the stored file name is derived from the sender's name, and nothing that the handler runs checks an extension, the
    content type or the content."""
    seen: set[int] = set()
    told: set[tuple[str, int]] = set()
    for operation in operations:
        if id(operation.function) in seen or operation.entry.framework in _CHECKED_BY_FRAMEWORK:
            continue
        seen.add(id(operation.function))
        functions = closure(program, operation.ground, operation.function)[0][:MAX_FUNCTIONS]
        if any(_checks(function) for _, function in functions) or role_of(program, operation.entry) is Guard.PRESENT:
            continue
        for ground, function in functions:
            stored = next((call for call in calls_in(*function.body) if _stores(ground, function, call)), None)
            if stored is not None and (ground.path, stored.line) not in told:
                told.add((ground.path, stored.line))
                why = "The file keeps the extension that its sender gave it, and nothing looks at its type."
                place = at(ground.path, stored.line)
                yield finding(quotes, UPLOAD_TYPE, place, operation.entry, why, function.qualified, Confidence.MEDIUM)
                break


def _stores(ground: File, function: Function, call: Call) -> bool:
    """`upload.save(path)`, or `open(path, "wb")` in a function that reads an upload, with a path built from the sender's name."""
    path = call.arguments[0].value if call.arguments and not call.arguments[0].keyword else None
    if path is None:
        return False
    if called(call) == "save" and isinstance(call.callee, Attribute):
        treated = _is_treated(ground, function, path)  # unchanged names are reported by the flow rule
        return treated and _made_with_name(ground, function, path, _spelled(call.callee.value))
    writes = len(call.arguments) > 1 and text_of(call.arguments[1].value) in _WRITING
    return called(call) == "open" and writes and _made_with_name(ground, function, path, "")


def _is_treated(ground: File, function: Function, path: Expr) -> bool:
    """Return True if the sender's name passes through a function on its way into the path: `secure_filename(sent.filename)`."""
    parts: list[Expr] = [path]
    for _ in range(3):
        calls = [node for node in walk(*parts) if isinstance(node, Call) and called(node) not in _JOINING]
        if any(_is_sent_name(each.value, "") for call in calls for each in call.arguments):
            return True
        names = [node.id for node in walk(*parts) if isinstance(node, Name)]
        made = [each.value for name in names if (each := ground.local(function, name)) is not None]
        parts = [each for each in made if each is not None]
    return False


def _made_with_name(ground: File, function: Function, path: Expr, owner: str) -> bool:
    """Return True if a path is derived from `upload.filename`; with an owner, from the name of that same upload."""
    pending: list[Expr] = [path]
    seen: set[str] = set()
    for _ in range(MAX_STEPS):
        if not pending:
            return False
        for node in walk(pending.pop()):
            if _is_sent_name(node, owner):
                return True
            if isinstance(node, Name) and node.id not in seen:
                seen.add(node.id)
                made = ground.local(function, node.id)
                pending += [made.value] if made is not None and made.value is not None else []
    return False


def _is_sent_name(node: Node, owner: str) -> bool:
    if isinstance(node, Attribute) and node.name in _NAMES:
        return not owner or _spelled(node.value) == owner
    return isinstance(node, Index) and text_of(node.key) in _NAMES


def _spelled(expr: Expr) -> str:
    parts: list[str] = []
    while isinstance(expr, Attribute):
        parts.append(expr.name)
        expr = expr.value
    return ".".join([expr.id if isinstance(expr, Name) else "", *parts])


def _checks(function: Function) -> bool:
    """Return True if a condition or a call in the function mentions types, extensions or allowed values."""
    for node in walk(*function.body):
        tests = [branch.test for branch in node.branches] if isinstance(node, If) else []
        tests += [node] if isinstance(node, Compare) else [node.test] if isinstance(node, Conditional) else []
        if any(words_in(test) & _CHECKING or _speaks_of_extension(test) for test in tests):
            return True
        if isinstance(node, Call) and (set(words(called(node))) & _CHECKING or called(node) in _SNIFFING):
            return True
    return False


def _speaks_of_extension(test: Expr) -> bool:
    """`filename[-4:] == ".png"`, `name.rsplit(".", 1)[1] in KINDS`."""
    texts = [text for node in walk(test) if (text := text_of(node)) is not None]
    return any(text == "." or (text.startswith(".") and len(text) < 6) for text in texts)


RULE = ControlRule(
    title="Unrestricted file upload: any type",
    kind="upload",
    cwe=434,
    severity=Severity.MEDIUM,
    consequence="Pages with scripts, or programs, end up among the files that the application serves.",
    remedy="Accept a fixed list of extensions, check the content, and choose the stored extension yourself.",
    check=lambda site: unchecked_types(site.quotes, site.program, site.operations),
)
