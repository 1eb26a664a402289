import express from "express";
import net from "node:net";

const app = express();

async function isPublicHost(address) {
  const { hostname } = new URL(address);
  return net.isIP(hostname) === 0 && hostname !== "localhost";
}

async function isRemoteFetchAllowed(address, policy) {
  return address === policy.source || isPublicHost(address);
}

async function isFetchLogged(address) {
  return address.length > 3;
}

app.get("/kept", async (req, res) => {
  const address = req.query.address;
  const allowed = await isRemoteFetchAllowed(address, { source: req.query.source });
  if (!allowed) return res.status(400).end();
  res.send(await fetch(address)); // ok: javascript-ssrf
});

app.get("/logged", async (req, res) => {
  const address = req.query.address;
  const logged = await isFetchLogged(address);
  if (!logged) return res.status(400).end();
  res.send(await fetch(address)); // expect: javascript-ssrf
});

app.get("/next", async (req, res) => {
  let address = req.query.address;
  const allowed = await isRemoteFetchAllowed(address, { source: "" });
  address = req.query.other;
  if (!allowed) return res.status(400).end();
  res.send(await fetch(address)); // expect: javascript-ssrf
});
