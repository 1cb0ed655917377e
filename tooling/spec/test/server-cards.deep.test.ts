// The server cards of the built servers against the published schema, server.json and server/discover (SEP-2127).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtServer, root } from "@oarlock-tooling/test-support/built-file";
import { nodeProgram, startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { tempFolder } from "@oarlock/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";

type Card = Record<string, unknown>;
const readJson = (path: string): Card => JSON.parse(readFileSync(join(root, path), "utf8")) as Card;

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

test.each(Object.keys(SERVERS))("CARD-08 the card of %s is valid, and agrees with server.json and server/discover", async (name) => {
  await using folder = tempFolder();
  const program = nodeProgram(builtServer(name, ...SERVERS[name]!(folder.path)), { XDG_STATE_HOME: folder.path });
  await using server = await startOverHttp(program);
  const url = server.url.href;
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
