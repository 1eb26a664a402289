"""What a doubt rests on, and whether that may stop a plan: one table, held against the record of judged challenges.

Always: a challenge stands only on evidence that was right on first runs over real plans, as people judged it, or on two lines
that say the opposite of each other. Everything else is asked, beside the line that raises it, and stops nobody.
What is merely not there contradicts nothing and is not raised: it may be new, or come with other work. It is asked about where
the plan's own words take it to be there.
`benchmarks/plan_record.py` counts what each kind of evidence was worth, and a test holds this table to it.
"""

from enum import IntEnum, StrEnum


class Grade(IntEnum):
    """What becomes of a doubt, the weightiest first."""

    STANDS = 0
    """It stops the plan."""
    ASKED = 1
    """It is asked, with what was found."""
    UNRAISED = 2
    """It is not raised: it is only not there, or the plan answers it."""


class Evidence(StrEnum):
    """How the places of a doubt contradict the plan."""

    LINES = "two lines that say the opposite"
    FILE_READ = "a sentence says of one file what the file, read whole, refutes"
    REPLACED = "a label creates one file alone, and it is there"
    OVERWRITTEN = "a label creates several files, and one is there"
    REDEFINED = "a block adds a function that is there"
    SLIPPED_FILE = "a label changes a file whose name is there but for a slip, in the same folder"
    MOVED_FILE = "a label changes a file, or words rely on it, and the only one of its name lies elsewhere"
    SPOKEN_FILE = "a path is used that nobody adds, and its folder has it but for a slip"
    DEPARTED = "a path is used that nobody adds, and a commit took the file away or renamed it"
    NEAR_FILE = "a path is spoken of, and one that is like it is there"
    SLIPPED_NAME = "a name is used that nobody adds, and the code has it but for a slip"
    CHANGED_SIBLING = "words change a name as one that is there, and a file that the plan works on has it but for one word"
    SIBLING_NAME = "a name is used that nobody adds, and a file that the plan works on has it but for one word"
    NEAR_NAME = "a name is used that a line may add, and one that is like it is there"
    NEAR_IMPORT = "an import asks a module, read whole, for what it has but for a slip or one word"
    LACKING_IMPORT = "an import of parsed code asks a module, read whole, for what it does not have"
    FOREIGN_IMPORT = "an import of a script asks a module for what it does not have"
    UNDECLARED = "a package that must be declared is not"
    UNDECLARED_LOOSELY = "a package is not declared, which others may bring along"
    UNLISTED = "a command names what the list that it chooses from does not have"
    EARLY_FILE = "a label changes a file that only a later label creates"
    EARLY_LOAD = "a step loads, or says that it needs, a file that only a later label creates"
    EARLY_CODE = "code that is built, checked or run uses what no file holds and only a later step makes"
    POINTED = "a line names a later step as one that its own needs"
    EARLY_NAME = "a step uses a name that only a later block defines"
    MISFIT = "a call of parsed or imported code does not fit the function"
    MISFIT_ALONE = "a call does not fit the only function of that name: one of the plan, or one of the code in a block for a file"
    MISFIT_BY_NAME = "a call does not fit the function of that name"
    LACKING = "the class of an object, read whole, lacks what code asks of it"
    UNDECLARED_MEMBER = "code asks a type, declared in full, for a member that it does not declare"
    MISSHAPEN = "an object that is written out does not fit the type that is declared for it"
    NO_OPTION = "a text is given or compared where a type, declared in full, consists of others"
    MISFIT_PROPS = "an element gives its component what that does not take, or not what it needs"
    WRONG_FIELD = "code uses a struct, declared in full, by a field that it does not have, or leaves one out"
    REMOVED = "a label, a command or the verb of a line removes the thing itself, and others use it"
    REMOVED_IN_WORDS = "a clause of a sentence removes the thing, and others use it"
    COUNTED_USES = "a line says who uses a thing, and the code has other users"
    LEFT_CALLER = "a block changes what a function takes, and a file that no step names calls it as it was"
    LEFT_TAKER = "a block writes a file out without what a file that no step names takes from it"
    UNCOMMITTED = "a task's list has a file that its commit, path by path, and all later ones leave out"
    MISCOUNTED = "a line expects another number of tests to pass than the plan's blocks, read whole, hold"
    UNLINTED = "a line expects a linter to find nothing, and a file that the plan writes out whole imports what it never uses"
    STATED = "a label states a function with other parameters than the plan's own block gives it"
    UNFAILING = "a test is to fail that takes nothing but types from the code, and its runner leaves types out"
    QUOTED = "a quote does not stand in the file, and one that is like it does"
    UNBOUND = "code uses what neither the file that must have it nor any block of the plan defines"
    UNIMPORTED = (
        "code that is given to its file by name uses what is elsewhere and nothing imports, in a plan that gives the imports of"
        " its files"
    )
    LEFT_IMPORT = "code for a file that is there uses what is elsewhere, and the file does not import it"
    SCRIPT_UNIMPORTED = (
        "a script that is given to its file by name uses what is elsewhere and the file does not import, in a plan that gives"
        " the imports of its files"
    )
    SCRIPT_UNDEFINED = "a script for a file uses a name that neither the code nor the plan has"
    SCRIPT_UNEXPORTED = "a script imports a name that its module, parsed and read whole, does not export"
    SCRIPT_DROPPED = "an import is removed from a file, and a line of it that the plan leaves alone uses the name"
    SCRIPT_CONSTANT = "one block of a script declares a constant and gives it another value"
    UNSEEN_FIXTURE = "a test asks for a fixture that only files have which it does not see"
    UNSAID = "what such a change needs elsewhere too is not spoken of"
    LABELLED_FILE = "a file is relied on that is not there, nor brought by any line, in a plan whose other files are"
    ABSENT_FILE = "a file is relied on that is not there, nor brought by any line"
    ABSENT_NAME = "words change a name as one that is there, and neither the code nor the plan has it"
    ABSENT = "it is only not there"


