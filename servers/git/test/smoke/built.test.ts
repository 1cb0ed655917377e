// The built server as people start it: over stdio and over HTTP, in a revision with a handshake and in the stateless one, with a clean end.
import { connectTo, expectGolden, startRaw, tempFolder, waitUntil } from "@oarlock/testing";
import { afterAll, expect, test, vi } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { builtBin } from "../support/target.ts";
import { textOf } from "../support/world.ts";

/** Each process starts in a fraction of a second, on a busy machine in seconds. */
const START_MS = 20_000;
vi.setConfig({ testTimeout: START_MS });

const folder = tempFolder();
const { path } = makeRepository(folder.at("project"), { "a.txt": "a\n" });
afterAll(() => folder[Symbol.asyncDispose]());

const goldenOf = (revision: string): URL => new URL(`../golden/${revision}.tools.json`, import.meta.url);

test.each([
  ["2025-11-25", "stdio"],
  ["2025-11-25", "http"],
  ["2026-07-28", "stdio"],
  ["2026-07-28", "http"],
] as const)("lists the tools of the golden file and reads a history in %s over %s", async (revision, transport) => {
  await using wired = await connectTo(builtBin(["--repository", path]), { revision, transport });
  expectGolden(goldenOf(revision), ((await wired.client.request("tools/list", {})) as { tools: unknown }).tools);
  expect(textOf(await wired.client.call("git_log"))).toContain("Message: first");
  expect(wired.faults).toEqual([]);
});

test("--read-only and --toolsets select the tools", async () => {
  await using wired = await connectTo(builtBin(["--read-only", "--toolsets=default,remote,integrate", path]));
  const tools = await Array.fromAsync(wired.client.tools());
  expect(tools.map(({ name }) => name)).toContain("git_reflog");
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
});

test("prints its ready line, and ends at the end of input", async () => {
  await using server = startRaw(builtBin([path]));
  await server.handshake();
  server.end();
  expect(await server.exit()).toEqual({ code: 0, signal: null });
  expect(server.stderr).toContain("is ready on stdio");
});

test("ends on SIGTERM while it serves over HTTP", async () => {
  await using server = startRaw(builtBin(["--http", "--port=0", path]));
  await waitUntil(
    () => server.stderr,
    (text) => text.includes("listening on"),
    START_MS,
  );
  server.kill("SIGTERM");
  expect(await server.exit()).toEqual({ code: 0, signal: null });
});
