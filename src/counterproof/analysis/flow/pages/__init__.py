"""Templates in the data flow: values passed to a page are followed to where the page prints them.

Invariant: a page is run on abstract values like a function; its prints are sinks at the template's own lines. Not handled here:
reading templates.
"""
