"""Recorded runs as one hunter: a panel that can no longer be questioned, together with the analysts.

Invariant: the analysts' findings are submitted whatever the runs say; a claim that only runs make needs a quorum of them;
claims below that are counted and reported; the runs' claims are marked `unquoted` (A29). A record has nothing new for later
rounds, so then only the analysts work.
"""

from dataclasses import replace

from counterproof.agents.analysts.hunter import hunt
from counterproof.agents.recorded.runs import RecordedRun
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.errors import UserError
from counterproof.model.finding import Corroboration, Finding
from counterproof.protocols.guard.citations import refusal
from counterproof.protocols.guard.panel import Hand, Shared, aligned, quorum_of
from counterproof.toolbox.recorded import RecordedTools
from counterproof.toolbox.threads import in_daemon_thread

ANALYSTS = "embedded analysts"
MAX_NAMED = 5


class RecordedHunter:
    """Stateless: one instance serves any number of tasks. `quorum` 0 means that of `panel.quorum_of`."""

    def __init__(self, runs: tuple[RecordedRun, ...], quorum: int = 0) -> None:
        if not runs or len({run.name for run in runs}) != len(runs):
            raise UserError("recorded runs: at least one is needed, and each only once")
        self._runs = runs
        self._quorum = quorum or quorum_of(len(runs))

    async def run(self, task: AgentTask, toolbox: RecordedTools) -> AgentReply:
        return await in_daemon_thread(lambda: self._together(task, toolbox))

    def _together(self, task: AgentTask, toolbox: RecordedTools) -> AgentReply:
        seen = hunt(task, toolbox.analysts)
        runs = self._runs if task.round == 1 else ()
        hands = [hand_of(run, task, toolbox) for run in runs]
        sound = [Hand(hand.agent, sound_claims(hand, task, toolbox)) for hand in hands]
        unsound = {each for hand in hands for each in hand.claims} - {each for hand in sound for each in hand.claims}
        groups = aligned((Hand(ANALYSTS, seen.findings), *sound))
        passed = [each for each in groups if ANALYSTS in each.agents or len(each.claims) >= self._quorum]
        pairs = [self._witnessed(each, toolbox) for each in passed]
        pairs += [(each, Corroboration.UNCHECKED) for each in sorted(unsound, key=_place)]
        numbered = [(replace(finding, id=f"F{number:03}"), word) for number, (finding, word) in enumerate(pairs, 1)]
        toolbox.remember({finding.id: word for finding, word in numbered})
        short = [each for each in groups if each not in passed]
        notes = (*seen.notes, *self._notes(task, runs, short))
        return replace(seen, findings=tuple(finding for finding, _ in numbered), notes=notes)

    def _witnessed(self, group: Shared, toolbox: RecordedTools) -> tuple[Finding, Corroboration]:
        own = next((claim for agent, claim in group.claims if agent == ANALYSTS), None)
        if own is not None:
            return own, Corroboration.BOTH if len(group.claims) > 1 else Corroboration.ANALYSERS_ALONE
        claim = group.spokesman
        said = f"{claim.impact} ({len(group.claims)} of {len(self._runs)} recorded runs say so.)".strip()
        return replace(claim, impact=said), toolbox.witness(claim)

    def _notes(self, task: AgentTask, runs: tuple[RecordedRun, ...], short: list[Shared]) -> tuple[str, ...]:
        notes: list[str] = []
        if runs:
            notes.append(f"{task.agent_id} is a record of {len(runs)} runs; nobody can tell what they read.")
        if short:
            places = ", ".join(str(each.spokesman.location) for each in short[:MAX_NAMED])
            more = f" and {len(short) - MAX_NAMED} more" if len(short) > MAX_NAMED else ""
            notes.append(
                f"{task.agent_id}: claims that fewer than {self._quorum} of {len(runs)} recorded runs make were left out, "
                f"{len(short)} in all: {places}{more}."
            )
        dropped = sum(run.dropped for run in runs)
        if dropped:
            notes.append(f"{task.agent_id}: {dropped} recorded claims named no place or no weakness and were dropped.")
        return tuple(notes)


def _place(claim: Finding) -> tuple[object, ...]:
    return (claim.location, claim.cwe, claim.title, claim.impact)


def hand_of(run: RecordedRun, task: AgentTask, toolbox: RecordedTools) -> Hand:
    """A run's claims about the task's dimensions, each with the line that the engine found at its location."""
    asked = [each for each in run.claims if each.dimension in task.dimensions]
    return Hand(run.name, tuple(replace(each, evidence=toolbox.quote(each.location) or each.evidence) for each in asked))


def sound_claims(hand: Hand, task: AgentTask, toolbox: RecordedTools) -> tuple[Finding, ...]:
    """The claims of a hand that verification will accept; only those have a vote."""
    reply = AgentReply(task.agent_id, task.round, task.dimensions, (), hand.claims)
    checked = toolbox.citations(reply)
    nothing: frozenset[str] = frozenset()
    return tuple(each for each, citation in zip(hand.claims, checked, strict=True) if not refusal(each, citation, nothing))
