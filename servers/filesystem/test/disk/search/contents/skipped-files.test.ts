// What an empty answer of a search by content says about files that were not searched.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contentsText } from "../../../../src/disk/search/contents/result-text.ts";
import { MAX_MULTILINE_BYTES } from "../../../../src/disk/search/contents/options.ts";
import { scratch } from "../../support/scratch.ts";
import { HAY, search } from "./search.ts";

const BINARY = Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 0xfe, 0xfd);

const leftOut = async (place: ReturnType<typeof scratch>, asked: Parameters<typeof search>[1] = {}): Promise<string[]> =>
  contentsText(await search(place, { pattern: "nowhere", ...asked }))
    .split("\n")
    .slice(1);

test("counts each reason why a file was not searched", async () => {
  const place = scratch({
    a: HAY,
    "b.bin": BINARY,
    ".env": HAY,
    ".cache/x": HAY,
    ".gitignore": "dist/\n",
    "dist/a": HAY,
    "dist/b": HAY,
    "c.log": HAY,
    l: { link: "a" },
  });
  expect(await leftOut(place, { exclude: ["*.log"] })).toEqual([
    "Left out: 3 hidden (see includeHidden), 1 ignored by .gitignore (see respectGitignore), 1 by globs, 1 link, 1 binary.",
  ]);
  expect(await leftOut(place, { includeHidden: true, respectGitignore: false })).toEqual(["Left out: 1 link, 1 binary."]);
});

test("says why the file that the call names was not searched", async () => {
  const place = scratch({ b: BINARY });
  expect(await leftOut(place, { below: "b" })).toEqual(["Left out: 1 binary."]);
});

test("names text files with NUL bytes, which a search of the file itself reads", async () => {
  const log = `first\n${"\0".repeat(100)}needle\n`;
  const place = scratch({ a: HAY, "d/late": `${HAY.repeat(20_000)}${log}`, "d/log": log, "utf-16": Buffer.from(HAY, "utf16le"), z: log });
  expect(await leftOut(place)).toEqual([
    `Left out: 4 with NUL bytes (give the path: ${["utf-16", "z", "d/late"].map(place.at).join(", ")}, …).`,
  ]);
  expect(contentsText(await search(place, { pattern: "needle$", below: "z" }))).toBe(`${place.at("z")}:2: \\x00needle`);
  expect(await leftOut(place, { below: "z" })).toEqual([]);
});

test("names files that are too large for matches across lines", async () => {
  const place = scratch({ a: HAY });
  writeFileSync(place.at("b"), Buffer.alloc(MAX_MULTILINE_BYTES + 1, "a\n"));
  expect(await leftOut(place, { multiline: true })).toEqual(["Left out: 1 too large for matches across lines."]);
});

test("says that a glob with a slash begins at the searched directory", async () => {
  const place = scratch({ "web/src/a.ts": HAY });
  expect(await leftOut(place, { include: ["src/*.ts"] })).toEqual([
    "Left out: 1 by globs.",
    "Globs with a slash begin at path: **/src/*.ts is at any depth.",
  ]);
  expect(await leftOut(place, { include: ["**/lib/*.ts"] })).toEqual(["Left out: 1 by globs."]);
});

test("adds nothing to an answer that covers everything", async () => {
  expect(await leftOut(scratch({ a: HAY, "d/b": HAY, empty: "" }))).toEqual([]);
});
