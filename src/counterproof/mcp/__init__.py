"""The MCP server: Counterproof as tools of a coding agent. Parses, formats and forwards; has no rules of its own.

The `mcp` library is an extra, imported only when the server starts.
"""
