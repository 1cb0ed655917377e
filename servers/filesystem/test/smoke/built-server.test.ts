// The built server as people start it: over stdio and over HTTP, in a revision with a handshake and in the stateless one, with a clean end.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectTo, startRaw, tempFolder, waitUntil } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

const BIN = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));
/** A start takes seconds on a busy machine. */
const START_MS = 20_000;

const folder = tempFolder({ f: "text\n" });
const start = (...args: string[]) => ({ command: process.execPath, args: [BIN, "--no-trash", ...args, folder.path] });

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
  "lists its tools and reads a file in %s over %s",
  async (revision, transport) => {
    await using wired = await connectTo(start(), { revision, transport });
    expect((await Array.fromAsync(wired.client.tools())).map(({ name }) => name)).toContain("read_text_file");
    expect(await wired.client.call("read_text_file", { path: "f" })).toMatchObject({ content: [{ type: "text", text: "text\n" }, {}] });
    expect(wired.faults).toEqual([]);
  },
  START_MS,
);

test(
  "exits with 0 at the end of input",
  async () => {
    await using server = startRaw(start());
    await server.handshake();
    server.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(server.unread).toEqual([]);
  },
  START_MS,
);

test(
  "exits with 0 on SIGTERM while it serves over HTTP",
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
