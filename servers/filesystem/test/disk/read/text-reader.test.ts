import { closeSync, openSync, statSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText, type TextRead } from "../../../src/disk/read/text-reader.ts";
import type { ReadOptions } from "../../../src/disk/read/read-options.ts";
import { readBytes } from "../../../src/disk/read/byte-reader.ts";
import type { Encoding } from "../../../src/disk/text/encoding.ts";
import { refusal, refuses, world } from "../support/world.ts";
import { writtenComesBack } from "../support/round-trip.ts";

async function reader(content: string | Buffer) {
  const { root, open } = world();
  writeFileSync(join(root, "f"), content);
  const sandbox = await open();
  return (options?: ReadOptions): Promise<TextRead> => Promise.resolve(readText(sandbox, "f", options));
}

test.each(["utf-16le", "utf-16be"] as const)("shows half a unit at the end of %s as a replacement character", async (encoding) => {
  const text = Buffer.from("\ufeffab\n", "utf16le");
  const read = await reader(Buffer.concat([encoding === "utf-16le" ? text : text.swap16(), Buffer.of(0x63)]));
  expect(await read()).toMatchObject({ encoding, bom: true, content: "ab\n\ufffd", totalLines: 2 });
  expect(await read({ tail: 1 })).toMatchObject({ content: "\ufffd" });
});

test("reads UTF-32 as UTF-16, whose mark begins alike, only with UTF-16 as encoding", async () => {
  const bytes = Buffer.from("fffe0000610000000a000000", "hex");
  const read = await reader(bytes);
  await expect((async () => await read())()).rejects.toMatchObject({ code: "invalid" });
  expect(await read({ encoding: "utf-16le" })).toMatchObject({ content: "\0a\0\n\0" });
});

test("returns a small file with the metadata of its text", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "a\nb\nc\n");
  const sandbox = await open();
  const read = await readText(sandbox, "f");
  expect(read).toMatchObject({
    path: join(root, "f"),
    content: "a\nb\nc\n",
    encoding: "utf-8",
    bom: false,
    lineEnding: "lf",
    startLine: 1,
    endLine: 3,
    totalLines: 3,
    size: 6,
    truncated: false,
  });
  expect(read).not.toHaveProperty("nextOffset");
});

test("counts lines as editors do", async () => {
  const read = await reader("1\n2\n3\n");
  expect(await read({ tail: 2 })).toMatchObject({ content: "2\n3\n", startLine: 2, endLine: 3, truncated: false });
  expect(await read({ tail: 9 })).toMatchObject({ content: "1\n2\n3\n", startLine: 1, endLine: 3 });
  expect(await read({ head: 2 })).toMatchObject({ content: "1\n2", startLine: 1, endLine: 2 });
  expect(await read({ head: 2 })).not.toHaveProperty("nextOffset");
  expect(await read({ head: 9 })).toMatchObject({ content: "1\n2\n3", endLine: 3 });
  expect(await read({ offset: 2 })).toMatchObject({ content: "2\n3", startLine: 2, endLine: 3 });
  expect(await read({ offset: 2, limit: 1 })).toMatchObject({ content: "2", startLine: 2, endLine: 2, nextOffset: 3, truncated: false });
  expect(await read({ offset: 3, limit: 5 })).toMatchObject({ content: "3" });
});

test.each([
  ["", 1, ""],
  ["\n", 1, "\n"],
  ["a", 1, "a"],
  ["a\nb", 1, "b"],
  ["a\r\nb\r\n", 1, "b\r\n"],
  ["a\n\n", 1, "\n"],
  ["a\n\n", 9, "a\n\n"],
])("returns of %j the last %i lines as %j, with the end of the file as it is", async (content, tail, expected) => {
  const read = await reader(content);
  expect((await read({ tail })).content).toBe(expected);
});

