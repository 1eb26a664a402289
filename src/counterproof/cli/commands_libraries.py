"""Commands about known libraries: `libraries`, `libraries show NAME`, `libraries concepts`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from counterproof.cli.mistakes import plain_group

if TYPE_CHECKING:
    from counterproof.analysis.libraries.concepts import Library, Sink


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    libraries_app = plain_group(help="List the libraries that are known, or show one.", invoke_without_command=True)
    libraries_app.callback()(libraries)
    libraries_app.command("show")(show_library)
    libraries_app.command("concepts")(concepts)
    app.add_typer(libraries_app, name="libraries")


def libraries(
    context: typer.Context,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="Only those of this language, as `python`.")] = "",
) -> None:
    """List the known libraries, or show one."""
    if context.invoked_subcommand:
        return
    from counterproof.analysis.libraries import own_folder

    for each in _known(language.lower()):
        brings = f"{sum(map(len, each.sinks.values()))} sinks, {sum(map(len, each.names.values()))} other names"
        typer.echo(f"{each.language + '/' + each.name:36}{brings:36}{each.title}{' (yours)' if each.own else ''}")
    typer.echo(f"\nPut your own library files into {own_folder()}/<language>/<name>.toml")


def show_library(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The library's name, or its language and name: python/flask.")],
) -> None:
    """Show everything known about a library, by concept."""
    from counterproof.model.errors import UserError

    language, _, last = name.rpartition("/")
    found = [each for each in _known(language) if each.name == last.lower()]
    if not found:
        raise UserError(f"there is no library {name[:60]!r}", "`counterproof libraries` lists them")
    for each in found:
        typer.echo(f"# {each.title} ({each.language}/{each.name}{', yours' if each.own else ''})")
        for line in _described(each):
            typer.echo(line)


def concepts() -> None:
    """List the concepts that describe libraries, and their kinds."""
    from counterproof.analysis.libraries.concepts import KINDS

    for concept, kinds in KINDS.items():
        typer.echo(concept)
        for kind, meaning in kinds.items():
            typer.echo(f"  {kind:24}{meaning}")


def _known(language: str) -> tuple["Library", ...]:
    from counterproof.analysis import libraries as known
    from counterproof.model.errors import UserError

    if language and language not in known.LANGUAGES:
        raise UserError(f"there are no libraries of {language[:60]!r}", f"known are those of {', '.join(known.LANGUAGES)}")
    return tuple(each for each in known.LANGUAGES if language in ("", each) for each in known.libraries(each))


def _described(library: "Library") -> Iterator[str]:
    for kind, sinks in sorted(library.sinks.items()):
        yield f"\nsink {kind}"
        yield from (f"  {_sink(each)}" for each in sinks)
    for (concept, kind), names in sorted(library.names.items()):
        yield f"\n{concept} {kind}"
        yield from (f"  {each}" for each in names)


def _sink(sink: "Sink") -> str:
    said = [f"{sink.call}({', '.join(map(str, sink.arguments))})"]
    said += [f"where {reference} is {demand or 'so'}" for reference, demand in sink.when]
    said += [f"of {', '.join(sink.receiver_from)}"] if sink.receiver_from else []
    return ", ".join(said)
