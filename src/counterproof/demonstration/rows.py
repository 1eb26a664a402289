"""The oracle for reading another user's rows: who can read the random words in a row of the first of two users.

Invariant: a word counts only if the reading user did not send it, a visitor without a session does not get it, and another
entry point returns it to its owner and withholds it from the second user. In two sandboxes.
"""

import contextlib
import re
import secrets
from typing import Any, Final, cast

from counterproof.demonstration.accounts import Account, account
from counterproof.demonstration.actions import INPUT, Action, Request, filled
from counterproof.demonstration.course import ANSWER_SECONDS, Course
from counterproof.demonstration.sandbox.running import Sandbox, Silent

CONTROL: Final = "another entry keeps the row from the second user, and a visitor without a session does not get it"
LIMITS: Final = "another user's row can be seen only in the answer to a GET with its id in the path, and if it is in SQLite"
TIMES: Final = 2
MAX_KEYS: Final = 4
MAX_ROWS: Final = 8
_WORDS: Final = 60
_KEY: Final = re.compile(r"[\w-]{1,64}")


def shown_to_others(course: Course, action: Action) -> bool:
    """True if the entry point returns the first user's data to a second user."""
    if not isinstance(action, Request) or INPUT not in action.path or action.method != "GET":
        return False
    return all(_once(course, action) for _ in range(TIMES))


def kept_for_owner(course: Course, sandbox: Sandbox, action: Action) -> bool:
    """True if the entry point returns a row to its owner and not to a second user."""
    first, second = (account(sandbox, course.subject.ways, ANSWER_SECONDS) for _ in range(2))
    if first is None or second is None or not isinstance(action, Request):
        return False
    return any(_is_kept(sandbox, action, keys, words, (first, second)) for keys, words in _rows(sandbox, first))


def _once(course: Course, action: Request) -> bool:
    with course.fresh() as (sandbox, _), contextlib.suppress(Silent):
        first, second = (account(sandbox, course.subject.ways, ANSWER_SECONDS) for _ in range(2))
        if first is None or second is None:
            return False
        for keys, words in _rows(sandbox, first):
            for key in keys:
                given = _words(sandbox, action, key, second) & words
                if not given or _words(sandbox, action, key, None) & given:
                    continue
                if any(
                    _is_kept(sandbox, each, keys, words, (first, second)) for each in course.subject.peers if INPUT in each.path
                ):
                    return True
    return False


def _rows(sandbox: Sandbox, owner: Account) -> list[tuple[list[str], set[str]]]:
    """The user's rows: the keys for requesting them, and the words in them."""
    new = [f"w{secrets.token_hex(6)}" for _ in range(_WORDS)]
    answer, _ = sandbox.ask({"do": "mark", "name": owner.name, "words": new}, ANSWER_SECONDS)
    found: list[tuple[list[str], set[str]]] = []
    for each in cast("list[Any]", answer.get("found") or [])[:MAX_ROWS]:
        with contextlib.suppress(TypeError, ValueError):
            keys, words = each
            named = [str(key) for key in keys if _KEY.fullmatch(str(key))][:MAX_KEYS]
            found.append((named, {str(word) for word in words} & set(new)))
    return found


def _words(sandbox: Sandbox, action: Request, key: str, user: Account | None) -> set[str]:
    """The words in the answer, except those that were sent."""
    given = filled(action, key)
    assert isinstance(given, Request)
    answer, _ = sandbox.ask((user.visit.applied(given) if user else given).sent(), ANSWER_SECONDS)
    return set(re.findall(r"w[0-9a-f]{12}", str(answer.get("body", "")))) - {key}


def _is_kept(sandbox: Sandbox, peer: Request, keys: list[str], words: set[str], users: tuple[Account, Account]) -> bool:
    """True if an entry point returns the row only to its owner."""
    if peer.method != "GET":
        return False
    return any(_words(sandbox, peer, key, users[0]) & words and not _words(sandbox, peer, key, users[1]) & words for key in keys)
