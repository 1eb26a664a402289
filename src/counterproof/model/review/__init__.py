"""The nouns of adversarial review: profiles, findings, positions, votes, verdicts."""
