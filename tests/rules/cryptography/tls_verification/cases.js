const https = require("https");
const axios = require("axios");
const { Pool } = require("pg");

const agent = new https.Agent({ rejectUnauthorized: false }); // expect: javascript-tls-verification
const pool = new Pool({ connectionString: process.env.URL, ssl: { rejectUnauthorized: false } }); // expect: javascript-tls-verification
const strict = new https.Agent({ keepAlive: true }); // ok: javascript-tls-verification

function load(path) {
  return https.get({ host: "stock.example", path, rejectUnauthorized: false }); // expect: javascript-tls-verification
}

function loadWell(path) {
  return axios.create({ baseURL: "https://stock.example", httpsAgent: strict }).get(path); // ok: javascript-tls-verification
}

function fetcher(remote) {
  if (remote.insecure) {
    return new https.Agent({ rejectUnauthorized: false }); // ok: javascript-tls-verification
  }
  return remote.verify === false ? new https.Agent({ rejectUnauthorized: false }) : strict; // ok: javascript-tls-verification
}

function inProduction(remote) {
  if (remote.url.startsWith("https:")) {
    return new https.Agent({ rejectUnauthorized: false }); // expect: javascript-tls-verification
  }
  return strict;
}
