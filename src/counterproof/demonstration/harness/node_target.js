// The harness of a JavaScript target. It runs inside the sandbox, in Node, and decides nothing. It reads one JSON question a line
// from descriptor 0 and writes one JSON answer a line to descriptor 3. A package is loaded and its functions are called; a server
// is started and asked over the sandbox's loopback. Takes Node's own modules alone, and Node 12 or later.

"use strict";

const fs = require("fs");
const http = require("http");
const net = require("net");
const path = require("path");

const ROOT = "/target/code";
const LONGEST = 400000;
const patience = { call: 700, request: 4000, start: 15000 }; // half as long after each call or request without an answer
const ports = [];
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...given) {
  this.once("listening", () => {
    const at = this.address();
    if (at && at.port && !ports.includes(at.port)) ports.push(at.port);
  });
  return listen.apply(this, given);
};
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);
process.exit = () => undefined;

const wait = (time) => new Promise((done) => setTimeout(done, time));
const named = (error) => `${(error && error.message) || error}${argumentsOf(error)}`.slice(0, 2000);
// A failed shell names its whole command; a program that is not there is reported without its arguments.
const argumentsOf = (error) => (error && Array.isArray(error.spawnargs) ? ` (${error.spawnargs.join(" ")})` : "");

// Functions

function* functionsOf(value, way, depth, seen) {
  if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value) || depth > 3) return;
  seen.add(value);
  if (typeof value === "function") {
    yield [way, value];
    for (const name of methods(value.prototype)) yield [`${way}#${name}`, value.prototype[name]];
  } else if (Object.getPrototypeOf(value) && Object.getPrototypeOf(value) !== Object.prototype) {
    for (const name of methods(Object.getPrototypeOf(value))) yield [`${way}.${name}`, value[name]];
  }
  for (const name of Object.getOwnPropertyNames(value).slice(0, 200)) {
    if (["prototype", "caller", "arguments", "callee", "super_"].includes(name)) continue;
    try {
      yield* functionsOf(value[name], `${way}.${name}`, depth + 1, seen);
    } catch (error) {
      continue;
    }
  }
}

function methods(prototype) {
  if (!prototype || prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype).filter((name) => {
    const about = Object.getOwnPropertyDescriptor(prototype, name);
    return name !== "constructor" && about && typeof about.value === "function";
  });
  return own;
}

function parametersOf(text) {
  const match = /^(?:async\s+)?(?:function\s*\*?\s*[\w$]*|[\w$]+|\*?\s*[\w$]+)?\s*\(([^)]*)\)/.exec(text) || /^(?:async\s+)?([\w$]+)\s*=>/.exec(text);
  if (!match) {
    const made = /constructor\s*\(([^)]*)\)/.exec(text);
    return made ? names(made[1]) : [];
  }
  return names(match[1]);
}

const names = (text) => text.split(",").map((each) => each.replace(/=.*$/s, "").replace(/[{}[\]\s.]/g, "")).filter(Boolean);

async function load(question) {
  const found = [];
  const problems = [];
  const seen = new Set();
  for (const module of question.modules) {
    try {
      process.chdir(fs.statSync(path.join(ROOT, module)).isDirectory() ? path.join(ROOT, module) : ROOT);
      const loaded = await loadedFrom(path.join(ROOT, module));
      for (const [way, each] of functionsOf(loaded, "", 0, seen)) {
        const text = Function.prototype.toString.call(each);
        if (text.includes("[native code]")) continue;
        const lines = text.split("\n").map((line) => line.trim());
        const at = lines.indexOf(question.line);
        const first = lines[0].endsWith(question.line) || question.line.endsWith(lines[0]) || question.line.includes(lines[0]);
        const rank = first && lines[0].length > 3 ? 0 : at >= 0 ? 1 : question.inner.some((line) => lines.includes(line)) ? 2 : 3;
        found.push({ module, way, rank, length: text.length, parameters: parametersOf(text), text });
      }
    } catch (error) {
      problems.push(`${module}: ${named(error)}`);
    }
  }
  found.sort((a, b) => a.rank - b.rank || a.length - b.length);
  const best = found.filter((each) => each.rank < 3).slice(0, 6);
  const chosen = best.length ? best : found.slice(0, 6);
  for (const each of chosen) each.properties = propertiesOf(each.text, question.parameter, each.parameters);
  if (!chosen.length) return { error: problems.join("; ").slice(0, 2000) || "the package has no functions" };
  return { name: chosen[0].module, found: chosen.map(({ text, ...rest }) => rest) };
}

