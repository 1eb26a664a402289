import { exec, execSync, execFile } from "child_process";

export function list(folder) {
  return exec(`ls ${folder}`); // expect: javascript-shell-text
}

export function open(options) {
  const command = "open " + options.file;
  return execSync(command); // expect: javascript-shell-text
}

export function fixed() {
  return execSync("git status"); // ok: javascript-shell-text
}

export function number(count) {
  return execSync(`head -n ${count} /srv/log`); // ok: javascript-shell-text
}

export function apart(folder) {
  return execFile("ls", [folder]);
}

export function quoted(folder) {
  return exec(`ls ${quote(folder)}`); // ok: javascript-shell-text
}

export function matched(text) {
  return /a/.exec(`x${text}`);
}

export function tested(name) {
  if (!/^[a-z]+$/.test(name)) throw new Error(name);
  return exec(`ls ${name}`); // ok: javascript-shell-text
}

const { spawn, spawnSync } = require("child_process");

function opened(editor, file) {
  return spawn(editor, [file], { shell: true }); // expect: javascript-shell-text
}

function scripted(options) {
  return spawnSync("sh", ["-c", `tar xf ${options.archive}`]); // expect: javascript-shell-text
}

function plain(file) {
  return spawn("cat", [file]); // ok: javascript-shell-text
}

function joined(branch) {
  return exec(["git", "checkout", branch].join(" ")); // expect: javascript-shell-text
}

function answered(file, options, done) {
  spawn("cat", [file], options); // ok: javascript-shell-text
  return execFile("cat", [file], (error) => done(error)); // ok: javascript-shell-text
}

function added(options) {
  let command = "git log";
  if (options.branch) command += ` ${options.branch}`;
  return exec(command); // expect: javascript-shell-text
}

function fixed(options) {
  let command = "git log";
  if (options.short) command += " --oneline";
  return exec(command); // ok: javascript-shell-text
}

function pushed(options) {
  const parts = ["git", "log"];
  parts.push(options.branch);
  const command = parts.join(" ");
  return exec(command); // expect: javascript-shell-text
}

function counted(options) {
  const parts = ["git", "log"];
  parts.push("-n", Number(options.most));
  return exec(parts.join(" ")); // ok: javascript-shell-text
}

function whole(command) {
  return exec(command); // ok: javascript-shell-text
}
