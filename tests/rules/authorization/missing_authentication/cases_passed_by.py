from flask import Blueprint, Flask, abort, send_file, session
from functools import wraps

app = Flask(__name__)
backups = Blueprint("backups", __name__)


def login_required(view):
    @wraps(view)
    def asked(*args, **kwargs):
        if "user" not in session:
            abort(401)
        return view(*args, **kwargs)

    return asked


@login_required
@backups.route("/backup")
def backup():  # expect: missing-authentication
    return send_file("/data/backup.zip")


@backups.route("/restore", methods=["POST"])
@login_required
def restore():  # ok: missing-authentication
    return "", 204


@backups.route("/list")
@login_required
@backups.route("/all")
def listed():  # ok: missing-authentication
    return "", 204


app.register_blueprint(backups)
