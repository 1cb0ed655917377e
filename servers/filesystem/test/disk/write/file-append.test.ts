// Appending: in place, whatever the size of the file, and never at the cost of what is there.
import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { appendBytes } from "../../../src/disk/write/file-append.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { EVERY_PLATFORM } from "../support/platform-calls.ts";
import { refuses, world } from "../support/world.ts";

const append = { mode: "append" } as const;

test("appends in place and returns the etag of the longer file", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "one\n");
  const before = statSync(join(root, "f"));
  const { etag, bytesWritten, created } = await writeText(sandbox, "f", "two\n", append);
  expect({ bytesWritten, created }).toEqual({ bytesWritten: 4, created: false });
  expect(statSync(join(root, "f")).ino).toBe(before.ino);
  expect(await readText(sandbox, "f")).toMatchObject({ content: "one\ntwo\n", etag });
});

test("appends to a file of more than 64 MiB", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "start\n");
  truncateSync(join(root, "f"), 200 * 1024 * 1024);
  await writeText(sandbox, "f", "ü\n", append);
  expect(statSync(join(root, "f")).size).toBe(200 * 1024 * 1024 + 3);
  expect(await readText(sandbox, "f", { tail: 1, encoding: "utf-8" })).toMatchObject({ content: expect.stringMatching(/ü\n$/) });
});

test("reads only the start and the end of a large file to detect its encoding", needs("/proc"), async () => {
  const { root, open } = world();
  const sandbox = await open();
  const size = 4 * 1024 ** 3;
  const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))![1]);
  for (const [last, added] of [
    ["\u00fc", Buffer.from("\u00f6")], // UTF-8
    [Buffer.from([0xfc]), Buffer.from([0xf6])], // Latin-1
  ] as const) {
    writeFileSync(join(root, "f"), "start\n");
    truncateSync(join(root, "f"), size);
    appendFileSync(join(root, "f"), last);
    const before = bytesRead();
    await writeText(sandbox, "f", "\u00f6", append);
    expect(bytesRead() - before).toBeLessThan(100 * 1024 ** 2);
    const fd = openSync(join(root, "f"), "r");
    const end = Buffer.alloc(added.length);
    readSync(fd, end, 0, end.length, size + Buffer.byteLength(last));
    closeSync(fd);
    expect(end).toEqual(added);
  }
});

test("keeps lines that another program appends at the same time", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "");
  for (let at = 0; at < 20; at += 1) {
    const ours = writeText(sandbox, "f", `ours ${at}\n`, append);
    appendFileSync(join(root, "f"), `theirs ${at}\n`);
    await ours.catch(() => undefined);
    // An empty file is replaced by the first append, which refuses instead of losing a line.
  }
  const lines = readFileSync(join(root, "f"), "utf8").trimEnd().split("\n");
  expect(lines.filter((line) => line.startsWith("theirs"))).toHaveLength(20);
  expect(lines.filter((line) => line.startsWith("ours")).length).toBeGreaterThanOrEqual(19);
});

test("keeps the other names of a file with hard links", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "one\n");
  linkSync(join(root, "f"), join(root, "g"));
  const { etag } = await writeText(sandbox, "f", "two\n", append);
  expect([readFileSync(join(root, "f"), "utf8"), readFileSync(join(root, "g"), "utf8")]).toEqual(["one\ntwo\n", "one\n"]);
  expect((await readText(sandbox, "f")).etag).toBe(etag);
});

test.each(EVERY_PLATFORM)("replaces a file with hard links on $platform, where no open file may be replaced on Windows", async (calls) => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "one\n");
  linkSync(join(root, "f"), join(root, "g"));
  const file = sandbox.file("f");
  using entry = sandbox.entry("f");
  const lock = { temp: ".oarlock-0123456789abcdef0123456789abcdef.tmp" };
  await appendBytes({ entry, lock, file, bytes: Buffer.from("two\n"), mustBeUnchanged: true, calls, signal: undefined });
  file[Symbol.dispose]();
  expect([readFileSync(join(root, "f"), "utf8"), readFileSync(join(root, "g"), "utf8")]).toEqual(["one\ntwo\n", "one\n"]);
});

test("drops set-user-id bits and keeps the mode", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "x");
  chmodSync(join(root, "f"), 0o4751);
  await writeText(sandbox, "f", "y", append);
  expect(statSync(join(root, "f")).mode & 0o7777).toBe(0o751);
});

test("refuses an append with the etag of another content and changes nothing", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "one\n");
  const { etag } = await readText(sandbox, "f");
  appendFileSync(join(root, "f"), "theirs\n");
  await refuses("conflict", () => writeText(sandbox, "f", "two\n", { ...append, expectedEtag: etag }));
  expect(readFileSync(join(root, "f"), "utf8")).toBe("one\ntheirs\n");
});

test("appends in the encoding of the whole file", async () => {
  const { root, open } = world();
  const sandbox = await open();
  // The only byte that is not UTF-8 stands far behind the first block.
  writeFileSync(join(root, "latin"), Buffer.concat([Buffer.alloc(600_000, "a"), Buffer.from([0xe4])]));
  await writeText(sandbox, "latin", "ö", append);
  expect(readFileSync(join(root, "latin")).subarray(-2)).toEqual(Buffer.from([0xe4, 0xf6]));
  // A character of UTF-8 across two blocks.
  writeFileSync(join(root, "utf8"), Buffer.concat([Buffer.alloc(256 * 1024 - 1, "a"), Buffer.from("ä")]));
  await writeText(sandbox, "utf8", "ö", append);
  expect(readFileSync(join(root, "utf8")).subarray(-4).toString()).toBe("äö");
  // A character that the file ends within.
  writeFileSync(join(root, "cut"), Buffer.from([0x61, 0xc3]));
  await writeText(sandbox, "cut", "ö", append);
  expect(readFileSync(join(root, "cut"))).toEqual(Buffer.from([0x61, 0xc3, 0xf6]));
});

test("writes and appends the bytes of base64", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const bytes = Buffer.from([0, 255, 254, 10, 13, 0, 200]);
  expect(await writeText(sandbox, "b", bytes.toString("base64"), { encoding: "base64" })).toMatchObject({ bytesWritten: 7, created: true });
  await writeText(sandbox, "b", bytes.toString("base64url"), { encoding: "base64", mode: "append" });
  expect(readFileSync(join(root, "b"))).toEqual(Buffer.concat([bytes, bytes]));
  await writeText(sandbox, "b", "AP/+\nCg0\nAyA==", { encoding: "base64" });
  expect(readFileSync(join(root, "b"))).toEqual(bytes);
  await refuses(
    "invalid",
    () => writeText(sandbox, "b", "ab$d", { encoding: "base64" }),
    () => writeText(sandbox, "b", "A", { encoding: "base64" }),
    () => writeText(sandbox, "b", "hello world!", { encoding: "base64" }),
  );
  expect(readFileSync(join(root, "b"))).toEqual(bytes);
  await writeText(sandbox, "b", "", { encoding: "base64" });
  expect(readFileSync(join(root, "b"))).toEqual(Buffer.alloc(0));
});
