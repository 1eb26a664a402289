"""Target text as seen by a model: hidden characters, encodings, authors' instructions.

Invariant: nothing is dropped silently; removed text leaves a mark that says what it was. Not handled here: prompt injection,
which `protocols.guard.injection` judges.
"""
