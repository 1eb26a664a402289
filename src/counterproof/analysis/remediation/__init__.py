"""Patches for findings, each checked by analysing the patched tree again (R32)."""
