"""The settings that can be kept in a configuration file: their names, allowed values and sources.

Invariant: `SETTINGS` is the only list; the schema, the reference page, the template, `config show` and the command line are
derived from it. Every setting is a command's option under the same name and can do no more than that option. Excluded on purpose:
consent (`--yes`, `--force`, `--include-secrets`), the choice of the code to review (paths, `--since`, `--diff`, `--trust-ref`),
and options for a single run (`--resume`, `--answer`, `--recorded`). Not handled here: reading files.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from counterproof.model.errors import InvalidValue
from counterproof.model.formats import choices

MAX_TEXT: Final = 4_000
MAX_ITEMS: Final = 1_000
MAX_NUMBER: Final = 10**12

Plain = str | int | bool | tuple[str, ...]


class Kind(StrEnum):
    """The type of a setting's value."""

    TEXT = "text"
    PATH = "path"
    NUMBER = "number"
    SWITCH = "switch"
    LIST = "list"


class ConfigLayer(StrEnum):
    """The sources of a value, highest precedence first."""

    COMMAND_LINE = "command line"
    ENVIRONMENT = "environment"
    FILE = "file"
    TRUSTED = "trusted revision"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Setting:
    """One option that can be kept in a file. `own`: only the user's own configuration may set it, never a repository's (where
    code is sent, what may be spent, where files are written). `joined`: the option takes a comma-separated list. `instead_of`:
    options that override this setting when given on the command line; `needs`: an option that this setting requires."""

    command: str
    name: str
    kind: Kind
    about: str
    choices: tuple[str, ...] = ()
    own: bool = False
    joined: bool = False
    instead_of: tuple[str, ...] = ()
    needs: str = ""
    least: int = 0
    example: Plain = ""

    @property
    def key(self) -> str:
        return f"{self.command}.{self.name}"

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"COUNTERPROOF_{self.command}_{self.name}".replace("-", "_").upper()

    @property
    def parameter(self) -> str:
        """The name of the option's parameter in the code."""
        return self.name.replace("-", "_")

    def checked(self, value: object) -> Plain:
        """Return the value if this setting allows it; otherwise raise an error that lists the allowed values."""
        match self.kind:
            case Kind.SWITCH:
                return self._expect(value, isinstance(value, bool), "true or false")
            case Kind.NUMBER:
                fits = isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= MAX_NUMBER
                return self._expect(value, fits, f"a whole number from {self.least} to {MAX_NUMBER}")
            case Kind.LIST:
                return self._listed(value)
            case Kind.TEXT | Kind.PATH:
                self._expect(value, isinstance(value, str) and len(value) <= MAX_TEXT and "\0" not in value, "a text")
                return self._chosen(str(value))

    def _listed(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidValue(f"{self.key} takes a list of texts")
        items: tuple[object, ...] = tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        fits = len(items) <= MAX_ITEMS and all(isinstance(each, str) and 0 < len(each) <= MAX_TEXT for each in items)
        self._expect(items, fits and not any("\0" in str(each) for each in items), "a list of texts")
        return tuple(self._chosen(str(each)) for each in items)

    def _chosen(self, text: str) -> str:
        if self.choices and text not in self.choices:
            raise InvalidValue(f"{self.key} takes {', '.join(self.choices)}, not {text[:80]!r}")
        return text

    def _expect(self, value: object, fits: bool, wanted: str) -> Plain:
        if not fits:
            raise InvalidValue(f"{self.key} takes {wanted}")
        return value  # pyright: ignore[reportReturnType]


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value and its source; `place` is the variable, the file, or the file and its revision."""

    setting: Setting
    value: Plain | None
    origin: ConfigLayer
    place: str = ""


_LEVELS = ("critical", "high", "medium", "low")
_OUT = "write the report and the receipt into this folder"
_TIME = "stop and report what was found after this many seconds; 0 means no limit"

SETTINGS: Final = (
    Setting("audit", "mode", Kind.TEXT, "how thorough", ("quick", "standard", "deep"), example="standard"),
    Setting("audit", "fail-on", Kind.TEXT, "exit with 1 if a finding has this severity or higher", _LEVELS, example="high"),
    Setting(
        "audit", "min-confidence", Kind.TEXT, "lowest confidence that fails the run", ("proved", "validated", "claimed"),
        example="validated",
    ),
    Setting(
        "audit", "fail-on-posture", Kind.TEXT, "exit with 1 for advice of this severity or higher", ("never", "medium", "low"),
        example="never",
    ),
    Setting("audit", "only", Kind.LIST, "dimensions to audit", joined=True, example=("D1", "D5")),
    Setting("audit", "include", Kind.LIST, "read only files that match one of these globs", example=("src/**",)),
    Setting("audit", "exclude", Kind.LIST, "skip files that match one of these globs", example=("docs/**",)),
    Setting("audit", "format", Kind.LIST, "only these formats", choices("audit"), example=("sarif",)),
    Setting("audit", "out", Kind.PATH, _OUT, own=True, example="report"),
    Setting("audit", "baseline", Kind.PATH, "compare with an earlier run or its report.json", instead_of=("since",),
            example="baseline.json"),
    Setting("audit", "exceptions", Kind.PATH, "a TOML file of accepted findings", example="exceptions.toml"),
    Setting("audit", "osv", Kind.PATH, "known vulnerabilities in the OSV format", own=True, example="osv.zip"),
    Setting("audit", "agents", Kind.TEXT, "models beside the embedded analysts", own=True, example="anthropic:MODEL"),
    Setting("audit", "budget-tokens", Kind.NUMBER, "the most tokens that models may use; 0 means no limit", own=True,
            needs="agents", example=2_000_000),
    Setting("audit", "budget-usd", Kind.TEXT, "the most that models may cost, in dollars", own=True, needs="agents",
            example="2.50"),
    Setting("audit", "max-time", Kind.NUMBER, _TIME, example=600),
    Setting("review", "profile", Kind.TEXT, "the team: code, strategy, or one that you defined", example="code"),
    Setting("review", "only", Kind.LIST, "only these specialists", joined=True, example=("SEC", "CORR")),
    Setting("review", "quick", Kind.SWITCH, "two specialists", instead_of=("thorough",), example=False),
    Setting("review", "thorough", Kind.SWITCH, "all specialists, one more iteration", instead_of=("quick",), example=False),
    Setting("review", "strict-scope", Kind.SWITCH, "reject findings outside the scope", example=False),
    Setting("review", "budget", Kind.NUMBER, "tokens for all specialists together", own=True,
            instead_of=("no_budget", "budget_tokens"),
            least=1, example=200_000),
    Setting("review", "no-budget", Kind.SWITCH, "count tokens, but do not stop", own=True,
            instead_of=("budget", "budget_tokens"), example=False),
    Setting("review", "format", Kind.LIST, "only these formats", choices("review"), example=("markdown",)),
    Setting("review", "out", Kind.PATH, _OUT, own=True, example="report"),
    Setting("review", "max-time", Kind.NUMBER, _TIME, example=600),
    Setting("verify", "team", Kind.TEXT, "the team; by default chosen by complexity", ("base", "scaled"), example="base"),
    Setting("verify", "threshold", Kind.NUMBER, "complexity from which the larger team works", example=7),
    Setting("verify", "format", Kind.LIST, "only these formats", choices("verify"), example=("markdown",)),
    Setting("verify", "out", Kind.PATH, _OUT, own=True, example="report"),
    Setting("verify", "max-time", Kind.NUMBER, _TIME, example=600),
)  # fmt: skip
"""Every setting, in the order in which pages list them."""

COMMANDS: Final = ("audit", "review", "verify")


def settings_of(command: str) -> tuple[Setting, ...]:
    """The settings of one command."""
    return tuple(each for each in SETTINGS if each.command == command)


def setting(command: str, name: str) -> Setting | None:
    """The setting with that name, or None."""
    return next((each for each in settings_of(command) if each.name == name), None)
