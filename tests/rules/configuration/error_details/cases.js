const express = require("express");
const errorhandler = require("errorhandler");

const app = express();

app.get("/a", (req, res) => {
  load(req.query.id, (err, found) => {
    if (err) return res.status(500).send(err); // expect: javascript-error-details
    res.json(found); // ok: javascript-error-details
  });
});

app.get("/b", async (req, res) => {
  try {
    res.json(await find(req.query.id));
  } catch (error) {
    res.status(500).json({ message: "failed", trace: error.stack }); // expect: javascript-error-details
  }
});

app.get("/c", async (req, res) => {
  try {
    res.json(await find(req.query.id));
  } catch (error) {
    console.error(error);
    res.status(500).json({ message: "failed" }); // ok: javascript-error-details
  }
});

app.get("/d", async (req, res) => {
  try {
    res.json(await db.query("SELECT * FROM t"));
  } catch (error) {
    res.status(500).json({ error: error.message }); // expect: javascript-error-details
  }
});

app.get("/e", async (req, res) => {
  try {
    res.render("list", { rows: await db.query("SELECT * FROM t") }); // ok: javascript-error-details
  } catch (error) {
    res.render("failed", { error: `Sorry: ${error.message}` }); // expect: javascript-error-details
  }
});

app.get("/f", async (req, res) => {
  try {
    const rows = await db.query("SELECT * FROM t");
    if (!rows.length) throw new Error("Nothing there");
    res.json(rows);
  } catch (error) {
    res.status(400).json({ error: error.message }); // ok: javascript-error-details
  }
});

app.get("/g", async (req, res) => {
  try {
    res.json(await find(req.query.id));
  } catch (error) {
    res.status(500).json({ error: error.message }); // expect: javascript-error-details
  }
});

app.get("/h", async (req, res) => {
  try {
    res.json(await find(req.query.id));
  } catch (error) {
    res.status(422).json({ error: error.message }); // ok: javascript-error-details
  }
});

const answer = function (status, message, more) {
  const made = { status: status, message: message };
  if (more) note(more);
  return made;
};

app.get("/i", (req, res) => {
  db.query("SELECT * FROM t", (err, rows) => {
    if (err) return res.send(answer("failed", err.message)); // expect: javascript-error-details
    if (!rows.length) return res.send(answer("failed", "nothing there", rows)); // ok: javascript-error-details
    res.write(JSON.stringify(rows)); // ok: javascript-error-details
  });
});

app.get("/j", (req, res) => {
  db.query("SELECT * FROM t", (error, rows) => {
    if (error) res.write(JSON.stringify(error)); // expect: javascript-error-details
    if (error) res.send(answer("failed", "sorry", error.message)); // ok: javascript-error-details
    res.end();
  });
});

app.get("/k", (req, res) => {
  lookUp(req.query.id, (err, found) => {
    res.send(answer("done", err ? "unknown" : found)); // ok: javascript-error-details
  });
});

app.use((err, req, res, next) => {
  res.status(500).send("<pre>" + err.stack + "</pre>"); // expect: javascript-error-details
});

app.use(errorhandler()); // expect: javascript-error-details
