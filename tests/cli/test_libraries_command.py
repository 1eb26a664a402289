"""`counterproof libraries`: what is known, and what a user adds to it."""

from pathlib import Path

from cli.command import counterproof


def own(home: Path, text: str) -> None:
    folder = home / "libraries" / "python"
    folder.mkdir(parents=True)
    (folder / "acme.toml").write_text(text, "utf-8")


def test_libraries_are_listed_with_what_they_bring() -> None:
    listed = counterproof("libraries", "--language", "python")
    assert listed.returncode == 0, listed.stderr
    flask = next(line for line in listed.stdout.splitlines() if line.startswith("python/flask "))
    assert "sinks" in flask
    assert "javascript/" not in listed.stdout


def test_one_is_shown_in_the_words_of_the_concepts() -> None:
    shown = counterproof("libraries", "show", "flask").stdout
    for line in ("# Flask (python/flask)", "sink redirect", "  flask.redirect(0, location)", "request object", "  flask.request"):
        assert line in shown.splitlines()


def test_a_users_own_is_listed_as_theirs(home: Path) -> None:
    own(home, '[sink]\nsql = [{ calls = ["acme.run"], when = { safe = "!True" } }]\n')
    assert "(yours)" in counterproof("libraries").stdout
    assert "  acme.run(0), where safe is !True" in counterproof("libraries", "show", "python/acme").stdout.splitlines()


def test_a_broken_one_is_a_mistake_of_the_user_and_named(home: Path) -> None:
    own(home, '[sink]\nsequel = ["acme.run"]\n')
    said = counterproof("libraries")
    assert said.returncode == 2
    assert "acme.toml is broken: there is no kind 'sequel' of sink" in said.stderr
    assert "Traceback" not in said.stderr


def test_an_unknown_name_or_language_lists_the_known_ones() -> None:
    assert "`counterproof libraries` lists them" in counterproof("libraries", "show", "flusk").stderr
    assert "python, javascript" in counterproof("libraries", "--language", "cobol").stderr


def test_concepts_are_listed_with_their_meaning() -> None:
    assert "runs a program of the operating system" in counterproof("libraries", "concepts").stdout
