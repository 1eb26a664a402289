from flask import Flask, flash, redirect, request, session
from werkzeug.security import check_password_hash

app = Flask(__name__)
users = {}


@app.route("/login", methods=["POST"])
def login():
    user = users.get(request.form["name"])
    if user is None:
        return "User does not exist", 404  # expect: user-enumeration
    if not check_password_hash(user.password, request.form["password"]):
        return "The password is wrong", 403
    return redirect("/")


@app.route("/enter", methods=["POST"])
def enter():
    user = users.get(request.form["name"])
    if user is None or not check_password_hash(user.password, request.form["password"]):
        flash("Wrong user name or password")
    return redirect("/")


@app.route("/api/login", methods=["POST"])
def api_login():
    user = users.get(request.json["name"])
    if user and check_password_hash(user.password, request.json["password"]):
        return {"ok": True}
    return {"error": "Incorrect password"}, 401  # ok: user-enumeration


@app.route("/user/<name>")
def profile(name):
    if name not in users:
        return "User not found", 404  # ok: user-enumeration
    return users[name].public()


@app.route("/sign-in", methods=["POST"])
def sign_in():
    user = users.get(request.form["email"])
    message = "Email incorrect!"  # expect: user-enumeration
    if user is not None:
        message = "Password incorrect!"
        if check_password_hash(user.password, request.form["password"]):
            return redirect("/")
    flash(message)
    return redirect("/sign-in")


@app.route("/forgot", methods=["POST"])
def forgot_password():
    if request.form["email"] not in users:
        flash("No account with that email was found: no such account")  # expect: user-enumeration
    else:
        flash("A link to reset the password was sent")
    return redirect("/")


@app.route("/recover", methods=["POST"])
def recover():
    if request.form["email"] in users:
        send(users[request.form["email"]])
    flash("If there is an account with that email, a letter was sent")  # ok: user-enumeration
    return redirect("/")


def accepted(name, password, stored_password):
    if name != "keeper":
        return "Username is invalid"  # expect: user-enumeration
    if password == stored_password:
        return "Welcome"
    return "Password incorrect"


@app.route("/reset", methods=["POST"])
def reset():
    if request.form["email"] in users:
        send(users[request.form["email"]])
    flash("If the account exists, a mail was sent")  # ok: user-enumeration
    return redirect("/")


@app.route("/lost-and-found", methods=["POST"])
def recover_quietly():
    member = find(request.form["email"])
    if member:
        send_letter(member)
    return "If an account exists for that email, a reset link has been sent."  # ok: user-enumeration


@app.route("/renew", methods=["POST"])
def renew():
    account = session["account"]
    row = find(account)
    if row is None:
        return "No such user"  # ok: user-enumeration
    if not check_password_hash(row.password_hash, request.form["password"]):
        return "Wrong password"
    return store(row, request.form["chosen"])


@app.route("/porch", methods=["POST"])
def porch():
    user = users.get(request.form["name"])
    if user is None:
        app.logger.info("Unknown user, from the porch")  # ok: user-enumeration
    elif not check_password_hash(user.password, request.form["password"]):
        app.logger.info("Wrong password, from the porch")
    else:
        return redirect("/")
    return "Not accepted"


@app.route("/password", methods=["PUT"])
def update_password():
    if request.form["user_id"] != current_user.id:
        return "Invalid user ID"  # ok: user-enumeration
    if not check_password_hash(current_user.password, request.form["old"]):
        return "Wrong password"
    return "changed"


@app.route("/gate", methods=["POST"])
def gate():
    user = users.get(request.form["name"])
    if user is None:
        raise NotThere("User not found")  # expect: user-enumeration
    if not check_password_hash(user.password, request.form["password"]):
        raise Refused("Email or password is incorrect")
    return redirect("/")


@app.route("/side", methods=["POST"])
def side():
    if "@" not in request.form["email"]:
        return "Invalid email"  # ok: user-enumeration
    user = users.get(request.form["email"])
    if user is None or not check_password_hash(user.password, request.form["password"]):
        return "Email or password is incorrect"
    return redirect("/")
