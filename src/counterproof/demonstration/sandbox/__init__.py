"""The sandbox: `running` starts and observes it from outside, `launcher` is its inside, `level` reports its layers."""
