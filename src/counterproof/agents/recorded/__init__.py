"""Published or saved runs of models and scanners as agents: what they found is on file, what they read is not."""
