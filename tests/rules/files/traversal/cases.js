const fs = require("fs");
const http = require("http");
const path = require("path");
const url = require("url");
const express = require("express");

const ROOT = path.resolve("public");
const app = express();

http.createServer(function (question, answer) {
  const name = url.parse(question.url).pathname;
  fs.readFile(path.join(ROOT, name), function (err, data) { // expect: javascript-path-traversal
    answer.end(data);
  });
}).listen(8080);

app.get("/stream", (req, res) => {
  fs.createReadStream(`${ROOT}/${req.query.file}`).pipe(res); // expect: javascript-path-traversal
});

app.get("/send/:name", (req, res) => {
  res.sendFile(path.resolve(ROOT, req.params.name)); // expect: javascript-path-traversal
});

app.delete("/nested", (req, res) => {
  fs.stat(ROOT, (err, stat) => {
    if (!err) fs.unlink(ROOT + "/" + req.body.file, () => res.end()); // expect: javascript-path-traversal
  });
});

app.get("/base", (req, res) => {
  fs.readFile(path.join(ROOT, path.basename(req.query.file)), (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/root", (req, res) => {
  res.sendFile(req.query.file, { root: ROOT }); // ok: javascript-path-traversal
});

app.get("/inside", (req, res) => {
  const file = path.resolve(ROOT, req.query.file);
  if (!file.startsWith(ROOT)) {
    return res.status(403).end();
  }
  fs.readFile(file, (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/dots", (req, res) => {
  const file = req.query.file;
  if (file.indexOf("..") !== -1) {
    return res.status(400).end();
  }
  fs.readFile(path.join(ROOT, file), (err, data) => res.end(data)); // ok: javascript-path-traversal
});

fs.readFileSync(path.join(__dirname, "settings.json")); // ok: javascript-path-traversal

app.use((req, res, next) => {
  req.args = settings;
  next();
});

app.get("/own-folder", (req, res) => {
  fs.readFile(path.join(req.args["data-dir"], "key"), (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/their-folder", (req, res) => {
  fs.readFile(path.join(req.query["data-dir"], "key"), (err, data) => res.end(data)); // expect: javascript-path-traversal
});

app.get("/seen-from-the-folder/:name", (req, res) => {
  const file = path.resolve(ROOT, req.params.name);
  const seen = path.relative(ROOT, file);
  if (seen === "" || seen.startsWith("..") || path.isAbsolute(seen)) {
    throw new Error("outside");
  }
  res.sendFile(file); // ok: javascript-path-traversal
});

app.get("/seen-and-let-through/:name", (req, res) => {
  const file = path.resolve(ROOT, req.params.name);
  const seen = path.relative(ROOT, file);
  if (!seen.startsWith("..")) {
    return res.status(404).end();
  }
  res.sendFile(file); // expect: javascript-path-traversal
});

app.get("/only-the-beginning/:name", (req, res) => {
  const name = req.params.name;
  if (name.startsWith("..")) {
    return res.status(404).end();
  }
  res.sendFile(path.join(ROOT, name)); // expect: javascript-path-traversal
});

app.post("/uploads", (req, res) => {
  const sent = req.files.image;
  fs.rename(sent.path, "/srv/images/new.png", () => res.end()); // ok: javascript-path-traversal
});

app.post("/uploads/named", (req, res) => {
  const sent = req.files.image;
  fs.rename(sent.path, "/srv/images/" + sent.name, () => res.end()); // expect: javascript-path-traversal
});