UNEARNED = frozenset(
    [
        Evidence.UNDECLARED,
        Evidence.MISFIT,
        Evidence.UNBOUND,
        Evidence.REPLACED,
        Evidence.MISFIT_ALONE,
        Evidence.UNDECLARED_MEMBER,
        Evidence.STATED,
        Evidence.WRONG_FIELD,
        Evidence.CHANGED_SIBLING,
        Evidence.EARLY_LOAD,
        Evidence.EARLY_CODE,
        Evidence.MOVED_FILE,
        Evidence.LABELLED_FILE,
        Evidence.UNLISTED,
        Evidence.UNCOMMITTED,
        Evidence.SCRIPT_DROPPED,
        Evidence.REMOVED_IN_WORDS,
        Evidence.SCRIPT_UNIMPORTED,
        Evidence.COUNTED_USES,
    ]
)
"""What contradicts a plan by its nature, and was wrong too often on first runs: it is asked until it has earned to stand."""
GRADES: dict[Evidence, Grade] = {
    **dict.fromkeys(UNEARNED, Grade.ASKED),
    Evidence.LINES: Grade.STANDS,
    Evidence.FILE_READ: Grade.STANDS,
    Evidence.SLIPPED_FILE: Grade.STANDS,
    Evidence.SPOKEN_FILE: Grade.STANDS,
    Evidence.DEPARTED: Grade.STANDS,
    Evidence.SLIPPED_NAME: Grade.STANDS,
    Evidence.REMOVED: Grade.STANDS,
    Evidence.LEFT_CALLER: Grade.STANDS,
    Evidence.NEAR_IMPORT: Grade.STANDS,
    Evidence.EARLY_FILE: Grade.STANDS,
    Evidence.MISSHAPEN: Grade.STANDS,
    Evidence.MISCOUNTED: Grade.STANDS,
    Evidence.UNLINTED: Grade.STANDS,
    Evidence.UNFAILING: Grade.STANDS,
    Evidence.UNIMPORTED: Grade.STANDS,
    Evidence.SCRIPT_CONSTANT: Grade.STANDS,
    Evidence.OVERWRITTEN: Grade.ASKED,
    Evidence.REDEFINED: Grade.ASKED,
    Evidence.NEAR_FILE: Grade.ASKED,
    Evidence.SIBLING_NAME: Grade.ASKED,
    Evidence.NEAR_NAME: Grade.ASKED,
    Evidence.LACKING_IMPORT: Grade.ASKED,
    Evidence.FOREIGN_IMPORT: Grade.ASKED,
    Evidence.UNDECLARED_LOOSELY: Grade.ASKED,
    Evidence.EARLY_NAME: Grade.ASKED,
    Evidence.MISFIT_BY_NAME: Grade.ASKED,
    Evidence.POINTED: Grade.ASKED,
    Evidence.LACKING: Grade.ASKED,
    Evidence.LEFT_IMPORT: Grade.ASKED,
    Evidence.UNSEEN_FIXTURE: Grade.ASKED,
    Evidence.MISFIT_PROPS: Grade.ASKED,
    Evidence.NO_OPTION: Grade.ASKED,
    Evidence.QUOTED: Grade.ASKED,
    Evidence.LEFT_TAKER: Grade.ASKED,
    Evidence.SCRIPT_UNDEFINED: Grade.ASKED,
    Evidence.SCRIPT_UNEXPORTED: Grade.ASKED,
    Evidence.UNSAID: Grade.ASKED,
    Evidence.ABSENT_FILE: Grade.ASKED,
    Evidence.ABSENT_NAME: Grade.ASKED,
    Evidence.ABSENT: Grade.UNRAISED,
}
NOWHERE = frozenset([Evidence.LABELLED_FILE, Evidence.ABSENT_FILE, Evidence.ABSENT_NAME])
"""What the plan's own words take to be there, so that no place of the repository needs to show it."""
MISSING = frozenset(
    [
        Evidence.MOVED_FILE,
        Evidence.LACKING_IMPORT,
        Evidence.FOREIGN_IMPORT,
        Evidence.UNDECLARED,
        Evidence.UNDECLARED_LOOSELY,
        Evidence.UNLISTED,
        Evidence.UNBOUND,
        Evidence.SCRIPT_UNDEFINED,
        Evidence.SCRIPT_UNEXPORTED,
        *NOWHERE,
    ]
)
"""What other work may bring."""
SLIPS = frozenset(
    [
        Evidence.SLIPPED_FILE,
        Evidence.SPOKEN_FILE,
        Evidence.DEPARTED,
        Evidence.NEAR_IMPORT,
        Evidence.SLIPPED_NAME,
        Evidence.CHANGED_SIBLING,
        Evidence.SIBLING_NAME,
    ]
)
"""What was meant under another name, unless another plan makes it under this one."""
IMPORTED = frozenset({Evidence.UNIMPORTED, Evidence.LEFT_IMPORT, Evidence.SCRIPT_UNIMPORTED})
"""What lacks no more than an import."""
MANY = 3
"""Points that a plan leaves open though the repository answers them, from which on none of them counts as open."""
