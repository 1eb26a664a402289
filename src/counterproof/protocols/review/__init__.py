"""Adversarial review, R1 to R35: isolated specialists, mediated challenges, votes counted by the engine. Pure."""
