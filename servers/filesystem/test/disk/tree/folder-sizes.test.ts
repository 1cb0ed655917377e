import { describe, expect, test } from "vitest";
import { folderSizes } from "../../../src/disk/tree/folder-sizes.ts";
import { scratch } from "../support/scratch.ts";

const sizesOf = async (place: ReturnType<typeof scratch>, path = place.root, options = {}): Promise<Record<string, number>> => {
  const { entries } = await folderSizes(await place.sandbox(), path, options);
  return Object.fromEntries(entries.map(({ name, size }) => [name, size]));
};

describe("sizes of a folder", () => {
  test("gives a file its own size, and a directory the sum of the files below", async () => {
    const place = scratch({ "a.txt": "12345", "d/b.txt": "123", "d/e/c.txt": "1234567", empty: null });
    expect(await folderSizes(await place.sandbox(), place.root)).toEqual({
      path: place.root,
      entries: [
        { name: "a.txt", type: "file", size: 5 },
        { name: "d", type: "directory", size: 10 },
        { name: "empty", type: "directory", size: 0 },
      ],
      omitted: 0,
    });
  });

  test("counts and follows no links (PATH-07)", async () => {
    const place = scratch({ "d/b.txt": "123", l: { link: "d" }, out: { link: "OUT" } });
    expect(await sizesOf(place)).toEqual({ d: 3, l: 0, out: 0 });
    await expect(folderSizes(await place.sandbox(), place.at("out"))).rejects.toMatchObject({ code: "denied" });
  });

  test("applies patterns relative to the top of the tree, also for a folder below", async () => {
    const place = scratch({ "d/keep.txt": "1", "d/skip/a": "12345", "d/skip.log": "123" });
    const excludePatterns = ["d/skip", "**/*.log"];
    expect(await sizesOf(place, place.root, { excludePatterns })).toEqual({ d: 1 });
    expect(await sizesOf(place, place.at("d"), { excludePatterns, base: "d" })).toEqual({ "keep.txt": 1 });
  });

  test("leaves out on request what git ignores, also by rules above the folder", async () => {
    const place = scratch({ ".gitignore": "*.log\n/out\n", "d/keep.txt": "1", "d/skip.log": "123", "out/a": "12345" });
    expect(await sizesOf(place, place.root, { respectGitignore: true })).toEqual({ ".gitignore": 11, d: 1 });
    expect(await sizesOf(place, place.at("d"), { respectGitignore: true, base: "d" })).toEqual({ "keep.txt": 1 });
  });

  test("returns a partial size for a folder with more entries than one call reads", async () => {
    const place = scratch({ "first/a": "1", "many/x": "1", "many/d/y": "12", "zlast/b": "12" });
    const { entries } = await folderSizes(await place.sandbox(), place.root, { maxEntries: 6 });
    expect(entries).toEqual([
      { name: "first", type: "directory", size: 1 },
      { name: "many", type: "directory", size: 1, isPart: true },
      { name: "zlast", type: "directory", size: 0, isPart: true },
    ]);
  });

  test("leaves hidden entries of --deny out", async () => {
    const place = scratch({ "d/secret.key": "1234", "d/open.txt": "12" });
    const { entries } = await folderSizes(await place.sandbox({ deny: ["**/*.key"] }), place.root);
    expect(entries).toEqual([{ name: "d", type: "directory", size: 2 }]);
  });
});
