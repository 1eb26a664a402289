import express, { Request, Response } from "express";
import yaml from "js-yaml";
import * as serialize from "node-serialize";
import { deserialize } from "v8";

const app = express();

app.post("/node", (req: Request, res: Response) => {
  res.json(serialize.unserialize(req.body.data)); // expect: javascript-deserialisation
});

app.post("/yaml", (req: Request, res: Response) => {
  res.json(yaml.load(req.body.text)); // expect: javascript-deserialisation
});

app.get("/cookie", (req: Request, res: Response) => {
  const text = Buffer.from(req.cookies.profile, "base64").toString();
  res.json(serialize.unserialize(text)); // expect: javascript-deserialisation
});

function restore(data: Buffer) {
  return deserialize(data); // expect: javascript-deserialisation
}

app.post("/v8", (req: Request, res: Response) => {
  res.json(restore(req.body));
});

app.post("/json", (req: Request, res: Response) => {
  res.json(JSON.parse(req.body.text)); // ok: javascript-deserialisation
});

app.post("/safe", (req: Request, res: Response) => {
  res.json(yaml.load(req.body.text, { schema: yaml.JSON_SCHEMA })); // ok: javascript-deserialisation
});

app.get("/settings", (req: Request, res: Response) => {
  res.json(yaml.load("a: 1")); // ok: javascript-deserialisation
});

app.post("/write", (req: Request, res: Response) => {
  res.send(serialize.serialize({ a: req.body.a })); // ok: javascript-deserialisation
});
