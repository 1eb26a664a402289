"""A whole file in the intermediate form. Does not belong here: how files refer to each other."""

from dataclasses import dataclass, field

from counterproof.analysis.syntax.ir.statements import Class, Function, Statement


@dataclass(slots=True, eq=False)
class Problem:
    """A place the parser or the lowering could not follow. `unread`: what stands there was not looked at."""

    line: int
    text: str
    unread: bool = False


@dataclass(slots=True, eq=False)
class Module:
    """One file. `name` is the dotted name its path gives; `functions` and `classes` list all of them, nested ones too.

    `imports` maps every imported alias of the file to its dotted name, relative imports resolved; where an alias is bound
    twice, the import at the top level wins. `wildcards` are the modules imported with a star;
    `rebound` are the module's variables that some function assigns.
    """

    path: str
    name: str
    package: str
    lines: int
    body: tuple[Statement, ...]
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: dict[str, str] = field(default_factory=dict[str, str])
    wildcards: tuple[str, ...] = ()
    rebound: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
