import bcrypt
from werkzeug.security import check_password_hash, generate_password_hash


def login_by_sql(cursor, name, password):
    cursor.execute("SELECT * FROM users WHERE name = ? AND password = ?", (name, password))  # ok: plaintext-password
    return cursor.fetchone()


def register(cursor, name, password):
    cursor.execute("INSERT INTO users (name, password) VALUES (?, ?)", (name, password))  # expect: plaintext-password


def change(cursor, name, password):
    cursor.execute("UPDATE users SET password = ? WHERE name = ?", (password, name))  # ok: plaintext-password


def register_hashed(cursor, name, password):
    stored = generate_password_hash(password)
    cursor.execute("INSERT INTO users (name, password) VALUES (?, ?)", (name, stored))  # ok: plaintext-password


def login_hashed(user, password):
    return check_password_hash(user.password, password)  # ok: plaintext-password


def login_bcrypt(user, password):
    return bcrypt.hashpw(password, user.password) == user.password  # ok: plaintext-password


def matches(form):
    return form.password.data == form.password_again.data  # ok: plaintext-password


def rename(cursor, name, new):
    cursor.execute("UPDATE users SET name = ? WHERE name = ?", (new, name))  # ok: plaintext-password


def allowed(settings):
    return settings.password_login_mode == LoginMode.ENABLED  # ok: plaintext-password


def hidden(field):
    return field.kind == FieldKind.PASSWORD  # ok: plaintext-password


def why_disabled(user, Reason):
    return user.disabled_for == Reason.LeakedPassword  # ok: plaintext-password


def by_letter(User, token):
    return User.query.filter_by(reset_password=token).one()  # ok: plaintext-password
