// No reply is over its bound, whatever the files hold.
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Sandbox } from "../../src/disk/access/sandbox.ts";
import { createServer } from "../../src/server.ts";
import { RawWire } from "../support/raw-wire.ts";
import { targetOf } from "../support/target.ts";
import { heavyFolder, heavyRequests } from "./heavy-folder.ts";

let folder: TempFolder;

beforeAll(() => {
  folder = heavyFolder(0.01);
});

afterAll(() => folder[Symbol.asyncDispose]());

test.each([
  ["file", 0, 56],
  ["list", 56, Infinity],
])("keeps every reply about a %s within 20,000 bytes and not empty", async (_what, from, to) => {
  const maxResultBytes = 20_000;
  await using wire = new RawWire((await targetOf({ directories: [folder.path], maxResultBytes })).server());
  await wire.handshake();
  for (const [id, [method, params]] of heavyRequests(folder).slice(from, to).entries()) {
    const request = `${method} ${JSON.stringify(params).slice(0, 200)}`;
    const { result, error } = await wire.request({ jsonrpc: "2.0", id, method, params });
    expect(result ?? error, request).toBeTypeOf("object");
    expect(Buffer.byteLength(wire.texts.at(-1) ?? ""), request).toBeLessThanOrEqual(maxResultBytes);
  }
});

test("reports a successful edit whose diff is too large for a reply", async () => {
  await using own = tempFolder({ f: `${"x".repeat(99)}\n`.repeat(40_000) });
  await using wired = await connectTo(await targetOf({ directories: [own.path] }));
  const edits = [{ oldText: "x".repeat(99), newText: "y", replaceAll: true }];
  const result = await wired.client.call("edit_file", { path: own.at("f"), edits });
  expect(result).toMatchObject({
    structuredContent: { applied: true, replacements: 40_000, truncated: true },
    content: [{ text: expect.stringMatching(/^```diff\n[^]*\n```\n\n\(truncated: /) }],
  });
  expect(own.read("f")).toBe("y\n".repeat(40_000));
});

test("refuses a file by its size that grows between check and read", async () => {
  await using own = tempFolder({ f: Buffer.alloc(1_500_000, 7), small: "x" });
  const { server, sandboxes } = await createServer({ directories: [{ path: own.path, readOnly: false }] });
  const sandbox = sandboxes.disk.sandbox();
  // Only what this tool asks for.
  const before = {
    look: () => ({ ...sandbox.look("small"), path: own.at("f") }),
    file: () => sandbox.file("f"),
  } as Partial<Sandbox> as Sandbox;
  vi.spyOn(sandboxes, "of").mockResolvedValue(before);
  await using wired = await connectTo(server);
  const result = await wired.client.call("read_media_file", { path: own.at("f") });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^File too large: it has 1500000 bytes, and at most \d+ are allowed here/) }],
  });
});

test.each([3000, 4000, 8000])("fits a small file into a reply of at most %i bytes", async (maxResultBytes) => {
  await using small = tempFolder({ f: "small\n", long: "1\n".repeat(9000), d: { e: "" } });
  const { server } = await createServer({ directories: [{ path: small.path, readOnly: false }], maxResultBytes });
  await using wired = await connectTo(server, { endpoint: { limits: { resultBytes: maxResultBytes } } });
  const replyText = async (name: string, args: Json) => (await wired.client.call(name, args)).structuredContent;
  expect(await replyText("read_text_file", { path: small.at("f") })).toMatchObject({ content: "small\n", truncated: false });
  expect(await replyText("read_text_file", { path: small.at("long") })).toMatchObject({
    content: expect.stringMatching(/^(1\n){99,}/),
    truncated: true,
    nextOffset: expect.any(Number),
  });
  expect(await replyText("read_multiple_files", { paths: [small.at("f")] })).toMatchObject({ files: [{ ok: true }], truncated: false });
  expect(await replyText("read_media_file", { path: small.at("f") })).toMatchObject({ content: [{ type: "resource" }] });
  expect(await replyText("directory_tree", { path: small.path })).toMatchObject({ truncated: false });
  const edits = [{ oldText: "small", newText: "tiny" }];
  expect(await replyText("edit_file", { path: small.at("f"), edits })).toMatchObject({ applied: true, truncated: false });
});
