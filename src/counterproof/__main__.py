"""Lets `python -m counterproof` do what the `counterproof` command does."""

from counterproof.cli.main import main

main()
