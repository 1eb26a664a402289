"""The program that the files make up together: which file an import means. Does not belong here: what code does."""
