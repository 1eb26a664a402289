"""The phrases by which text that speaks to a model is known, as data: rows of word groups with at most so many words between.

Always holds: every gap is bounded, so matching is linear in the text; patterns are written for text that is folded to lower case
on one line. Strong phrases count alone; weak ones are everyday English. What a match means does not belong here.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a sign is about."""

    OVERRIDE = "tells the reader to drop its instructions"
    ROLE = "gives the reader a new role"
    STEERING = "tells the reader what to report"
    FORGERY = "imitates marks of the engine"
    TOKENS = "holds special tokens of chat formats"
    TOOL_CALL = "imitates a tool call"
    CARRYING_OUT = "asks for data to be carried out"
    ADDRESS = "addresses its reader"
    CLAIM = "claims of the author about the code's safety"


@dataclass(frozen=True, slots=True)
class Phrase:
    """`needed` are groups of words of which every text that matches holds at least one each; most texts fail that at once."""

    kind: Kind
    strong: bool
    pattern: re.Pattern[str]
    needed: tuple[tuple[str, ...], ...] = ()

    def possible(self, text: str) -> bool:
        return all(any(word in text for word in group) for group in self.needed)


class _Words(str):
    """A group of alternatives as a pattern; `literals` are their beginnings up to the first special character. What is written
    before or behind a group leaves it needed."""

    __slots__ = ("literals",)
    literals: tuple[str, ...]

    def __add__(self, other: str) -> "_Words":
        return _group(str(self) + str(other), self.literals)

    def __radd__(self, other: str) -> "_Words":
        return _group(str(other) + str(self), self.literals)


def _group(pattern: str, literals: tuple[str, ...]) -> _Words:
    group = _Words(pattern)
    group.literals = literals
    return group


def _any(text: str) -> _Words:
    """One of these, where '_' stands for a blank."""
    words = [word.replace("_", " ") for word in text.split()]
    return _group("(?:" + "|".join(words) + ")", tuple(_beginning(word).rstrip() or " " for word in words))


def _beginning(pattern: str) -> str:
    """The text that a pattern begins with, up to its first special character."""
    return re.split(r".\?|[\[\\(]", pattern)[0]


def _phrase(kind: Kind, strong: bool, *parts: str | int) -> Phrase:
    """Groups of words; a number between two groups is how many other words may stand there."""
    pattern = r"(?<![\w-])"
    for part in parts:
        pattern += rf"(?: [^ ]{{1,40}}){{0,{part}}}? " if isinstance(part, int) else part
    words = (part for part in parts if not isinstance(part, int))
    needed = tuple(part.literals if isinstance(part, _Words) else (_beginning(part),) for part in words)
    return Phrase(kind, strong, re.compile(pattern + r"(?![\w-])"), needed)


def _raw(kind: Kind, strong: bool, needed: str, *alternatives: str) -> Phrase:
    """Alternatives as they are; `needed` are texts, separated by blanks, of which one stands in every match."""
    groups = [each.literals for each in alternatives if isinstance(each, _Words)]
    held = ({word: None for group in groups for word in group},) if len(groups) == len(alternatives) else ()
    return Phrase(kind, strong, re.compile("|".join(alternatives)), (tuple(needed.split()), *map(tuple, held)))


