def create(cursor):
    cursor.execute("CREATE TABLE users (id INT, name TEXT, password TEXT)")  # ok: plaintext-password
    cursor.execute("INSERT INTO users VALUES (1, 'admin', 'sunshine')")  # expect: plaintext-password
    cursor.execute("INSERT INTO users VALUES (2, 'eve', '$2b$12$KIXQ8sE9Cw1')")  # ok: plaintext-password
