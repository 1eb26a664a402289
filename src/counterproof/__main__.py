"""Lets `python -m counterproof` do what the `counterproof` command does.

`-m` puts the current folder first on the import path. That folder is often the target, and a `typer.py` in it must not be
imported; so it is taken off before anything else is.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from counterproof.cli.main import main

main()
