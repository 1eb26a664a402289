import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { exec } from "node:child_process";
import { z } from "zod";

const server = new McpServer({ name: "tools", version: "1.0.0" });
const Host = z.string().regex(/^[a-z0-9.-]+$/);
const Shape = z.object({ host: Host, count: z.number().int(), rest: z.string().max(20) });

server.tool("any", "Ping", { host: z.string() }, async ({ host }) => {
  exec("ping " + host); // expect: javascript-command-injection
});

server.tool("matched", "Ping", { host: z.string().regex(/^[a-z0-9.-]+$/) }, async ({ host }) => {
  exec("ping " + host); // ok: javascript-command-injection
});

server.tool("loose", "Ping", { host: z.string().regex(/[a-z0-9.-]+/) }, async ({ host }) => {
  exec("ping " + host); // expect: javascript-command-injection
});

server.tool("chosen", "Ping", { host: z.enum(["a", "b"]).optional() }, async ({ host }) => {
  exec("ping " + host); // ok: javascript-command-injection
});

server.tool("changed", "Ping", { host: z.enum(["a", "b"]).or(z.string()) }, async ({ host }) => {
  exec("ping " + host); // expect: javascript-command-injection
});

server.registerTool("shaped", { description: "Ping", inputSchema: Shape.shape }, async (given) => {
  exec(`ping -c ${given.count} ${given.host}`); // ok: javascript-command-injection
  exec(`ping ${given.rest}`); // expect: javascript-command-injection
});
