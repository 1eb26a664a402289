"""One file per framework. Each defines `CONVENTION`; none knows another."""
