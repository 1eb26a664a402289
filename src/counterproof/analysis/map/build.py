"""Assemble the map from one analysis without a model. Not handled here: reading the parts, and displaying the map."""

from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.endpoints.entered_program import entered_program
from counterproof.analysis.map.places import Places
from counterproof.analysis.map.routes import routes_of
from counterproof.analysis.map.sessions import headers_of, sessions_of
from counterproof.analysis.map.settings import settings_of
from counterproof.analysis.map.siblings import siblings_of
from counterproof.analysis.map.sinks import Reach, SinkCall, fact, sink_calls, writes_file
from counterproof.analysis.map.sizes import components_of, unread_of
from counterproof.analysis.map.writes import Writes
from counterproof.analysis.polyglot.corpus import corpus_of
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.program.own_imports import gaps_of
from counterproof.analysis.project import Project
from counterproof.model.map import Fact, Map
from counterproof.model.recon import EntryPoint

_NETWORK = ("http-request", "address-opening")
_FILES = ("file-access", "archive-extraction", "upload")


def map_of(project: Project) -> Map:
    """Return the map of a project; built once."""
    return project.once("map", lambda: _built(project))


def _built(project: Project) -> Map:
    for each in gaps_of(project):
        project.left_unread(each.path, each.why)
    entries = _entries(project)
    places = Places(project, entered_program(project, entries), corpus_of(project))
    routes = routes_of(project, places, entries)
    reach = Reach(places, routes)
    calls = list(sink_calls(places))
    related = siblings_of(places, routes, Writes(places))
    return Map(
        name=project.survey.name,
        digest=project.survey.digest,
        routes=routes,
        rights=related.found,
        sinks=tuple(_facts(calls, reach, places)),
        settings=settings_of(places, calls),
        network=(*_facts([each for each in calls if each.kind in _NETWORK], reach, places), *headers_of(places, reach)),
        files=tuple(_facts([each for each in calls if each.kind in _FILES and writes_file(each)], reach, places)),
        sessions=sessions_of(places, reach),
        components=components_of(project),
        unread=unread_of(project),
        loc=project.survey.loc,
        limitations=project.survey.limitations,
        groups=related.groups,
        compared=related.understood,
    )


def _entries(project: Project) -> tuple[EntryPoint, ...]:
    found = (*entry_points(project), *other_entry_points(project))
    return tuple(sorted(found, key=lambda each: (each.handler, each.kind, each.path, each.method)))


def _facts(calls: list[SinkCall], reach: Reach, places: Places) -> list[Fact]:
    found = [fact(each.kind, each, reach, places) for each in calls]
    return sorted(dict.fromkeys(found), key=lambda each: (each.kind, each.at))
