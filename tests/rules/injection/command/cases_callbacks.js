const express = require("express");
const _ = require("lodash");
const { exec } = require("child_process");
const shellQuote = require("shell-quote");
const app = express();
const TOOLS = ["lint", "test"];

function quoted(text) {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

function bare(text) {
  return `--${text.trim()}`;
}

function runIn(folder) {
  return TOOLS.map((tool) => `${tool} ${folder}`);
}

app.post("/plain", (req, res) => {
  exec("ls " + req.body.names.map(bare).join(" ")); // expect: javascript-command-injection
});

app.post("/around", (req, res) => {
  exec(TOOLS.map((tool) => `${tool} ${req.body.name}`).join(";")); // expect: javascript-command-injection
});

app.post("/returned", (req, res) => {
  exec(runIn(req.body.name).join(";")); // expect: javascript-command-injection
});

app.post("/folded", (req, res) => {
  exec(TOOLS.reduce((line, tool) => `${line}; ${tool} ${req.body.name}`, "cd /srv")); // expect: javascript-command-injection
});

app.post("/settled", async (req, res) => {
  const line = await loaded().then((settings) => settings.tool + req.body.name);
  exec(line); // expect: javascript-command-injection
});

app.post("/library", (req, res) => {
  exec(_.map(TOOLS, (tool) => tool + req.body.name).join(";")); // expect: javascript-command-injection
});

app.post("/kept", (req, res) => {
  const names = req.body.names.filter((name) => name.length > 1);
  exec("ls " + names.join(" ")); // expect: javascript-command-injection
});

app.post("/parts", (req, res) => {
  const jobs = req.body.jobs.map((job) => ({ tool: "lint", name: job.name }));
  exec("lint " + jobs[0].name); // expect: javascript-command-injection
  exec(jobs[0].tool + " ."); // ok: javascript-command-injection
});

app.post("/quoted", (req, res) => {
  exec("ls " + req.body.names.map(quoted).join(" ")); // ok: javascript-command-injection
});

app.post("/quoted-here", (req, res) => {
  exec("ls " + req.body.names.map((name) => `'${name.replace(/'/g, "'\\''")}'`).join(" ")); // ok: javascript-command-injection
});

app.post("/numbers", (req, res) => {
  exec("kill " + req.body.numbers.map(Number).join(" ")); // ok: javascript-command-injection
});

app.post("/chosen", (req, res) => {
  const known = req.body.names.filter((name) => TOOLS.includes(name));
  exec("npm run " + known.join(" ")); // ok: javascript-command-injection
});

app.post("/words", (req, res) => {
  if (!req.body.names.every((name) => /^\w+$/.test(name))) return res.end();
  exec("ls " + req.body.names.join(" ")); // ok: javascript-command-injection
});

app.post("/some-word", (req, res) => {
  if (!req.body.names.some((name) => /^\w+$/.test(name))) return res.end();
  exec("ls " + req.body.names.join(" ")); // expect: javascript-command-injection
});

app.post("/no-other", (req, res) => {
  const { names } = req.body;
  if (names.some((name) => !/^\w+$/.test(name))) {
    throw new Error("no name");
  }
  exec("ls " + names.join(" ")); // ok: javascript-command-injection
});

app.post("/some-asked", (req, res) => {
  const { names } = req.body;
  const fine = (name) => {
    if (name.length > 3) return /^\w+$/.test(name);
    return true;
  };
  if (!names.every(fine)) return res.end();
  exec("ls " + names.join(" ")); // expect: javascript-command-injection
});

app.post("/counted", (req, res) => {
  exec("sleep " + req.body.names.map(() => 1).length); // ok: javascript-command-injection
});
