import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { exec } from "node:child_process";
import { z } from "zod";

const server = new McpServer({ name: "tools", version: "1.0.0" });

server.tool("any", "Ping", { host: z.string() }, async ({ host }) => {
  exec("ping " + host); // expect: javascript-command-injection
});
