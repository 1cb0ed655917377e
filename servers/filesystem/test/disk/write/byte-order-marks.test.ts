// The byte order mark of a file that is written again.
import { linkSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { refuses, world } from "../support/world.ts";

test.each(["utf-8", "utf-16le", "utf-16be"] as const)("keeps the mark of a file in %s on replacement and append", async (encoding) => {
  const { root, open } = world();
  const sandbox = await open();
  const path = join(root, "f");
  const bytes = (text: string) => {
    if (encoding === "utf-8") return Buffer.from(text);
    return encoding === "utf-16le" ? Buffer.from(text, "utf16le") : Buffer.from(text, "utf16le").swap16();
  };
  writeFileSync(path, bytes("\ufeffold\n"));
  const written = await writeText(sandbox, "f", "né");
  expect(readFileSync(path)).toEqual(bytes("\ufeffné"));
  expect(written.bytesWritten).toBe(bytes("\ufeffné").length);
  await writeText(sandbox, "f", "w", { mode: "append" });
  expect(readFileSync(path)).toEqual(bytes("\ufeffnéw"));
  await writeText(sandbox, "f", "\ufeffown");
  expect(readFileSync(path)).toEqual(bytes("\ufeffown"));
  await writeText(sandbox, "f", "\ufeffnamed", { encoding });
  expect(readFileSync(path)).toEqual(bytes("\ufeffnamed"));
  await writeText(sandbox, "f", "plain", { encoding: "utf-8" });
  expect(readFileSync(path, "latin1")).toBe("plain");
  await writeText(sandbox, "f", "é");
  expect(readFileSync(path, "utf8")).toBe("é");
});

test.each([
  ["UTF-16 with half a unit at its end", Buffer.concat([Buffer.from("\ufeffab", "utf16le"), Buffer.of(0x63)]), /utf-16le/],
  ["UTF-32, little end first", Buffer.from("fffe000061000000", "hex"), /UTF-32/],
  ["UTF-32, big end first", Buffer.from("0000feff00000061", "hex"), /UTF-32/],
])("refuses to append to %s, and replaces it", async (_, content, why) => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), content);
  await expect(writeText(sandbox, "f", "x", { mode: "append" })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringMatching(why),
  });
  expect(readFileSync(join(root, "f"))).toEqual(content);
  await writeText(sandbox, "f", "x");
  expect(readFileSync(join(root, "f")).includes("x")).toBe(true);
});

test("writes the mark of its encoding once to a new file", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const content of ["a", "\ufeffa"]) {
    await writeText(sandbox, "f", content, { encoding: "utf-16le" });
    expect(readFileSync(join(root, "f"))).toEqual(Buffer.from("\ufeffa", "utf16le"));
  }
  for (const content of ["a", "\ufeffa"]) {
    await writeText(sandbox, "g", content, { encoding: "utf-8" });
    expect(readFileSync(join(root, "g"), "utf8")).toBe(content);
  }
});

test("replaces a file without read permission, and keeps its other names", async () => {
  const { root, open } = world();
  const sandbox = await open({ refuseHardLinks: true });
  writeFileSync(join(root, "f"), "\ufeffold");
  linkSync(join(root, "f"), join(root, "other"));
  await refuses("denied", () => readText(sandbox, "f"));
  await writeText(sandbox, "f", "new");
  expect(readFileSync(join(root, "f"), "utf8")).toBe("new");
  expect(readFileSync(join(root, "other"), "utf8")).toBe("\ufeffold");
});

test("adds the mark of the encoding to an empty file on append", async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "");
  await writeText(sandbox, "f", "é", { mode: "append", encoding: "utf-16le" });
  await writeText(sandbox, "f", "ü", { mode: "append", encoding: "utf-16le" });
  expect(readFileSync(join(root, "f"))).toEqual(Buffer.from("\ufefféü", "utf16le"));
});

test.each([
  ["UTF-8 goes on as UTF-8", "é", "latin1", "éü"],
  ["plain text is not mixed with 16-bit characters", "ab", "utf-16le", "abü"],
  ["plain text may go on as Latin-1", "ab", "latin1", Buffer.from("abü", "latin1")],
  ["Latin-1 does not go on as UTF-8", Buffer.from("é", "latin1"), "utf-8", Buffer.from("éü", "latin1")],
  ["Latin-1 may go on as its sister", Buffer.from("é", "latin1"), "windows-1252", Buffer.from("éü", "latin1")],
  ["16-bit characters without a mark go on", Buffer.from("ab", "utf16le"), "utf-16le", Buffer.from("abü", "utf16le")],
] as const)("appends in one encoding: %s", async (_, content, encoding, expected) => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), content);
  await writeText(await open(), "f", "ü", { mode: "append", encoding });
  expect(readFileSync(join(root, "f"))).toEqual(Buffer.from(expected));
});
