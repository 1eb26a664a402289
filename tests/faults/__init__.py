"""The fault server, its clock, and the tests of the fault rows on it."""
