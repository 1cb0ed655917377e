// A search reads a file as a read does: its mark, its content, or the encoding that the caller names.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { scratch } from "../../support/scratch.ts";
import { refusal } from "../../support/world.ts";

describe.each([ripgrepEngine(findRipgrep() ?? "the binary is not installed"), plainEngine])("$name", (engine) => {
  async function matches(files: Readonly<Record<string, Buffer>>, options: ContentsOptions, below = ""): Promise<string[]> {
    const place = scratch({});
    for (const [name, content] of Object.entries(files)) writeFileSync(place.at(name), content);
    const found = await searchContents(await place.sandbox(), below === "" ? place.root : place.at(below), options, engine);
    return found.matches.map(({ path, line, text, column }) => `${path.slice(place.root.length + 1)}:${line}:${column} ${text}`);
  }

  const FILES = {
    a: Buffer.from("x\ncafé one\n"),
    b: Buffer.from("x\ncafé two\n", "latin1"),
    c: Buffer.from("\ufeffx\ncafé three\n", "utf16le"),
    d: Buffer.concat([Buffer.from("über "), Buffer.of(0xe9), Buffer.from("\ncafé four\n")]),
    e: Buffer.from("x\ncafé five\n", "utf16le"),
  };

  test("finds a letter beyond ASCII in UTF-8, marked UTF-16 and windows-1252 at once", async () => {
    expect(await matches(FILES, { pattern: "café \\w+" })).toEqual([
      "a:2:1 café one",
      "b:2:1 café two",
      "c:2:1 café three",
      "d:2:1 café four",
    ]);
    expect(await matches(FILES, { pattern: "CAFÉ", caseSensitive: false, limit: 2 })).toHaveLength(2);
  });

  test("shows a line as a read does", async () => {
    expect(await matches(FILES, { pattern: "über" })).toEqual(["d:1:1 über \ufffd"]);
    const quoted = Buffer.from([0x93, 0x78, 0x94, 0x20, 0x80, 10]);
    expect(await matches({ f: quoted }, { pattern: "x" })).toEqual(["f:1:2 “x” €"]);
  });

  test("searches UTF-16 without a mark when the call gives the file or its encoding", async () => {
    expect(await matches(FILES, { pattern: "café" }, "e")).toEqual([":2:1 café five".replace(":", "e:")]);
    expect(await matches({ e: FILES.e }, { pattern: "five", encoding: "utf-16le" })).toEqual(["e:2:6 café five"]);
    const multiline = { pattern: "x\\ncafé", multiline: true, encoding: "utf-16le" };
    expect(await matches({ e: FILES.e }, multiline)).toEqual(["e:1:1 x\ncafé five"]);
  });

  test("searches in a named encoding", async () => {
    expect(await matches({ f: Buffer.of(0x95, 0x5c, 0x0a) }, { pattern: "表", encoding: "shift_jis" })).toEqual(["f:1:1 表"]);
  });

  test("searches a file as a read shows it where its first letter beyond ASCII comes late", async () => {
    const late = Buffer.from(`${"ascii\n".repeat(20_000)}caf\xe9\n`, "latin1");
    expect(await matches({ late }, { pattern: "café" })).toEqual(["late:20001:1 café"]);
  });

  test("leaves out binary files in a named encoding too, and counts no file twice", async () => {
    const files = { a: Buffer.from("x é\n"), b: Buffer.from("x \xe9 \0\n", "latin1") };
    expect(await matches(files, { pattern: "x", encoding: "windows-1251" })).toHaveLength(1);
    const place = scratch({});
    for (const [name, content] of Object.entries(files)) writeFileSync(place.at(name), content);
    const found = await searchContents(await place.sandbox(), place.root, { pattern: "é" }, engine);
    expect(found).toMatchObject({ filesSearched: 1, filesMatched: 1 });
  });

  test("refuses an encoding that it cannot decode", async () => {
    expect((await refusal(() => matches({}, { pattern: "x", encoding: "cp437" }))).message).toMatch(/^Encoding cp437 cannot be searched\./);
  });
});
