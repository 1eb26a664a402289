"""The truth file of the example shop agrees with the code. The shop is read and compiled here, never imported or run."""

import ast
import csv
import io
import re
import tokenize
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.location import Location
from counterproof.model.severity import Severity

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"
TRUTH = SHOP / "truth.csv"
HEADER = ["file", "start_line", "end_line", "category", "vulnerable", "cwes", "id", "severity"]
TOLERANCE = 10
"""The tolerance in lines; a trap this close to a weakness of its kind could not be distinguished."""

LAYOUT = (
    tokenize.ENCODING,
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)
HINTS = re.compile(
    r"vulnerab|exploit|insecure|unsafe|attack|injection|traversal|\bcwe|\bxss|\bssrf|\bidor|counterproof|nosec|noqa", re.I
)

KINDS: dict[str, tuple[Dimension, str]] = {
    "sql_injection": (Dimension.D1, r"SELECT|UPDATE|DELETE|ORDER BY|execute"),
    "command_injection": (Dimension.D1, r"os\.system|subprocess|wkhtmltopdf"),
    "ssti": (Dimension.D1, r"render_template_string"),
    "reflected_xss": (Dimension.D1, r"<\w+>"),
    "stored_xss": (Dimension.D1, r"\{\{|Markup|Environment"),
    "code_injection": (Dimension.D1, r"eval\("),
    "ldap_injection": (Dimension.D1, r"objectClass"),
    "xpath_injection": (Dimension.D1, r"\.xpath\("),
    "csv_injection": (Dimension.D1, r"writerow"),
    "log_injection": (Dimension.D1, r"log\."),
    "missing_rate_limiting": (Dimension.D2, r"@blueprint"),
    "user_enumeration": (Dimension.D2, r"flash\("),
    "session_fixation": (Dimension.D2, r'session\["user_id"\]'),
    "broken_authentication": (Dimension.D2, r"jwt\.decode"),
    "weak_password_policy": (Dimension.D2, r"len\(password\)"),
    "missing_authentication": (Dimension.D2, r"@blueprint"),
    "timing_attack": (Dimension.D2, r"headers\.get\("),
    "missing_access_control": (Dimension.D3, r"@blueprint"),
    "idor": (Dimension.D3, r"_id\b"),
    "mass_assignment": (Dimension.D3, r"setattr\("),
    "broken_access_control": (Dimension.D3, r"request\.headers"),
    "csrf": (Dimension.D3, r"@blueprint"),
    "insecure_deserialization": (Dimension.D4, r"\.(loads|load|safe_load)\("),
    "xxe": (Dimension.D4, r"XMLParser"),
    "path_traversal": (Dimension.D5, r"send_file|send_from_directory|os\.remove"),
    "unrestricted_file_upload": (Dimension.D5, r"\.save\("),
    "zip_slip": (Dimension.D5, r"output\.write|extractall"),
    "insecure_temporary_file": (Dimension.D5, r"tempfile\."),
    "ssrf": (Dimension.D6, r"requests\.get|urlopen"),
    "open_redirect": (Dimension.D6, r"redirect\("),
    "hardcoded_credentials": (Dimension.D7, r"KEY|PASSWORD"),
    "weak_hash": (Dimension.D7, r"hashlib|generate_password_hash"),
    "weak_prng": (Dimension.D7, r"random\.|secrets\."),
    "improper_certificate_validation": (Dimension.D7, r"requests\.post"),
    "weak_cryptography": (Dimension.D7, r"AES\.MODE"),
    "security_misconfiguration": (Dimension.D8, r"(?i)debug"),
    "insecure_cookie": (Dimension.D8, r"(?i)cookie"),
    "cors_misconfiguration": (Dimension.D8, r"Access-Control-Allow-Origin"),
    "sensitive_data_exposure": (Dimension.D8, r"jsonify|log\.|render_template"),
    "race_condition": (Dimension.D9, r"UPDATE"),
    "business_logic": (Dimension.D9, r"quantity|orders\."),
    "denial_of_service": (Dimension.D9, r"re\.(match|compile)"),
    "vulnerable_dependency": (Dimension.D10, r"=="),
    "unpinned_dependency": (Dimension.D10, r"^[A-Za-z]+(==[\d.]+)?$"),
    "untrusted_package_source": (Dimension.D10, r"https?://"),
    "missing_integrity_check": (Dimension.D10, r"<script src="),
}
"""What each category counts for, and what its lines must hold: rows that slipped out of step with the code show here."""


@dataclass(frozen=True, slots=True)
class Entry:
    place: Location
    category: str
    real: bool
    cwes: tuple[int, ...]
    id: str


