"""What text of the target looks like to a reader who is not human: hidden characters, encodings, words of the authors.

Invariant: nothing is dropped in silence; what is taken out leaves a mark that says what stood there. What a text wants from
its reader is judged in `protocols.guard.injection`.
"""
