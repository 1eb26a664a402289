"""What runs inside the sandbox, beside the target: one file for each language, read as text and never imported."""
