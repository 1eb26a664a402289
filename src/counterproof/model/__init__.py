"""The nouns of the product: frozen, typed, self-validating.

A value that exists is valid: constructors refuse what the domain forbids. Nothing here reads a clock, a file or the
network, and nothing here decides what happens next; that is what the protocols are for.
"""
