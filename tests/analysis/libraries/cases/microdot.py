import os
import subprocess

from microdot import Microdot, Request, redirect, send_file

app = Microdot()
admin = Microdot()


@app.route("/go")
def go(request):  # route: GET /go
    return redirect(request.args.get("to"))  # expect: open-redirect


@app.get("/home")
def home(request):  # route: GET /home
    return redirect("/start")  # ok: open-redirect


@app.get("/files/<path:name>")
async def fetch(request, name):  # route: GET /files/<path:name>
    return send_file("public/" + name)  # expect: path-traversal


@app.get("/plain/<name>")
async def plain(request, name):  # route: GET /plain/<name>
    return send_file("public/" + os.path.basename(name))  # ok: path-traversal


@admin.post("/ping")
def ping(request: Request):  # route: POST /admin/ping
    return subprocess.check_output("ping " + request.json["host"], shell=True)  # expect: command-injection


app.mount(admin, url_prefix="/admin")
