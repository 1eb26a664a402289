const express = require("express");
const { exec } = require("child_process");
const app = express();
const HASH = /^[0-9a-f]{7,40}$/;
const IMAGE = /^docker:\/\/[a-zA-Z0-9_.:\/@-]+$/;
const LOOSE = /^docker:\/\/.+$/;
const LINE = /^[a-z0-9 ;.:]+$/;

function stripped(text) {
  return text.replace(/[^a-zA-Z0-9.\-_/]/g, "");
}

app.get("/given", (req, res) => {
  const hash = req.query.hash;
  if (hash && !new RegExp(HASH).test(hash)) return res.end();
  exec("git show " + hash); // ok: javascript-command-injection
});

app.get("/other", (req, res) => {
  const { hash, name } = req.query;
  if (name && !HASH.test(hash)) return res.end();
  exec("git show " + hash); // expect: javascript-command-injection
});

app.get("/image", (req, res) => {
  if (!IMAGE.test(req.query.image)) throw new Error("no image");
  exec("skopeo inspect " + req.query.image); // ok: javascript-command-injection
});

app.get("/loose", (req, res) => {
  if (!LOOSE.test(req.query.image)) throw new Error("no image");
  exec("skopeo inspect " + req.query.image); // expect: javascript-command-injection
});

app.get("/line", (req, res) => {
  if (!LINE.test(req.query.image)) throw new Error("no image");
  exec("skopeo inspect " + req.query.image); // expect: javascript-command-injection
});

app.get("/stripped", (req, res) => {
  exec("go doc " + stripped(req.query.name)); // ok: javascript-command-injection
});

app.get("/default", (req, res) => {
  const commit = req.query.commit || "";
  if (commit && !/^[0-9a-f]{7,40}$/.test(commit)) return res.status(400).end();
  exec("git show " + commit); // ok: javascript-command-injection
  const branch = req.query.branch || "main";
  if (branch && !/[0-9a-f]{7,40}/.test(branch)) return res.status(400).end();
  exec("git show " + branch); // expect: javascript-command-injection
  res.end();
});
