"""Applications and routers as objects: which one an expression refers to, where each is mounted, and which guards lie on the
way.

An object is identified by the call that builds it. A factory's result is the object that the factory returns. Mounts are followed
up to `MAX_NESTING` levels, so a cycle ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from counterproof.analysis.endpoints.convention import joined
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, unplaced
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import calling_kin, imported
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Function, Name, Return
from counterproof.model.recon import Guard

MAX_NESTING = 6
MAX_PLACEMENTS = 32


@dataclass(frozen=True, slots=True)
class Router:
    """One application or router. `root` marks applications; anything else must be mounted to be reached."""

    outline: Outline
    call: Call
    root: bool


@dataclass(frozen=True, slots=True)
class Mount:
    """`child` is mounted below `parent` under `prefix`, behind these guards. An unknown parent is None."""

    parent: Router | None
    child: Router
    prefix: str
    verdict: Verdict = OPEN


@dataclass(frozen=True, slots=True)
class Placement:
    """One path from an application down to a router: its prefix and guards."""

    prefix: str
    verdicts: tuple[Verdict, ...]


class Routers:
    """The routers of one framework in the project."""

    def __init__(self, codebase: Codebase, applications: tuple[str, ...], others: tuple[str, ...]) -> None:
        self.codebase = codebase
        self.applications = applications
        self.others = others
        self.mounts: list[Mount] = []
        self.hooks: list[tuple[Router | None, Verdict]] = []
        self.prefixes: dict[int, str] = {}
        self._known: dict[int, Router] = {}
        self._placed: dict[int, tuple[Placement, ...]] = {}

    def find(self, outline: Outline, expr: Expr, function: Function | None, owner: Class | None = None) -> Router | None:
        """The router that an expression refers to."""
        return None if self._unused else self._built(self._value(outline, expr, function, owner), 0)

    @cached_property
    def _unused(self) -> bool:
        """Return True if no file imports the framework, so that no call can build one of its objects."""
        wanted = {name.partition(".")[0] for name in (*self.applications, *self.others)}
        every = told(self.codebase, imported).values()
        return not any(name.partition(".")[0] in wanted for names in every for name in names)

    def _value(self, outline: Outline, expr: Expr, function: Function | None, owner: Class | None) -> Definition | None:
        if isinstance(expr, Attribute) and isinstance(expr.value, Name) and expr.value.id in ("self", "cls") and owner:
            value = self._fields(outline).get((owner.qualified, expr.name))
            return Definition(outline, value) if value is not None else None
        return self.codebase.meaning(outline, expr, function)

    def _fields(self, outline: Outline) -> dict[tuple[str, str], Expr]:
        """The values assigned to `self.x`, per class of a file."""
        return self.codebase.remembered(("fields", outline.path), lambda: _fields_in(outline))

    def built(self, found: Definition) -> Router | None:
        """The router that a definition looked up by name builds."""
        return None if self._unused else self._built(found, 0)

    def _built(self, found: Definition | None, depth: int) -> Router | None:
        if not found or depth > MAX_NESTING:
            return None
        return (self._called(found, found.node, depth) if isinstance(found.node, Call) else None) or self._before(found, depth)

    def _called(self, found: Definition, call: Call, depth: int) -> Router | None:
        if id(call) in self._known:
            return self._known[id(call)]
        target = self.codebase.meaning(found.outline, call.callee)
        if target and isinstance(target.node, Function):
            return self._built(self._returned(target.outline, target.node), depth + 1)
        names = self._names(self.codebase.name(found.outline, call.callee), target)
        if names & {*self.applications, *self.others}:
            self._known[id(call)] = Router(found.outline, call, bool(names & set(self.applications)))
            return self._known[id(call)]
        return None

    def _before(self, found: Definition, depth: int) -> Router | None:
        """`app = Flask(__name__)`, later `app = wrapped(app)`: the only router among the values of a module's name."""
        others = found.outline.reassigned.get(id(found.node), ())
        calls = [each for each in others if isinstance(each, Call) and each is not found.node]
        built = [router for each in calls if (router := self._called(Definition(found.outline, each), each, depth + 1))]
        return built[0] if len(built) == 1 else None

    def _names(self, name: str, target: Definition | None) -> set[str]:
        foreign = self.codebase.ancestry(target).foreign if target and isinstance(target.node, Class) else ()
        return {name, *foreign}

    def _returned(self, outline: Outline, factory: Function) -> Definition | None:
        for site in outline.of(Return):
            if site.function is factory and site.node.value is not None:
                found = self.codebase.meaning(outline, site.node.value, factory)
                if found and isinstance(found.node, Call):
                    return found
        return None

    def every(self) -> Iterator[Router]:
        """All routers that the project builds, in source order."""
        if self._unused:
            return
        for outline in calling_kin(self.codebase, (*self.applications, *self.others)):
            for site in outline.of(Call):
                dotted = outline.dotted(site.node.callee)
                if dotted and (found := self._built(Definition(outline, site.node), 0)) and found.call is site.node:
                    yield found

    def hooks_of(self, router: Router | None) -> tuple[Verdict, ...]:
        """Guards that run before every route of a router; for an unknown router, those of any router, none of them certain."""
        if router is not None:
            return tuple(verdict for at, verdict in self.hooks if at is None or at.call is router.call)
        theirs = tuple(
            unplaced(at.outline.path, at.call.line, "a guard of a router that may be this one")
            for at, verdict in self.hooks
            if at is not None and not at.root and verdict.guard is not Guard.ABSENT
        )
        return self._hooks_of_applications() + theirs

    def _hooks_of_applications(self) -> tuple[Verdict, ...]:
        """Guards that run before every route of any application, because an application parameter can be any of them."""
        return tuple(verdict for at, verdict in self.hooks if at is None or at.root)

    def placements(self, router: Router | None) -> tuple[Placement, ...]:
        """Every path from an application to this router."""
        if router is None:
            return (Placement("", self.hooks_of(None)),)
        if id(router.call) not in self._placed:
            self._placed[id(router.call)] = tuple(islice(self._ways(router, "", (), 0), MAX_PLACEMENTS))
        return self._placed[id(router.call)]

    def _ways(self, router: Router, below: str, verdicts: tuple[Verdict, ...], depth: int) -> Iterator[Placement]:
        verdicts = verdicts + self.hooks_of(router)
        own = self.prefixes.get(id(router.call), "")
        mounts = [mount for mount in self.mounts if mount.child.call is router.call]
        if router.root and not mounts:
            yield Placement(joined(own, below) if own else below, verdicts)
        elif not mounts or depth > MAX_NESTING:
            doubt = unplaced(router.outline.path, router.call.line, "not mounted in the reviewed code")
            yield Placement(joined(own, below) if own else below, (*verdicts, doubt))
        for mount in mounts:
            prefix = self._stacked(mount, own, below)
            if mount.parent is None:
                yield Placement(prefix, (*verdicts, mount.verdict, *self._hooks_of_applications()))
            elif depth <= MAX_NESTING:
                yield from self._ways(mount.parent, prefix, (*verdicts, mount.verdict), depth + 1)

    def _stacked(self, mount: Mount, own: str, below: str) -> str:
        inner = joined(own, below) if own else below
        return joined(mount.prefix, inner) if mount.prefix else inner


def _fields_in(outline: Outline) -> dict[tuple[str, str], Expr]:
    return {
        (site.owner.qualified, target.name): site.node.value
        for site in outline.of(Assign)
        if site.owner and site.node.value is not None
        for target in site.node.targets
        if isinstance(target, Attribute) and isinstance(target.value, Name) and target.value.id == "self"
    }
