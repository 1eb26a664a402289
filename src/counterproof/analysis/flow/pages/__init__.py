"""Templates as part of the flow: values handed to a page are followed to where the page prints them.

Always holds: a page is run on abstract values like a function of the program; its prints are sinks at the template's own lines.
Does not belong here: reading templates.
"""
