from hashing import slow_hash

ADD = "INSERT INTO members (name, password) VALUES (%s, %s)"
FIND = "SELECT number FROM members WHERE name = %s"


async def take_on(cursor, name, password):
    await cursor.execute(ADD, (name, password))  # expect: plaintext-password


async def take_on_safely(cursor, name, password):
    await cursor.execute(ADD, (name, slow_hash(password)))  # ok: plaintext-password


async def look(cursor, name, password):
    await cursor.execute(FIND, (name,))  # ok: plaintext-password
    return password
