"""Work that runs by the clock."""
