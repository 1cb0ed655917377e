// The encoding of an append to a file that is too large to be looked at completely: by its start and its end.
import { closeSync, openSync, readFileSync, readSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { meanwhile } from "../support/meanwhile.ts";
import { world, type World } from "../support/world.ts";

/** As much is looked at, at the start and at the end. */
const PART = 8 * 1024 * 1024;
const SIZE = 2 * PART + 1000;
const LETTERS = Buffer.alloc(SIZE, "a");

/** Writes a large file of letters with these bytes at these positions. */
function writeLarge({ root }: World, pieces: Readonly<Record<number, string | Buffer>>): string {
  const path = join(root, "f");
  writeFileSync(path, LETTERS);
  const fd = openSync(path, "r+");
  for (const [position, piece] of Object.entries(pieces)) writeSync(fd, Buffer.from(piece), 0, undefined, Number(position));
  closeSync(fd);
  return path;
}

async function appended(at: World, path: string, text: string, encoding?: string): Promise<Buffer> {
  const { size } = statSync(path);
  await writeText(await at.open(), "f", text, { mode: "append", encoding });
  const added = Buffer.alloc(statSync(path).size - size);
  const fd = openSync(path, "r");
  readSync(fd, added, 0, added.length, size);
  closeSync(fd);
  return added;
}

const UTF8 = Buffer.from("\u00f6");

test.each(["\u00fc", "\u20ac", "\u{1f600}"])("reads a character across two parts as UTF-8: %s", async (character) => {
  const at = world();
  for (let shift = 1; shift < Buffer.byteLength(character); shift += 1) {
    const path = writeLarge(at, { [PART - shift]: character, [SIZE - PART - shift]: character, [SIZE - 10]: "\u00e4" });
    expect(await appended(at, path, "\u00f6"), `${shift}`).toEqual(UTF8);
  }
});

test.each<[where: string, pieces: Record<number, Buffer>]>([
  ["in the first part", { 10: Buffer.of(0xfc) }],
  ["at the end of the first part", { [PART - 2]: Buffer.of(0xfc) }],
  ["at the start of the last part", { [SIZE - PART + 4]: Buffer.of(0xfc) }],
  ["after more than three bytes that continue a character", { [SIZE - PART]: Buffer.of(0xa4, 0xa4, 0xa4, 0xa4) }],
  ["in the middle of the last part, as a byte that continues nothing", { [SIZE - 256 * 1024]: Buffer.of(0xa4) }],
  ["as half of a character at the end", { [SIZE - 1]: Buffer.of(0xc3) }],
])("reads the file as Latin-1 with an invalid byte %s", async (_where, pieces) => {
  const at = world();
  expect(await appended(at, writeLarge(at, pieces), "\u00f6")).toEqual(Buffer.of(0xf6));
});

test("ignores a byte between the parts", async () => {
  const at = world();
  expect(await appended(at, writeLarge(at, { [PART + 500]: Buffer.of(0xfc) }), "\u00f6")).toEqual(UTF8);
});

test("takes the named encoding if both parts allow it", async () => {
  const at = world();
  expect(await appended(at, writeLarge(at, { 10: "\u00e4" }), "\u00f6", "latin1")).toEqual(UTF8);
  expect(await appended(at, writeLarge(at, { [SIZE - 10]: "\u00e4" }), "\u00f6", "latin1")).toEqual(UTF8);
  expect(await appended(at, writeLarge(at, {}), "\u00f6", "latin1")).toEqual(Buffer.of(0xf6));
  expect(await appended(at, writeLarge(at, { [SIZE - 10]: Buffer.of(0xfc) }), "\u20ac", "windows-1252")).toEqual(Buffer.of(0x80));
  for (const position of [10, SIZE - 10])
    expect(await appended(at, writeLarge(at, { [position]: Buffer.alloc(1) }), "\u00f6", "utf-16le")).toEqual(Buffer.of(0xf6, 0));
});

test("reads a file that another program shortens as far as it goes", async () => {
  const at = world();
  const path = writeLarge(at, {});
  const signal = meanwhile(path, () => truncateSync(path, 2));
  await writeText(await at.open(), "f", "\u00f6", { mode: "append", signal });
  expect(readFileSync(path, "utf8")).toBe("aa\u00f6");
});
