from sqlalchemy import text


class Members:
    def enrol(self, name, password):
        statement = "INSERT INTO members (name, password) VALUES (:name, :password)"
        self.session.execute(text(statement), {"name": name, "password": password})  # ok: plaintext-password


def join(members, form):
    passwordhash = hashed(form["password"])
    return members.enrol(form["name"], passwordhash)
