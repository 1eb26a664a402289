"""The safety labels that a call adds: those of its result (escaped, normalised, replaced), and those of an argument that passed a
raising check (`validate_path(path)`).

Invariant: a label states only what the call itself shows. A function's name counts only if its code is not available, and a
raising check's name only if its result is unused. The project's own checks are run on the actual values, whatever their name, and
count only if they raise and never return False. Not handled here: which labels stop which sink.
"""

from counterproof.analysis.flow.address_checks import checks_address
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.guards import SEPARATORS, promised
from counterproof.analysis.flow.hits import (
    ALWAYS_SAFE,
    DECODED,
    FOLDER,
    PATTERN_ESCAPED,
    RELATIVE,
    SEGMENT,
    SHELL_QUOTED,
    Arguments,
)
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marks import mark_address, narrowed_value
from counterproof.analysis.flow.models import (
    ESCAPED,
    NORMALISING_IN_SCRIPTS,
    UNDOING,
    cleaned,
    fills_markup,
    insisted,
    sounds_strict,
)
from counterproof.analysis.flow.patterns import (
    leaves_only_words,
    strips_dots,
    strips_root,
    strips_separators,
    strips_shell_signs,
    strips_to_words,
)
from counterproof.analysis.flow.positions import FIXED, ROOTED, is_rooted, replaces_host
from counterproof.analysis.flow.sources import LINK, OWN_ADDRESS, named
from counterproof.analysis.flow.values import Source, Taint, Value, with_taints
from counterproof.analysis.libraries import names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.survey import Language

_MEMBER_NAMES = frozenset({"namelist", "getnames"})
"""Archive methods that return the member names chosen by the archive's creator."""

_TAKING_APART = frozenset(f"urllib.parse.{name}" for name in ("urlparse", "urlsplit", "parse_qs", "parse_qsl"))
"""Calls that extract parts of a URL; a part can point anywhere."""

_WHOLE_ADDRESS = frozenset({"decodeURI", "decodeURIComponent", "String"})
"""Browser functions whose result starts like the URL passed to them."""

_LONGEST_SET = 40
"""Limit on the characters of a pattern that matches single characters."""

_ITSELF = frozenset({"\\$&", "\\$1", "\\\\\\1", "\\\\\\g<0>"})
"""A backslash before the match, in the notation of either language."""
_REPEATING = frozenset("*+?([")
"""Characters that every slow pattern needs."""

_OPENING = frozenset({"open", "io.open", "codecs.open"})

_MATCHING = ("match", "fullmatch")
_WITHOUT_SLASH = frozenset({"lstrip", "strip", "removeprefix", "slice", "substring"})
_RELATIVE_PATHS = frozenset(names("code", "relative-path", None))
_NORMALISING = frozenset(names("code", "path-normalisation"))
_DECODING = frozenset(names("code", "address-decoder", Language.JAVASCRIPT))
_CLOSED_AND_OPENED = ("'\\''", "'\"'\"'")
"""Ways to write a single quote inside single quotes in a shell."""


def labelled(frame: Frame, target: Value, method: str, arguments: Arguments, result: Value) -> Value:
    """Add to a call's result the safety labels that the call earns."""
    known = _labelled(frame, target, method, arguments, result)
    if frame.engine.scripts and target.path not in _WHOLE_ADDRESS and any(map(_is_own_link, known.taints)):
        known = _without_address(known)
    return narrowed_value(known, DECODED) if target.path in _DECODING else known


def _is_own_link(taint: Taint) -> bool:
    """Return True if data is the page's own URL from `?` or `#` on, including that character."""
    return OWN_ADDRESS in taint.passed and isinstance(taint.origin, Source) and taint.origin.channel == LINK


def _without_address(value: Value) -> Value:
    """The value without the label of an own URL: a part of a URL can point anywhere."""
    return with_taints(value, tuple(taint._replace(passed=taint.passed - {OWN_ADDRESS}) for taint in value.taints))


