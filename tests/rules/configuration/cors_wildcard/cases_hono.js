import { Hono } from "hono";
import { cors } from "hono/cors";

const app = new Hono();
app.use(cors()); // expect: javascript-cors-wildcard
app.use("/api/*", cors({ origin: "https://example.com" })); // ok: javascript-cors-wildcard
