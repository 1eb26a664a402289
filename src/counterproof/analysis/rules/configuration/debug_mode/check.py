"""The check of `debug-mode`."""

from counterproof.analysis.config.patterns import Bad, Calls, Matching, Settings
from counterproof.analysis.config.places import Place, keyword, on
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import called, positional
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.ruleset import Confidence, Severity
from counterproof.analysis.syntax.ir import Const, Name
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.survey import FileRole

_WEB = names("framework", "debug-setting")
_ASKING = vocabulary("debug debugging dev develop development")
_SERVERS = vocabulary("app application server socketio api web serving uvicorn hypercorn") | set(_WEB)
_STARTS = ("*.run", "*.run_simple", "*.run_app", "*.run_server", "*.socketio")


def _serves(at: Place) -> bool:
    return not at.django and bool(set(words(at.name.rpartition(".")[0])) & _SERVERS)


def _is_no_start(at: Place) -> bool:
    return not at.django and f"*.{called(at.call)}" not in _STARTS


def _by_hand(at: Place) -> bool:
    """Below `if __name__ == "__main__"` in a file that no shipped file starts, so only developers run it."""
    main = at.setting is None and any(
        isinstance(node, Name) and node.id == "__name__" for test in at.site.tests for node in walk(test)
    )
    name = at.outline.path.rpartition("/")[2]
    files = (each for each in at.project.survey.files if each.language is None and each.role is not FileRole.DOCUMENTATION)
    said = (each.path for each in files if not each.path.endswith((".md", ".rst", ".txt")))
    return main and not any(name in at.project.text(path) for path in said)


def _is_switch(at: Place) -> bool:
    """Upper-case settings count in web projects; lower-case ones only on an application or in Tornado's settings."""
    setting = at.setting
    if setting is None or at.django:
        return False
    roots = {name.partition(".")[0] for name in at.outline.module.imports.values()}
    web = not roots.isdisjoint(_WEB)
    if setting.name == "debug":
        return (setting.form in ("entry", "keyword") and "tornado" in roots) or (setting.form == "attribute" and web)
    named = setting.form == "name"
    in_class = named and setting.owner is not None and "config" in setting.owner.name.lower()
    level = (
        isinstance(setting.value, Const) and isinstance(setting.value.value, int) and not isinstance(setting.value.value, bool)
    )
    spelled = setting.form in ("index", "keyword", "name") or (setting.form == "entry" and not level)
    return in_class or (web and spelled)


def _is_on(at: Place) -> bool:
    """Return True if debugging is on, or on by default, not at a user's request, and no derived production class turns it off."""
    asked = any(words_in(test) & _ASKING for test in at.site.tests)
    return bool(at.switch().on) and not asked and not (at.setting is not None and (at.development or _off_in_production(at)))


def _off_in_production(at: Place) -> bool:
    owner = at.setting.owner.name if at.setting is not None and at.setting.owner is not None else ""
    derived = [each for each in at.outline.module.classes if owner and owner in {last_name(base) for base in each.bases}]
    return any(
        "prod" in each.name.lower() and isinstance(value := at.outline.attributes(each).get(at.name), Const) and not value.value
        for each in derived
    )


_UNLESS = "debug mode is on unless the environment turns it off"

check = Matching(
    Calls(_STARTS, lambda at: keyword("use_debugger")(at) or (keyword("debug")(at) if _serves(at) else None)),
    Calls(
        names("framework", "debug-option"),
        keyword("debug"),
        _is_no_start,
    ),
    Calls(("bottle.debug",), lambda at: positional(at.call, 0)),
    Settings(("DEBUG", "debug"), only=_is_switch),
    bad=(
        Bad(lambda at: _by_hand(at) and _is_on(at) and on(at), "debug mode is on", severity=Severity.LOW),
        Bad(lambda at: _by_hand(at) and _is_on(at), _UNLESS, Confidence.MEDIUM, Severity.LOW),
        Bad(lambda at: _is_on(at) and on(at), "debug mode is on"),
        Bad(_is_on, _UNLESS, Confidence.MEDIUM),
    ),
    good="off, asked for, or decided at run time",
    item="debug",
)
