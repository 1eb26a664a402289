from quart import Quart, redirect, request, url_for

app = Quart(__name__)


@app.post("/rename")
async def rename():
    form = await request.form
    member = {"name": form["name"]}
    return redirect(url_for("profile", name=member["name"]))  # ok: open-redirect


@app.post("/leave")
async def leave():
    form = await request.form
    return redirect(form["to"])  # expect: open-redirect
