// Clients that are commands, as FieldClients: each step is a process.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FieldClient, Target } from "../../src/field/field-client.ts";
import { packageFile } from "./package-file.ts";

/** The output of a command, whatever its exit code. */
const outputOf = (file: string, args: readonly string[], home: string): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, MCP_INSPECTOR_SECRET_STORE: "memory" };
    execFile(process.execPath, [file, ...args], { cwd: home, env }, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
  });

/** An entry for the server, as the configurations of hosts have it. */
const entryOf = (target: Target, http: object): object =>
  target.over === "http" ? http : { command: target.command, args: target.args, env: target.env };

function writeSettings(file: string, settings: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings));
}

const unescaped = (json: string): string => json.replaceAll("\\n", "\n").replaceAll('\\"', '"');

export const inspector: FieldClient = {
  name: "@modelcontextprotocol/inspector",
  kind: "the official Inspector's command line",
  cannot: {
    elicitation: "`--cli` declares no elicitation: each command is one process. Its `mcpdo` has a command for it, which was not tried.",
  },
  async connect(target, { home }) {
    const http = target.over === "http" ? { type: "streamable-http", url: target.url } : {};
    writeSettings(join(home, "mcp.json"), { mcpServers: { trial: entryOf(target, http) } });
    const program = packageFile("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");
    const run = (...args: string[]): Promise<string> =>
      outputOf(program, ["--cli", "-q", "--config", "mcp.json", "--server", "trial", "--format", "json", ...args], home);
    return {
      async list() {
        const output = await run("--method", "tools/list");
        return Array.from(output.matchAll(/"name":\s*"(\w+)"/g), ([, name = ""]) => name);
      },
      async call(name, args) {
        const pairs = Object.entries(args).flatMap(([key, value]) => [
          "--tool-arg",
          `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
        ]);
        return unescaped(await run("--method", "tools/call", "--tool-name", name, ...pairs));
      },
      read: async (uri) => unescaped(await run("--method", "resources/read", "--uri", uri)),
      close: async () => undefined,
    };
  },
};

const ACCOUNT = "It needs an account for that; without one it connects and shows that it is connected.";

export const geminiCli: FieldClient = {
  name: "@google/gemini-cli",
  kind: "Gemini CLI: `gemini mcp list`",
  connectsOnly: true,
  cannot: { call: ACCOUNT, read: ACCOUNT, error: ACCOUNT, "long call": ACCOUNT, elicitation: ACCOUNT },
  async connect(target, { home }) {
    const http = target.over === "http" ? { httpUrl: target.url } : {};
    const settings = { mcpServers: { trial: entryOf(target, http) }, security: { folderTrust: { enabled: false } } };
    writeSettings(join(home, ".gemini/settings.json"), settings);
    return {
      async list() {
        const output = await outputOf(packageFile("@google/gemini-cli", "bundle/gemini.js"), ["mcp", "list"], home);
        if (!/trial.*Connected/.test(output)) throw new Error(output.trim().slice(0, 200));
        return [];
      },
      call: () => Promise.reject(new Error(ACCOUNT)),
      close: async () => undefined,
    };
  },
};
