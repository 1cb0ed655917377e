// The built package as an author uses it: plain node imports its entries, and serves a small server over stdio and over HTTP in both eras.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRaw, type RawProcess } from "../../../testing/src/process/raw-process.ts";
import type { Json } from "../../src/protocol.ts";
import { HttpTalk, textOf } from "../support/http-talk.ts";
import { call, request, words } from "../support/sample.ts";
import { asks, posting, SERVER_INFO } from "../support/stateless-message.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const { exports: entries } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { exports: Record<string, unknown> };

const SERVER = `
import { defineServer, tool } from "@oarlock/server-kit";
import { serveHttp, serveStdio } from "@oarlock/server-kit/node";
import { z } from "zod";

const greet = tool({
  name: "greet",
  description: "Greets a person.",
  input: z.object({ name: z.string() }),
  run: ({ name }) => \`Hello, \${name}!\`,
});
const server = defineServer({ name: "smoke", version: "1.0.0", tools: [greet] });
if (process.argv[2] === "http") {
  const http = await serveHttp(server, { port: 0 });
  process.once("SIGTERM", () => void http.stop());
  console.log(JSON.stringify({ url: http.url }));
} else await serveStdio(server).ended;
`;

let folder: string;

beforeAll(() => {
  if (!existsSync(join(PACKAGE, "dist/index.js"))) throw new Error("The built package is missing. Run `pnpm build` first.");
  // Inside the package, so that node finds the package by its own name.
  folder = mkdtempSync(join(import.meta.dirname, ".built-"));
  writeFileSync(join(folder, "server.mjs"), SERVER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (transport: "stdio" | "http"): RawProcess =>
  startRaw({ command: process.execPath, args: [join(folder, "server.mjs"), transport], env: { NODE_OPTIONS: "" } });

const listed = { tools: [expect.objectContaining({ name: "greet", description: "Greets a person." })] };
const stamped = (result: Json): Json => ({
  resultType: "complete",
  ...result,
  _meta: { [SERVER_INFO]: { name: "smoke", version: "1.0.0" } },
});
const greeting = { content: [{ type: "text", text: "Hello, Ada!" }] };
const greet = { name: "greet", arguments: { name: "Ada" } };
const CLEAN = { code: 0, signal: null };

test("loads every exported entry from the build", async () => {
  const names = Object.keys(entries).map((entry) => entry.replace(".", "@oarlock/server-kit"));
  const load = `for (const name of ${JSON.stringify(names)}) console.error(import.meta.resolve(name), Object.keys(await import(name)).length);`;
  writeFileSync(join(folder, "entries.mjs"), load);
  // One of them keeps stdout for protocol messages.
  const { stderr } = await promisify(execFile)(process.execPath, [join(folder, "entries.mjs")], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const loaded = stderr.trim().split("\n");
  expect(loaded).toHaveLength(names.length);
  for (const line of loaded) expect.soft(line).toMatch(/\/server-kit\/dist\/[\w-]+\.js [1-9]\d*$/);
});

describe("over stdio", () => {
  test("serves a session of 2025-11-25 and ends with its input", async () => {
    await using server = start("stdio");
    expect(await server.handshake("2025-11-25")).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    expect(await server.request(request(1, "tools/list"))).toEqual({ jsonrpc: "2.0", id: 1, result: listed });
    expect(await server.request(call(2, "greet", { name: "Ada" }))).toEqual(words(2, "Hello, Ada!"));
    server.end();
    expect(await server.exit()).toEqual(CLEAN);
    expect([server.unread, server.stderr]).toEqual([[], ""]);
  });

  test("serves requests of 2026-07-28 and ends with its input", async () => {
    await using server = start("stdio");
    expect(await server.request(asks("tools/list"))).toMatchObject({ result: { resultType: "complete", ...listed } });
    expect(await server.request(asks("tools/call", greet, { id: 2 }))).toEqual({ jsonrpc: "2.0", id: 2, result: stamped(greeting) });
    server.end();
    expect(await server.exit()).toEqual(CLEAN);
    expect([server.unread, server.stderr]).toEqual([[], ""]);
  });
});

describe("over HTTP", () => {
  let server: RawProcess;
  let url: string;
  beforeAll(async () => {
    server = start("http");
    ({ url } = (await server.message()) as { url: string });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("serves a session of 2025-11-25", async () => {
    using talk = await HttpTalk.open(url, { revision: "2025-11-25" });
    expect(await talk.result("tools/list")).toEqual(listed);
    expect(textOf(await (await talk.call("greet", { name: "Ada" })).json())).toBe("Hello, Ada!");
    expect((await talk.end()).status).toBe(204);
  });

  test("serves requests of 2026-07-28", async () => {
    const post = async (method: string, params?: Json): Promise<unknown> => {
      const { headers, body } = posting(asks(method, params));
      const response = await fetch(url, { method: "POST", headers: headers as Record<string, string>, body: String(body) });
      return ((await response.json()) as Json)["result"];
    };
    expect(await post("tools/list")).toMatchObject({ resultType: "complete", ...listed });
    expect(await post("tools/call", greet)).toEqual(stamped(greeting));
  });

  test("ends by itself after it is stopped", async () => {
    server.kill("SIGTERM");
    expect(await server.exit()).toEqual(CLEAN);
    expect(server.stderr).toBe("");
  });
});
