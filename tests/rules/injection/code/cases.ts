import express, { Request, Response } from "express";
import * as vm from "vm";

const app = express();
const ACTIONS: Record<string, (n: number) => number> = { double: (n) => n * 2 };

app.get("/eval", (req: Request, res: Response) => {
  res.json(eval(req.query.expression as string)); // expect: javascript-code-injection
});

app.get("/function", (req: Request, res: Response) => {
  const compute = new Function("x", "return " + req.query.body); // expect: javascript-code-injection
  res.json(compute(1));
});

export class Rules {
  constructor(private readonly limit: number) {}

  judge(request: Request) {
    return vm.runInNewContext(`(${request.body.rule})`, {}); // expect: javascript-code-injection
  }
}

const handlers = {
  script(source: string) {
    return new vm.Script(source); // expect: javascript-code-injection
  },
};

app.post("/script", (req: Request, res: Response) => {
  res.json(handlers.script(req.body.source));
});

app.get("/parse", (req: Request, res: Response) => {
  res.json(JSON.parse(req.query.data as string)); // ok: javascript-code-injection
});

app.get("/table", (req: Request, res: Response) => {
  res.json(ACTIONS[req.query.action as string](2)); // ok: javascript-code-injection
});

app.get("/number", (req: Request, res: Response) => {
  res.json(eval("1 + " + Number(req.query.n))); // ok: javascript-code-injection
});

app.get("/checked", (req: Request, res: Response) => {
  const n: unknown = req.body.n;
  if (typeof n === "number") {
    res.json(eval(`2 * ${n}`)); // ok: javascript-code-injection
  }
});
