"""The MCP server: Counterproof as tools of a coding agent. Parses, shows and passes on; has no rules of its own.

The `mcp` library is an extra and is first imported when the server is started.
"""
