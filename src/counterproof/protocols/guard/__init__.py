"""What the protocols share: rules about agents' claims, budgets and isolation."""
