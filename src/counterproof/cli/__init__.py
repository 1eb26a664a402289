"""The command line. Parses, shows and asks; has no rules of its own."""
