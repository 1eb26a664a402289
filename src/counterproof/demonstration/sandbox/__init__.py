"""The sandbox: `running` starts one and looks at it from outside, `launcher` is its inside, `level` says what is in force."""
