"""Knowledge that ships with the package as data: modules for agents, and the profiles of reviews."""
