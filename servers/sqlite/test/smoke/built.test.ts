// The built server as people start it: over stdio and over HTTP, in a revision with a handshake and in the stateless one, with a clean end.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { childProcesses, connectTo, startRaw, tempFolder, waitUntil, type RawProcess } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDatabase, SHOP } from "../support/databases.ts";
import { isRunning } from "../support/processes.ts";

const BIN = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));

/** Three processes start one after another, on a busy machine in seconds. */
const START_MS = 20_000;

const folder = tempFolder();
const file = makeDatabase(folder.at("shop.db"), SHOP);
const start = (...args: string[]) => ({ command: process.execPath, args: [BIN, ...args, file] });

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
  "lists its tools and reads rows in %s over %s",
  async (revision, transport) => {
    await using wired = await connectTo(start(), { revision, transport });
    expect((await Array.fromAsync(wired.client.tools())).map(({ name }) => name)).toContain("read_query");
    expect(await wired.client.call("read_query", { query: "SELECT name FROM customers WHERE id = ?", params: [1] })).toMatchObject({
      structuredContent: { rows: [["Ada"]] },
    });
    expect(wired.faults).toEqual([]);
  },
  START_MS,
);

async function expectCleanEnd(server: RawProcess, end: () => void): Promise<void> {
  const processes = childProcesses(server.pid);
  end();
  expect(await server.exit()).toEqual({ code: 0, signal: null });
  await expect.poll(() => processes.filter(isRunning)).toEqual([]);
}

test(
  "ends with its database processes at the end of input",
  async () => {
    await using server = startRaw(start());
    await server.handshake();
    const params = { name: "read_query", arguments: { query: "SELECT 1" } };
    expect(await server.request({ jsonrpc: "2.0", id: 1, method: "tools/call", params })).toMatchObject({
      result: { structuredContent: { rows: [[1]] } },
    });
    await expectCleanEnd(server, () => server.end());
  },
  START_MS,
);

test(
  "ends on SIGTERM while it serves over HTTP",
  async () => {
    await using server = startRaw(start("--http", "--port=0"));
    await waitUntil(
      () => server.stderr,
      (text) => text.includes("listening on"),
      START_MS,
    );
    await expectCleanEnd(server, () => server.kill("SIGTERM"));
  },
  START_MS,
);
