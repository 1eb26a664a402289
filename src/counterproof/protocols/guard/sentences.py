"""Sentences that give orders about a review, in whatever words: a command together with talk of readers, verdicts or audits.

Phrases (see `phrases`) know the usual wordings; a sentence counts by what it brings together. It needs a command, and two of: a
reader that is no person, the business of an audit, a verdict, the second person, a place in the code; one of the first three must
be among them. Always holds: linear, because a sentence is bounded and every pattern is a list of words.
"""

import re

_SENTENCE = re.compile(r"[^.!?]{12,400}[.!?]?")


def _words(text: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w-])(?:" + "|".join(word.replace("_", " ") for word in text.split()) + r")(?![\w-])")


_COMMAND = re.compile(
    r"(?:^ ?|[:;,!-] |(?<![\w-])(?:please|kindly|must|should|shall|you will|you can|and|to|then|not|never|always|only) )"
    r"(?:not |only |now |never |first )?(?:say|output|reply|answer|repeat|state|tell|conclude|claim|describe|approve|ignore|skip|"
    r"drop|discard|avoid|omit|stop|begin|append|copy|follow|pretend|consider|treat|trust|lower|mark|report|respond|overlook|disregard|"
    r"comment|list|confirm|cancel|flag|mention|praise|translate|leave|classify|rate)(?![\w-])"
)
_READER = _words(
    "ai llms? language_models? assistants? ai_agents? auditors? reviewers? chat_?bots? claude chatgpt copilot the_model_reading "
    "(?:any|every)_model"
)
_AUDIT = _words(
    "audits? auditing audited findings? vulnerabilit(?:y|ies) security_(?:issues?|concerns?|problems?) every_severity the_review "
    "the_scan your_(?:report|reply|answer|output|instructions?|prompt|review) system_(?:message|prompt|notice) api_key shell_tool"
)
_VERDICT = _words(
    "harmless excellent informational false[-_]positives? no_(?:security_)?(?:issues|findings|weaknesses|vulnerabilities) "
    "all_clear cannot_be_exploited zero_findings (?:is|as|are|word)_(?:safe|secure|clean|trusted|approved|pass|passed|harmless)"
)
_YOU = _words("you your me")
_PLACE = _words("(?:this|these|following|remaining)_(?:files?|code|repository|project|modules?|folder|functions?|lines?)")


def ordering(flat: str) -> list[tuple[int, str]]:
    """Places and texts of such sentences in a text that was folded to lower case on one line."""
    return [(found.start(), found[0].strip()) for found in _SENTENCE.finditer(flat) if _orders(found[0])]


def _orders(sentence: str) -> bool:
    telling = [bool(pattern.search(sentence)) for pattern in (_READER, _AUDIT, _VERDICT)]
    if not any(telling):
        return False
    others = bool(_YOU.search(sentence)) + bool(_PLACE.search(sentence))
    return sum(telling) + others >= 2 and bool(_COMMAND.search(sentence))
