"""Where a layer of protection is missing and a foreign program ran, the report says so."""

from dataclasses import replace

from counterproof.model.confinement import Confinement
from counterproof.model.contract import AgentTask
from counterproof.model.ledger import Call, Ledger
from counterproof.protocols.audit.events import Event, Started
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from protocols.audit.cast import hunter, play_on, report_of, scan
from protocols.audit.play import Play

WEAK = Confinement(("empty environment",), ("no network (Landlock)",))
SAID = "ran without protection that this system does not offer: no network (Landlock)."


class Weak(Play):
    """An audit on a machine that cannot keep programs off the network."""

    def feed(self, event: Event) -> Play:
        return super().feed(replace(event, confinement=WEAK) if isinstance(event, Started) else event)


def limits(play: Play, *calls: Call) -> list[str]:
    def part(task: AgentTask):
        event = hunter()(task)
        return replace(event, ledger=event.ledger + Ledger(calls=calls))

    return [line for line in report_of(play_on(play, hunter=part)).limitations if "protection" in line]


def standard(scanned: bool) -> Play:
    play = Weak(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_planned()
    return play.scanned(scan() if scanned else None)


def test_the_programs_that_ran_are_named() -> None:
    assert limits(standard(True)) == [f"Semgrep {SAID}"]
    calls = (Call("grep", "eval"), Call("git_log", ""), Call("read", "app.py"))
    assert limits(standard(True), *calls) == [f"ripgrep and git and Semgrep {SAID}"]


def test_where_nothing_ran_or_nothing_is_missing_there_is_nothing_to_say() -> None:
    assert limits(standard(False)) == []
    assert limits(standard(False), Call("grep", "eval", "", "refused")) == []
    strong = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_planned().scanned(scan())
    assert limits(strong) == []
