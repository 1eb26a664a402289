"""Second readings of what a handler does or leaves out: guards, owners, amounts, races, patterns.

The control checks look at entry points and syntax; these readers look at the words of the function's text. Always holds: a word
that could mean a check leaves the answer unclear. Does not belong here: values of settings.
"""

import re

from counterproof.analysis.backward.rereading.answers import Answer, Reader, no, unclear, yes
from counterproof.analysis.backward.rereading.passage import Passage
from counterproof.model.finding import StepResult

_CALLER = re.compile(
    r"current_user|\bg\.(?:user|caller|session|identity)|session\[|session\.get|request\.user|login_required|jwt|token|authoriz"
    r"|authenticat|permission|\bsub\b|signature|hmac|api_?key|verify_",
    re.IGNORECASE,
)
_ROLE = re.compile(r"admin|role|staff|superuser|permission|scope", re.IGNORECASE)
_LOCK = re.compile(
    r"for update|select_for_update|with_for_update|atomic|\block\b|begin immediate|begin exclusive|serializable", re.IGNORECASE
)
_SENT = re.compile(r"\b(?:headers|cookies|args|form|values|GET|POST|META|COOKIES|query_params)(?:\.get\(|\[)")
_HELD = re.compile(r"^[ \t]{0,80}(\w{1,60})[ \t]{0,4}=(?!=)([^\n]{1,400})", re.MULTILINE)
_REPEATED = re.compile(r"[*+]\)[*+]|[*+][\w\[\]\\.?-]{0,24}\)[*+{]|\|[^)]{0,40}\)[*+]")


def _login(passage: Passage) -> Answer:
    found = _CALLER.search(passage.decorators + "\n" + passage.function)
    if found:
        return unclear(f"the handler at {passage.place} speaks of {found.group(0)}")
    return yes(f"neither the decorators nor the body of the handler at {passage.place} ask who is calling")


def _role(passage: Passage) -> Answer:
    found = _ROLE.search(passage.decorators + "\n" + passage.function.partition("\n")[2])
    if found:
        return unclear(f"the handler at {passage.place} speaks of {found.group(0)}")
    return yes(f"neither the decorators nor the body of the handler at {passage.place} ask for a role")


def _owner(passage: Passage) -> Answer:
    body = passage.function.partition("\n")[2]
    found = re.search(
        r"current_user|\bg\.(?:user|caller)|session|request\.user|\bsub\b|owner|\bauthor(?:_id)?\b", body, re.IGNORECASE
    )
    if found:
        return unclear(f"the handler at {passage.place} speaks of {found.group(0)}; whether it compares it is not plain")
    return yes(f"the body of the handler at {passage.place} never speaks of the caller")


def _spoofable(passage: Passage) -> Answer:
    """A test of what the request itself says, at once or under the name of a variable."""
    if re.search(r"[!=]=|\bin\b|startswith", passage.statement):
        held = [found[1] for found in _HELD.finditer(passage.function) if _SENT.search(found[2])]
        held += [found[1] for found in _HELD.finditer(passage.function) if set(re.findall(r"\w+", found[2])) & {*held}]
        if _SENT.search(passage.statement) or {*held} & set(re.findall(r"\w+", passage.statement)):
            return yes(f"the test at {passage.place} is passed by whoever writes the value into the request")
    return unclear(f"the test at {passage.place} does not plainly trust the request")


def _claimed_role(passage: Passage) -> Answer:
    answer = _spoofable(passage)
    return answer if answer.result is StepResult.PASS and _ROLE.search(passage.statement) else _role(passage)


def _fields(passage: Passage) -> Answer:
    if re.search(r"setattr\(|\*\*|\.update\(", passage.statement):
        listed = re.search(r"\bin [A-Z_]{3,40}\b|ALLOWED|fields\b.{0,20}\bin\b", passage.function)
        if listed:
            return unclear(f"the function at {passage.place} has a list of names: {listed.group(0)}")
        return yes(f"the statement at {passage.place} takes the names of fields from what it is given")
    if re.search(r"(?:admin|role|is_staff|superuser)\s{0,4}=", passage.statement):
        return yes(f"the statement at {passage.place} sets a privilege")
    return unclear(f"the statement at {passage.place} sets no fields by name")


def _race(passage: Passage) -> Answer:
    found = _LOCK.search(passage.decorators + passage.function)
    if found:
        return no(f"the function at {passage.place} locks: {found.group(0)}")
    if re.search(r"\bif\b[^\n]{1,200}[<>]", passage.function):
        return yes(f"the function at {passage.place} tests first and changes later, and nothing in it locks")
    return unclear(f"the function at {passage.place} shows no test of a number")


def _amount(passage: Passage) -> Answer:
    name = passage.statement.partition("=")[0].strip()
    if name.isidentifier() and re.search(
        rf"[<>]=?\s{{0,4}}{name}\b|\b{name}\s{{0,4}}[<>]|(?:min|max|range)\([^)]{{0,80}}\b{name}\b", passage.function
    ):
        return no(f"{name} is bounded in the function at {passage.place}")
    if re.search(r"type\s{0,4}=\s{0,4}(?:int|float)|(?:int|float|Decimal)\(", passage.statement):
        return yes(f"the number read at {passage.place} is not compared with anything in its function")
    return unclear(f"the statement at {passage.place} reads no number")


def _credit(passage: Passage) -> Answer:
    tests = [line for line in passage.function.split("\n") if re.match(r"\s{0,40}(?:if|elif|while)\b", line)]
    if any(re.search(r"status|state|refunded|cancelled|canceled|move\(", line) for line in tests):
        return no(f"the function at {passage.place} looks at the state before it gives the money")
    return yes(f"no test in the function at {passage.place} looks at the state")


def _pattern(passage: Passage) -> Answer:
    if _REPEATED.search(passage.statement):
        return yes(f"the pattern at {passage.place} repeats a group that repeats inside")
    return unclear(f"the pattern is not spelled out at {passage.place}")


BEHAVIOUR: dict[int, Reader] = {
    **dict.fromkeys((306, 862, 287), _login),
    **dict.fromkeys((285, 863), _role),
    284: _claimed_role,
    639: _owner,
    290: _spoofable,
    **dict.fromkeys((915, 269), _fields),
    **dict.fromkeys((362, 367), _race),
    **dict.fromkeys((840, 20, 1284, 839, 602), _amount),
    **dict.fromkeys((841, 837), _credit),
    **dict.fromkeys((1333, 400), _pattern),
}
"""By CWE."""
