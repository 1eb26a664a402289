from flask import Flask, request

from store import keep

app = Flask(__name__)


class MemberForm:
    def __init__(self, **sent):
        self.name = sent.get("name")
        self.password = sent.get("password")

    def valid(self):
        return bool(self.name and self.password)


class Member:
    def __init__(self, **sent):
        self.name = sent.get("name")
        self.role = sent.get("role", "member")


@app.post("/members")
def enrol():
    form = MemberForm(**request.form)  # ok: mass-assignment
    return {"ok": form.valid()}


@app.post("/members/whole")
def enrol_whole():
    keep(Member(**request.form))  # expect: mass-assignment
    return {}
