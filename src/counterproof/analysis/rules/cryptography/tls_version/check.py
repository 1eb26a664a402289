"""The check of `tls-version`."""

from counterproof.analysis.config.patterns import Bad, Matching, Uses
from counterproof.analysis.config.places import Place, always
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Compare, Expr, Index, Mapping, Name, Unary
from counterproof.analysis.syntax.walk import walk

_OLD = ("PROTOCOL_SSLv2", "PROTOCOL_SSLv3", "PROTOCOL_TLSv1", "PROTOCOL_TLSv1_1", "SSLv2_METHOD", "SSLv3_METHOD", "TLSv1_METHOD")
_OLD_MINIMUM = ("SSLv3", "TLSv1", "TLSv1_1", "MINIMUM_SUPPORTED")
_SOUND = ("PROTOCOL_TLS_CLIENT", "PROTOCOL_TLS_SERVER", "PROTOCOL_TLSv1_2", "TLSv1_2", "TLSv1_3", "PROTOCOL_TLS")
_OUTDATED = Bad(always, "an old version")
_VERSIONS = frozenset({*_OLD, *_OLD_MINIMUM, *_SOUND})


def _is_asked_for(at: Place) -> bool:
    """Return True if the version is really configured: not compared, listed in a translation table, or stored by a function."""
    if not at.name.startswith(("ssl.", "OpenSSL.SSL.", "urllib3.util.ssl_.")):
        return False
    node = at.site.node
    tables = (each.node for each in at.outline.of(Mapping) if len(_VERSIONS & _named(each.node)) > 1)
    keyed = (
        each.node for each in at.outline.of(Assign) if any(isinstance(to, Index) and _named(to.key) for to in each.node.targets)
    )
    kept = (each.node.value for each in at.outline.of(Assign) if each.function and isinstance(each.node.targets[0], Name))
    spoken = (*(each.node for each in at.outline.of(Compare)), *tables, *keyed)
    return all(each is not node for each in kept) and all(each is not node for each in walk(*spoken))


def _named(node: Expr) -> set[str]:
    return {each.name for each in walk(node) if isinstance(each, Attribute)}


def _takes_away(at: Place) -> bool:
    """`context.options &= ~ssl.OP_NO_SSLv3`; computed numbers are not analysed."""
    lowered = (
        each.node for each in at.outline.of(Augment) if each.node.operator == "&" and isinstance(each.node.target, Attribute)
    )
    values = (each.value for each in lowered if isinstance(each.value, Unary) and each.value.operator == "~")
    return any(each is at.site.node for value in values for each in walk(value))


check = Matching(
    Uses(_OLD, only=_is_asked_for, bad=_OUTDATED),
    Uses(_OLD_MINIMUM, only=lambda at: ".TLSVersion." in at.name and _is_asked_for(at), bad=_OUTDATED),
    Uses(_SOUND, only=_is_asked_for, good="a current version"),
    Uses(
        ("OP_NO_SSLv2", "OP_NO_SSLv3", "OP_NO_TLSv1", "OP_NO_TLSv1_1", "OP_NO_COMPRESSION"),
        bad=Bad(_takes_away, "the protection is removed"),
    ),
    item="{last}",
)
