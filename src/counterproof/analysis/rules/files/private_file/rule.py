"""File of secrets that everybody on the machine may read.

## What it finds
In code that others install: tokens, credentials or private keys, told by the name of the file or of what is written, that a
function writes into a file with the rights of any new file.

## Why it matters
As a rule new files can be read by every user of the machine. Who reads the token acts as its owner until it is withdrawn.

## What is safe
`os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)`, an `opener`, a umask, `chmod` beside it, `{ mode: 0o600 }` in scripts, the key
ring of the system.

## Limits
Told as posture: what the file holds is told by names, and a folder that is closed to others may lie around it. Tokens of
languages and texts are left out by their names.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import argument, called, positional, text_of
from counterproof.analysis.outline.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Const, Expr, Name
from counterproof.analysis.syntax.walk import last_name, walk

_WRITING = vocabulary("write_text write_bytes writeFile writeFileSync outputFile outputFileSync writeJson writeJSON outputJson")
_SECRET = vocabulary("token tokens credential credentials secret secrets password passwords passwd apikey refresh_token keypair")
_KEYS = vocabulary("private secret api access signing encryption ssh")
"""Words that make a key a secret one."""
_TEXTS = vocabulary(
    """tokenizer tokenize tokenized vocab special added num max count corpus merges lexer parser text prompt template baseline
    scan report example sample public csrf design css style theme types schema"""
)
"""Words beside which a token is a piece of a text, or a secret is only spoken of."""
_CLOSING = vocabulary(
    "chmod fchmod chmodSync umask O_CREAT opener mode mkstemp NamedTemporaryFile encrypt encrypted safeStorage keyring"
)
MAX_HOPS = 3


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    for site in outline.of(Call):
        function = site.function
        written = _written(outline, site) if function is not None else ()
        if function is None or not written or not any(_is_secret(outline, site, each) for each in written):
            continue
        if not _CLOSING & set(names_in(*function.body)):
            yield bad(site, "rights", "a file of secrets with the rights of any new file", Confidence.MEDIUM)


def _written(outline: Outline, site: Site[Call]) -> tuple[Expr, ...]:
    """The path and, where it stands there, what is written to it."""
    call, callee = site.node, site.node.callee
    if called(call) in _WRITING and isinstance(callee, Attribute):
        given = tuple(each.value for each in call.arguments[:2])
        return given if script_file(outline.module.path) else (callee.value, *given[:1])
    mode = text_of(argument(call, 1, "mode"))
    target = positional(call, 0)
    opens = outline.dotted(callee) in ("open", "io.open") and target is not None and mode is not None and mode[:1] in "wx"
    return (target,) if opens and target is not None else ()


def _is_secret(outline: Outline, site: Site[Call], value: Expr, hops: int = 0) -> bool:
    spoken = {word for each in walk(value) for word in words(_name_of(each))}
    keys = {"key", "pem"} & spoken and _KEYS & spoken
    if (spoken & _SECRET or keys) and not spoken & _TEXTS:
        return True
    settings = outline.settings_of(value.id) if isinstance(value, Name) and hops < MAX_HOPS else ()
    made = [each.node.value for each in settings if each.function is site.function and isinstance(each.node, Assign)]
    return any(each is not None and _is_secret(outline, site, each, hops + 1) for each in made)


def _name_of(node: object) -> str:
    if isinstance(node, Const):
        return node.value if isinstance(node.value, str) and " " not in node.value else ""
    return last_name(node) if isinstance(node, Name | Attribute) else ""


RULE = CheckRule(
    title="File of secrets readable by every user of the machine",
    kind="permissions",
    cwe=732,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Another user of the machine reads the secrets and acts with them.",
    remedy="Create the file for its owner alone: os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), or { mode: 0o600 }.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="secrets that are written into files",
)
