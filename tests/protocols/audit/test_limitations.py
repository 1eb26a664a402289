"""Limitations: each stated once, in plain words."""

from dataclasses import replace

import pytest

from counterproof.model.contract import AgentTask, Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.ledger import Read
from counterproof.model.survey import Language, Unread
from counterproof.protocols.audit import evaluation, limitations
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.outcome import not_read
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import Stage
from protocols.audit.cast import audit, covering, hunter, play_on, report_of, waiting
from protocols.audit.play import Play, a_file, a_recon, a_survey, an_entry

JS, GO = Language.JAVASCRIPT, Language.GO
MIXED = a_survey(a_file("app.py", 2000), a_file("x.js", 90, JS), a_file("y.js", 9, JS), a_file("m.go", 80, GO))


def test_sentences_that_differ_in_the_language_alone_are_folded() -> None:
    notes = ("Nobody reads go code.", "A limit of {0} %s.", "Nobody reads javascript code.", "Nobody reads go code.", "Go on.")
    assert limitations.folded(notes, MIXED) == ("Nobody reads go, javascript code.", "A limit of {0} %s.", "Go on.")


def test_small_languages_are_named_in_one_sentence() -> None:
    report = report_of(play_on(audit(Mode.STANDARD, MIXED)))
    said = [line for line in report.limitations if "under a tenth" in line]
    assert said == [
        "99 lines of javascript, 80 lines of go are each under a tenth of the code and were not counted in the coverage."
    ]


@pytest.mark.rule("A20")
def test_a_small_language_that_the_network_reaches_counts() -> None:
    assert evaluation.present_languages(MIXED, a_recon()) == (Language.PYTHON,)
    assert evaluation.present_languages(MIXED, a_recon(entry_points=(an_entry("m.go"),))) == (Language.PYTHON, GO)


@pytest.mark.rule("A20")
def test_the_reason_says_which_languages_are_better_off() -> None:
    survey = a_survey(a_file("app.py"), a_file("x.js", 900, JS))

    def python_only(task: AgentTask):
        return covering(*(ALL_DIMENSIONS if Language.PYTHON in task.languages else ()))(task)

    def in_python(task: AgentTask):
        event = python_only(task)
        searches = tuple(replace(each, language="python") for each in event.ledger.searches)
        return replace(event, ledger=replace(event.ledger, searches=searches))

    report = report_of(play_on(audit(Mode.STANDARD, survey), hunter=in_python))
    assert report.coverage[0].reason == "never searched in javascript; better in python"
    assert any(line.endswith("are not met: never searched in javascript; better in python.") for line in report.limitations)


@pytest.mark.rule("A34")
def test_files_in_languages_too_small_to_count_do_not_make_phase_three_partial() -> None:
    dive = play_on(audit(Mode.STANDARD, MIXED)).state.dive
    assert dive is not None
    assert dive.completed
    assert dive.unread_before == 0


@pytest.mark.rule("A34")
@pytest.mark.parametrize(("models", "given"), [((), ()), ((Role.DEEP_DIVER,), ("x.js",))])
def test_a_model_that_dives_is_given_what_was_only_searched_for_secrets(models: tuple[Role, ...], given: tuple[str, ...]) -> None:
    def part(task: AgentTask):
        event = hunter()(task)
        beside = Read(("x.js",), (Dimension.D7,))
        return replace(event, ledger=replace(event.ledger, reads=(*event.ledger.reads, beside)))

    survey = a_survey(a_file("app.py"), a_file("x.js", 500, JS))
    play = play_on(audit(Mode.STANDARD, survey, models=models), Stage.DEEP_DIVE, hunter=part)
    assert waiting(play)[-1].files == given
    assert waiting(play)[0].files == ()


def test_small_languages_of_many_roots_are_one_sentence() -> None:
    roots = tuple("abcd")
    files = [each for root in roots for each in (a_file(f"{root}/app.py", 2000), a_file(f"{root}/x.js", 9, JS))]
    play = Play(AuditRequest("/shop", mode=Mode.STANDARD, yes=True)).until_hunting(a_survey(*files), a_recon(roots=roots))
    said = [line for line in limitations.stated(play.state) if "under a tenth" in line]
    assert said == ["In 4 of 4 roots a further language is under a tenth of the code and was not counted in the coverage."]


@pytest.mark.rule("A64")
@pytest.mark.parametrize(
    ("parts", "left"), [(((1, 60), (50, 100)), ()), (((1, 60), (80, 100)), ("go.sh",)), (((1, 99),), ("go.sh",))]
)
def test_what_a_model_read_to_the_end_is_not_unread(parts: tuple[tuple[int, int], ...], left: tuple[str, ...]) -> None:
    survey = replace(a_survey(a_file("app.py"), a_file("go.sh", 10, None)), unread=(Unread("go.sh", "Shell", files=("go.sh",)),))

    def reading(task: AgentTask):
        event = hunter()(task)
        reads = tuple(Read(("go.sh",), (Dimension.D8,), *part) for part in parts) if task.model else ()
        return replace(event, ledger=replace(event.ledger, reads=(*event.ledger.reads, *reads)))

    played = play_on(audit(Mode.STANDARD, survey, models=(Role.HUNTER,)), hunter=reading)
    assert tuple(each.path for each in not_read(played.state)) == left
