"""The audit protocol, rules A1 to A51."""