test.each([
  ["", 0, "none"],
  ["\n", 1, "lf"],
  ["a", 1, "none"],
  ["a\nb", 2, "lf"],
  ["a\r\nb\r\n", 2, "crlf"],
  ["a\r\nb\n\n", 3, "mixed"],
  ["a\rb", 1, "none"],
])("counts in %j %i lines and their end as %s", async (content, totalLines, lineEnding) => {
  const read = await reader(content);
  expect(await read()).toMatchObject({ content, totalLines, lineEnding });
});

test("refuses invalid numbers and combinations", async () => {
  const read = await reader("1\n2\n");
  for (const name of ["head", "tail", "offset", "limit"]) {
    for (const value of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 60]) {
      expect((await refusal(() => read({ [name]: value }))).message).toMatch(new RegExp(`^${name} must be a whole number`));
    }
  }
  await refuses(
    "invalid",
    () => read({ head: 1, tail: 1 }),
    () => read({ head: 1, offset: 1 }),
    () => read({ tail: 1, limit: 1 }),
    () => read({ offset: 3 }),
  );
});

test.each([
  ["utf-8 with a mark", Buffer.from("\ufeffaé\nb\n"), "utf-8", true],
  ["utf-16le", Buffer.from("\ufeffaé\nb\n", "utf16le"), "utf-16le", true],
  ["utf-16be", Buffer.from("\ufeffaé\nb\n", "utf16le").swap16(), "utf-16be", true],
  ["latin1", Buffer.from("aé\nb\n", "latin1"), "windows-1252", false],
] as const)("recognizes %s", async (_, content, encoding, bom) => {
  const read = await reader(content);
  expect(await read()).toMatchObject({ content: "aé\nb\n", encoding, bom, totalLines: 2, lineEnding: "lf" });
  expect((await read({ tail: 1 })).content).toBe("b\n");
  expect((await read({ head: 1 })).content).toBe("aé");
  expect((await read({ offset: 2 })).content).toBe("b");
});

test("reads a file in the named encoding without detection", async () => {
  const read = await reader(Buffer.from([0x93, 0x61, 0x94]));
  expect((await read({ encoding: "windows-1252" })).content).toBe("“a”");
  expect((await read({ encoding: "latin1" })).content).toBe("\u0093a\u0094");
  expect((await read({ encoding: "utf-8" })).content).toBe("\ufffda\ufffd");
  const wide = await reader(Buffer.from("ab\nc", "utf16le"));
  expect(await wide({ encoding: "utf-16le" })).toMatchObject({ content: "ab\nc", bom: false, totalLines: 2 });
});

test("refuses binary files with advice, unless the call gives an encoding", async () => {
  const read = await reader(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff]));
  expect((await refusal(() => read())).message).toMatch(/binary.*read_media_file/);
  expect((await read({ encoding: "latin1" })).content.length).toBe(7);
});

