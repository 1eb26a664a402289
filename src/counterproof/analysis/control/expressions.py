"""Where dangerous regular expressions meet request data (CWE-1333).

Always holds: the text that is matched is walked back to its origin; a length that is cut or tested first makes it harmless. Does
not belong here: judging the pattern.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.derivation import Hop
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.items import Item
from counterproof.analysis.backward.subjects import Subjects
from counterproof.analysis.control.messages import REGEX_DENIAL, finding
from counterproof.analysis.libraries import names
from counterproof.analysis.patterns.nested_repetition import is_exponential
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.file import File
from counterproof.analysis.program.mentioned import kin, names_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import laid_out, told, trait
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Compare, Const, Expr, Function, Index, Name, Slice
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.flow import StepKind
from counterproof.model.location import at
from counterproof.model.recon import EntryPoint

_FUNCTIONS = names("code", "regex-match")
_COMPILE = "re.compile"
_DIRECTLY = "re."
_METHODS = ("match", "search", "fullmatch", "findall", "finditer", "sub", "split")


def used(backward: Backward) -> list[tuple[File, Call, str, Expr]]:
    """Every use of a pattern that the code spells out: the call, the pattern, and the text it is applied to."""
    return backward.program.codebase.remembered(("patterns", backward.program.entry_points), lambda: _used(backward))


def _used(backward: Backward) -> list[tuple[File, Call, str, Expr]]:
    subjects = Subjects(backward.program)
    found: list[tuple[File, Call, str, Expr]] = []
    for outline in _near(backward.program.codebase):
        ground = backward.program.file(outline.path)
        for site in outline.of(Call):
            use = _use(subjects, ground, site.node)
            if use is not None:
                found.append((ground, site.node, *use))
    return found


def _near(codebase: Codebase) -> Iterator[Outline]:
    """Files that use the functions of `re`, or call a method of something that may be a pattern."""
    compiled = {name for names in told(codebase, _named_patterns).values() for name in names}
    wanted = kin(codebase, compiled) | {_DIRECTLY}
    return laid_out(codebase, (path for path, names in told(codebase, _applied).items() if not wanted.isdisjoint(names)))


@trait("names of patterns")
def _named_patterns(outline: Outline) -> list[str]:
    made = (
        site.node
        for site in outline.of(Assign)
        if isinstance(site.node.value, Call) and outline.dotted(site.node.value.callee) == _COMPILE
    )
    return sorted({target.id for each in made for target in each.targets if isinstance(target, Name)})


@trait("what patterns may be")
def _applied(outline: Outline) -> list[str]:
    """Names of what has a method called that patterns have too; a mark where a pattern is used directly."""
    found: set[str] = set()
    for call in (site.node for site in outline.of(Call) if site.node.arguments):
        if outline.dotted(call.callee) in _FUNCTIONS:
            found.add(_DIRECTLY)
        elif isinstance(call.callee, Attribute) and call.callee.name in _METHODS:
            held = call.callee.value
            compiled = isinstance(held, Call) and outline.dotted(held.callee) == _COMPILE
            found |= {_DIRECTLY} if compiled else names_of(outline, held)
    return sorted(found)


def _use(subjects: Subjects, ground: File, call: Call) -> tuple[str, Expr] | None:
    dotted = ground.dotted(call.callee)
    values = [each.value for each in call.arguments if not each.keyword]
    if dotted in _FUNCTIONS and len(values) >= 2:
        pattern = subjects.text(ground, values[0])
        return (pattern, values[2 if dotted == "re.sub" and len(values) > 2 else 1]) if pattern is not None else None
    if isinstance(call.callee, Attribute) and call.callee.name in _METHODS and values:
        pattern = subjects.compiled(ground, call.callee.value)
        return (pattern, values[-1 if call.callee.name == "sub" else 0]) if pattern is not None else None
    return None


def denials(backward: Backward) -> Iterator[Finding]:
    for ground, call, pattern, text in used(backward):
        if not is_exponential(pattern) or _shortened(ground, call, text):
            continue
        hop = Hop(StepKind.SINK, ground.path, call.line, "")
        ways = [way for way in backward.slicer.ways((Item(ground, text, hop, call),)) if way.remote and way.broken is None]
        ways = [way for way in ways if not any(each.label in ("numeric", "allow-list", "fixed choice") for each in way.defences)]
        if ways:
            why = f"The text is {ways[0].origin.text}, of any length."
            function = ground.function(call)
            entry = _entry(backward, ground, function)
            yield finding(
                backward.quotes, REGEX_DENIAL, at(ground.path, call.line), entry, why, function.qualified if function else ""
            )


def _entry(backward: Backward, ground: File, function: Function | None) -> EntryPoint | None:
    entries = backward.program.entries(ground, function) if function else ()
    return entries[0] if entries else None


def _shortened(ground: File, call: Call, text: Expr) -> bool:
    """`x[:80]`, on the spot or where the variable is set, or a test of `len(x)` in the same function."""
    function = ground.function(call)
    names = {each.id for each in walk(text) if isinstance(each, Name)}
    roots = [text]
    for name in names:
        assigned = ground.local(ground.function(call), name)
        if assigned is not None and assigned.value is not None:
            roots.append(assigned.value)
    if any(
        isinstance(n, Index) and isinstance(n.key, Slice) and isinstance(n.key.upper, Const) for root in roots for n in walk(root)
    ):
        return True
    for node in walk(*function.body) if function else ():
        if isinstance(node, Compare):
            for each in walk(node):
                measured = isinstance(each, Call) and isinstance(each.callee, Name) and each.callee.id == "len"
                if measured and names & {n.id for n in walk(each) if isinstance(n, Name)}:
                    return True
    return False
