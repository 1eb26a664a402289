"""How long a survey takes: `python benchmarks/survey.py [files]` plants that many small modules and surveys them."""

import resource
import sys
import tempfile
import time
from pathlib import Path

from counterproof.analysis.source.survey import SurveyOptions, survey

_MODULE = "import os\n\n# a comment\n\n\ndef double(value):\n    return value + value\n\n\nprint(os.name, double(2))\n" * 10


def plant(root: Path, files: int) -> None:
    """Small modules, a hundred to a folder."""
    for number in range(files):
        folder = root / f"part{number // 10_000}" / f"package{number // 100}"
        if number % 100 == 0:
            folder.mkdir(parents=True)
        (folder / f"module{number % 100}.py").write_text(f"{_MODULE}# {number}\n")


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as place:
        plant(Path(place), files)
        started = time.perf_counter()
        found = survey(Path(place), SurveyOptions())
        seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(found.files):,} files, {found.loc:,} lines of code: {seconds:.1f} s, {memory} MB")


if __name__ == "__main__":
    main()
