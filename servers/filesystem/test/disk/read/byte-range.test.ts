// Parts of a text by columns and by bytes: no character is divided, and each part says where the next one begins.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../src/disk/read/read-options.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { refusal, world } from "../support/world.ts";

async function reader(content: string | Buffer) {
  const { root, open } = world();
  writeFileSync(join(root, "f"), content);
  const sandbox = await open();
  return async (options?: ReadOptions) => await readText(sandbox, "f", options);
}

/** A file of more bytes than are read in one piece. */
const PAD = "x".repeat(5_000_000);

describe("columns", () => {
  test.each([
    ["in a small file", ""],
    ["in a large one", PAD],
  ])("end within one line unless the call names more (%s)", async (_size, pad) => {
    const read = await reader(`first\nabcdefgh\nsecond\n${pad}`);
    expect(await read({ offset: 2, startColumn: 3, endColumn: 5 })).toMatchObject({ content: "cde", startColumn: 3, truncated: false });
    expect(await read({ offset: 2, endColumn: 3 })).toMatchObject({ content: "abc", endLine: 2, nextOffset: 3 });
    expect(await read({ endColumn: 2 })).toMatchObject({ content: "fi", startLine: 1, endLine: 1 });
    expect(await read({ offset: 2, startColumn: 7, endColumn: 900 })).toMatchObject({ content: "gh", truncated: false });
    expect(await read({ offset: 1, limit: 3, startColumn: 4, endColumn: 2 })).toMatchObject({ content: "st\nabcdefgh\nse", endLine: 3 });
  });

  test("end in a line that is too long for one reply, and go on where there was no room for all", async () => {
    const read = await reader(`${PAD}abc\nlast\n`);
    const limits = { maxBytes: 1000, maxLineBytes: 100 };
    expect(await read({ endColumn: 5, ...limits })).toMatchObject({ content: "xxxxx", truncated: false, lineCut: false });
    const part = await read({ endColumn: 150, ...limits });
    expect(part).toMatchObject({ content: "x".repeat(100), truncated: true, nextColumn: 101 });
    expect(part).not.toHaveProperty("startColumn");
    expect(await read({ startColumn: 101, endColumn: 150, ...limits })).toMatchObject({ content: "x".repeat(50), truncated: false });
    expect((await read({ startColumn: 5_000_002, endColumn: 5_000_002, ...limits })).content).toBe("b");
  });

  test.each([
    ["utf-8", Buffer.from("a😀b")],
    ["utf-16le", Buffer.from("\ufeffa😀b", "utf16le")],
    ["utf-16be", Buffer.from("\ufeffa😀b", "utf16le").swap16()],
    ["gb18030", Buffer.from("619439fc3662", "hex")],
  ])("have characters of two units of %s whole", async (encoding, bytes) => {
    const file = await reader(bytes);
    const read = async (part: ReadOptions) => await file({ encoding, ...part });
    expect((await read({ startColumn: 1, endColumn: 2 })).content).toBe("a😀");
    expect((await read({ startColumn: 3, endColumn: 4 })).content).toBe("b");
  });
});

const TEXT = "aé€😀z\n".repeat(40);

describe("bytes", () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ["utf-8", Buffer.from(TEXT), undefined, TEXT],
    ["utf-8 with a mark", Buffer.from(`\ufeff${TEXT}`), undefined, TEXT],
    ["utf-16le", Buffer.from(`\ufeff${TEXT}`, "utf16le"), undefined, TEXT],
    ["utf-16be", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16(), undefined, TEXT],
    ["gbk", Buffer.from("61d6d0b9fac8cb0a", "hex"), "gbk", "a中国人\n"],
    ["a large file", Buffer.from(`${PAD}\n${TEXT}`), undefined, `${PAD}\n${TEXT}`],
  ])("follow each other without a gap and divide no character of %s", async (_kind, bytes, encoding, text) => {
    const read = await reader(bytes);
    const start = Math.max(0, bytes.length - 700);
    for (const byteLimit of [5, 7, 64]) {
      const fixed: string[] = [];
      for (let byteOffset = start; byteOffset < bytes.length; byteOffset += byteLimit)
        fixed.push((await read({ byteOffset, byteLimit, encoding })).content);
      expect(text.endsWith(fixed.join(""))).toBe(true);
      expect(fixed.join("")).not.toContain("\ufffd");
    }
    const followed: string[] = [];
    for (let byteOffset = start; byteOffset < bytes.length;) {
      const part = await read({ byteOffset, byteLimit: 1, encoding });
      followed.push(part.content);
      byteOffset = part.bytes?.[1] ?? bytes.length;
    }
    expect(text.endsWith(followed.join(""))).toBe(true);
    expect(followed.every((part) => Array.from(part).length === 1)).toBe(true);
  });

  test("name where they begin and end, and give the rest without a limit", async () => {
    const read = await reader("ab😀cd\n");
    expect(await read({ byteOffset: 1, byteLimit: 3 })).toMatchObject({ content: "b", bytes: [1, 2], size: 9, truncated: false });
    expect(await read({ byteOffset: 4 })).toMatchObject({ content: "😀cd\n", bytes: [2, 9], lineEnding: "lf" });
    expect(await read({ byteLimit: 2 })).toMatchObject({ content: "ab", bytes: [0, 2] });
    expect(await read({ byteOffset: 0, maxBytes: 4 })).toMatchObject({ content: "ab", bytes: [0, 2], truncated: true });
    expect(await (await reader(""))({ byteOffset: 0 })).toMatchObject({ content: "", bytes: [0, 0] });
  });

  test("are refused past the end, of a binary file, and beside another part", async () => {
    const read = await reader("abc\n");
    const why = async (options: ReadOptions) => (await refusal(async () => await read(options))).message;
    expect(await why({ byteOffset: 4 })).toMatch(/^byteOffset 4 is past the end: the file has 4 bytes/);
    expect(await why({ byteOffset: -1 })).toMatch(/^byteOffset must be a whole number of at least 0/);
    expect(await why({ byteLimit: 0 })).toMatch(/^byteLimit must be a whole number of at least 1/);
    for (const other of [{ head: 1 }, { offset: 1 }, { startColumn: 1 }, { numbered: true }])
      expect(await why({ byteOffset: 0, ...other })).toMatch(/^Cannot combine byteOffset and byteLimit/);
    expect(await why({ startColumn: 3, endColumn: 2 })).toMatch(/^endColumn 2 is before startColumn 3/);
    const binary = await reader(Buffer.concat([Buffer.from([0x89, 0, 0xff, 0]), Buffer.from("text")]));
    expect((await refusal(async () => await binary({ byteOffset: 4 }))).message).toMatch(/binary/);
  });
});
