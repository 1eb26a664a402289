"""Commands that explain: `explain FINDING`, `rules`, `rules show ID`, `diff RUN RUN`."""

from typing import Annotated

import typer

from counterproof.cli.mistakes import plain_group

RunOption = Annotated[str, typer.Option("--run", help="The run that holds the finding.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(short_help="Explain one finding, or one challenge of a plan.")(explain)
    app.command()(diff)
    rules_app = plain_group(help="List the rules, or show one.", invoke_without_command=True)
    rules_app.callback()(rules)
    rules_app.command("show")(show_rule)
    app.add_typer(rules_app, name="rules")


def explain(
    finding: Annotated[
        str,
        typer.Argument(
            metavar="FINDING",
            help="A finding's number, such as H-01 (in a review SEC-001), or the beginning of its fingerprint; or a challenge of "
            "a plan, such as C1; the most severe one otherwise.",
        ),
    ] = "",
    run: RunOption = "latest",
) -> None:
    """Explain one finding: code, flow, considered guards, validation, severity line by line; in a review positions and votes;
    or one challenge of a plan."""
    from counterproof.app.stored_runs import explained
    from counterproof.cli.chosen import chosen

    typer.echo(explained(chosen(run), finding), nl=False)


def diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The earlier run.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The later run.")],
) -> None:
    """Compare two runs: new, persisting and fixed findings."""
    from counterproof.app.comparison import differences
    from counterproof.cli.chosen import chosen

    typer.echo(differences(chosen(before), chosen(after)), nl=False)


def rules(
    context: typer.Context,
    dimension: Annotated[str, typer.Option(metavar="DIMENSION", help="Only rules for this dimension, such as D7.")] = "",
) -> None:
    """List the rules, or show one."""
    if context.invoked_subcommand:
        return
    from counterproof.analysis.ruleset import load_rules

    for loaded in load_rules():
        rule = loaded.rule
        if not dimension or rule.dimension.value == dimension.upper():
            typer.echo(f"{rule.id:36}{rule.dimension.value:5}CWE-{rule.cwe:<6}{rule.title}")


def show_rule(rule: Annotated[str, typer.Argument(metavar="RULE", help="The rule's id.")]) -> None:
    """Show a rule's documentation page."""
    from counterproof.analysis.ruleset import load_rules
    from counterproof.model.errors import UserError

    found = next((loaded for loaded in load_rules() if loaded.rule.id == rule), None)
    if found is None:
        raise UserError(f"there is no rule {rule}", "`counterproof rules` lists them")
    said = found.rule
    typer.echo(f"# {said.id}: {said.title}\n")
    typer.echo(
        f"{said.dimension.value} {said.dimension.label}, CWE-{said.cwe}, severity {said.severity.value} before calibration\n"
    )
    typer.echo(found.documentation)
