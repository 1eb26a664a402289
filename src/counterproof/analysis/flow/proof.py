"""The proof of a flow: the entry of the data, every step, its checks, and the sink, each as a fact or an assumption (A55).

Invariant: symbols are the engine's own, taken from the code it ran. Not handled here: wording, rating.
"""

import re
from collections.abc import Iterable

from counterproof.analysis.accounts import knows_callers
from counterproof.analysis.flow.hits import DECODED, ENDED, FOLDER, NAMED, stopping
from counterproof.analysis.flow.marks import root_of
from counterproof.analysis.flow.outcome import Outcome
from counterproof.analysis.flow.pattern_use import MAKING, is_handed_on
from counterproof.analysis.flow.sources import BROWSER_CHANNELS, DOCUMENTS, LOCAL_CHANNELS
from counterproof.analysis.flow.unread_checks import guard_reads, unread_check
from counterproof.analysis.flow.values import CALLER, STORED, Source, Step, Taint, steps_of
from counterproof.analysis.libraries import names
from counterproof.analysis.program.callees import file_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project, Quotes
from counterproof.analysis.proofs import (
    broken_by,
    entry_guards,
    fact_at,
    handler_links,
    mention,
    step_fact,
    unknown_reach,
    written_name,
)
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.literals import UNSAFE_MARKUP
from counterproof.analysis.syntax.walk import calls
from counterproof.model.dimension import Dimension
from counterproof.model.fact import MAX_SYMBOL, Fact, Operation
from counterproof.model.flow import StepKind
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, ConsideredGuard, Guess, Link, Part, Proof, Shape, Verdict
from counterproof.model.recon import TOOL, EntryPoint, Guard
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_SECRETS = vocabulary("password pass passwd pwd token secret code otp pin hash key apikey session reset")
_SCRIPT = "$"

_PARAMETER = "parameter "
_TAKEN_APART = re.compile(r"[({,]\s{0,9}\{\s{0,9}(\w{1,80})")
"""A destructured parameter without a name: `(_, { id }) => …`."""
_FORM = "form "
_COOKIE = re.compile(r"[cC]ookie|[sS]ession|[pP]assport|[lL]ogin_?[rR]equired|current_user|[iI]s_?[aA]uthenticated")
_DEFENCE = "a check, conversion or escaping that stops this"


def proof_of(quotes: Quotes, outcome: Outcome, taint: Taint, entry: EntryPoint | None, passed: Iterable[str]) -> Proof:
    """The proof of one sink and the origin with the best evidence."""
    source = taint.origin
    assert isinstance(source, Source)
    steps = steps_of(taint.step)
    links = [*handler_links(quotes.project, entry), Link(Part.ENTRY, _entry(quotes.project, source))]
    links += [Link(Part.STEP, fact) for fact in _facts(quotes, steps)]
    sink = _sink(quotes, outcome)
    links += [Link(Part.SINK, sink)] if sink else []
    return Proof(
        Shape.FLOW,
        tuple(dict.fromkeys(links)),
        guards=(*entry_guards(entry), *_passed(passed), *_elsewhere(outcome)),
        assumptions=(
            *_open(outcome, taint, source, entry),
            *(_doubted(outcome, taint) or _unread(quotes.project, outcome, taint, entry)),
            *_unrun(quotes, outcome),
            *_unknown_yield(quotes.project, outcome, entry),
            *_unsent_login(quotes.project, outcome, source, entry),
        ),
    )


def _facts(quotes: Quotes, steps: list[Step]) -> Iterable[Fact]:
    for step in steps:
        file = quotes.project.files.get(step.path)
        if file is not None and file.language is None:  # a page: the meaning of its tags is the engine's interpretation
            fact = mention(quotes.project, at(step.path, step.line))
        else:
            fact = step_fact(quotes.project, step.kind, step.path, step.line, step.symbol)
        if fact is not None and step.kind is not StepKind.SOURCE:
            yield fact


def _entry(project: Project, source: Source) -> Fact:
    """The entry of the sender's data: a parameter, a form field, a handler's class, or a read of the request."""
    where = at(source.path, source.line)
    if source.name.startswith(_PARAMETER):
        apart = _TAKEN_APART.search(project.line(source.path, source.line)[:2_000]) if source.parameter.startswith("<") else None
        return Fact(where, Operation.PARAMETER, (apart[1] if apart else source.parameter)[:MAX_SYMBOL])
    if source.name.startswith(_FORM) and source.parameter:
        return Fact(where, Operation.ASSIGN, source.parameter[:MAX_SYMBOL])
    there = fact_at(project, where)
    if there is not None and there.operation is Operation.DEFINE:
        return there  # a class that the framework fills: its fields are the request
    name = source.name.rpartition(".")[2] or source.name
    called = name.removesuffix("()")
    return Fact(where, Operation.CALL if called != name else Operation.READ, (called.strip() or source.name)[:MAX_SYMBOL])