def rows() -> list[dict[str, str]]:
    with TRUTH.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def entries() -> tuple[Entry, ...]:
    """Constructing a `Location` refuses paths that leave the shop and lines that make no range."""
    return tuple(
        Entry(
            Location(row["file"], int(row["start_line"]), int(row["end_line"])),
            row["category"],
            {"true": True, "false": False}[row["vulnerable"]],
            tuple(int(number) for number in row["cwes"].split(";")),
            row["id"],
        )
        for row in rows()
    )


def sources() -> list[Path]:
    return sorted(SHOP.rglob("*.py"))


def docstring_lines(text: str) -> set[int]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            found.update(range(node.body[0].lineno, (node.body[0].end_lineno or node.body[0].lineno) + 1))
    return found


@cache
def code_lines(path: Path) -> frozenset[int]:
    """Lines that do something: in Python neither blank, comment nor docstring, elsewhere neither blank nor comment."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        lines = enumerate(text.splitlines(), 1)
        return frozenset(number for number, line in lines if line.strip() and not line.lstrip().startswith(("#", "<!--", "{#")))
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            found.update(range(token.start[0], token.end[0] + 1))
    return frozenset(found - docstring_lines(text))


def span(entry: Entry) -> str:
    lines = (SHOP / entry.place.path).read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[entry.place.start - 1 : entry.place.end])


def distance(one: Location, other: Location) -> int:
    return max(one.start - other.end, other.start - one.end, 0)


def test_the_header_is_the_one_that_scorers_read() -> None:
    with TRUTH.open(newline="", encoding="utf-8") as file:
        assert next(csv.reader(file)) == HEADER


def test_every_row_is_well_formed() -> None:
    assert {row["severity"] for row in rows()} == {str(level) for level in Severity}
    assert all(1 <= cwe <= 9999 for entry in entries() for cwe in entry.cwes)
    assert all(len(set(entry.cwes)) == len(entry.cwes) for entry in entries())
    assert [entry.category for entry in entries() if entry.category not in KINDS] == []


def test_ids_are_unique() -> None:
    ids = [entry.id for entry in entries()]
    assert sorted(set(ids)) == sorted(ids)


def test_every_place_is_code_that_exists() -> None:
    wrong = [
        entry.id
        for entry in entries()
        if not (SHOP / entry.place.path).is_file()
        or not {entry.place.start, entry.place.end} <= code_lines(SHOP / entry.place.path)
    ]
    assert wrong == []


def test_the_lines_hold_what_their_category_is_about() -> None:
    wrong = [f"{entry.id} at {entry.place}" for entry in entries() if not re.search(KINDS[entry.category][1], span(entry), re.M)]
    assert wrong == []


def test_there_are_enough_weaknesses_and_traps_in_every_dimension() -> None:
    real = [entry for entry in entries() if entry.real]
    traps = [entry for entry in entries() if not entry.real]
    assert len(real) >= 30
    assert len(traps) >= 25
    assert {KINDS[entry.category][0] for entry in real} == set(ALL_DIMENSIONS)
    assert {KINDS[entry.category][0] for entry in traps} == set(ALL_DIMENSIONS)


def test_no_trap_is_too_near_to_a_weakness_of_its_kind() -> None:
    real = [entry for entry in entries() if entry.real]
    near = [
        f"{trap.id} and {other.id}"
        for trap in entries()
        if not trap.real
        for other in real
        if trap.place.path == other.place.path
        and set(trap.cwes) & set(other.cwes)
        and distance(trap.place, other.place) <= TOLERANCE
    ]
    assert near == []


def test_the_shop_is_large_enough_for_a_standard_audit() -> None:
    assert sum(len(code_lines(path)) for path in sources()) > 1000


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(SHOP).as_posix())
def test_every_module_compiles(path: Path) -> None:
    compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)


def test_nothing_in_the_shop_gives_the_answers_away() -> None:
    files = [path for path in sorted(SHOP.rglob("*")) if path.is_file() and path != TRUTH and "__pycache__" not in path.parts]
    told = [
        f"{path.relative_to(SHOP)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if HINTS.search(line)
    ]
    assert told == []
    assert [str(path) for path in files if HINTS.search(path.name)] == []


def test_every_template_that_a_view_names_is_there() -> None:
    templates = SHOP / "storefront" / "templates"
    named = {
        name
        for path in sources()
        for name in re.findall(r'(?:render_template\(\s*|: )"([a-z_]+\.html)"', path.read_text(encoding="utf-8"))
    }
    assert named
    assert [name for name in sorted(named) if not (templates / name).is_file()] == []
