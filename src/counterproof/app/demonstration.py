"""`counterproof demonstrate`: runs a copy of a stored audit's target, and records the results in the run's journal (A66).

Invariant: the run's own events, and so its decisions, stay unchanged; a later row records the demonstrations and the digests
of the new report. Without a sandbox nothing is run. Not handled here: what counts as an effect.
"""

import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from counterproof.analysis.confinement.program import find_program
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.app.delivery import Ended
from counterproof.app.files import write_whole
from counterproof.app.jobs import AUDIT, job_of, noted
from counterproof.app.stored_runs import (
    DEMONSTRATED,
    DEMONSTRATIONS,
    Demonstrated,
    audit_report,
    demonstrations_of,
    refuse_changed,
)
from counterproof.demonstration import export
from counterproof.demonstration.actions import Call, as_data, from_data
from counterproof.demonstration.course import Before, Subject
from counterproof.demonstration.demonstrate import Unshown, demonstrate
from counterproof.demonstration.packages import Fetched, fetched
from counterproof.demonstration.sandbox.level import level
from counterproof.demonstration.sandbox.running import NoSandbox
from counterproof.demonstration.subjects import Setting, has_effect, subject_of
from counterproof.demonstration.targets import python_for
from counterproof.demonstration.templates import Effect, Template
from counterproof.model.canonical import canonical, digest
from counterproof.model.demonstration import Demonstration, Outcome
from counterproof.model.errors import Refused, UserError
from counterproof.model.report import Report, ReportedFinding
from counterproof.model.text import real_name
from counterproof.protocols.audit.report import demonstrated
from counterproof.runtime import lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay
from counterproof.supervision import progress

_PACKAGES = "packages-"


@dataclass(frozen=True, slots=True)
class Means:
    """What the user gives so that the target runs: interpreters, packages to fetch, commands to run first."""

    python: Path | None = None
    node: Path | None = None
    install: bool = False
    prepare: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """The findings that the user wants demonstrated, and the options."""

    wanted: tuple[str, ...] = ()
    target: Path | None = None
    means: Means = Means()
    seconds: float = 90.0


def sandbox_level() -> str:
    """The sandbox layers in force; raises if there is no sandbox."""
    try:
        return level()
    except NoSandbox as refused:
        raise Refused(f"nothing was run: {refused}", "the confidence of the findings is unchanged") from refused


def demonstrated_of(run: RunFolder, asked: Asked, tell: Callable[[str], None]) -> tuple[Demonstration, ...]:
    """Try each selected finding of an audit and store the results. `tell` receives one line for each."""
    refuse_changed(run)
    if job_of(run) is not AUDIT:
        raise UserError(f"run {run.id} is not an audit", "demonstrations are made for the findings of an audit")
    root = asked.target or Path(real_name(str(noted(run).get("target", ""))))
    if not root.is_dir():
        raise UserError("the audited folder no longer exists", "name it with --target")
    report = audit_report(run)
    chosen = _chosen(report, asked.wanted, run)
    earlier = shown_before(run)
    done: list[Demonstration] = []
    said: dict[str, list[str]] = {}
    means = asked.means if chosen else replace(asked.means, install=False)
    with prepared(run, Setting(root, survey(root), report.entry_points), means, tell) as setting:
        for row in chosen:
            word = tried(row, setting, earlier.get(row.fingerprint), asked.seconds)
            said.setdefault(word.text, []).append(word.number)
            if said[word.text] == [word.number]:
                tell(line_of(word))
            done.append(word)
    for first, *others in said.values():
        if others:
            tell(f"{', '.join(others)}: the same as {first}")
    _keep(run, tuple(done))
    return tuple(done)


@contextlib.contextmanager
def prepared(run: RunFolder, setting: Setting, means: Means, tell: Callable[[str], None]) -> Generator[Setting]:
    """The setting with the user's means. Packages are fetched into the run's folder, and removed afterwards."""
    setting = replace(setting, python=means.python, node=means.node, prepare=means.prepare)
    for left in run.path.glob(f"{_PACKAGES}*"):  # of a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    if not means.install:
        yield setting
        return
    with tempfile.TemporaryDirectory(prefix=_PACKAGES, dir=run.path) as folder:
        yield replace(setting, fetched=_fetched(setting, Path(folder), tell))


def _fetched(setting: Setting, folder: Path, tell: Callable[[str], None]) -> Fetched:
    """Fetch the packages whose installation the user allowed."""
    python = python_for(setting.root, setting.python).program
    found = fetched(Project(setting.root, setting.survey), folder, python, find_program("npm", setting.root))
    for note in found.notes:
        tell(f"--install: {note}")
    return found


def line_of(word: Demonstration) -> str:
    """The line for one finding."""
    hint = "; --install fetches its packages, --python names a Python that has them" if "ModuleNotFoundError" in word.text else ""
    return f"{word.number}  {word.outcome.value}: {word.text}{hint}"


