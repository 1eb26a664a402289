"""Embedded analysts: deterministic, in the package, no key and no network."""
