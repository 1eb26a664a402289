"""Whether a function handles web requests, by its module and parameters."""

from functools import lru_cache

from counterproof.analysis.libraries import serves_requests
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax.ir import Attribute, Call, Decorator, Function, Name
from counterproof.analysis.syntax.walk import walk

_PARAMETERS = ("request", "handler", "environ", "response")
_OF_THE_PROGRAM = ("Model", "Base", "BaseCommand", "NoArgsCommand", "LabelCommand", "AppConfig", "Task")
_ADDING = ("add_url_rule", "add_route", "add_api_route", "route", "add_view")
_ERRORS = ("error", "exc", "exception", "err", "e")


@lru_cache(maxsize=16)
def is_web_module(outline: Outline) -> bool:
    """Return True by the module's imports or, as `import http.server` binds only `http`, by its classes' bases."""
    bases = (outline.dotted(base) for each in outline.module.classes for base in each.bases)
    return serves_requests((*outline.module.imports.values(), *bases))


def is_web_code(outline: Outline, function: Function) -> bool:
    """A handler by its parameters, or a function with decorators or a class in a module that uses a web framework."""
    if any(parameter.name in _PARAMETERS for parameter in function.parameters):
        return True
    if any(_is_command(outline, each) for each in function.decorators):
        return False
    handles_errors = any(parameter.name in _ERRORS for parameter in function.parameters)
    inside = function.owner and not _is_of_the_program(outline, function.owner)
    shaped = function.decorators or inside or function.within or handles_errors
    return is_web_module(outline) and (bool(shaped) or function.name in _handed_over(outline))


@lru_cache(maxsize=16)
def _handed_over(outline: Outline) -> frozenset[str]:
    """Functions that a module registers as views: `app.add_url_rule("/", view_func=index)`, `app.add_route(index, "/")`."""
    calls = (site.node for site in outline.of(Call))
    adding = (each for each in calls if isinstance(each.callee, Attribute) and each.callee.name in _ADDING)
    return frozenset(node.id for each in adding for node in walk(*each.arguments) if isinstance(node, Name))


def _is_command(outline: Outline, decorator: Decorator) -> bool:
    """`@click.command()`, `@tools.command("import")`: its output goes to the user's terminal."""
    value = decorator.value.callee if isinstance(decorator.value, Call) else decorator.value
    dotted = outline.dotted(value)
    return dotted.startswith(("click.", "typer.")) or dotted.endswith((".command", ".cli.command"))


def _is_of_the_program(outline: Outline, owner: str) -> bool:
    """Return True for a database model, a command or a task: the program calls its methods, not the network."""
    node = outline.classes.get(owner)
    return node is not None and any(outline.dotted(base).rpartition(".")[2] in _OF_THE_PROGRAM for base in node.bases)
