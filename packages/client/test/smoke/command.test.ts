// Runs the built command as people run it: over stdio and over HTTP, in both eras.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { notesServer } from "../fixtures/notes.ts";

const BIN = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../fixtures/notes-server.ts", import.meta.url));
const STDIO = ["--", process.execPath, "--conditions=oarlock-source", SERVER];
const execute = promisify(execFile);

let server: HttpServer;
beforeAll(async () => {
  if (!existsSync(BIN)) throw new Error("The client is not built, and this test runs what is published: run pnpm build.");
  server = await serveHttp(notesServer(), { port: 0 });
});
afterAll(() => server.stop());

test.each(["2025-11-25", "2026-07-28"])("lists and calls in %s", { timeout: 60_000 }, async (revision) => {
  const run = (...args: string[]) => execute(process.execPath, [BIN, ...args]);
  const listed = expect.stringContaining(`notes 1.2.3, revision ${revision}\n`) as string;
  const write = ["call", "write", '{"text":"hello"}', "--revision", revision];
  const results = await Promise.all([
    run(server.url, "list", "--revision", revision),
    run(server.url, ...write),
    run("list", "--revision", revision, ...STDIO),
    run(...write, ...STDIO),
  ]);
  const wrote = { stdout: "Wrote hello\n", stderr: "" };
  expect(results).toEqual([{ stdout: listed, stderr: "" }, wrote, { stdout: listed, stderr: "" }, wrote]);
});
