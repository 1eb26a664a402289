"""The command line. Parses options, prints results and asks the user; has no rules of its own."""
