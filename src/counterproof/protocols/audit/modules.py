"""Selects the knowledge modules that an agent may load (A3): only those that reconnaissance recognised, most certain first, in
limited number.

Invariant: pure; at most 2 framework, 2 language, 3 domain modules and 5 in all for one agent and round; a domain module is
offered only if its trigger was seen. Not handled here: the content of modules.
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.recon import FrameworkConfidence, Recon
from counterproof.model.survey import Language

MAX_MODULES = 5


class ModuleKind(StrEnum):
    FRAMEWORK = "framework"
    LANGUAGE = "language"
    DOMAIN = "domain"


MAX_OF_KIND = {ModuleKind.FRAMEWORK: 2, ModuleKind.LANGUAGE: 2, ModuleKind.DOMAIN: 3}


@dataclass(frozen=True, slots=True)
class ModuleCard:
    """The routing data of a module. `triggers` are lower case; empty `dimensions` means all."""

    name: str
    kind: ModuleKind
    triggers: tuple[str, ...]
    dimensions: tuple[Dimension, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A module that an agent may load, and how certain the match is."""

    name: str
    kind: ModuleKind
    confidence: FrameworkConfidence


_RANK = {FrameworkConfidence.HIGH: 0, FrameworkConfidence.MEDIUM: 1, FrameworkConfidence.LOW: 2}


def offered(
    cards: tuple[ModuleCard, ...], languages: tuple[Language, ...], recon: Recon | None, dimensions: tuple[Dimension, ...]
) -> tuple[Offer, ...]:
    """The modules that match this agent, most certain first. There may be more than it may load: the agent chooses."""
    signs = _signs(languages, recon)
    offers: list[Offer] = []
    for card in cards:
        if card.dimensions and not set(card.dimensions) & set(dimensions):
            continue
        levels = [signs[card.kind][trigger] for trigger in card.triggers if trigger in signs[card.kind]]
        if levels:
            offers.append(Offer(card.name, card.kind, min(levels, key=lambda each: _RANK[each])))
    return tuple(sorted(offers, key=lambda each: (_RANK[each.confidence], list(ModuleKind).index(each.kind), each.name)))


def _signs(languages: tuple[Language, ...], recon: Recon | None) -> dict[ModuleKind, dict[str, FrameworkConfidence]]:
    frameworks: dict[str, FrameworkConfidence] = {}
    for each in recon.frameworks if recon else ():
        known = frameworks.get(each.name.lower(), FrameworkConfidence.LOW)
        frameworks[each.name.lower()] = min(known, each.confidence, key=lambda level: _RANK[level])
        for dependency in recon.dependencies if recon else ():
            if dependency.name.lower().replace("_", "") == "djangorestframework":
                frameworks["django rest framework"] = each.confidence
    seen = {*(recon.triggers if recon else ()), *_by_type(recon)}
    return {
        ModuleKind.LANGUAGE: {each.value: FrameworkConfidence.HIGH for each in languages},
        ModuleKind.FRAMEWORK: frameworks,
        ModuleKind.DOMAIN: dict.fromkeys(sorted(seen), FrameworkConfidence.HIGH),
    }


def _by_type(recon: Recon | None) -> tuple[str, ...]:
    """Domains implied by the names of paths and handlers."""
    if recon is None:
        return ()
    words = {
        word
        for each in recon.entry_points
        for word in f"{each.path} {each.name}".lower().replace("_", "/").replace("-", "/").replace(".", "/").split("/")
    }
    signs = (
        ("login", {"login", "signin", "session", "password", "reset", "token", "register", "auth"}),
        ("payments", {"payment", "payments", "checkout", "refund", "refunds", "invoice", "coupon", "order", "orders", "cart"}),
        ("multi-tenancy", {"tenant", "tenants", "organisation", "organization", "organizations", "workspace", "workspaces"}),
        ("file-upload", {"upload", "uploads", "avatar", "attachment", "attachments"}),
    )
    return tuple(name for name, wanted in signs if words & wanted)


def load_refusal(offer: Offer | None, loaded: tuple[Offer, ...]) -> str:
    """Why a module may not be loaded now; '' if it may."""
    if offer is None:
        return "this module is not offered: reconnaissance found nothing that needs it"
    if offer in loaded:
        return f"{offer.name} is loaded already"
    if len(loaded) >= MAX_MODULES:
        return f"{MAX_MODULES} modules are loaded, the most that one agent may load in a round"
    if Counter(each.kind for each in loaded)[offer.kind] >= MAX_OF_KIND[offer.kind]:
        return f"{MAX_OF_KIND[offer.kind]} {offer.kind.value} modules are loaded, the most allowed"
    return ""
