const express = require("express");
const net = require("net");
const { exec } = require("child_process");
const { z } = require("zod");

const app = express();
const Named = z.object({ name: z.string().min(1).regex(/^[a-z0-9.-]+$/).max(20), free: z.string().regex(/[a-z]+/) });

app.get("/refused", (req, res) => {
  const name = req.query.name;
  if (/[;&|`$<>\\\n]/.test(name)) return res.status(400).end();
  exec("ls " + name); // ok: javascript-command-injection
});

app.get("/some-refused", (req, res) => {
  const name = req.query.name;
  if (/[;&|]/.test(name)) return res.status(400).end();
  exec("ls " + name); // expect: javascript-command-injection
});

app.get("/host", (req, res) => {
  const host = req.query.host;
  if (!net.isIP(host)) return res.status(400).end();
  exec("ping " + host); // ok: javascript-command-injection
});

app.get("/schema", (req, res) => {
  const { name, free } = Named.parse(req.query);
  exec("ls " + name); // ok: javascript-command-injection
  exec("ls " + free); // expect: javascript-command-injection
});

app.get("/tried", (req, res) => {
  const tried = Named.safeParse(req.query);
  if (!tried.success) return res.status(400).end();
  exec("ls " + tried.data.name); // ok: javascript-command-injection
  exec("ls " + tried.data.free); // expect: javascript-command-injection
});
