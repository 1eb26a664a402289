"""What each kind of evidence was worth when people judged it: true and false challenges and questions, by cause.

    python benchmarks/plan_record.py

Rows of `benchmarks/data/plans_judged.csv` that share draw, repository and judgement have one cause. Draw 1 served for mending and
is left out, and so is a check for line numbers past the end of a file, which was taken away. The evidence of draws up to 18 was
told afterwards, by kind and wording of the challenge; from draw 19 on the run tells it. What the run told as evidence that was
cut in two afterwards is counted where it belongs now.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.plans.evidence import GRADES, Evidence

JUDGED = Path(__file__).parent / "data" / "plans_judged.csv"
NEEDED = 0.8
"""The share of true ones from which on evidence may stop a plan."""


CUT = (
    ("LINES", "The plan reads what is not there", Evidence.LACKING.name),
    ("MISFIT", "with other arguments `logger.info`", Evidence.LACKING.name),
    ("UNLISTED", "runs `make ui-test`", Evidence.ABSENT.name),
    ("UNBOUND", "uses without a definition `_", Evidence.ABSENT.name),
    ("MISFIT_ALONE", "with other arguments `executeBuddyDo`", Evidence.MISFIT_BY_NAME.name),
    ("MOVED_FILE", "works on the file `pdftopng/", Evidence.NEAR_FILE.name),
    ("MOVED_FILE", "works on the file `crates/tarmak/", Evidence.ABSENT.name),
    ("UNDECLARED", "the package `lit`", Evidence.UNDECLARED_LOOSELY.name),
    ("UNDECLARED", "the package `@lit-labs/", Evidence.UNDECLARED_LOOSELY.name),
    ("UNDECLARED", "rollup", Evidence.UNDECLARED_LOOSELY.name),
    ("LABELLED_FILE", "/ScheduleScreen.tsx`", Evidence.ABSENT_FILE.name),
    ("SLIPPED_FILE", "/screenshot.ts`", Evidence.ABSENT.name),
    ("SPOKEN_FILE", "`src/app/global.css`", Evidence.NEAR_FILE.name),
    ("SLIPPED_NAME", "`entityName`", Evidence.NEAR_NAME.name),
    ("UNDECLARED", "`HoldingReplacementService`", Evidence.ABSENT.name),
    ("UNDECLARED", "-sdk` (plan line 138)", Evidence.ABSENT.name),
    ("NEAR_NAME", "the name `defaultProgression`", Evidence.SLIPPED_NAME.name),
    ("EARLY_CODE", "too early `captchaToken`", Evidence.EARLY_NAME.name),
    ("EARLY_CODE", "too early `sessionId`", Evidence.EARLY_NAME.name),
    ("EARLY_FILE", "mediacache/normalize/store.rs`", Evidence.ABSENT.name),
    ("LINES", "too early `Task", Evidence.POINTED.name),
    ("EARLY_CODE", "too early `MAIL_PROVIDER`", Evidence.EARLY_NAME.name),
    ("CHANGED_SIBLING", "the name `autoMode`", Evidence.ABSENT_NAME.name),
    ("MOVED_FILE", "(authed)/page.tsx`", Evidence.ABSENT.name),
    ("MOVED_FILE", "(shop)/page.tsx`", Evidence.ABSENT.name),
    ("EARLY_FILE", "too early `Research`", Evidence.ABSENT.name),
    ("LABELLED_FILE", "/plan-engine.ts`", Evidence.ABSENT.name),
    ("LEFT_CALLER", "`IndexYahooSymbol`", Evidence.REDEFINED.name),
    ("NEAR_IMPORT", "`AvatarFallback`", Evidence.FOREIGN_IMPORT.name),
    ("MISFIT_ALONE", "other arguments `request`", Evidence.MISFIT_BY_NAME.name),
    ("UNCOMMITTED", "`pipeline/_probe_sheet.py`", Evidence.ABSENT.name),
    ("UNDECLARED", "github.com/wailsapp/", Evidence.UNDECLARED_LOOSELY.name),
    ("CHANGED_SIBLING", "the name `getLLMProviders`", Evidence.ABSENT_NAME.name),
    ("UNLISTED", "cd frontend && npm run build", Evidence.ABSENT.name),
    ("UNLISTED", "make vibe-panel-run sourceable", Evidence.ABSENT.name),
    ("UNBOUND", "`_merge_seed_references`", Evidence.ABSENT.name),
    ("UNBOUND", "`_extract_absolute_urls_from_html`", Evidence.ABSENT.name),
    ("MISFIT", "arguments `RawTrade`", Evidence.MISFIT_BY_NAME.name),
    ("UNDECLARED_MEMBER", "HttpApiAgent.purgeStaleSessions", Evidence.ABSENT.name),
    ("ABSENT", "/0015_model_routing_governance_persistence.sql`", Evidence.LABELLED_FILE.name),
    ("ABSENT", "/test_ops_equiv_linear.py`", Evidence.LABELLED_FILE.name),
    ("ABSENT", "` and changes it", Evidence.ABSENT_FILE.name),
)
"""What a run told, words of the challenge, and the kind that these are of since."""


@dataclass(frozen=True)
class Worth:
    """How often evidence was right and wrong, by cause."""

    right: int
    wrong: int

    @property
    def earned(self) -> bool:
        """Whether the record lets it stand; without a record nothing speaks against it."""
        return self.right >= NEEDED * (self.right + self.wrong)


def record() -> dict[Evidence, Worth]:
    """The worth of every kind of evidence."""
    causes = set(_causes())
    return {
        each: Worth(*(sum(kind == each.name and said == word for kind, said, *_ in causes) for word in ("true", "false")))
        for each in Evidence
    }


def _causes() -> Iterator[tuple[str, str, str, str, str]]:
    with JUDGED.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["evidence"] and row["draw"] != "1" and "points past the end" not in row["challenge"]:
                cut = next((name for told, words, name in CUT if told == row["evidence"] and words in row["challenge"]), "")
                yield cut or row["evidence"], row["judgement"].partition(":")[0], row["draw"], row["repository"], row["judgement"]


def main() -> None:
    print("| evidence | true | false | grade |\n|---|---|---|---|")
    for each, worth in record().items():
        print(f"| {each.value} | {worth.right} | {worth.wrong} | {GRADES[each].name.lower()} |")


if __name__ == "__main__":
    main()
