"""Doubts about calls that a plan writes out, and about parameters that it lists: what the function, as it stands, does not take.

Always: only Python, and never where the plan changes the function. Where several functions have the name, the plan's words choose
(the class, or a file on the same line); if they do not, a call is doubted only when it fits none of them.
"""

import ast
import re
import warnings
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import IMPORT
from counterproof.analysis.plans.doubts import Case, Doubt, Kind
from counterproof.analysis.syntax.ir import Attribute, Call, Decorator, Function, Name, Parameter
from counterproof.model.counting import counted
from counterproof.model.errors import CounterproofError
from counterproof.model.plan.challenge import Confidence, Weight
from counterproof.model.plan.outline import Intent, Mention, Named

MAX_CALL = 150
MAX_DEFINITIONS = 8

Place = tuple[str, int, Function]

_TRANSPARENT = re.compile(
    r"(?:\w{1,40}\.){0,3}(?:staticmethod|classmethod|abstractmethod|override|overload|cache|lru_cache|cached|memoize|final)\Z"
)
"""Decorators that leave the parameters as they are."""
_LISTED = re.compile(
    r"\b(?:takes|accepts|expects|has|gets)[ \t]+(?:only[ \t]+|just[ \t]+)?(?:the[ \t]+)?(?:arguments|parameters)[ \t:]+"
    r"(?P<names>[`\w]{2,60}(?:(?:,[ \t]*and|,|[ \t]+and)[ \t]+[`\w]{2,60}){1,12})"
)
_COUNTED = re.compile(
    r"\b(?:takes|accepts|expects|has)[ \t]+(?:only[ \t]+|exactly[ \t]+|just[ \t]+)?"
    r"(?P<count>no|one|two|three|four|five|six|a single)[ \t]+"
    r"(?:positional[ \t]+|required[ \t]+)?(?:arguments?|parameters?)\b(?![ \t]+(?:more|less|for))",
    re.IGNORECASE,
)
_WILL = re.compile(
    r"\b(?:will|should|must|shall|new|now|then|add\w{0,3}|change\w{0,3}|extend\w{0,3}|make|so that|instead|no longer|from now)\b",
    re.IGNORECASE,
)
"""Words by which a sentence speaks of the function as it is to become."""
_LEFT_OPEN = re.compile(r"\.\.\.|…")
_QUOTED = re.compile(r"'[^'\n]{0,100}'|\"[^\"\n]{0,100}\"")
_NUMBERS = {"no": 0, "one": 1, "a single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def wrong_calls(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's prose and in its code that do not fit the function's parameters."""
    touched = {each.text for each in case.of(Mention.SYMBOL) if each.intent is not Intent.USES}
    for each in case.of(Mention.SYMBOL, Mention.CODE):
        call = _call(each.detail)
        if call is None or each.text in touched or each.detail == IMPORT or case.creates(each.text):
            continue
        places = _functions(case, each)
        misfits = [_misfit(call, function) for _, _, function in places]
        if places and all(misfits):
            path, line, _ = places[0]
            yield _wrong(each, misfits[0], f"{path}:{line}")


def wrong_parameters(case: Case) -> Iterator[Doubt]:
    """Parameters that the plan says a function takes."""
    for each in case.of(Mention.SYMBOL):
        text = case.line(each.line)
        said = _LISTED.search(text), _COUNTED.search(text)
        alone = sum(other.line == each.line for other in case.of(Mention.SYMBOL) if _functions(case, other)) == 1
        if not any(said) or not alone or _WILL.search(text) or case.creates(each.text):
            continue
        places = _functions(case, each)
        listed = re.findall(r"(?!and\b)\w{2,60}", said[0]["names"]) if said[0] else []
        count = _NUMBERS[said[1]["count"].lower()] if said[1] else None
        misfits = [_not_taken(function, listed, count) for _, _, function in places]
        if places and all(misfits):
            path, line, _ = places[0]
            yield _wrong(each, misfits[0], f"{path}:{line}")


def _wrong(each: Named, why: str, place: str) -> Doubt:
    return Doubt(
        Kind.CALL,
        each.detail or each.text,
        "",
        f"`{each.text}` at {place} {why}",
        f"The call of line {each.line} raises TypeError",
        "Call it as it is defined, or add a step that changes its parameters and its callers",
        Weight.SIGNIFICANT,
        Confidence.HIGH,
        (each.line,),
        (place,),
    )


def _call(text: str) -> ast.Call | None:
    """A call with arguments; placeholders such as `…` and `...` are none."""
    if not text.endswith(")") or len(text) > MAX_CALL or _LEFT_OPEN.search(_QUOTED.sub("", text)):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the plan's own style is not ours to warn about
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if isinstance(tree, ast.Call) and (tree.args or tree.keywords) else None


def _functions(case: Case, each: Named) -> list[Place]:
    """The functions that a name may stand for; none where one of them cannot be judged."""
    places = [place for place in case.ground.occurrences(each.text).definitions if not _is_local(case, *place)]
    module = each.text.rpartition(".")[0].rpartition(".")[2]
    places = [place for place in places if module and _is_module(place[0], module)] or places
    if not 0 < len(places) <= MAX_DEFINITIONS:
        return []
    found: list[Place] = []
    for path, line in places:
        function = _function(case, path, line)
        if function is None:
            return []
        found.append((path, line, function))
    return _chosen(case, each, found)


def _is_local(case: Case, path: str, line: int) -> bool:
    """Whether the name only stands for a value inside of a function there."""
    lines = case.ground.text(path).split("\n")
    return (
        0 < line <= len(lines) and re.match(r"[ \t]+(?:self\.)?\w{1,100}[ \t]*(?::[^=\n]{1,80})?=", lines[line - 1]) is not None
    )


def _function(case: Case, path: str, line: int) -> Function | None:
    if not path.endswith(".py"):
        return None
    try:
        found = [each for each in case.ground.project.module(path).functions if each.line == line]
    except CounterproofError as error:
        case.ground.limitations.append(f"{path} was not parsed: {error}")
        return None
    plain = len(found) == 1 and all(_TRANSPARENT.match(_decorator(each)) for each in found[0].decorators)
    return found[0] if plain else None


def _decorator(each: Decorator) -> str:
    plain = each.value.callee if isinstance(each.value, Call) else each.value
    parts: list[str] = []
    while isinstance(plain, Attribute):
        parts.append(plain.name)
        plain = plain.value
    return ".".join(reversed([*parts, plain.id])) if isinstance(plain, Name) else "?"


def _chosen(case: Case, each: Named, found: list[Place]) -> list[Place]:
    """Those that the plan's words mean: of the class or the module that the name is written with, else of a file on the line."""
    owner = each.text.rpartition(".")[0]
    if owner:
        last = owner.rpartition(".")[2]
        owned = [place for place in found if place[2].owner.rpartition(".")[2] == last or _is_module(place[0], last)]
        return owned or ([] if last[:1].isupper() else found)
    named = {case.ground.resolve(other.text) for other in case.of(Mention.FILE) if other.line == each.line}
    return [place for place in found if place[0] in named] or found


def _is_module(path: str, name: str) -> bool:
    return path.endswith((f"/{name}.py", f"/{name}/__init__.py")) or path == f"{name}.py"


def _misfit(call: ast.Call, function: Function) -> str:
    own = _own(function)
    names = [each.name for each in own if each.kind in ("positional", "keyword")]
    taken = ", ".join(names) or "none"
    given = {word.arg for word in call.keywords if word.arg}
    if not any(each.kind == "**" for each in own):
        unknown = [word.arg for word in call.keywords if word.arg and word.arg not in names]
        if unknown:
            return f"takes no argument `{unknown[0]}`; it takes {taken}"
    open_ended = any(isinstance(each, ast.Starred) for each in call.args) or len(given) < len(call.keywords)
    most = sum(each.kind == "positional" for each in own)
    starred = any(each.kind == "*" for each in own)
    if not starred and not open_ended and len(call.args) > most:
        return f"takes at most {counted(most, 'positional argument')}, not {len(call.args)}; it takes {taken}"
    left = [each.name for each in own[len(call.args) :] if _is_required(each) and each.name not in given]
    if left and not open_ended and len(call.args) + len(given) > 1:
        return f"also needs `{left[0]}`; it takes {taken}"
    return ""


def _not_taken(function: Function, listed: list[str], count: int | None) -> str:
    own = _own(function)
    names = [each.name for each in own if each.kind in ("positional", "keyword")]
    taken = ", ".join(names) or "none"
    if any(each.kind in ("*", "**") for each in own):
        return ""
    unknown = [each for each in listed if each not in names]
    if unknown and len(unknown) < len(listed):  # a list of which nothing fits is one of words, not of names
        return f"takes no argument `{unknown[0]}`; it takes {taken}"
    required = sum(_is_required(each) for each in own)
    if count is not None and not required <= count <= len(own):
        return f"takes {counted(len(own), 'argument')}: {taken}"
    return ""


def _own(function: Function) -> list[Parameter]:
    return [each for each in function.parameters if each.name not in ("self", "cls")]


def _is_required(each: Parameter) -> bool:
    return each.kind in ("positional", "keyword") and each.default is None
