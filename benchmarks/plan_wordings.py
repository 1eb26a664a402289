"""The words that plans of the benchmark are written in: three sets for every kind of step, clean or flawed.

The first set was there while the checks were written. The second was written afterwards and measured before anything was changed
for it; then verbs in the passive were learnt from it. The third was written after that, and nothing was changed for it. So the
sets tell how much depends on the words. Which one a run used stands beside its figures.
"""

FIRST: dict[str, tuple[str, ...]] = {
    "change": (
        "Change `{name}()` in `{path}` to the new behaviour.",
        "Update `{path}`: adjust `{name}()`.",
        "In `{path}`, rework `{name}()`.",
        "The function `{name}` in `{path}` gets the new behaviour.",
    ),
    "plain": ("Update `{path}`.", "Edit `{path}` accordingly.", "Adjust `{path}`.", "`{path}` changes along."),
    "add": (
        "Add `{name}()` to `{path}`.",
        "Introduce a new `{name}()` in `{path}`.",
        "Write `{name}()` in `{path}`.",
        "Implement a new function `{name}` in `{path}`.",
    ),
    "new": ("Create `{path}`.", "Add a new file `{path}`.", "Write the new module `{path}`.", "Create the file `{path}` (new)."),
    "work on a file": ("Update `{path}` to the new behaviour.",),
    "work on a name": ("Change `{name}()` in `{path}` as well.",),
    "use early": ("Load the entries through `{fresh}` in `{path}`.", "Import the cache from `{fresh}` in `{path}`."),
    "create": ("Create `{fresh}`.",),
    "data": (
        "Write a migration that drops the `legacy_flag` column from the orders table.",
        "Add a non-null column `channel` to the orders table and backfill it.",
        "Run `ALTER TABLE orders DROP COLUMN legacy_flag` on the database.",
    ),
    "rule": (
        "Never use `xmlrpc` in this code base.",
        "Do not add `xmlrpc`; it was decided against.",
        "Avoid `xmlrpc`, use HTTP.",
    ),
    "against": (
        "Use `xmlrpc` to hand the result on.",
        "Add `xmlrpc` for the transport.",
        "Switch to `xmlrpc` for the transport.",
    ),
    "subject": (
        "Replace pigeonmail with plain HTTP",
        "Migrate from pigeonmail to plain HTTP",
        "Drop pigeonmail in favour of it",
    ),
    "again": ("Send the result through `pigeonmail` with a call.",),
    "run": ("Run `pytest {test}` and check that it passes.",),
    "stale": ("We run {name} 0.4.", "The project is on {name} 0.4, so its older interface applies.", "{name} 0.4 is installed."),
    "remove": (
        "Remove `{name}()` from `{path}`.",
        "Delete the `{name}` function in `{path}`.",
        "Drop `{name}()`; it lives in `{path}`.",
    ),
    "rename": ("Rename `{name}()` to `{name}_of()` in `{path}`.",),
    "require": ("Add a required parameter `mode` to `{name}()` in `{path}`.",),
    "unused": ("Nothing uses `{name}()` any more.", "`{name}` is dead code.", "There are no callers of `{name}()`."),
    "remove module": ("Delete `{path}`.", "Remove the module `{dotted}`.", "Remove `{path}`; its content is not needed."),
    "module unused": ("Nothing imports `{path}` any more.", "`{path}` is unused.", "No code uses `{path}`."),
    "call": ("Call `{name}(ledger_mode=1)` at the end.",),
    "property": (
        "`{name}()` already validates its input.",
        "The input is already validated by `{name}()`.",
        "`{name}()` already handles errors.",
    ),
    "tested": ("`{name}()` is already covered by tests.",),
    "remove minded": ("Remove `{name}()` from `{path}` and update all callers.",),
    "compatible": ("The change is backwards compatible.",),
    "option": ("Remove the `--ledger-mode` option from the command line.",),
    "package": ("Use the `ledgerkit` package to count the entries.",),
    "table": ("Read the totals from the `ledger_rows` table.",),
    "route": ("Call the endpoint `GET /api/ledger_rows` in `{path}`.",),
    "outside": ("Call Stripe to charge the card of the order.",),
    "careful data": ("Write a migration that adds the column `channel` to the orders; the rollback drops it again.",),
    "careful new": ("Create `{fresh}` with a `read_notes()` function.",),
    "careful use": ("Call `read_notes()` in `{path}`.",),
    "careful remove": ("Remove `{name}()` from `{path}` and change {listed}, which use it today.",),
    "careful unused": ("Remove `{name}()` from `{path}`; nothing calls it.",),
    "version": ("We run {name} {version}.",),
}

