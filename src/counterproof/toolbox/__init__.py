"""Confined, metered access to the target. Agents see the code through this package and through nothing else."""
