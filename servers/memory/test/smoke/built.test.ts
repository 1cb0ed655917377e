// The built server as people start it: over stdio and over HTTP, in a revision with a handshake and in the stateless one, with a clean end.
import { chmodSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectTo, startRaw, tempFolder, waitUntil } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

const BIN = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));
/** A start takes seconds on a busy machine. */
const START_MS = 20_000;

const folder = tempFolder();
const start = (...args: string[]) => ({ command: process.execPath, args: [BIN, "--db", folder.at("m.jsonl"), ...args] });

beforeAll(() => {
  if (!existsSync(BIN)) throw new Error("The built server is missing. Run `pnpm build` first.");
});
afterAll(() => folder[Symbol.asyncDispose]());

test.each([
  ["2025-11-25", "stdio"],
  ["2025-11-25", "http"],
  ["2026-07-28", "stdio"],
  ["2026-07-28", "http"],
] as const)(
  "lists its tools, and stores and finds an entity in %s over %s",
  async (revision, transport) => {
    await using wired = await connectTo(start(), { revision, transport });
    expect((await Array.fromAsync(wired.client.tools())).map(({ name }) => name)).toContain("search_nodes");
    const name = `${revision} over ${transport}`;
    await wired.client.call("create_entities", { entities: [{ name, entityType: "smoke", observations: ["rises"] }] });
    expect((await wired.client.call("open_nodes", { names: [name] })).structuredContent).toMatchObject({ entities: [{ name }] });
    expect(wired.faults).toEqual([]);
  },
  START_MS,
);

test(
  "ends with 0 at the end of input, after it has written the file",
  async () => {
    await using own = tempFolder();
    await using server = startRaw({ command: process.execPath, args: [BIN, "--db", own.at("m.jsonl")] });
    await server.handshake("2025-11-25");
    const entities = [{ name: "last", entityType: "t", observations: [] }];
    await server.request({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "create_entities", arguments: { entities } } });
    server.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(own.read("m.jsonl")).toContain('"last"');
  },
  START_MS,
);

test(
  "serves a memory with --lockdown, and ends with 3 once other users can write into its folder",
  async () => {
    await using own = tempFolder({ inside: {} });
    const command = { command: process.execPath, args: [BIN, "--db", own.at("inside/m.db"), "--lockdown"] };
    await using wired = await connectTo(command);
    expect((await wired.client.call("graph_stats", {})).isError).toBeUndefined();
    chmodSync(own.at("inside"), 0o777);
    await using refused = startRaw(command);
    expect(await refused.exit()).toEqual({ code: 3, signal: null });
    expect(refused.stderr).toMatch(/--lockdown: other users can write into/);
  },
  START_MS,
);

test(
  "ends with 0 on SIGTERM while it serves over HTTP",
  async () => {
    await using server = startRaw(start("--http", "--port=0"));
    await waitUntil(
      () => server.stderr,
      (text) => text.includes("listening on"),
      START_MS,
    );
    server.kill("SIGTERM");
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  },
  START_MS,
);

test(
  "runs a command",
  async () => {
    await using own = tempFolder({ "m.jsonl": '{"type":"entity","name":"a","entityType":"t","observations":[]}\n' });
    await using server = startRaw({ command: process.execPath, args: [BIN, "export", "--db", own.at("m.jsonl")] });
    expect(await server.message()).toEqual({ type: "entity", name: "a", entityType: "t", observations: [] });
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  },
  START_MS,
);
