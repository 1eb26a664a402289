"""Makes `python -m counterproof` equivalent to the `counterproof` command.

`-m` puts the current folder first on the import path. That folder is often the target, and a `typer.py` in it must not be
imported; so it is removed before any other import.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from counterproof.cli.main import main

main()
