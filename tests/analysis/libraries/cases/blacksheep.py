import subprocess

from blacksheep import Application, Request, file, get, html, redirect

app = Application()


@get("/hello")
async def hello(request: Request):  # route: GET /hello
    return html(f"<p>{request.query['name']}</p>")  # expect: xss


@app.router.get("/go")
async def go(request: Request):  # route: GET /go
    return redirect(request.query["to"])  # expect: open-redirect


@app.router.post("/lookup")
async def lookup(request: Request):  # route: POST /lookup
    return subprocess.run(["host", request.route_values["name"]], capture_output=True)  # ok: command-injection


@app.route("/export")
async def export(request: Request):  # route: GET /export
    return file(open("exports/" + request.route_values["name"], "rb"), "text/csv")  # expect: path-traversal
