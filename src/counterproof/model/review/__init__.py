"""The domain types of adversarial review: profiles, findings, positions, votes, verdicts."""
