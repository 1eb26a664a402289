"""Reconnaissance of languages besides Python, straight from their syntax trees.

Invariant: every entry point names a line that exists; guards of JavaScript and TypeScript are judged, those of Java, Go, PHP
and Ruby are shown as written and unknown; files that do not parse are limitations. Not handled here: data flow; that needs the
full intermediate form.
"""