def _sink(quotes: Quotes, outcome: Outcome) -> Fact | None:
    """The harmful operation: a call, a handler's return, an assignment to a field, or template output."""
    hit = outcome.hit
    where = quotes.location(hit.sink_path, hit.sink_line, hit.sink_end)
    name = hit.call.removeprefix("*.")
    if name == "<return>":
        return Fact(where, Operation.RETURN)
    if name == "<template>":
        return mention(quotes.project, where)
    if name.endswith("="):
        return Fact(where, Operation.ASSIGN, name.removesuffix("=").rpartition(".")[2])
    if name.endswith("]"):
        return mention(quotes.project, where)
    if hit.written == UNSAFE_MARKUP:
        return Fact(where, Operation.ASSIGN, UNSAFE_MARKUP)
    called = hit.written or name.removesuffix("()").rpartition(".")[2] or name
    return Fact(where, Operation.CALL, written_name(quotes.project, where, called)[:MAX_SYMBOL])


def _passed(labels: Iterable[str]) -> tuple[ConsideredGuard, ...]:
    met = tuple(ConsideredGuard(label, Verdict.OTHER_ATTACK) for label in labels)
    return met or (ConsideredGuard(_DEFENCE, Verdict.ABSENT),)


def _elsewhere(outcome: Outcome) -> tuple[ConsideredGuard, ...]:
    """The guards that stop this data on other flows to the same sink."""
    where = at(outcome.hit.sink_path, outcome.hit.sink_line)
    return tuple(ConsideredGuard(label, Verdict.NOT_ON_PATH, where) for label in _stopping(outcome, outcome.harmless))


def _doubted(outcome: Outcome, taint: Taint) -> tuple[Assumption, ...]:
    """The same value is checked on another flow to the sink; whether the path around that check can be taken is unproved."""
    same = [each for each in outcome.harmless if root_of(each.origin) == root_of(taint.origin)]
    where = at(outcome.hit.sink_path, outcome.hit.sink_line)
    return tuple(Assumption(Guess.UNSEEN_GUARD, label, where) for label in _stopping(outcome, same)[:1])


def _unread(project: Project, outcome: Outcome, taint: Taint, entry: EntryPoint | None) -> tuple[Assumption, ...]:
    """A check that was not understood: it may stop this data, or the data may not pass it. For full-impact rules the second is
    not assumed of unread checks, nor the first of one entry point if another has no check."""
    grave, hit = outcome.hit.rule.impact is Impact.FULL, outcome.hit

    def check(each: Taint) -> Location | None:
        assert isinstance(each.origin, Source)
        steps = steps_of(each.step)
        return guard_reads(project, each.origin, entry) or unread_check(
            project, each.origin, steps, (hit.sink_path, hit.sink_line)
        )

    where = check(taint)
    others = [each for each in outcome.harmful if grave and each is not taint and isinstance(each.origin, Source)]
    if where is None or not all(map(check, others)):
        return ()
    guesses = (Guess.UNSEEN_GUARD,) if grave else (Guess.UNSEEN_GUARD, Guess.BROKEN_FLOW)
    return tuple(Assumption(guess, "a check that was not understood", where) for guess in guesses)


_ENCODED = frozenset(names("code", "encoded-address", Language.JAVASCRIPT))
_MARKUP = 79


def _stopping(outcome: Outcome, harmless: Iterable[Taint]) -> list[str]:
    return sorted({label for each in harmless for label in stopping(outcome.hit.rule, each.passed)})


def _unrun(quotes: Quotes, outcome: Outcome) -> tuple[Assumption, ...]:
    """A regular expression is harmful only when run: a created one may never be run, or only by code that stops in time."""
    hit = outcome.hit
    if hit.call.rpartition(".")[2] not in MAKING or hit.rule.dimension is not Dimension.D9:
        return ()
    if not is_handed_on(file_of(quotes.project, hit.sink_path), hit.sink_line, hit.sink_end):
        return ()
    where = at(hit.sink_path, hit.sink_line)
    return Assumption(Guess.UNKNOWN_USE, "the expression is not run here", where), Assumption(
        Guess.UNRESOLVED_CALL, "what it is handed to", where
    )


