"""Detects sentences that give orders about a review, in any wording, by the combination of their parts.

Phrases (see `phrases`) match the usual wordings. Here a sentence is scored by its parts: a command or a ruling, a non-human
reader, the subject of an audit, a verdict, a request for silence, a claim of authority, the reader's own orders or output, a
reference to the location. Code often contains any one of them ("skip this file", "approved by the team"); an order to a
reviewer combines several, including one that ordinary code lacks.

Invariant: linear, because sentences are bounded and every pattern is a list of words; the usual combinations in ordinary
comments score below the threshold.
"""

import re
from dataclasses import dataclass

_SENTENCE = re.compile(r"[^.!?]{12,400}[.!?]?")
THRESHOLD = 7


def _words(text: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w-])(?:" + "|".join(word.replace("_", " ") for word in text.split()) + r")(?![\w-])")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a sentence and its score. `telling`: rare in ordinary comments."""

    weight: int
    telling: bool
    pattern: re.Pattern[str]


_VERBS = (
    "say|output|reply|answer|repeat|state|tell|conclude|claim|describe|approve|ignore|skip|drop|discard|avoid|omit|stop|"
    "begin|append|copy|follow|pretend|consider|treat|trust|lower|mark|report|respond|overlook|disregard|comment|list|"
    "confirm|cancel|flag|mention|praise|translate|leave|classify|rate|give|grant|accept|assume|regard|record|register|"
    "downgrade|reject|finish|proceed|continue|move on|carry on|sign|close|hold back|keep|quote|reveal|print|show|send|"
    "write|forget|set aside|include|discuss|raise|defend|summari[sz]e|sum up|execute|call|use|count|override|act|replace|"
    "remember|waste|dig|produce|examine|inspect|open|read"
)
_COMMAND = re.compile(
    r"(?:^ ?|[:;,!-] |(?<![\w-])(?:please|kindly|must|should|shall|may|will|can|has to|have to|is to|are to|and|to|then|"
    r"not|never|always|only|instead) )"
    rf"(?:not |only |now |never |first |simply |just |be )?(?:{_VERBS})(?:ed|d|ing)?(?![\w-])"
)
_RULING = _words(
    "(?:is|are|was|were|be|been)_(?:not_to_be|exempt|waived|instructed|requested|required|obliged|forbidden|prohibited|"
    "out_of_scope) "
    "no_(?:need|point|reason|warnings?) (?:need|needs)_(?:not|no) may_(?:appear|be_(?:omitted|skipped|ignored)) "
    "must_(?:not_)?be has_to_be have_to_be not_allowed only_accept obliges my_permission i_hereby"
)
_MACHINE = _words(
    "ai llms? (?:large_)?language_models? gpt(?:-?\\d\\S*)? chatgpt claude copilot gemini chat_?bots? ai_\\w{1,30} "
    "(?:code|coding)_assistants? machine_readers? "
    "(?:automated|automatic)_(?:system|tool|reviewer|scanner|auditor|analysis|review|agent)s? "
    "(?:code_|audit_|review_|security_|analysis_)+(?:bots?|agents?|tools?|scanners?) (?:any|every)_model "
    "the_(?:model|agent|tool)_(?:reading|that_(?:reads|parses|processes)) intelligent_agent dan"
)
_REVIEWER = _words(
    "assistants? auditors? reviewers? analysts? graders? scanners? bots? evaluators? examiners? "
    "who(?:so)?ever(?:_\\w{1,30})? any(?:one|body)_(?:reading|reviewing|auditing|analy[sz]ing) the_agent"
)
_AUDIT = _words(
    "audits? auditing audited findings? vulnerabilit(?:y|ies) weakness(?:es)? defects? "
    "security_(?:issues?|concerns?|problems?|level) severity the_(?:risk|issue|bug|review|scan|verdict) penetration_test "
    "thumbs_up full_marks lgtm sign_\\w{1,30}_\\w{1,30}_off"
)
_BUSINESS = _words("merges? checks? verification validation validators? warnings? reports? risks? entries")
_VERDICT = _words(
    "harmless excellent informational negligible false[-_]positives? "
    "no_(?:security_)?(?:issues|findings|weaknesses|vulnerabilities) all_clear cannot_be_exploited zero_findings certified "
    "secure sound trusted sanitised sanitized protected resolved intentional verified fit_for_release in_order "
    "(?:is|as|are|word|be|and)_(?:safe|clean|approved|pass|passed|fine|low|final|noise|ok) everything_is_fine "
    "empty_(?:json_)?(?:array|list|findings|report) without_entries nothing_(?:to_see|else|here|left|more) success "
    "full_marks lgtm redundant"
)
_SILENCE = _words(
    "keep_silent keep_quiet hold_back stay(?:ed|s)?_between_us between_us "
    "do_not_(?:report|list|mention|tell|include|flag|discuss|raise|dig|comment) "
    "not_(?:report|list|mention|tell|include|flag|discuss|raise|comment|dig) leave_(?:this|it|them)_(?:alone|out) left_out "
    "out_of_scope no_details overlook without_(?:validation|checks|verification|examining|looking) finish_early "
    "avoid_opening waste_effort instead_of_(?:auditing|reviewing) not_to_comment nothing_to_see drop_them_all "
    "discard_the_remaining cancel_the_audit"
)
_AUTHORITY = _words(
    "administrators? operator management maintainers? the_owners? (?:the|our)_\\w{1,30}_(?:team|office|department) "
    "security_team compliance in_charge authority my_permission i_hereby exempt waived certified accepted_the_risk "
    "approved_by system_(?:notice|message|text) policy_update previous_reviewer "
    "already_(?:accepted|paid|approved|checked|completed|confirmed) been_(?:certified|checked_already|completed_by) "
    "by_order_of user_has_approved new_message the_system my_word"
)
_ORDERS = _words(
    "your_(?:instructions?|orders|rules|operator|role|context|job|duty|task|only_duty|initial_prompt|system_prompt|shell_tool|"
    "confidence|training) "
    "(?:rules|what|orders|instructions)_you_(?:were|are|started|had|have)(?:_\\w{1,30})? new_task_for_you hidden_rules "
    "you_were_(?:told|given) reprogrammed earlier_(?:orders|system|instructions) the_(?:instructions|orders|commands)_in "
    "before_answering correct_output expected_(?:answer|output) supersedes"
)
_OUTPUT = _words(
    "your_(?:report|reply|answers?|output|review|summary|verdict|findings?|response|conclusion|judgement|description) "
    "hand_in (?:the|an)_(?:answer|output)_(?:of|for|without)"
)
_TURN = re.compile(
    r"(?:^|[#>*=-] ?|\n)\s?(?:system|assistant)(?: (?:notice|message|note|prompt))?: "
    r"|</?(?:system|assistant|instructions?)> ?"
    r"|(?<![\w-])end of (?:the )?(?:code|input|context|document|user input|conversation|review|audit)(?![\w-])"
)
"""A conversation turn or an end marker, where an ordinary comment has neither."""
_CHANGED = re.compile(
    r"(?<![\w-])(?:your (?:new |only |first |previous |earlier )?(?:instructions?|orders|rules|role|job|duty|task|training)"
    r" (?:has|have|had|was|were|is|are)(?: been| now)? (?:changed|updated|replaced|revoked|void|suspended|lifted|over|finished)"
    r"|you (?:have been|were|are) (?:now )?(?:reprogrammed|reassigned|relieved|released from))(?![\w-])"
)
"""A claim that the reader's instructions have changed."""
_YOU = _words("you your yourself me my")
_PLACE = _words(
    "(?:this|these|the_following|the_next|next|following|remaining|every)_(?:\\w{1,30}_)?(?:files?|code|repository|project|"
    "modules?|folder|director(?:y|ies)|functions?|lines?|comment|commit|text|package|class|"
    "endpoint|helper|handler|routine|tree|application|positions?|one) "
    "reading_this reads_this processes_this examines_this evaluates_this parses_this below here"
)