test("cuts a whole read over the limit at a line, and continues", async () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i + 1}`);
  const read = await reader(`${lines.join("\n")}\n`);
  const seen: string[] = [];
  let part = await read({ maxBytes: 1000 });
  expect(part).toMatchObject({ truncated: true, totalLines: 1000, startLine: 1 });
  while (part.nextOffset !== undefined) {
    expect(part.content.length).toBeLessThanOrEqual(1000);
    seen.push(part.content);
    part = await read({ offset: part.nextOffset, maxBytes: 1000 });
  }
  seen.push(part.content);
  expect(seen.join("\n")).toBe(lines.join("\n"));
});

test("cuts a line over the limit between characters and marks the cut", async () => {
  const read = await reader(`${"é".repeat(600)}\nshort\n${"\u{1f600}".repeat(300)}`);
  expect(await read({ head: 2, maxBytes: 1001 })).toMatchObject({
    content: "é".repeat(500),
    lineCut: true,
    truncated: true,
    endLine: 1,
    nextOffset: 2,
  });
  expect(await read({ tail: 2, maxBytes: 1001 })).toMatchObject({
    content: "\u{1f600}".repeat(250),
    lineCut: true,
    truncated: true,
    startLine: 3,
  });
  expect(await read({ offset: 2, limit: 1, maxBytes: 1001 })).toMatchObject({ content: "short", lineCut: false, nextOffset: 3 });
});

const encodings: [Encoding, (text: string) => Buffer][] = [
  ["utf-8", (text) => Buffer.from(text)],
  ["utf-16le", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["utf-16be", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
];

test.each(encodings)("reads large files in %s block by block as small ones", async (encoding, bytes) => {
  const { root, open } = world();
  const sandbox = await open();
  // Longer than what is read in one go, with characters that lie across the borders of blocks, and empty lines.
  const lines = Array.from({ length: 130_000 }, (_, i) => (i % 7 === 0 ? "" : `${i} äöü€\u{1f600}${"x".repeat(i % 50)}\r`));
  writeFileSync(join(root, "f"), bytes(`${lines.join("\n")}\n`));
  expect(statSync(join(root, "f")).size).toBeGreaterThan(5_000_000);
  const expected = (from: number, to: number) => lines.slice(from, to).join("\n").replace(/\r$/, "");
  const read = (options: ReadOptions) => Promise.resolve(readText(sandbox, "f", options));
  for (const count of [1, 2, 100, 3000]) {
    expect((await read({ head: count })).content).toBe(expected(0, count));
    expect(await read({ tail: count })).toMatchObject({ content: `${lines.slice(-count).join("\n")}\n`, encoding, truncated: false });
    const place = { startLine: 130_001 - count, endLine: 130_000, totalLines: 130_000 };
    expect(await read({ tail: count, numbered: true })).toMatchObject(place);
    for (const offset of [2, 7777, 65_000, 129_999]) {
      expect(await read({ offset, limit: count })).toMatchObject({ content: expected(offset - 1, offset - 1 + count), startLine: offset });
    }
  }
  expect(await read({ offset: 130_000 })).toMatchObject({ content: expected(129_999, 130_000), totalLines: 130_000 });
  expect((await refusal(() => read({ offset: 130_001 }))).message).toMatch(/130000 lines/);
  const whole = await read({});
  expect(whole).toMatchObject({ truncated: true, startLine: 1 });
  expect(whole.content).toBe(expected(0, whole.endLine!));
  expect(whole.nextOffset).toBe(whole.endLine! + 1);
  const tail = await read({ tail: 100_000 });
  expect(tail.truncated).toBe(true);
  expect(`${lines.join("\n")}\n`.endsWith(tail.content)).toBe(true);
});

test("reads back whatever it wrote", () => writtenComesBack(25));

test("changes the etag with the content even when size and times stay", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const path = join(root, "f");
  const etags = new Set<string>();
  for (const size of [100, 5_000_000]) {
    writeFileSync(path, "a".repeat(size));
    const time = new Date(1_700_000_000_000);
    for (const letter of ["b", "c"]) {
      const fd = openSync(path, "r+");
      writeSync(fd, letter, 50);
      closeSync(fd);
      utimesSync(path, time, time);
      etags.add((await readText(sandbox, "f", { head: 1 })).etag);
    }
    expect((await readText(sandbox, "f", { tail: 1 })).etag).toBe((await readText(sandbox, "f", { head: 1 })).etag);
  }
  expect(etags.size).toBe(4);
});

test("returns bytes whole, and refuses more than the limit", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), Buffer.from([0, 1, 255]));
  const sandbox = await open();
  expect((await readBytes(sandbox, "f", { maxBytes: 3 })).bytes).toEqual(Buffer.from([0, 1, 255]));
  await refuses("too-large", () => readBytes(sandbox, "f", { maxBytes: 2 }));
});

test("stops a long read on request", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "x\n".repeat(5_000_000));
  const sandbox = await open();
  const signal = AbortSignal.abort();
  await expect(Promise.resolve(readText(sandbox, "f", { offset: 4_000_000, asker: { signal } }))).rejects.toThrow(/abort/i);
});