def _unsent_login(project: Project, outcome: Outcome, source: Source, entry: EntryPoint | None) -> tuple[Assumption, ...]:
    """Reflected markup harms a user who follows a link. Behind a login that works only if the guard authenticates by a cookie:
    links cannot send a token in a header."""
    by = entry.guarded_by if entry is not None else None
    if outcome.hit.rule.kind != "html" or by is None or source.channel in (STORED, CALLER, *DOCUMENTS):
        return ()
    read = {each.path for each in (by.defined, by.at) if each is not None}
    if _COOKIE.search(by.symbol) or any(_COOKIE.search(project.text(each)) for each in read if each in project.files):
        return ()
    guesses = (Guess.UNKNOWN_REACH, Guess.UNKNOWN_CALLER)
    return tuple(Assumption(guess, "whether a link brings the login along", by.at) for guess in guesses)


def _unknown_yield(project: Project, outcome: Outcome, entry: EntryPoint | None) -> tuple[Assumption, ...]:
    """The sender may gain little: another row than the named one, unless the filter contains a secret; a file with a fixed name
    in another folder; an address in an unknown network; a request by the model of the user who set the tool up; or data that
    logged-in users may see."""
    hit, anybody = outcome.hit, entry is not None and entry.guard is Guard.ABSENT
    meant = not anybody
    if hit.rule.severity is Severity.LOW:
        about, meant = "how much that costs whom", True
    elif entry is not None and entry.method == TOOL and hit.rule.impact is not Impact.FULL:
        about = "what a tool gets that whoever set it up does not mean it to"
    elif hit.rule.kind == "request":
        about = "what this program reaches and the sender does not" if anybody and knows_callers(project) else ""
    elif hit.rule.kind == "path":
        about = "what a file of that name gives away elsewhere" if all(map(_is_named, outcome.harmful)) else ""
    else:
        meant = hit.rule.kind == "nosql" and is_filter_without_secret(project.module(hit.sink_path), hit.sink_line, hit.sink_end)
        about = "what another row gives away" if meant else ""
    guesses = (Guess.UNKNOWN_USE, Guess.MEANT_OPEN) if meant else (Guess.UNKNOWN_USE,)
    return tuple(Assumption(guess, about, at(hit.sink_path, hit.sink_line)) for guess in guesses if about)


def _is_named(taint: Taint) -> bool:
    """Return True if the program determines the file name or its extension."""
    return ENDED in taint.passed or (FOLDER in taint.passed and NAMED not in taint.passed)


def _open(outcome: Outcome, taint: Taint, source: Source, entry: EntryPoint | None) -> tuple[Assumption, ...]:
    where = at(outcome.hit.sink_path, outcome.hit.sink_line)
    found = list(broken_by(taint.broken, where))
    if not outcome.certain:
        found.append(Assumption(Guess.UNKNOWN_RECEIVER, outcome.hit.call.removeprefix("*."), where))
    if source.channel == CALLER:
        found.append(Assumption(Guess.UNKNOWN_CALLER, source.parameter, at(source.path, source.line)))
        if not outcome.hit.rule.callers:
            found.append(Assumption(Guess.INTENDED_USE, source.parameter, where))
    elif source.channel in DOCUMENTS:
        found += [Assumption(Guess.UNKNOWN_AUTHOR, source.name, at(source.path, source.line)), *unknown_reach(entry)]
    elif source.channel not in LOCAL_CHANNELS | BROWSER_CHANNELS:
        found += unknown_reach(entry)
    elif source.channel in BROWSER_CHANNELS and outcome.hit.rule.cwe == _MARKUP and _is_encoded(taint, source):
        guesses = (Guess.UNSEEN_GUARD, Guess.BROKEN_FLOW)
        found += [Assumption(guess, "browsers encode < and > in addresses, and nothing decodes them", where) for guess in guesses]
    return tuple(found)


def _is_encoded(taint: Taint, source: Source) -> bool:
    """Return True if a URL is used as the browser encodes it. The result of an unread function may be decoded."""
    return source.name in _ENCODED and DECODED not in taint.passed


def is_filter_without_secret(module: ir.Module, line: int, end: int) -> bool:
    """Return True if a call on these lines passes a mapping with literal keys, none of them a secret or an operator. A filter
    built elsewhere may contain anything."""
    given = [each.arguments[0].value for each in calls(module) if line <= each.line <= end and each.arguments]
    filters = [each for each in given if isinstance(each, ir.Mapping)]
    keys = [key for each in filters for key, _ in each.entries]
    return bool(keys) and all(
        isinstance(key, ir.Const)
        and isinstance(key.value, str)
        and not key.value.startswith(_SCRIPT)
        and not _SECRETS.intersection(words(key.value))
        for key in keys
    )
