"""One file per framework, each with a `CONVENTION` and independent of the others."""
