const express = require("express");
const { exec, execFile, spawn } = require("child_process");
const util = require("util");
const childProcess = require("node:child_process");

const run = util.promisify(exec);
const app = express();
const HOSTS = ["alpha", "beta"];

function ping(host, done) {
  exec("ping -c 1 " + host, done); // expect: javascript-command-injection
}

app.get("/ping", (req, res) => {
  ping(req.query.host, (err, out) => res.json({ out }));
});

app.post("/convert", async (req, res) => {
  const { file } = req.body;
  await run(`convert ${file} out.png`); // expect: javascript-command-injection
  res.end();
});

app.get("/later", (req, res) => {
  const name = req.params.name;
  fetchSettings().then(() => {
    childProcess.execSync("tar xf " + name); // expect: javascript-command-injection
  });
});

app.get("/each", (req, res) => {
  req.query.names.forEach((name) => {
    exec(`rm ${name}`); // expect: javascript-command-injection
  });
});

class Runner {
  constructor(prefix) {
    this.prefix = prefix;
  }

  start(word) {
    return exec(this.prefix + word); // expect: javascript-command-injection
  }
}

app.get("/runner", (req, res) => {
  new Runner("echo ").start(req.query.word);
});

app.get("/list", (req, res) => {
  execFile("convert", [req.query.file, "out.png"]); // ok: javascript-command-injection
  spawn("ls", ["-l", req.query.folder]); // ok: javascript-command-injection
});

app.get("/shell", (req, res) => {
  spawn("ls", [req.query.folder], { shell: true }); // expect: javascript-command-injection
  spawn("ls", [req.query.folder], { shell: false }); // ok: javascript-command-injection
  spawn(req.query.program, []); // expect: javascript-command-injection
});

app.get("/number", (req, res) => {
  const count = parseInt(req.query.count, 10);
  exec("head -n " + count); // ok: javascript-command-injection
});

app.get("/choice", (req, res) => {
  if (HOSTS.includes(req.query.host)) {
    exec("ping " + req.query.host); // ok: javascript-command-injection
  }
});

app.get("/pattern", (req, res) => {
  const host = req.query.host;
  if (!/^[a-z0-9]+$/.test(host)) {
    return res.status(400).end();
  }
  exec(`ping ${host}`); // ok: javascript-command-injection
});

exec("uptime"); // ok: javascript-command-injection

function later(value, done) {
  setTimeout(() => done(null, value), 5);
}

app.get("/handed", (req, res) => {
  later(req.query.host, (err, host) => {
    exec("ping " + host); // expect: javascript-command-injection
  });
  later(parseInt(req.query.count, 10), (err, count) => {
    exec("head -n " + count); // ok: javascript-command-injection
  });
});

function shellQuote(word) {
  return "'" + word.replace(/'/g, "'\\''") + "'";
}

function quoteFirst(word) {
  return "'" + word.replace("'", "'\\''") + "'";
}

app.get("/quoted", (req, res) => {
  exec("ls " + shellQuote(req.query.folder)); // ok: javascript-command-injection
  exec("ls " + quoteFirst(req.query.folder)); // expect: javascript-command-injection
  exec("ls '" + req.query.folder.replace(/'/g, "") + "' " + req.query.more); // expect: javascript-command-injection
  res.end();
});
