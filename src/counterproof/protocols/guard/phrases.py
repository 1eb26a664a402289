"""The phrases that identify text addressing a model, as data: rows of word groups with bounded gaps.

Invariant: every gap is bounded, so matching is linear in the text; patterns are written for lower-case text on one line.
Strong phrases count alone; weak ones are everyday English. Not handled here: the consequence of a match.
"""

from counterproof.protocols.guard.phrase_patterns import Kind, Phrase, any_of, phrase, raw

_DISREGARD = any_of(
    "ignore disregard forget override overrule neglect discard do_not_follow don't_follow stop_following pay_no_attention_to"
)
_EARLIER = any_of("previous prior above earlier preceding foregoing your system all any_other other safety these those")
_ORDERS = any_of("instructions? prompts? directives? guidelines? system_messages?")
_READER = any_of(
    "ai llm language_model chat_?bot ai_assistant ai_agent ai_model ai_reviewer ai_auditor security_auditor code_reviewer "
    "automated_reviewer automated_scanner automated_auditor automated_tool chatgpt gpt-?\\d\\S* claude copilot gemini llama"
)
_SAY = any_of("report return respond reply answer conclude say state output hand_in declare claim")
_SECRETS = any_of(
    "secrets? api_?keys? api-keys? access_tokens? auth_tokens? session_tokens? credentials passwords? environment_variables? "
    "env_vars? system_prompt conversation canary file_contents? source_code"
)
_CARRY = any_of("send post upload forward exfiltrate transmit leak append embed encode include put")
_SAFE = any_of(
    "safe secure clean reviewed audited approved false[-_]positives? a_false[-_]positive not_vulnerable harmless covered n/a "
    "trusted informational low"
)
_AUDITED = any_of("audited reviewed pen-?tested vetted verified checked approved")

