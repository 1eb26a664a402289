"""A store's password is more severe next to a publicly reachable address of the store (A55)."""

import pytest

from counterproof.analysis.secrets import examine

WORD = "dfNAa7RmZC9q"


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("files", "bears"),
    [
        ({".env": f"DB_HOST=sql11.freehosting.net\nDB_PASSWORD={WORD}\n"}, True),
        ({".env": f"MONGO_URI=mongodb+srv://app:{WORD}@cluster0.ab1cd.mongodb.net/shop\n"}, True),
        ({"db.js": f"const pool = connect('postgresql://app:{WORD}@ep-calm.eu-central-1.neon.tech/shop');\n"}, True),
        ({".env": f"DB_HOST=localhost\nDB_PASSWORD={WORD}\n"}, False),
        ({".env": f"DATABASE_URL=postgresql://app:{WORD}@db:5432/shop\n"}, False),
        ({".env": f"DB_HOST=db.internal\nDB_PASSWORD={WORD}\n"}, False),
        ({".env": f"DB_HOST=your-host.mongodb.net\nDB_PASSWORD={WORD}\n"}, False),
        ({".env": f"MAIL_HOST=smtp.provider.net\nDB_PASSWORD={WORD}\n"}, False),
        ({"db.js": f"const DB_HOST = 'sql11.freehosting.net';\nconst DB_PASSWORD = '{WORD}';\n"}, True),
        ({"db.js": f"const DB_HOST = options.endpoint;\nconst DB_PASSWORD = '{WORD}';\n"}, False),
        ({".env": f"DB_HOST=mysql.default\nDB_PASSWORD={WORD}\n"}, False),
    ],
    ids=[
        "setting",
        "address",
        "code",
        "this-machine",
        "service",
        "own-network",
        "made-up",
        "another-host",
        "text-in-code",
        "field-in-code",
        "service-by-its-space",
    ],
)
def test_an_address_that_everybody_reaches_bears_the_proof(project_of, files: dict[str, str], bears: bool) -> None:
    told = [each for each in examine(project_of(files)).findings if each.cwe in (259, 798)]
    assert len(told) == 1
    assert (len(told[0].proof.links) == 2 and not told[0].proof.assumptions) is bears