def _labelled(frame: Frame, target: Value, method: str, arguments: Arguments, result: Value) -> Value:
    if target.path in UNDOING:
        kept = tuple(taint._replace(passed=(taint.passed & ALWAYS_SAFE) | {FOLDER}) for taint in result.taints)
        return with_taints(result, kept)
    if target.path in _TAKING_APART:
        return _without_address(result)
    if method in _MEMBER_NAMES:
        return with_taints(result, named(result.taints))
    label = ESCAPED if fills_markup(arguments.receiver, method) else frame.engine.sinks.sanitisers.label(target.path, method)
    if label:
        return narrowed_value(result, label)
    if _takes_words(target, method, arguments, scripts=frame.engine.scripts):
        return narrowed_value(result, "safe pattern")
    if target.path in _OPENING:
        return narrowed_value(result, "opened file")
    if target.path in (NORMALISING_IN_SCRIPTS if frame.engine.scripts else _NORMALISING) or method == "resolve":
        rooted = result.taints and all("starts with /" in taint.passed for taint in result.taints)
        return narrowed_value(result, "normalised", *((ROOTED,) if rooted else ()))
    first_only = frame.engine.scripts and method == "replace"
    replaced = _replaced(target, method, arguments, first_only=first_only)
    if replaced := replaced or _unrooted(target.path, method, arguments, result):
        return narrowed_value(result, *replaced)
    if replaces_host(target.path, method, arguments):
        return narrowed_value(result, FIXED)
    return _promised(frame, target, method or target.path.rpartition(".")[2], result)


def _unrooted(path: str, method: str, arguments: Arguments, result: Value) -> tuple[str, ...]:
    """`normpath("/" + name).lstrip("/")`: removes the leading slash that the path was normalised with. `lstrip("/")` removes
    all."""
    if method in _WITHOUT_SLASH and is_rooted(result):
        return ("without ..", RELATIVE)
    given = arguments.at(0)
    slashes = given is not None and ("/" in given.const if isinstance(given.const, str) else given.path in SEPARATORS)
    seen_from = method == "relative_to" or path in _RELATIVE_PATHS
    return (RELATIVE,) if seen_from or (slashes and method in ("lstrip", "strip")) else ()


def _takes_words(target: Value, method: str, arguments: Arguments, *, scripts: bool) -> bool:
    """Return True if a pattern, and so every group in it, matches only harmless characters."""
    compiled = arguments.receiver if method in _MATCHING else None
    written = (compiled.fields or {}).get("pattern") if compiled is not None else None
    written = arguments.at(0) if target.path in ("re.match", "re.fullmatch") else written
    text = written.const if written is not None else None
    whole = "fullmatch" in (method, target.path.removeprefix("re.")) and not scripts
    return isinstance(text, str) and leaves_only_words(text, anchored=whole)


def _promised(frame: Frame, target: Value, name: str, result: Value) -> Value:
    """Add the labels that an external function's name promises."""
    promises = cleaned(name)
    if promises and target.of is None and not frame.engine.index.methods_named(name):
        for each in sorted(promises):
            result = narrowed_value(result, each)
    return result


def _escapes_markup(old: Value, new: Value) -> bool:
    """`text.replace(/</g, "&lt;")`, `text.replace(/[&<>]/g, (sign) => ENTITIES[sign])`: no tag can start any more."""
    written = (old.fields or {}).get("pattern", old).const
    if not isinstance(written, str) or "<" not in written or len(written) > _LONGEST_SET:
        return False
    one = written == "<" or (written[:1] == "[" and written[-1:] == "]" and written[1] != "^")
    return one and (new.const.startswith("&") if isinstance(new.const, str) else new.of is not None or bool(new.path))


def _escapes_pattern(old: Value, new: Value) -> bool:
    """`text.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&")`: every special character of patterns is escaped."""
    written = (old.fields or {}).get("pattern", old).const
    if not isinstance(written, str) or not isinstance(new.const, str) or len(written) > _LONGEST_SET:
        return False
    return new.const in _ITSELF and written.lstrip("(")[:1] == "[" and set(written) >= _REPEATING


