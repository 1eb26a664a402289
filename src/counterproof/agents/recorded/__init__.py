"""Published or saved runs of models and scanners as agents: their findings are on file, their reads are not."""
