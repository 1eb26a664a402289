"""Reconnaissance of languages besides Python, straight from their syntax trees.

Always holds: every entry point names a line that exists; a guard that could not be decided is unknown, never absent; files that
do not parse are limitations. Does not belong here: data flow; that needs the full intermediate form.
"""
