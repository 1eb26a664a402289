"""Running a target apart from this machine to see the effect of a finding (A66, X24).

`subjects` says what is run for a finding, `demonstrate` tries it, `oracles` decide, `sandbox` holds it, `harness` is what runs
inside. Invariant: a model or the target can propose and answer, and decides nothing.
"""
