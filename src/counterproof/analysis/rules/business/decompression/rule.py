"""Untrusted data unpacked in memory without a limit.

## What it finds
Request data or uploaded files given whole to `zlib.decompress`, `gzip.decompress`, `bz2.decompress`, `lzma.decompress` or Brotli.

## Why it matters
A few kilobytes unpack to gigabytes, so that one request fills the memory of the server.

## What is safe
A decompressor that is told how much to give at most (`zlib.decompressobj().decompress(data, limit)`), or reading a compressed
file in parts and stopping at a limit.

## Limits
Limits on the size of the request do not help here and are not looked at. Archives that are extracted to a folder have rules of
their own.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = FlowRule(
    RuleInfo(
        id="decompression-bomb",
        title="Decompression bomb",
        dimension=Dimension.D9,
        kind="unpacking",
        cwe=409,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="A small request unpacks to more than memory can hold.",
        remedy="Decompress with a size limit, and reject whatever exceeds it.",
    ),
    sinks=sinks("decompression"),
    poc="100 MB of zero bytes, compressed to 100 kB",
)
