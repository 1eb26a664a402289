"""What is written without a schema is what the schema would write, and reads back as the same value."""

import shutil
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter

from counterproof.app.machines import audit_machine
from counterproof.model.canonical import canonical
from counterproof.model.survey import Language, SourceFile
from counterproof.protocols.audit.events import Event
from counterproof.runtime.clock import WallClock
from counterproof.runtime.codec import Codec
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import course

OLD_RUN = Path(__file__).parent / "old_runs" / "format-2"


@dataclass(frozen=True, slots=True)
class Varied:
    """Every kind of value that events hold."""

    text: str
    number: int
    share: float
    yes: bool
    nothing: None
    language: Language
    files: tuple[SourceFile, ...]
    pairs: tuple[tuple[str, int], ...]
    named: dict[Language, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Dated:
    """One that no event may hold."""

    day: date


def test_a_value_of_every_kind_is_written_as_its_schema_would_write_it() -> None:
    file = SourceFile("a/b.py", None, 1, 2, 3, "0" * 64)
    value = Varied("é\u2028\ud800", -1, 0.1, True, None, Language.PYTHON, (file,), (("a", 1),), {Language.JAVA: ("x",)})
    codec = Codec[Varied](Varied)
    assert codec.encode(value) == canonical(TypeAdapter(Varied).dump_python(value, mode="json"))
    sound = Varied("é", -1, 0.1, True, None, Language.PYTHON, (file,), (("a", 1),), {Language.JAVA: ("x",)})
    assert codec.decode(codec.encode(sound)) == sound


def test_every_event_of_an_old_run_is_written_as_its_schema_would_write_it(home: Path) -> None:
    shutil.copytree(OLD_RUN, home)
    schema: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])
    with closing(SqliteJournal(Home().runs()[0], WallClock(), writable=False)) as journal:
        events = [audit_machine().decode(each.body) for each in course(journal).events]
    assert len({type(each) for each in events}) > 5
    for event in events:
        assert audit_machine().encode(event) == canonical(schema.dump_python(event, mode="json"))


def test_a_value_that_has_no_place_in_a_journal_is_refused() -> None:
    with pytest.raises(TypeError, match="date cannot be represented in JSON"):
        Codec[Dated](Dated).encode(Dated(date(2026, 1, 1)))
