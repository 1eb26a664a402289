from werkzeug.security import generate_password_hash

from store import connect


class Guest:
    def __init__(self, name):
        self.name = name
        self.password = ""

    def choose(self, word):
        self.password = generate_password_hash(word)

    def keep(self):
        connect().execute("INSERT INTO guests (name, password) VALUES (?, ?)", (self.name, self.password))  # ok: plaintext-password
