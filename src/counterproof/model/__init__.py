"""The domain types of the product: frozen, typed, self-validating.

Constructors reject invalid values, so every existing value is valid. This package reads no clock, file or network and decides
nothing about control flow; the protocols do that.
"""
