import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { listFolder, listFolderWithSizes, type SizedListOptions } from "../../../src/disk/tree/listing.ts";
import { listText, sizedListText, sizeText } from "../../../src/disk/tree/listing-text.ts";
import { scratch } from "../support/scratch.ts";

describe("list_directory", () => {
  test("lists entries in the system's order, each with its type", needs("named pipes"), async () => {
    const place = scratch({ b: "", "a/x": "", ".hidden": "", Z: "", l: { link: "a" }, out: { link: "OUT" } });
    execFileSync("mkfifo", [place.at("pipe")]);
    const listing = await listFolder(await place.sandbox(), place.root);
    expect(listing).toEqual({
      path: place.root,
      entries: [
        { name: ".hidden", type: "file" },
        { name: "Z", type: "file" },
        { name: "a", type: "directory" },
        { name: "b", type: "file" },
        { name: "l", type: "symlink", target: "a" },
        // The place outside is not named.
        { name: "out", type: "symlink", leads: "outside" },
        { name: "pipe", type: "other" },
      ],
      offset: 0,
      total: 7,
      truncated: false,
      beyond: false,
    });
    expect(listing.entries.map((entry) => entry.name)).toEqual(readdirSync(place.root));
    expect(listText(listing)).toBe("[FILE] .hidden\n[FILE] Z\n[DIR] a\n[FILE] b\n[LINK] l -> a\n[LINK] out (outside)\n[OTHER] pipe");
  });

  test("lists an empty folder, and a folder by a link inside", async () => {
    const place = scratch({ e: null, "v2/f": "", cur: { link: "v2" } });
    const sandbox = await place.sandbox();
    expect(listText(await listFolder(sandbox, place.at("e")))).toBe("");
    expect((await listFolder(sandbox, place.at("cur"))).entries).toEqual([{ name: "f", type: "file" }]);
  });

  test("PATH-07 lists a link to a folder outside as a link without opening it", async () => {
    const place = scratch({ d: { link: "OUT" }, abs: { link: "/etc" }, climb: { link: "../../../../etc/passwd" } });
    const sandbox = await place.sandbox();
    const listing = await listFolder(sandbox, place.root);
    expect(listing.entries).toEqual(["abs", "climb", "d"].map((name) => ({ name, type: "symlink", leads: "outside" })));
    await expect(listFolder(sandbox, place.at("d"))).rejects.toMatchObject({ code: "denied" });
  });

  test("keeps names with newlines on their line, and shows names that are not UTF-8", async () => {
    const place = scratch({ "a\n[DIR] fake": "" });
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from("caf\xe9", "latin1")]), "");
    const listing = await listFolder(await place.sandbox(), place.root);
    expect(listing.entries).toEqual([
      { name: "a\n[DIR] fake", type: "file" },
      { name: "caf\\xE9", type: "file" },
    ]);
    expect(listText(listing)).toBe("[FILE] a\\n[DIR] fake\n[FILE] caf\\xE9");
  });

  test("neither lists nor counts denied names", async () => {
    const place = scratch({ ".env": "secret", a: "1" });
    const sandbox = await place.sandbox({ deny: ["**/.env*"] });
    expect(await listFolder(sandbox, place.root)).toMatchObject({ entries: [{ name: "a" }], total: 1 });
    expect((await listFolderWithSizes(sandbox, place.root)).totals).toMatchObject({ files: 1, bytes: 1 });
  });

  test("refuses a file and a missing folder", async () => {
    const place = scratch({ f: "" });
    const sandbox = await place.sandbox();
    await expect(listFolder(sandbox, place.at("f"))).rejects.toMatchObject({ code: "not-a-folder" });
    await expect(listFolder(sandbox, place.at("g"))).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("list_directory_with_sizes", () => {
  const files = { small: "1", large: "x".repeat(2000), "dir/inner": "yyy", ä: "22", Banana: "333", apple: "4444" };

  test("sorts by name, with totals", async () => {
    const place = scratch({ ...files, l: { link: "large" } });
    const listing = await listFolderWithSizes(await place.sandbox(), place.root);
    expect(listing.entries.map((entry) => entry.name)).toEqual(["ä", "apple", "Banana", "dir", "l", "large", "small"]);
    expect(listing.totals).toEqual({ files: 5, directories: 1, symlinks: 1, others: 0, bytes: 2010 });
    expect(sizedListText(listing).split("\n").slice(-7)).toEqual([
      "[DIR] dir                            ",
      "[LINK] l -> large                     ",
      "[FILE] large                             1.95 KB",
      "[FILE] small                                 1 B",
      "",
      "Total: 5 files, 1 directories, 1 links",
      "Combined size: 1.96 KB",
    ]);
  });

  test("shows the true size of a name that is not UTF-8", async () => {
    const place = scratch({ a: "1" });
    const odd = (name: string) => Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from(name, "latin1")]);
    writeFileSync(odd("caf\xe9"), "x".repeat(300));
    mkdirSync(odd("d\xe9"));
    const listing = await listFolderWithSizes(await place.sandbox(), place.root, { sortBy: "size" });
    expect(listing.entries.filter(({ type }) => type === "file")).toEqual([
      { name: String.raw`caf\xE9`, type: "file", size: 300 },
      { name: "a", type: "file", size: 1 },
    ]);
    expect(listing.totals).toMatchObject({ files: 2, directories: 1, bytes: 301 });
  });

  test("sorts by size, largest first", async () => {
    const place = scratch(files);
    const listing = await listFolderWithSizes(await place.sandbox(), place.root, { sortBy: "size" });
    expect(listing.entries.filter((entry) => entry.type === "file").map((entry) => [entry.name, entry.size])).toEqual([
      ["large", 2000],
      ["apple", 4],
      ["Banana", 3],
      ["ä", 2],
      ["small", 1],
    ]);
  });

  test.each([
    [0, "0 B"],
    [1, "1 B"],
    [1023, "1023 B"],
    [1024, "1.00 KB"],
    [1536, "1.50 KB"],
    [1024 ** 2, "1.00 MB"],
    [5.5 * 1024 ** 3, "5.50 GB"],
    [3 * 1024 ** 4, "3.00 TB"],
    [3 * 1024 ** 5, "3072.00 TB"],
  ])("formats %i as %s", (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});

async function pages(sandbox: Sandbox, path: string, options: SizedListOptions & { sized?: boolean }): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const list = options.sized ? listFolderWithSizes : listFolder;
    const page = await list(sandbox, path, { ...options, cursor });
    expect(page.entries.length).toBeGreaterThan(0);
    expect(page.offset).toBe(names.length);
    names.push(...page.entries.map((entry) => entry.name));
    expect(page.truncated).toBe(page.nextCursor !== undefined);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

describe("pages of a list", () => {
  const files = Object.fromEntries(
    ["b", "a", "C", "é", "e\u0301", "z", "10", "9", "\u{1f600}", "\uff5e"].map((name, i) => [name, "x".repeat(i % 3)]),
  );

  test.each([1, 3, 4, 10])("of %i hold the same as one whole list, in each order", async (limit) => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    for (const options of [{}, { sized: true }, { sized: true, sortBy: "size" as const }]) {
      const whole = await pages(sandbox, place.root, options);
      expect(whole).toHaveLength(10);
      expect(await pages(sandbox, place.root, { ...options, limit })).toEqual(whole);
      expect(await pages(sandbox, place.root, { ...options, maxBytes: limit * 200 })).toEqual(whole);
    }
  });

  test("state in their text that it was cut and how to continue", async () => {
    const place = scratch({ a: "", b: "", c: "" });
    const sandbox = await place.sandbox();
    const first = await listFolder(sandbox, place.root, { limit: 2 });
    const notice = `(entries 1 to 2 of 3; pass the cursor ${first.nextCursor} to go on)`;
    expect(listText(first)).toBe([notice, "[FILE] a", "[FILE] b"].join("\n"));
    expect(listText(await listFolder(sandbox, place.root, { limit: 2, cursor: first.nextCursor }))).toBe("[FILE] c");
  });

  test("neither repeat nor hide other entries when some come and go", async () => {
    const place = scratch({ a: "", c: "", e: "", g: "" });
    const sandbox = await place.sandbox();
    const first = await listFolder(sandbox, place.root, { limit: 2 });
    rmSync(place.at("c"));
    writeFileSync(place.at("b"), "");
    writeFileSync(place.at("d"), "");
    const second = await listFolder(sandbox, place.root, { limit: 5, cursor: first.nextCursor });
    expect(second.entries.map((entry) => entry.name)).toEqual(["d", "e", "g"]);
  });

  test("refuse a cursor of another list", async () => {
    const place = scratch({ a: "", b: "", "s/a": "", "s/b": "" });
    const sandbox = await place.sandbox();
    const { nextCursor: cursor } = await listFolder(sandbox, place.root, { limit: 1 });
    await expect(listFolder(sandbox, place.at("s"), { cursor })).rejects.toMatchObject({ code: "invalid" });
    await expect(listFolderWithSizes(sandbox, place.root, { cursor })).rejects.toMatchObject({ code: "invalid" });
    const sized = await listFolderWithSizes(sandbox, place.root, { limit: 1 });
    await expect(listFolderWithSizes(sandbox, place.root, { sortBy: "size", cursor: sized.nextCursor })).rejects.toMatchObject({
      code: "invalid",
    });
    await expect(listFolder(sandbox, place.root, { cursor: "eHl6" })).rejects.toMatchObject({ code: "invalid" });
  });
});