PHRASES: tuple[Phrase, ...] = (
    phrase(Kind.OVERRIDE, True, _DISREGARD, 3, _EARLIER, 3, _ORDERS),
    phrase(
        Kind.OVERRIDE,
        True,
        any_of("your previous earlier prior above original"),
        2,
        any_of("instructions? orders prompts? guidelines? directives? rules"),
        " ",
        any_of("no_longer_apply no_longer_hold do_not_apply don't_apply cease_to_apply are_void are_cancelled are_obsolete"),
    ),
    phrase(
        Kind.ROLE,
        True,
        any_of("you_are_now you_are_no_longer you_are_from_now_on"),
        6,
        any_of("assistant ai model agent auditor reviewer bot mode dan linter developer bound restricted hacker persona pirate"),
    ),
    phrase(
        Kind.ROLE,
        True,
        any_of("act behave respond answer speak"),
        " ",
        any_of("as like"),
        4,
        any_of("assistant ai chatbot language_model jailbroken unrestricted uncensored linter"),
    ),
    phrase(
        Kind.ROLE,
        True,
        any_of("stop_being quit_being you_are_not imagine_you_are imagine_being") + " (?:an? |the )?(?:[^ ]{1,40} )?",
        any_of("assistant ai auditor reviewer model chatbot scanner unrestricted"),
    ),
    phrase(Kind.ROLE, True, any_of("let_us let's"), " play", 6, any_of("you_are you_play")),
    phrase(
        Kind.ROLE, True, "as an? (?:large |helpful |good |trusted )?", any_of("language_model llm ai chatbot"), r",?", 3, "you"
    ),
    phrase(Kind.ROLE, False, "from now on,? ", any_of("you act respond answer behave always only")),
    phrase(Kind.ROLE, False, "pretend ", any_of("to_be you_are you're that_you")),
    raw(
        Kind.STEERING,
        True,
        "dear hey attention note instruction message to",
        r"\b(?:dear|hey|attention,?|(?:note|instructions?|message) (?:to|for)(?: the| any| all)?) " + _READER + r"s? ?[:!]",
        r"\b(?:dear|hey|note to(?: the| any| all)?) " + _READER + r"s?\b",
        r"\bto (?:the |any |all |every |whichever )?" + _READER + r"s? ?:",
    ),
    phrase(
        Kind.STEERING,
        True,
        any_of("give return issue cast"),
        2,
        any_of("verdict vote"),
        r"[: ]{1,2}(?:of )?",
        any_of("approve pass clean"),
    ),
    phrase(Kind.STEERING, True, _SAY, " (?:with |that )?", any_of("no zero 0"), " findings"),
    raw(
        Kind.FORGERY,
        True,
        "agent_result data end cp- nothing_found human_approved",
        r"\b(?:nothing_found|human_approved)\b",
        r"={2,} ?agent_result",
        r"<{2,} ?(?:data|end) [0-9a-f]{8,}",
        r"\bcp-[0-9a-f]{16,}",
    ),
    phrase(
        Kind.FORGERY,
        True,
        any_of("end close"),
        " of (?:the )?",
        any_of("untrusted user reviewed external quoted"),
        " ",
        any_of("data input content text code"),
    ),
    phrase(
        Kind.FORGERY,
        True,
        any_of("begin start_of new"),
        " ",
        any_of("trusted system engine operator developer"),
        " ",
        any_of("prompt instructions? message block section"),
    ),
    raw(
        Kind.FORGERY,
        False,
        "system engine operator end inst untrusted data",
        r"\[(?:system|engine|operator|end|inst)\]",
        r"</?(?:system|instructions?|untrusted|data)>",
    ),
    raw(
        Kind.TOKENS,
        True,
        "<| inst] sys>> of_turn [available [tool",
        r"<\|(?:im_|endof|system|user|assistant|eot|eom|start|end|begin_of|tool|channel|message|return|constrain)[^|>]{0,20}\|>",
        r"\[/?inst\] ",
        r"<</?sys>>",
        r"<(?:start|end)_of_turn>",
        r"\[(?:available_tools|tool_calls|tool_results)\]",
    ),
    raw(
        Kind.TOOL_CALL,
        True,
        "function_call tool_ antml invoke",
        r"</?(?:function_calls?|tool_calls?|tool_code|tool_outputs?|tool_response|antml:[a-z_]{1,20}|invoke name)\b",
    ),
    raw(
        Kind.TOOL_CALL,
        False,
        "tool function",
        r"\"type\" ?: ?\"(?:tool_use|function_call|tool_result)\"",
        r"\"tool_calls\" ?:",
        r"\bcall (?:the )?(?:tool|function) ",
    ),
    raw(
        Kind.CARRYING_OUT,
        True,
        "![",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}(?:\{|%7b|\$|<|=(?:secret|data|key|token|canary))",
    ),
    phrase(
        Kind.CARRYING_OUT,
        True,
        _CARRY,
        6,
        _SECRETS,
        8,
        any_of("to in into at as via through") + r"(?: [^ ]{1,40}){0,2}? \(?(?:https?:|url|query|webhook|image|link|attacker)\S*",
    ),
    phrase(
        Kind.CARRYING_OUT,
        True,
        any_of("reveal repeat print output disclose show leak"),
        3,
        any_of("your the"),
        " ",
        any_of("system_prompt initial_prompt hidden_instructions system_message"),
    ),
    phrase(
        Kind.ADDRESS,
        False,
        "your ",
        any_of("answers? output reports? reply response confidence duty findings verdict audit review summary judgement"),
    ),
    phrase(Kind.ADDRESS, False, any_of("dear hello hi hey any_model another_agent this_agent the_assistant the_auditor the_ai")),
    phrase(Kind.ADDRESS, False, any_of("whatever_you_find whoever_reads anyone_reading reading_this processes_this reads_this")),
    phrase(Kind.STEERING, False, any_of("say state claim confirm conclude declare pretend answer reply respond"), 7, _SAFE),
    phrase(
        Kind.STEERING,
        False,
        any_of("skip cancel abort stop finish end leave"),
        " (?:the |this |your |all |any )?(?:further |remaining |other )?",
        any_of("audit review scan steps checks analysis findings"),
    ),
    phrase(
        Kind.STEERING,
        False,
        any_of("not_to_be must_not_be forbidden_to prohibited_to exempt_from excluded_from"),
        " ",
        any_of("reported flagged reviewed audited opened report flag review audit open scanning auditing"),
    ),
    phrase(
        Kind.STEERING, False, any_of("must should shall"), " not ", any_of("open read report flag analyse analyze review audit")
    ),
    phrase(Kind.STEERING, False, "empty (?:list of |set of )?", any_of("findings report verdict"), "(?: array| list)?"),
    phrase(
        Kind.CARRYING_OUT,
        False,
        any_of("copy include paste put embed quote print"),
        6,
        any_of("contents? secrets? passwords? keys? credentials tokens? env /etc/passwd .env"),
    ),
    phrase(Kind.CLAIM, False, "already (?:been )?(?:security[- ])?", _AUDITED),
    phrase(
        Kind.CLAIM,
        False,
        any_of("audited reviewed approved vetted signed[-_]off cleared verified"),
        " by (?:a |the |our |an )?",
        any_of("security human appsec infosec external auditors? expert team"),
    ),
    raw(
        Kind.CLAIM,
        False,
        "human false security vulnerabilit risk",
        r"\bhuman (?:reviewer )?(?:has )?(?:approved|confirmed|verified|signed off)\b",
        r"\bfalse[- ]positive\b",
        r"\bsecurity (?:fix|hardening|review passed|audit passed|approved|reviewed)\b",
        r"\b(?:no|not a) (?:security )?(?:vulnerabilit|risk)",
    ),
)
