"""Templates as part of the flow: values handed to a page are followed to where the page prints them.

Always holds: a page is run on abstract values like a function of the program; its prints are sinks at the template's own lines.
Does not belong here: reading templates.
"""

from counterproof.analysis.flow.pages.calls import render_call
from counterproof.analysis.flow.pages.decorators import render_return
from counterproof.analysis.flow.pages.page_execution import PAGE_EVALUATORS, PAGE_EXECUTORS

__all__ = ["PAGE_EVALUATORS", "PAGE_EXECUTORS", "render_call", "render_return"]
