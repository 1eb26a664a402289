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

app.use((err, req, res, next) => {
  res.status(500).send("<pre>" + err.stack + "</pre>"); // expect: javascript-error-details
});

app.use(errorhandler()); // expect: javascript-error-details