SECOND: dict[str, tuple[str, ...]] = {
    "change": (
        "`{name}()` in `{path}` has to take the new case into account.",
        "Teach `{name}()` (see `{path}`) about the new case.",
        "Fix `{name}` in `{path}` so that the description holds.",
        "Extend the body of `{name}()` in `{path}`.",
    ),
    "plain": (
        "Touch up `{path}`.",
        "Bring `{path}` in line with the rest.",
        "`{path}` needs a small correction.",
        "Revise `{path}`.",
    ),
    "add": (
        "`{path}` gains a function `{name}()`.",
        "Put a new function `{name}()` into `{path}`.",
        "Define `{name}()` in `{path}`.",
        "We need a fresh function `{name}()`, which we create in `{path}`.",
    ),
    "new": (
        "There will be a new file `{path}`.",
        "Start a new file, `{path}`.",
        "Set up the new file `{path}`.",
        "New file: `{path}`.",
    ),
    "work on a file": ("`{path}` has to follow the new behaviour.", "Correct the logic in `{path}`."),
    "work on a name": ("`{name}()` in `{path}` has to follow.", "Also fix `{name}()`, which sits in `{path}`."),
    "use early": ("Have `{path}` read its entries with the help of `{fresh}`.", "`{path}` starts to rely on `{fresh}`."),
    "create": ("Write the new module `{fresh}`.", "Set up the new file `{fresh}`."),
    "data": (
        "The orders table loses its `legacy_flag` column through a schema migration.",
        "Change the column `channel` of the orders table from text to a number.",
        "Migrate all rows of the orders table to the new schema.",
    ),
    "rule": (
        "We decided against `xmlrpc` in 2021.",
        "New code must not depend on `xmlrpc`.",
        "Don't import `xmlrpc`; talk HTTP.",
    ),
    "against": (
        "The result is handed on via `xmlrpc`.",
        "Introduce `xmlrpc` as the transport.",
        "Move to `xmlrpc` for the transport.",
    ),
    "subject": (
        "Switched from pigeonmail to plain HTTP",
        "mail: replace `pigeonmail` by plain HTTP",
        "Remove pigeonmail in favor of HTTP (#12)",
    ),
    "again": ("Add `pigeonmail` and send the result with it.", "Use the `pigeonmail` library for sending."),
    "run": ("`pytest {test}` is green.", "Check with `pytest {test} -q`."),
    "stale": (
        "Our lock file has {name} 0.4.",
        "Since we are still using {name} 0.4, the old calls are right.",
        "It runs on {name} version 0.4.",
    ),
    "remove": (
        "Get rid of `{name}()` in `{path}`.",
        "`{path}`: delete `{name}()`.",
        "The helper `{name}()` can go: remove it from `{path}`.",
    ),
    "rename": (
        "`{name}()` in `{path}` is renamed to `{name}_of()`.",
        "Give `{name}()` a better name: rename it to `{name}_of()`.",
    ),
    "require": (
        "`{name}()` in `{path}` gets a mandatory `mode` argument.",
        "Make `{name}()` take a new required argument `mode`.",
    ),
    "unused": (
        "A search shows that `{name}()` is never called.",
        "Nobody calls `{name}()`, so its behaviour is free to change.",
        "`{name}()` has no references left.",
    ),
    "remove module": (
        "Get rid of `{path}`.",
        "`{path}` is deleted.",
        "Drop the module `{dotted}` from the package.",
    ),
    "module unused": (
        "Nothing depends on `{path}`.",
        "Nobody imports `{path}` today.",
        "`{path}` is not imported anywhere.",
    ),
    "call": ("At the end comes `{name}(ledger_mode=1)`.", "Finish with `{name}(1, ledger_mode=2)`."),
    "property": (
        "No check is needed, because `{name}()` already checks its arguments.",
        "`{name}()` already sanitises what it gets.",
        "`{name}()` already catches all errors.",
    ),
    "tested": ("`{name}()` is well tested.", "`{name}()` already has tests."),
    "remove minded": ("Delete `{name}()` in `{path}`, and adapt its callers.",),
    "compatible": ("There are no breaking changes.", "This does not break existing users: it is fully backward-compatible."),
    "option": ("Change the default of the existing `--ledger-mode` flag.", "Drop `--ledger-mode` from the command line."),
    "package": ("Count the entries with the `ledgerkit` library.",),
    "table": ("The totals come from the table `ledger_rows`.", "Join with the `ledger_rows` table."),
    "route": ("The data comes from `GET /api/ledger_rows`.", "Query the route `/api/ledger_rows` in `{path}`."),
    "outside": ("For each order we send a request to Stripe.", "Fetch the exchange rates from an external service."),
    "careful data": ("Add the column `channel` to the orders with a reversible migration, and back up the table before.",),
    "careful new": ("Start a new file, `{fresh}`, with a new function `read_notes()`.",),
    "careful use": ("Have `{path}` call `read_notes()`.",),
    "careful remove": ("Delete `{name}()` in `{path}`; its users {listed} are changed in the same step.",),
    "careful unused": ("`{name}()` in `{path}` is dead code; remove it.",),
    "version": ("It runs on {name} {version}.",),
}