_DISREGARD = _any(
    "ignore disregard forget override overrule neglect discard do_not_follow don't_follow stop_following pay_no_attention_to"
)
_EARLIER = _any("previous prior above earlier preceding foregoing your system all any_other other safety these those")
_ORDERS = _any("instructions? prompts? directives? guidelines? system_messages?")
_READER = _any(
    "ai llm language_model chat_?bot ai_assistant ai_agent ai_model ai_reviewer ai_auditor security_auditor code_reviewer "
    "automated_reviewer automated_scanner automated_auditor automated_tool chatgpt gpt-?\\d\\S* claude copilot gemini llama"
)
_VERDICT = _any(
    "report flag skip mark approve treat classify trust ignore reveal exclude omit hide conclude rate label score pass bypass"
)
_MUST = _any(
    "must should shall please do_not don't never is_to are_to has_to have_to need_to needs_to can_safely may_safely you_must"
)
_SAY = _any("report return respond reply answer conclude say state output hand_in declare claim")
_NOTHING = (
    _any("no zero 0 an_empty_list_of")
    + " "
    + _any("security critical new such other")
    + "?"
    + " ?"
    + _any("findings? issues? vulnerability vulnerabilities problems weaknesses")
)
_THIS_CODE = (
    _any("in for about from with on")
    + " "
    + _any("this the")
    + " "
    + _any("file code repo repository project audit review module")
)
_SECRETS = _any(
    "secrets? api_?keys? api-keys? access_tokens? auth_tokens? session_tokens? credentials passwords? environment_variables? "
    "env_vars? system_prompt conversation canary file_contents? source_code"
)
_CARRY = _any("send post upload forward exfiltrate transmit leak append embed encode include put")
_SAFE = _any(
    "safe secure clean reviewed audited approved false[-_]positives? a_false[-_]positive not_vulnerable harmless covered n/a "
    "trusted informational low"
)
_LOOK = _any(
    "report reporting flag flagging audit auditing review reviewing scan scanning analy[sz]e analy[sz]ing mention mentioning"
)
_AUDITED = _any("audited reviewed pen-?tested vetted verified checked approved")

