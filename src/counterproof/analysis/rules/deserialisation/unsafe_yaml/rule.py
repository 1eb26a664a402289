"""YAML loaded with a loader that can build any object.

## What it finds
`yaml.load` without a safe loader, `yaml.unsafe_load` and similar functions, applied to files, responses and arguments.

## Why it matters
Loading a file, message or response this way runs the code that it names. Anyone who can write it runs programs.

## What is safe
`yaml.safe_load`, a loader derived from `SafeLoader`, and literals.

## Limits
The origin of the text is not checked; a loader selected at run time counts as safe. Outside functions the severity is low.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, argument
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import argument as argument_of
from counterproof.analysis.program.traversal import calls_in
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Severity
from counterproof.analysis.syntax.ir import Attribute, Expr, Name
from counterproof.analysis.syntax.walk import walk

_ALWAYS = names("code", "yaml-objects")
_BUILDING = ("Loader", "CLoader", "UnsafeLoader", "CUnsafeLoader", "FullLoader", "CFullLoader")
_READ = frozenset({"read", "read_text", "read_bytes", "text", "content", "body", "data", "stdout"})
_VERDICT = "builds any object that the text names"


def _reads(at: Place) -> bool:
    """Return True if `yaml` is the module, not a variable, and the text comes from a file, a response or a caller."""
    root: Expr = at.call.callee
    while isinstance(root, Attribute):
        root = root.value
    name = root.id if isinstance(root, Name) else ""
    if name not in at.outline.module.imports or at.outline.local(at.function, name) or name in at.outline.top_level:
        return False
    text = argument_of(at.call, 0, "stream")
    if isinstance(text, Name):
        assigned = at.outline.local(at.function, text.id)
        if assigned is None or assigned.value is None:
            return at.function is not None or text.id not in at.outline.top_level
        text = assigned.value
    parts = (text,) if text is not None else ()
    opened = any(at.dotted(call.callee) in ("open", "io.open", "codecs.open") for call in calls_in(*parts))
    return opened or bool(_READ & {each.name for each in walk(*parts) if isinstance(each, Attribute)})


def _builds(at: Place) -> bool:
    return at.name in _ALWAYS or at.value is None or at.dotted().rpartition(".")[2] in _BUILDING


RULE = CheckRule(
    title="Insecure deserialization: YAML loader",
    kind="objects",
    cwe=502,
    severity=Severity.MEDIUM,
    impact=Impact.FULL,
    consequence="Anyone who can write the YAML text can run code.",
    remedy="Use yaml.safe_load.",
    check=Matching(
        Calls(("yaml.load", "yaml.load_all", *_ALWAYS), argument(1, "Loader"), _reads, optional=True),
        bad=(
            Bad(lambda at: at.function is None and _builds(at), _VERDICT, Confidence.MEDIUM, Severity.LOW),
            Bad(_builds, _VERDICT, Confidence.MEDIUM),
        ),
        good="builds plain values, or is chosen elsewhere",
        item="yaml loader",
    ),
    query="calls that read YAML",
)
