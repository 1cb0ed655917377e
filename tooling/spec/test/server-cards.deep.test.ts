// The server cards of the built servers against the published schema, server.json and server/discover (SEP-2127).
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, onTestFinished, test } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
type Card = Record<string, unknown>;
const readJson = (path: string): Card => JSON.parse(readFileSync(join(repository, path), "utf8")) as Card;

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(readJson("tooling/spec/published/server-card.schema.json"), "published");
const check = ajv.getSchema("published#/$defs/ServerCard")!;

const SERVERS: Readonly<Record<string, (folder: string) => string[]>> = {
  filesystem: (folder) => [folder],
  git: (folder) => ["--repositories-root", folder],
  sqlite: (folder) => ["--db-path", join(folder, "data.db")],
  memory: (folder) => ["--db", join(folder, "memory.db")],
};

/** Starts the built server, and returns the address of its endpoint. */
async function listening(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-card-"));
  const bin = join(repository, "servers", name, "dist/bin.js");
  const child = spawn(process.execPath, [bin, ...SERVERS[name]!(folder), "--http", "--port", "0"], {
    env: { ...process.env, XDG_STATE_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  });
  let stderr = "";
  for await (const text of child.stderr.setEncoding("utf8")) {
    stderr += text as string;
    const url = /^listening on (\S+)$/m.exec(stderr)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`It ended before it listened: ${stderr}`);
}

test.each(Object.keys(SERVERS))("CARD-08 the card of %s is valid, and agrees with server.json and server/discover", async (name) => {
  const url = await listening(name);
  const card = (await (await fetch(`${url}/server-card`)).json()) as Card;
  expect(check(card), JSON.stringify(check.errors)).toBe(true);
  const manifest = readJson(`servers/${name}/server.json`);
  for (const member of ["name", "version", "description", "title"]) expect(card[member]).toBe(manifest[member]);
  const discover = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "server/discover",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "server/discover",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  const { result } = (await discover.json()) as { result: { supportedVersions: string[] } };
  expect(card.remotes).toEqual([{ type: "streamable-http", url, supportedProtocolVersions: result.supportedVersions }]);
  expect(check({ ...card, name: "no slash" })).toBe(false);
});
