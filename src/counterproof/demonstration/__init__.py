"""Runs a target isolated from this machine to observe the effect of a finding (A66, X24).

`subjects` determines what to run for a finding, `demonstrate` tries it, `oracles` decide, `sandbox` isolates it, `harness`
runs inside. Invariant: a model or the target can make proposals and answer, but never decides.
"""
