"""What stands in a text in the place of what was taken out. Apart from who takes it out, which loads every grammar."""

WITHHELD = "‹withheld: it speaks to its reader›"
