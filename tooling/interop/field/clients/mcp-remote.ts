// mcp-remote, as a FieldClient: the official client calls through it.
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { FieldClient } from "../../src/field/field-client.ts";
import { officialSession } from "./official.ts";
import { packageFile } from "./package-file.ts";

export const mcpRemote: FieldClient = {
  name: "mcp-remote",
  kind: "lets hosts with stdio only use HTTP servers",
  cannot: { stdio: "It is for HTTP servers." },
  connect(target, { elicit, home }) {
    if (target.over !== "http") throw new Error("mcp-remote is for HTTP servers.");
    const args = [packageFile("mcp-remote", "dist/proxy.js"), target.url];
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    return officialSession(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }), elicit);
  },
};