def scripts_of(run: RunFolder, words: Iterable[Demonstration]) -> tuple[tuple[str, str], ...]:
    """(name, text) of a script for each demonstrated finding."""
    titles = {row.fingerprint: row.finding.title for row in audit_report(run).findings}
    found: list[tuple[str, str]] = []
    for word in words:
        if word.outcome is Outcome.SHOWN:
            again = json.loads(word.again)
            effect, title = Effect(again["effect"]), titles.get(word.fingerprint, "")
            if effect is Effect.OPEN or again.get("session"):
                continue  # the request in the report is the complete demonstration, or it needs the reader's session
            found.append(export.script(word.number, title, from_data(again["action"]), again["input"], again["control"], effect))
    return tuple(found)


def with_demonstrations(ended: Ended, tell: Callable[[str], None]) -> Ended:
    """Demonstrate the findings of an audit that just ended; return one without a report unchanged."""
    if ended.report is None or ended.hint:
        return ended
    progress.limit(0)  # the audit's limit no longer applies
    demonstrated_of(ended.run, Asked(), tell)
    return replace(Ended(ended.run, ended.job, ended.outcome, state=ended.state), outcome=audit_report(ended.run).outcome)


def shown_before(run: RunFolder) -> dict[str, Demonstration]:
    """The latest demonstration of each finding."""
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        rows = demonstrations_of(journal)
    every = (each for row in rows for each in row.demonstrations)
    return {each.fingerprint: each for each in every if each.outcome is Outcome.SHOWN}


def _chosen(report: Report, wanted: Iterable[str], run: RunFolder) -> tuple[ReportedFinding, ...]:
    """The named findings, or all findings of a kind whose effect can be observed."""
    names = tuple(each.upper() for each in wanted)
    unknown = [name for name in names if name not in {row.number for row in report.findings}]
    if unknown:
        raise UserError(f"run {run.id} has no finding {unknown[0][:40]}", "`counterproof show` lists them: C-01, H-01, …")
    return tuple(row for row in report.findings if (row.number in names if names else has_effect(row)))


def tried(
    row: ReportedFinding,
    setting: Setting,
    earlier: Demonstration | None,
    seconds: float,
    instead: tuple[tuple[str, str], ...] = (),
) -> Demonstration:
    """The result of running one finding, with other texts in some files; `earlier` is its previous demonstration."""
    tree = setting.survey.digest
    word = Demonstration(row.fingerprint, row.number, Outcome.NOT_RUN, "", tree=tree)
    try:
        before = from_data(json.loads(earlier.again)["action"]) if earlier else None
        subject = replace(subject_of(row, setting, before), instead=instead)
        start = canonical(sorted(map(canonical, subject.start.get("candidates", [subject.start]))))
        if start in setting.dead:
            return replace(word, text=setting.dead[start])
        came = demonstrate(_repeated(subject, earlier) if earlier else subject, seconds)
    except NoSandbox as refused:
        return replace(word, text=str(refused))
    if isinstance(came, Unshown):
        if came.dead:
            setting.dead[start] = came.reason
        return replace(word, outcome=_unseen(came, earlier), text=came.reason)
    stored = {"action": as_data(came.action), "input": came.input, "control": came.control, "effect": came.effect.value}
    again = canonical(stored | {"session": came.session, "usual": came.usual})
    text = f"{came.seen}; a harmless input did not have this effect"
    if came.session:
        text += f"; {came.session}"
    if isinstance(came.action, Call):
        text += "; the function was called directly, so this does not show that its callers pass such input"
    return replace(word, outcome=Outcome.SHOWN, text=text, steps=export.steps(came.action, came.input, came.effect), again=again)


def _unseen(came: Unshown, earlier: Demonstration | None) -> Outcome:
    if not came.started:
        return Outcome.NOT_RUN
    if not earlier:
        return Outcome.UNSEEN
    return Outcome.UNCLEAR if came.broken else Outcome.NO_LONGER


def _repeated(subject: Subject, earlier: Demonstration) -> Subject:
    """Try the inputs that worked before first, then all others: a fix may have stopped only one input."""
    before = json.loads(earlier.again)
    effect, value = Effect(before["effect"]), str(before["input"])
    same = next((each for each in subject.templates if each.shows is effect and value in (*each.values,)), None)
    first = same or Template((), effect, (str(before["control"]),), (value,))
    rest = tuple(each for each in subject.templates if each != first)
    action = from_data(before["action"])
    others = tuple(each for each in subject.actions if each != action)
    usual = Before(effect, action, str(before["control"]), str(before.get("usual", "")))
    return replace(subject, templates=(first, *rest), actions=(action, *others), before=usual)


def _keep(run: RunFolder, words: tuple[Demonstration, ...]) -> None:
    """Add a row to the journal, and store the updated report."""
    if not words:
        return
    with lock.held(run), contextlib.closing(SqliteJournal(run, WallClock())) as journal:
        replayed = replay(AUDIT.machine(), journal)
        command = replayed.commands.get(AUDIT.command)
        if command is None:
            raise UserError(f"run {run.id} has no report", f"`counterproof resume {run.id}` continues it")
        before = tuple(each for row in demonstrations_of(journal) for each in row.demonstrations)
        report = demonstrated(replayed.state, command.report, (*before, *words))
        texts = {name: AUDIT.render(report, name, "") for name in AUDIT.files}
        row = Demonstrated(words, tuple((name, digest(text)) for name, text in texts.items()))
        journal.append(DEMONSTRATED, DEMONSTRATIONS.encode(row))
        for name, text in texts.items():
            write_whole(run.path / AUDIT.files[name], text)
