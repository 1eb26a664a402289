"""The ledger of real CVEs: what a peer says is set by advisory and draw, and verdicts written while it ran are kept."""

import csv
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PUT = "import sys; from pathlib import Path; import cves; cves.put(Path(sys.argv[1]), '14', {'CVE-1': {'bandit': 'none'}})"
HEAD = "draw,id,ecosystem,repository,fix,cwes,lines,outcome,ours,stays,bandit,semgrep,verdict,reason\n"


def test_columns_of_a_peer_are_set_in_the_ledger_as_it_stands(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.csv"
    judged = '14,CVE-1,pypi,a/b,1,22,9,audited,path a.py:1,,,x a.py:1,T,"a name, joined"\n'
    others = "13,CVE-1,pypi,a/b,1,22,9,audited,,,,,,\n14,CVE-2,npm,c/d,2,79,9,audited,,,,,F,no\n"
    ledger.write_text(HEAD + judged + others, encoding="utf-8")
    subprocess.run([sys.executable, "-c", PUT, str(ledger)], cwd=BENCHMARKS, check=True)
    assert ledger.read_text("utf-8") == HEAD + judged.replace(",,,x a", ",,none,x a") + others
    with ledger.open(encoding="utf-8", newline="") as file:
        assert [row["bandit"] for row in csv.DictReader(file)] == ["none", "", ""]
