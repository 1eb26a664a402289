"""What a plan leaves out: a way back for changed data, a word on failing outside systems. Risks, not challenges: silence
contradicts no line (P20).

Always: silence is only doubted where the plan does the risky thing itself, in words that leave no doubt.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.model.plan.challenge import Confidence, Weight

_DATA_CHANGE = re.compile(
    r"\b(?:alter table|drop (?:the )?(?:`?[\w.]{1,60}`? )?(?:column|table|index)|(?:data(?:base)?|schema) migrations?"
    r"|migrat(?:e|es|ing|ion)\b.{0,60}\b(?:table|column|rows|records|schema|database)|backfill"
    r"|(?:add|rename|remove|change)s? (?:a |an |the )?(?:[\w`.-]{1,60} ){0,3}column|alembic (?:revision|upgrade)|makemigrations"
    r"|(?:write|create|add|generate)s? (?:a |an |the )?(?:[\w`.-]{1,60} ){0,2}migration)\b",
    re.IGNORECASE,
)
_WAY_BACK = re.compile(
    r"(?<![\w-])(?:roll(?:ed|ing)?[- ]?back|rollback|downgrade|down migration|reversible|undo|back ?ups?|snapshot|restore"
    r"|revert\w{0,4}(?![ \t]+(?:the |this |that )?(?:commits?|changes?|pr|pull request|merge|release|deploy\w{0,6}|code))"
    r"|reverse (?:migration|operation|sql|code)|feature flag|expand[- ]and[- ]contract)\b",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:call|calls|request|requests|fetch|fetches|post|posts|send|sends|query|queries|poll|polls|invoke|charge|upload|download)\b",
    re.IGNORECASE,
)
_FAILING = re.compile(
    r"\b(?:time[- ]?outs?|retr(?:y|ies)|fail\w{0,6}|error\w{0,3}|exceptions?|fallback"
    r"|circuit breaker|backoff|unavailable|outage|(?:is|are|goes|be) down|downtime|idempoten\w{0,3})\b",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    """The text without single names in code marks: a file called `errors.py` is no word on errors."""
    return re.sub(r"`[^`\s]{1,200}`", " ", text)


def probed(case: Case) -> tuple[Doubt, ...]:
    """All of them."""
    return (*no_way_back(case), *silent_on_failure(case))


def no_way_back(case: Case) -> Iterator[Doubt]:
    """Stored data is changed and the plan names no way back."""
    if _WAY_BACK.search(_plain(case.text)):
        return
    for number, line in enumerate(case.lines, 1):
        match = _DATA_CHANGE.search(line[:2_000])
        if match:
            yield Doubt(
                Kind.ROLLBACK,
                match[0].strip(" `")[:100],
                "",
                "The plan changes stored data and says nothing of how to go back: no rollback, downgrade or backup is named",
                "The new code is withdrawn after the data has changed; the old code cannot read it and there is no path back",
                "Add the reverse migration, or a backup with the step that restores it, and say when the change is final",
                Weight.MINOR,
                Confidence.MED,
                (number,),
            )
            return


def silent_on_failure(case: Case) -> Iterator[Doubt]:
    """An outside system is called and the plan has no word for its failing."""
    if not case.outline.systems or _FAILING.search(_plain(case.text)):
        return
    named = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in case.outline.systems[:20]), re.IGNORECASE)
    for number, line in enumerate(case.lines, 1):
        match = named.search(line)
        if match and _OUTSIDE.search(line):
            yield Doubt(
                Kind.FAILURE,
                match[0],
                "",
                f"Line {number} calls `{match[0]}`, and no line says what happens when it is slow, down or answers with an error",
                "The system outside is down for minutes; requests hang without a limit and work is lost or done twice",
                "Name the time limit, what is tried again, and what the user sees meanwhile",
                Weight.MINOR,
                Confidence.MED,
                (number,),
            )
            return
