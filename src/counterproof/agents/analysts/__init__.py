"""Embedded analysts: deterministic, part of the package, without a key or network."""