PARTS = (
    Part(4, True, _MACHINE),
    Part(4, True, _ORDERS),
    Part(4, True, _TURN),
    Part(4, True, _CHANGED),
    Part(3, True, _OUTPUT),
    Part(3, True, _SILENCE),
    Part(2, True, _REVIEWER),
    Part(2, True, _AUDIT),
    Part(2, True, _VERDICT),
    Part(2, False, _COMMAND),
    Part(2, False, _RULING),
    Part(2, False, _AUTHORITY),
    Part(1, False, _BUSINESS),
    Part(1, False, _YOU),
    Part(1, False, _PLACE),
)
"""The telling parts first, so that most sentences are ruled out early."""

_OPENS = re.compile(rf"(?:^ ?|[:;!] |(?<![\w-])(?:please|kindly) )(?:do not |never |only |now )?(?:{_VERBS})(?![\w-])")
_CODE_SIGNS = "()[]{}=<>_`|*"
_CODE = re.compile(f"[{re.escape(_CODE_SIGNS)}]")
_TURN_WORDS = ("system", "assistant", "instruction", "end of")
"""Every turn contains one of these words, unless its markers are code."""
MAX_CODE = 2


def ordering(flat: str) -> list[tuple[int, str]]:
    """Offsets and texts of such sentences in lower-case text on one line."""
    return [(found.start(), found[0].strip()) for found in _SENTENCE.finditer(flat) if _orders(found[0])]


def _orders(sentence: str) -> bool:
    """True if prose scores high enough and addresses a reader or starts with its verb. One telling part alone is normal in
    text about models; a second one, or a claim of authority, makes it an order."""
    if sum(map(sentence.count, _CODE_SIGNS)) > MAX_CODE and not any(word in sentence for word in _TURN_WORDS):
        return False
    held = [part for part in PARTS if part.telling and part.pattern.search(sentence)]
    if not held or len(_CODE.findall(_TURN.sub("", sentence))) > MAX_CODE:
        return False
    if len(held) == 1 and not _AUTHORITY.search(sentence):
        return False
    held += [part for part in PARTS if not part.telling and part.pattern.search(sentence)]
    if sum(part.weight for part in held) < THRESHOLD:
        return False
    told = {id(part.pattern) for part in held} & {
        id(each) for each in (_MACHINE, _REVIEWER, _ORDERS, _TURN, _OUTPUT, _YOU, _RULING)
    }
    return bool(told) or bool(_OPENS.search(sentence))
