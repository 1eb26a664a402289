// What one visitor stores is shown to the next one.
const express = require("express");
const sqlite3 = require("sqlite3");
const mysql = require("mysql2/promise");
const mongoose = require("mongoose");

const app = express();
const db = new sqlite3.Database("x.db");
const pool = mysql.createPool({});
const Note = mongoose.model("Note", new mongoose.Schema({ text: String, made: Date }));

app.post("/comments", (req, res) => {
  db.run("INSERT INTO comments (author, content, stars) VALUES (?, ?, ?)", [req.body.author, req.body.content, Number(req.body.stars)]);
  res.redirect("/comments");
});

app.get("/comments", (req, res) => {
  db.all("SELECT * FROM comments ORDER BY id DESC", (err, comments) => {
    let html = "";
    comments.forEach((comment) => {
      html += `<div>${comment.author}: ${comment.content}</div>`;
    });
    res.send("<h1>Comments</h1>" + html); // expect: javascript-xss
  });
});

app.get("/stars", (req, res) => {
  db.get("SELECT stars FROM comments WHERE id = ?", [req.query.id], (err, row) => {
    res.send(`<p>${row.stars}</p>`); // ok: javascript-xss
  });
});

app.get("/author", (req, res) => {
  db.get("SELECT * FROM comments WHERE id = ?", [req.query.id], (err, row) => {
    res.send(`<p>${row.author}</p>`); // expect: javascript-xss
  });
});

app.get("/answer", (req, res) => {
  db.all("SELECT * FROM comments", (err, comments) => res.json(comments)); // ok: javascript-xss
});

app.get("/all", (req, res) => {
  db.all("SELECT * FROM comments", (err, comments) => res.status(200).send(comments)); // ok: javascript-xss
});

app.get("/one", (req, res) => {
  db.all("SELECT * FROM comments", (err, comments) => res.send(comments[0])); // ok: javascript-xss
});

app.post("/names", async (req, res) => {
  await pool.execute("INSERT INTO people (name) VALUES (?)", [req.body.name]);
  res.end();
});

app.get("/names/:id", async (req, res) => {
  const [rows] = await pool.query("SELECT name FROM people WHERE id = ?", [req.params.id]);
  res.status(200).send("<p>" + rows[0].name + "</p>"); // expect: javascript-xss
});

app.get("/cities/:id", async (req, res) => {
  const [rows] = await pool.query("SELECT name FROM cities WHERE id = ?", [req.params.id]);
  res.send("<p>" + rows[0].name + "</p>"); // ok: javascript-xss
});

app.post("/notes", async (req, res) => {
  await Note.create({ text: req.body.text, made: new Date() });
  res.end();
});

app.get("/notes", async (req, res) => {
  const note = await Note.findOne({}).lean();
  res.send("<p>" + note.text + "</p>"); // expect: javascript-xss
});

app.get("/made", async (req, res) => {
  const note = await Note.findOne({});
  res.send("<p>" + note.made + "</p>"); // ok: javascript-xss
});