async function loadedFrom(place) {
  try {
    return require(place);
  } catch (error) {
    if (error.code !== "ERR_REQUIRE_ESM" && !/Cannot use import statement|Unexpected token 'export'/.test(error.message)) throw error;
    const main = fs.statSync(place).isDirectory() ? path.join(place, JSON.parse(fs.readFileSync(path.join(place, "package.json"))).main || "index.js") : place;
    return await import(main);
  }
}

function propertiesOf(text, parameter, parameters) {
  const found = new Set();
  for (const name of new Set([parameter, ...parameters])) {
    if (!/^[\w$]+$/.test(name)) continue;
    const escaped = name.replace(/\$/g, "\\$");
    const copied = new RegExp(`(?<![\\w$.])([\\w$]+)\\s*=\\s*${escaped}(?![\\w$.([])`, "g");
    const same = [...text.matchAll(copied)].map((match) => match[1].replace(/\$/g, "\\$"));
    const read = new RegExp(`(?<![\\w$.])(?:${[escaped, ...same].join("|")})(?:\\.([\\w$]+)|\\[['"]([\\w$]+)['"]\\])`, "g");
    for (const match of text.matchAll(read)) found.add(`${name}.${match[1] || match[2]}`);
    if (new RegExp(`(?<![\\w$.])${escaped}(?:\\.(?:call|apply))?\\s*\\(`).test(text.replace(/^[^{]*/, ""))) found.add(`${name}()`);
    const apart = new RegExp(`\\{([^}]*)\\}\\s*=\\s*${escaped}\\b`).exec(text);
    if (apart) for (const each of names(apart[1])) found.add(`${name}.${each.split(":")[0]}`);
  }
  return [...found].slice(0, 40);
}

async function call(question) {
  const said = [];
  const callback = (...given) => said.push(given.map(text).join("\n"));
  const value = (given) => {
    if (Array.isArray(given)) return given.map(value);
    if (given && typeof given === "object") {
      if (Object.keys(given).length === 1 && "$callable" in given) return callback;
      return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, value(each)]));
    }
    return given;
  };
  const place = path.join(ROOT, question.module);
  process.chdir(question.cwd || (fs.statSync(place).isDirectory() ? place : path.dirname(place)));
  let found = await loadedFrom(place);
  let above = null;
  const given = question.arguments.map(value);
  for (const part of question.function.match(/[.#][\w$]+/g) || []) {
    above = part[0] === "#" ? new found(...Object.values(question.make).map(value)) : found;
    found = above[part.slice(1)];
  }
  let got;
  try {
    got = found.apply(above, given);
  } catch (error) {
    if (!/without 'new'/.test(error.message)) throw error;
    got = new found(...given);
  }
  const until = Date.now() + patience.call;
  let settled = false;
  if (got && typeof got.then === "function") got = await Promise.race([got.then((value) => ((settled = true), value)), wait(patience.call)]);
  if (got && typeof got.pipe === "function" && typeof got.on === "function") got.on("data", (data) => said.push(String(data)));
  const waits = !settled && (JSON.stringify(question.arguments).includes("$callable") || (got && typeof got.pipe === "function"));
  while (waits && !said.length && Date.now() < until) await wait(10);
  patience.call = settled || said.length ? 700 : Math.max(40, patience.call / 2);
  return { body: `${text(got)}\n${said.join("\n")}`.slice(0, LONGEST) };
}

const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

function text(value) {
  if (typeof value === "string") return value;
  if (Buffer.isBuffer(value)) return value.toString();
  if (value instanceof Error) return `${value.name}: ${named(value)}`;
  try {
    return JSON.stringify(value) || String(value);
  } catch (error) {
    return String(value);
  }
}

// Servers

async function start(question) {
  const problems = [];
  const until = Date.now() + patience.start;
  for (const way of question.ways) {
    if (Date.now() > until) break;
    try {
      await begun(way, question.root, until);
    } catch (error) {
      problems.push(`${way.how} ${way.module}: ${named(error)}`);
    }
    for (let turn = 0; turn < 40 && !ports.length; turn++) await wait(25);
    if (ports.length) return { name: `${way.how} ${way.module}` };
  }
  return { error: problems.join("; ").slice(0, 2000) || "nothing listens" };
}

async function begun(way, root, until) {
  const place = path.join(ROOT, way.module);
  process.chdir(path.join(ROOT, root));
  if (way.how === "run") {
    process.argv = [process.argv[0], place, ...way.arguments];
    delete require.cache[require.resolve(place)];
    require("module")._load(place, null, true);
    return;
  }
  const loaded = await loadedFrom(place);
  const one = loaded && loaded.default ? loaded.default : loaded;
  if (ports.length) return;
  if (way.how === "load") {
    if (one && typeof one.listen === "function") one.listen(8765);
    return;
  }
  for (const [each, about] of starters(one)) {
    for (const given of [[], [{ port: 8766, root: ".", dir: ".", path: ".", directory: ".", host: "127.0.0.1" }], [8767], [".", 8768], [8769, "."]]) {
      let got = null;
      try {
        got = isHandler(each) ? each : isClass(each) ? new each(...given) : each.apply(about, given);
        if (got && typeof got.then === "function") got = await Promise.race([got, wait(300)]);
        if (isHandler(got)) http.createServer((request, answer) => got(request, answer, () => answer.end())).listen(0, "127.0.0.1");
        else if (got && typeof got.listen === "function" && !ports.length) got.listen(8770);
        else if (got && typeof got.start === "function" && !ports.length) got.start(8771);
      } catch (error) {
        continue;
      }
      await wait(60);
      if (ports.length || Date.now() > until) return;
    }
  }
}

const isHandler = (value) => typeof value === "function" && /^(?:async\s*)?(?:function\s*[\w$]*)?\s*\(\s*(?:req\w*|_?request|r)\s*,\s*(?:res\w*|response|reply)/.test(Function.prototype.toString.call(value));

function starters(value) {
  const found = [];
  if (typeof value === "function") found.push([value, null]);
  for (const name of ["start", "listen", "run", "serve", "createServer", "create", "server", "Server", "init", "startServer", "middleware", "static"]) {
    try {
      if (value && typeof value[name] === "function") found.push([value[name], value]);
    } catch (error) {
      continue;
    }
  }
  return found;
}

function request(question) {
  return new Promise((done) => {
    const body = Buffer.from(question.body, "base64");
    const headers = [["Host", "localhost"], ["Connection", "close"], ...question.headers, ["Content-Length", String(body.length)]];
    const parts = [];
    const connection = net.connect(ports[0], "127.0.0.1");
    connection.setTimeout(patience.request, () => connection.destroy());
    connection.on("connect", () => {
      const place = question.path.replace(/[\s\x00-\x1f]/g, (each) => encodeURIComponent(each));
      connection.write(`${question.method} ${place} HTTP/1.1\r\n${headers.map((each) => each.join(": ")).join("\r\n")}\r\n\r\n`);
      connection.write(body);
    });
    connection.on("data", (data) => parts.push(data));
    connection.on("error", () => undefined);
    connection.on("close", () => {
      if (!parts.length) patience.request = Math.max(300, patience.request / 2);
      done(understood(Buffer.concat(parts)));
    });
  });
}

function understood(data) {
  const whole = data.toString().slice(0, LONGEST);
  const split = whole.indexOf("\r\n\r\n");
  const [first, ...lines] = whole.slice(0, split < 0 ? 0 : split).split("\r\n");
  const status = Number((first || "").split(" ")[1]) || 0;
  return { status, headers: lines.map((line) => [line.split(":")[0], line.slice(line.indexOf(":") + 1).trim()]), body: whole.slice(split < 0 ? 0 : split + 4) };
}

// The loop

function prepare(question) {
  const done = require("child_process").spawnSync(question.command, { shell: true, cwd: ROOT, timeout: 60000 });
  return done.status ? { error: `it ended with ${done.status}: ${String(done.stdout)}${String(done.stderr)}`.slice(0, 600) } : {};
}

const ways = { load, call, start, request, prepare };
let rest = "";
let turn = Promise.resolve();
const asks = new net.Socket({ fd: 0, readable: true, writable: false });
asks.on("data", (data) => {
  rest += data;
  const lines = rest.split("\n");
  rest = lines.pop();
  for (const line of lines) turn = turn.then(() => answered(JSON.parse(line)));
});

async function answered(question) {
  let answer;
  try {
    answer = await ways[question.do](question);
  } catch (error) {
    answer = { error: named(error) };
  }
  const data = Buffer.from(`${JSON.stringify(answer)}\n`);
  let sent = 0;
  while (sent < data.length) sent += fs.writeSync(3, data, sent);
}
