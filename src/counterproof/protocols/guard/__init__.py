"""Rules shared by the protocols, about agents' claims, budgets and isolation."""
