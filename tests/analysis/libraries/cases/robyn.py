import os
import sqlite3

from robyn import Robyn, SubRouter, html, serve_file

app = Robyn(__file__)
reports = SubRouter(__file__, prefix="/reports")


@app.get("/users/:name")
def user(request):  # route: GET /users/:name
    name = request.path_params["name"]
    return sqlite3.connect("a.db").execute(f"SELECT * FROM users WHERE name = '{name}'").fetchall()  # expect: sql-injection


@app.get("/safe/:name")
def safe(request):  # route: GET /safe/:name
    name = request.path_params["name"]
    return sqlite3.connect("a.db").execute("SELECT * FROM users WHERE name = ?", (name,)).fetchall()  # ok: sql-injection


@app.post("/run", auth_required=True)
async def run(request):  # route: POST /run guarded
    os.system(request.form_data["command"])  # expect: command-injection
    return "done"


@reports.get("/file")
def report(request):  # route: GET /reports/file
    return serve_file("reports/" + request.query_params.get("name"))  # expect: path-traversal


@reports.get("/page")
def page(request):  # route: GET /reports/page
    return html("<h1>" + request.query_params.get("title") + "</h1>")  # expect: xss


app.include_router(reports)
