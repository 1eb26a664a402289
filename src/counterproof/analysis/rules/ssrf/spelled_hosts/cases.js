const dns = require("node:dns");

async function load(path) {
  if (/^https?:\/\//.test(path)) throw new Error("absolute"); // expect: spelled-hosts
  return fetch(path, { baseURL: "https://api.example.com" });
}

async function loaded(path) {
  if (new URL(path, "https://api.example.com").origin !== "https://api.example.com") throw new Error("absolute");
  return fetch(path, { baseURL: "https://api.example.com" }); // ok: spelled-hosts
}

async function insisting(url) {
  if (!/^https?:\/\//.test(url)) throw new Error("not absolute"); // ok: spelled-hosts
  return fetch(url);
}
