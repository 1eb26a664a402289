"""Marks for removed text. Separate from the code that removes it, which loads every grammar."""

WITHHELD = "‹withheld: it speaks to its reader›"
