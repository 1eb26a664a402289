"""Profiles are data (R2): the reviewers, the expertise of each, and whether documents get a verdict."""

import re
from dataclasses import dataclass

from counterproof.model.errors import InvalidValue

_CODE = re.compile(r"[A-Z][A-Z0-9]{1,7}\Z")


@dataclass(frozen=True, slots=True)
class Specialist:
    """One reviewer. `primary` and `adjacent` are domains; they decide what it sees in full, not what it may comment on (R14)."""

    code: str
    title: str
    primary: tuple[str, ...]
    adjacent: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _CODE.match(self.code):
            raise InvalidValue(f"{self.code!r} is not a specialist's code: 2 to 8 capital letters and digits")
        if not self.primary:
            raise InvalidValue(f"{self.code} has no domain of its own")

    def knows(self, domain: str) -> bool:
        return domain in self.primary or domain in self.adjacent


@dataclass(frozen=True, slots=True)
class Profile:
    """A team. `quick` names the specialists of the quick preset; `verdicts`: every document gets a verdict (R21)."""

    name: str
    specialists: tuple[Specialist, ...]
    quick: tuple[str, ...]
    verdicts: bool = False

    def __post_init__(self) -> None:
        codes = [each.code for each in self.specialists]
        if not codes or len(codes) != len(set(codes)):
            raise InvalidValue(f"profile {self.name} needs specialists, each once")
        unknown = [code for code in self.quick if code not in codes]
        if unknown or not self.quick:
            raise InvalidValue(f"profile {self.name}: quick names {unknown[0] if unknown else 'nobody'}")

    @property
    def domains(self) -> tuple[str, ...]:
        """All domains that findings of this profile may have."""
        every = (domain for each in self.specialists for domain in (*each.primary, *each.adjacent))
        return tuple(dict.fromkeys(every))

    def only(self, codes: tuple[str, ...]) -> "Profile":
        """The same profile restricted to these specialists."""
        kept = tuple(each for each in self.specialists if each.code in codes)
        missing = [code for code in codes if code not in [each.code for each in kept]]
        if missing:
            raise InvalidValue(f"profile {self.name} has no {missing[0]}; it has {', '.join(e.code for e in self.specialists)}")
        return Profile(self.name, kept, tuple(each.code for each in kept), self.verdicts)