THIRD: dict[str, tuple[str, ...]] = {
    **SECOND,
    "change": (
        "I will modify `{name}()` (`{path}`) to cover the missing case.",
        "`{path}`: `{name}()` should handle the new case too.",
        "Refactor `{name}` within `{path}`.",
        "Rewrite `{name}()` in `{path}` along the description.",
    ),
    "plain": ("Small follow-up in `{path}`.", "`{path}`: same treatment.", "Polish `{path}`.", "Then comes `{path}`."),
    "add": (
        "Next, `{name}()` is added to `{path}`.",
        "Implement `{name}()` in `{path}`.",
        "New helper `{name}()` in `{path}`.",
        "I will add a function called `{name}()` to `{path}`.",
    ),
    "new": ("`{path}` (new file)", "I will create `{path}`.", "The file `{path}` is created.", "Introduce `{path}`."),
    "remove": (
        "`{name}()` disappears from `{path}`.",
        "Let us retire `{name}()` from `{path}` now.",
        "I will delete `{name}()` from `{path}`.",
    ),
    "rename": ("Rename the function `{name}` to `{name}_of`.", "`{name}()` gets renamed to `{name}_of()`."),
    "require": ("From now on `{name}()` needs a required `mode` parameter.", "Extend `{name}()` by a mandatory argument `mode`."),
    "remove module": ("We can delete `{path}` altogether.", "Retire `{path}`.", "`{path}` goes away."),
    "unused": ("`{name}()` is not called anywhere.", "No code calls `{name}()`.", "`{name}()` is no longer used."),
    "module unused": ("`{path}` is dead code.", "Nothing in the code base uses `{path}`.", "`{path}` has no users."),
    "property": (
        "`{name}()` already escapes its input.",
        "`{name}()` already checks types.",
        "We rely on `{name}()`, which already deals with errors.",
    ),
    "tested": ("`{name}()` is covered by the existing tests.",),
    "data": (
        "Drop the table `legacy_flags` from the database.",
        "Generate a migration that renames the column `channel`.",
        "Backfill the new column for all orders.",
    ),
    "use early": ("Use `{fresh}` from `{path}`.", "In `{path}`, call into `{fresh}`."),
    "create": ("I will create `{fresh}`.", "Add the file `{fresh}`."),
    "stale": ("We pin {name} 0.4.", "{name} 0.4 is what production uses.", "As of today {name} is at 0.4."),
    "careful remove": ("`{name}()` in `{path}` goes away, and {listed} are adapted.",),
    "careful unused": ("Delete `{name}()` from `{path}`: it is never called.",),
}

SETS = {"first": FIRST, "second": SECOND, "third": THIRD}