def _quotes_for_shell(old: Value, new: Value) -> bool:
    """`text.replace(/'/g, "'\\\\''")`: useful only inside single quotes, where no character is special to a shell."""
    written = (old.fields or {}).get("pattern", old).const
    return written == "'" and new.const in _CLOSED_AND_OPENED


def _leaves_one_part(old: Value, new: Value, *, by_pattern: bool) -> bool:
    """`name.replace("/", "_")`, `name.replace(/[\\/:]/g, "")`: no path separator is left."""
    pattern = (old.fields or {}).get("pattern", old)
    written = pattern.const
    if not isinstance(new.const, str) or "/" in new.const or new.const == "..":
        return False
    if not isinstance(written, str):
        return old.path in SEPARATORS
    if pattern is old and not by_pattern:
        return written == "/"
    body = written.rstrip("+")
    listed = body[:1] == "[" and body[1:2] != "^" and body.find("]") == len(body) - 1
    return body in ("/", r"\/") or (listed and "/" in body)


def _replaced(target: Value, method: str, arguments: Arguments, *, first_only: bool) -> tuple[str, ...]:
    """The labels that `text.replace(old, new)` and `re.sub(pattern, new, text)` earn; empty if unknown. With a plain string,
    JavaScript replaces only the first occurrence."""
    by_pattern = target.path == "re.sub"
    replaces = by_pattern or method in ("replace", "sub", "replaceAll")
    old, new = (arguments.at(0), arguments.at(1)) if replaces else (None, None)
    if old is None or new is None:
        return ()
    if _escapes_markup(old, new):
        return ("replaced <",)
    if strips_root((old.fields or {}).get("pattern", old).const, new.const):
        return (RELATIVE,)
    if _escapes_pattern(old, new):
        return (PATTERN_ESCAPED,)
    if not (isinstance(old.const, str) and first_only):
        if _quotes_for_shell(old, new):
            return (SHELL_QUOTED,)
        if _leaves_one_part(old, new, by_pattern=by_pattern):
            return (SEGMENT,)
    if not isinstance(old.const, str) or not isinstance(new.const, str) or not old.const:
        return ()
    return _stripped(old.const, new.const) if by_pattern else _exchanged(old.const, new.const, method)


def _stripped(pattern: str, new: str) -> tuple[str, ...]:
    """`re.sub(r"[^\\w.-]", "_", name)`."""
    if strips_to_words(pattern, new):
        return ("safe pattern",)
    if strips_dots(pattern, new):
        return ("without ..",)
    shell = (SHELL_QUOTED,) if strips_shell_signs(pattern, new) else ()
    return (*shell, SEGMENT) if strips_separators(pattern, new) else shell


def _exchanged(old: str, new: str, method: str) -> tuple[str, ...]:
    if method == "replace" and old in ('"', "`") and new == old * 2:
        return ("doubled quotes",)
    return (f"replaced {old}",) if method == "replace" and old not in new else ()


def insist(frame: Frame, call: ir.Call, asked: bool = False) -> None:
    """Narrow the arguments of a call that raises for bad values; `asked` says that its result is used."""
    name = last_name(call.callee)
    strict = sounds_strict(name)
    if not strict and (name not in frame.engine.index.names or name not in frame.engine.raising.names):
        return
    target = frame.value(call.callee)
    if isinstance(target.of, FunctionInfo):
        answer = frame.engine.raising.answer(target.of, strict)
        places = [each.value for each in call.arguments if not each.spread and frame.value(each.value).taints]
        if answer is not None and places:
            for place in places if checks_address(target.of) else ():
                mark_address(frame, place)
            frame.engine.predicate(frame, target.of, target.bound, call, answer)
    elif strict and not asked:
        promised(frame, call, insisted(name))
