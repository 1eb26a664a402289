"""One handler among many that ask for a login, on a blueprint of a kind that is made elsewhere."""

from flask import jsonify

from ourserver.modules import ServerModule
from ourserver.people import login_required

from .core import close_session, preferences


class PreferencesModule(ServerModule):
    pass


blueprint = PreferencesModule("preferences", __name__)


@blueprint.route("/all")
@login_required
def all_of_them():  # ok: missing-authentication
    return jsonify(preferences())


@blueprint.route("/one/<name>")
@login_required
def one(name):  # ok: missing-authentication
    return jsonify(preferences()[name])


@blueprint.route("/groups")
@login_required
def groups():  # ok: missing-authentication
    return jsonify(preferences().groups)


@blueprint.route("/restart/<int:number>")
@login_required
def restart(number):  # ok: missing-authentication
    return jsonify(number)


@blueprint.route("/start/<int:number>")
@login_required
def start(number):  # ok: missing-authentication
    return jsonify(number)


@blueprint.route("/close/<int:number>", methods=["DELETE"])
def close(number):  # expect: missing-authentication
    close_session(number)
    return jsonify(True)
