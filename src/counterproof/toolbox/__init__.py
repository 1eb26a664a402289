"""Confined, metered access to the target. Agents see the code only through this package."""