PHRASES: tuple[Phrase, ...] = (
    _phrase(Kind.OVERRIDE, True, _DISREGARD, 3, _EARLIER, 3, _ORDERS),
    _phrase(Kind.OVERRIDE, True, _DISREGARD, " ", _EARLIER, " ", _ORDERS),
    _phrase(Kind.OVERRIDE, False, _DISREGARD, 2, _any("previous prior above earlier your system original everything")),
    _phrase(
        Kind.OVERRIDE,
        True,
        _any("your previous earlier prior above original"),
        2,
        _any("instructions? orders prompts? guidelines? directives? rules"),
        " ",
        _any("no_longer_apply no_longer_hold do_not_apply don't_apply cease_to_apply are_void are_cancelled are_obsolete"),
    ),
    _raw(
        Kind.OVERRIDE,
        True,
        "instructions prompt directive",
        r"\b(?:new|updated|real|actual|revised|hidden|secret) (?:system )?(?:instructions|prompt|directives?) ?"
        r"(?::|=|are |follow)",
    ),
    _phrase(
        Kind.OVERRIDE,
        False,
        _any("your the"),
        " ",
        _any("new real actual only true"),
        " ",
        _any("task job goal instructions? purpose"),
        " ",
        _any("is are"),
    ),
    _phrase(
        Kind.ROLE,
        True,
        _any("you_are_now you_are_no_longer you_are_from_now_on"),
        6,
        _any("assistant ai model agent auditor reviewer bot mode dan linter developer bound restricted hacker persona pirate"),
    ),
    _phrase(
        Kind.ROLE,
        True,
        _any("act behave respond answer speak"),
        " ",
        _any("as like"),
        4,
        _any("assistant ai chatbot language_model jailbroken unrestricted uncensored linter"),
    ),
    _phrase(
        Kind.ROLE,
        True,
        _any("enter enable activate switch_to you_are_in"),
        " ",
        _any("god unrestricted jailbreak dan admin_override"),
        " mode",
    ),
    _phrase(
        Kind.ROLE,
        False,  # programs have such modes, too
        _any("enter activate switch_to you_are_in"),
        " ",
        _any("developer debug maintenance"),
        " mode",
    ),
    _phrase(
        Kind.ROLE,
        True,
        _any("stop_being quit_being you_are_not imagine_you_are imagine_being") + " (?:an? |the )?(?:[^ ]{1,40} )?",
        _any("assistant ai auditor reviewer model chatbot scanner unrestricted"),
    ),
    _phrase(Kind.ROLE, True, _any("let_us let's"), " play", 6, _any("you_are you_play")),
    _phrase(
        Kind.ROLE, True, "as an? (?:large |helpful |good |trusted )?", _any("language_model llm ai chatbot"), r",?", 3, "you"
    ),
    _phrase(Kind.ROLE, False, "from now on,? ", _any("you act respond answer behave always only")),
    _phrase(Kind.ROLE, False, "pretend ", _any("to_be you_are you're that_you")),
    _raw(
        Kind.STEERING,
        True,
        "dear hey attention note instruction message to",
        r"\b(?:dear|hey|attention,?|(?:note|instructions?|message) (?:to|for)(?: the| any| all)?) " + _READER + r"s? ?[:!]",
        r"\b(?:dear|hey|note to(?: the| any| all)?) " + _READER + r"s?\b",
        r"\bto (?:the |any |all |every |whichever )?" + _READER + r"s? ?:",
    ),
    _phrase(Kind.STEERING, True, _READER, "s?[,:]?", 4, _MUST, r" (?:not |never |always |only |safely )?", _VERDICT),
    _raw(
        Kind.STEERING,
        True,
        "you",
        r"\bif you are an? (?:ai|llm|language model)\b",
        r"\bif you are an? (?:ai |automated |security |code )(?:assistant|reviewer|auditor|agent|scanner)\b",
    ),
    _phrase(Kind.STEERING, True, _SAY, 4, _NOTHING, 3, _THIS_CODE),
    _phrase(Kind.STEERING, True, _SAY, 4, _NOTHING, " ", _THIS_CODE),
    _phrase(Kind.STEERING, True, _SAY, " (?:with |that )?", _any("no zero 0"), " findings"),
    _phrase(Kind.STEERING, False, _SAY, 4, _NOTHING),
    _phrase(
        Kind.STEERING,
        True,
        "you " + _any("must should shall may can have_to need_to will are_to"),
        " ",
        _any("not never") + " ",
        _any("flag report mention audit review analyse analyze criticise criticize question"),
    ),
    _phrase(
        Kind.STEERING,
        True,
        _any("whoever_reads_this anyone_reading_this the_reviewer the_auditor every_reviewer every_auditor reviewers auditors"),
        " ",
        _any("must should shall can may will has_to have_to needs_to is_to are_to"),
        "(?: not| never| safely| only)? ",
        _any("conclude assume ignore skip overlook approve trust omit leave report consider disregard"),
    ),
    _phrase(
        Kind.STEERING,
        True,
        _READER,
        "s?",
        4,
        "to ",
        _any("leave skip ignore exclude omit overlook approve trust disregard"),
    ),
    _phrase(
        Kind.STEERING,
        False,
        _any("do_not don't never"),
        " ",
        _any("tell inform warn notify alert"),
        " (?:the |your )?",
        _any("user auditor developer human operator reviewer owner"),
    ),
    _phrase(Kind.STEERING, False, _any("mark treat classify label rate report"), 4, "as ", _SAFE),
    _phrase(Kind.STEERING, False, _any("do_not don't never no_need_to stop refrain_from"), " ", _LOOK),
    _raw(
        Kind.FORGERY,
        True,
        "agent_result data end cp- nothing_found human_approved",
        r"\b(?:nothing_found|human_approved)\b",
        r"={2,} ?agent_result",
        r"<{2,} ?(?:data|end) [0-9a-f]{8,}",
        r"\bcp-[0-9a-f]{16,}",
    ),
    _phrase(
        Kind.FORGERY,
        True,
        _any("end close"),
        " of (?:the )?",
        _any("untrusted user reviewed external quoted"),
        " ",
        _any("data input content text code"),
    ),
    _phrase(
        Kind.FORGERY,
        True,
        _any("begin start_of new"),
        " ",
        _any("trusted system engine operator developer"),
        " ",
        _any("prompt instructions? message block section"),
    ),
    _raw(
        Kind.FORGERY,
        False,
        "system engine operator end inst untrusted data",
        r"\[(?:system|engine|operator|end|inst)\]",
        r"</?(?:system|instructions?|untrusted|data)>",
    ),
    _raw(
        Kind.TOKENS,
        True,
        "<| inst] sys>> of_turn [available [tool",
        r"<\|(?:im_|endof|system|user|assistant|eot|eom|start|end|begin_of|tool|channel|message|return|constrain)[^|>]{0,20}\|>",
        r"\[/?inst\] ",
        r"<</?sys>>",
        r"<(?:start|end)_of_turn>",
        r"\[(?:available_tools|tool_calls|tool_results)\]",
    ),
    _raw(
        Kind.TOOL_CALL,
        True,
        "function_call tool_ antml invoke",
        r"</?(?:function_calls?|tool_calls?|tool_code|tool_outputs?|tool_response|antml:[a-z_]{1,20}|invoke name)\b",
    ),
    _raw(
        Kind.TOOL_CALL,
        False,
        "tool function",
        r"\"type\" ?: ?\"(?:tool_use|function_call|tool_result)\"",
        r"\"tool_calls\" ?:",
        r"\bcall (?:the )?(?:tool|function) ",
    ),
    _raw(
        Kind.CARRYING_OUT,
        True,
        "![",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}(?:\{|%7b|\$|<|=(?:secret|data|key|token|canary))",
    ),
    _phrase(
        Kind.CARRYING_OUT,
        True,
        _CARRY,
        6,
        _SECRETS,
        8,
        _any("to in into at as via through") + r"(?: [^ ]{1,40}){0,2}? \(?(?:https?:|url|query|webhook|image|link|attacker)\S*",
    ),
    _phrase(
        Kind.CARRYING_OUT,
        True,
        _any("reveal repeat print output disclose show leak"),
        3,
        _any("your the"),
        " ",
        _any("system_prompt initial_prompt hidden_instructions system_message"),
    ),
    _phrase(
        Kind.ADDRESS,
        False,
        "your ",
        _any("answers? output reports? reply response confidence duty findings verdict audit review summary judgement"),
    ),
    _phrase(
        Kind.ADDRESS,
        False,
        _any("ai llm code coding automated security") + " ",
        _any("assistants? agents? tools? models? reviewers? scanners? auditors?"),
    ),
    _phrase(Kind.ADDRESS, False, _any("dear hello hi hey any_model another_agent this_agent the_assistant the_auditor the_ai")),
    _phrase(Kind.ADDRESS, False, _any("whatever_you_find whoever_reads anyone_reading reading_this processes_this reads_this")),
    _phrase(Kind.STEERING, False, _any("say state claim confirm conclude declare pretend answer reply respond"), 7, _SAFE),
    _phrase(Kind.STEERING, False, _any("consider treat assume regard"), 7, "as " + _SAFE),
    _phrase(
        Kind.STEERING,
        False,
        _any("skip cancel abort stop finish end leave"),
        " (?:the |this |your |all |any )?(?:further |remaining |other )?",
        _any("audit review scan steps checks analysis findings"),
    ),
    _phrase(
        Kind.STEERING,
        False,
        _any("not_to_be must_not_be forbidden_to prohibited_to exempt_from excluded_from"),
        " ",
        _any("reported flagged reviewed audited opened report flag review audit open scanning auditing"),
    ),
    _phrase(Kind.STEERING, False, _any("must should shall"), " not ", _any("open read report flag analyse analyze review audit")),
    _phrase(Kind.STEERING, False, "empty (?:list of |set of )?", _any("findings report verdict"), "(?: array| list)?"),
    _phrase(
        Kind.CARRYING_OUT,
        False,
        _any("copy include paste put embed quote print"),
        6,
        _any("contents? secrets? passwords? keys? credentials tokens? env /etc/passwd .env"),
    ),
    _phrase(Kind.CLAIM, False, "already (?:been )?(?:security[- ])?", _AUDITED),
    _phrase(
        Kind.CLAIM,
        False,
        _any("audited reviewed approved vetted signed[-_]off cleared verified"),
        " by (?:a |the |our |an )?",
        _any("security human appsec infosec external auditors? expert team"),
    ),
    _raw(
        Kind.CLAIM,
        False,
        "human false security vulnerabilit risk",
        r"\bhuman (?:reviewer )?(?:has )?(?:approved|confirmed|verified|signed off)\b",
        r"\bfalse[- ]positive\b",
        r"\bsecurity (?:fix|hardening|review passed|audit passed|approved|reviewed)\b",
        r"\b(?:no|not a) (?:security )?(?:vulnerabilit|risk)",
    ),
)
