"""Reconnaissance of languages other than Python, from their syntax trees.

Invariant: every entry point names a line that exists; guards of JavaScript and TypeScript are judged, those of Java, Go, PHP and
Ruby are shown as written and unknown; files that do not parse are limitations. Not handled here: data flow, which needs the full
intermediate form.
"""
