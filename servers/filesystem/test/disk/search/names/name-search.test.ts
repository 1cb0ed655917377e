import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../../../src/disk/access/sandbox.ts";
import { searchFiles, type SearchOptions } from "../../../../src/disk/search/names/name-search.ts";
import { coverageText, searchText } from "../../../../src/disk/search/names/search-text.ts";
import { searchMeasured } from "../../../../src/disk/search/names/measured-search.ts";
import { scratch, type Scratch } from "../../support/scratch.ts";

async function found(place: Scratch, pattern: string, options: Partial<SearchOptions> = {}, sandbox?: Sandbox): Promise<string[]> {
  const result = await searchFiles(sandbox ?? (await place.sandbox()), place.root, { pattern, ...options });
  return result.paths.map((path) => path.slice(place.root.length + 1));
}

describe("search_files by name", () => {
  const files = { "a.ts": "", "b/a.ts": "", "b/.hidden.ts": "", "b/c/a.ts": "", "b/c/d.js": "", "z.ts": "", empty: null };

  test("returns absolute paths, and a folder's entries right after it", async () => {
    const place = scratch(files);
    expect(await found(place, "**")).toEqual(["a.ts", "b", "b/.hidden.ts", "b/a.ts", "b/c", "b/c/a.ts", "b/c/d.js", "empty", "z.ts"]);
    expect(await found(place, "*.ts")).toEqual(["a.ts", "z.ts"]);
    expect(await found(place, "**/*.ts")).toEqual(["a.ts", "b/.hidden.ts", "b/a.ts", "b/c/a.ts", "z.ts"]);
    expect(await found(place, "b/*")).toEqual(["b/.hidden.ts", "b/a.ts", "b/c"]);
  });

  test("leaves out what excludes match, relative to the folder of the call", async () => {
    const place = scratch(files);
    expect(await found(place, "**/*.ts", { excludePatterns: ["b"] })).toEqual(["a.ts", "z.ts"]);
    expect(await found(place, "**/*.ts", { excludePatterns: ["c"] })).toContain("b/c/a.ts");
    expect(await found(place, "**/*.ts", { excludePatterns: ["**/c", "z*"] })).toEqual(["a.ts", "b/.hidden.ts", "b/a.ts"]);
  });

  test("filters by type", async () => {
    const place = scratch({ ...files, link: { link: "a.ts" } });
    expect(await found(place, "**", { type: "directory" })).toEqual(["b", "b/c", "empty"]);
    expect(await found(place, "**", { type: "symlink" })).toEqual(["link"]);
  });

  test("searches below a folder, relative to it", async () => {
    const place = scratch(files);
    const result = await searchFiles(await place.sandbox(), place.at("b"), { pattern: "*.ts" });
    expect(result.paths).toEqual([place.at("b/.hidden.ts"), place.at("b/a.ts")]);
    expect(searchText(result)).toBe(result.paths.join("\n"));
  });

  test("reports an empty result", async () => {
    const place = scratch(files);
    expect(searchText(await searchFiles(await place.sandbox(), place.root, { pattern: "nope" }))).toBe("No matches found");
  });

  test("refuses a file, a missing folder and a path outside", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    await expect(searchFiles(sandbox, place.at("a.ts"), { pattern: "*" })).rejects.toMatchObject({ code: "not-a-folder" });
    await expect(searchFiles(sandbox, place.at("gone"), { pattern: "*" })).rejects.toMatchObject({ code: "not-found" });
    await expect(searchFiles(sandbox, place.out, { pattern: "*" })).rejects.toMatchObject({ code: "denied" });
  });
});

describe("links, loops and special files", () => {
  test("PATH-07 reports a link to a folder outside without entering it", async () => {
    const place = scratch({ "in/f.txt": "", d: { link: "OUT" } });
    expect(await found(place, "**")).toEqual(["d", "in", "in/f.txt"]);
    expect(await found(place, "**/secret.txt")).toEqual([]);
    const sandbox = await place.sandbox();
    await expect(searchFiles(sandbox, place.at("d"), { pattern: "*" })).rejects.toMatchObject({ code: "denied" });
  });

  test("PATH-08 refuses chains that lead out, and ends loops of links", async () => {
    const place = scratch({
      "sub/c": { link: "../../out" },
      b: { link: "sub/c" },
      a: { link: "b" },
      l1: { link: "l2" },
      l2: { link: "l1" },
    });
    const sandbox = await place.sandbox();
    expect(await found(place, "**")).toEqual(["a", "b", "l1", "l2", "sub", "sub/c"]);
    await expect(searchFiles(sandbox, place.at("a"), { pattern: "*" })).rejects.toMatchObject({ code: "denied" });
    await expect(searchFiles(sandbox, place.at("l1"), { pattern: "*" })).rejects.toThrow(/symbolic links|Access denied/);
  });

  test("PATH-14 ends a loop inside with each real folder once", async () => {
    const place = scratch({ "a/b/up": { link: "../.." }, "a/b/f": "", "a/self": { link: "." } });
    expect(await found(place, "**")).toEqual(["a", "a/b", "a/b/f", "a/b/up", "a/self"]);
  });

  test("PATH-36 lists pipes without waiting for them", needs("named pipes"), async () => {
    const place = scratch({ f: "" });
    execFileSync("mkfifo", [place.at("p")]);
    expect(await found(place, "*")).toEqual(["f", "p"]);
    expect(await found(place, "*", { type: "other" })).toEqual(["p"]);
  });

  test("PATH-39 skips /proc when / is a root", async () => {
    const { openDisk } = await import("../../../../src/disk/disk.ts");
    const sandbox = (await openDisk({ directories: [{ path: "/", readOnly: true }] })).sandbox();
    const result = await searchFiles(sandbox, "/", { pattern: "proc/**" });
    expect(result.paths).toEqual([]);
    expect((await searchFiles(sandbox, "/", { pattern: "*", type: "directory" })).paths).toContain("/tmp");
  });

  test("hides denied names and everything below them", async () => {
    const place = scratch({ ".env": "", "a/.env.local": "", "secret/x": "", "a/ok": "" });
    const sandbox = await place.sandbox({ deny: ["**/.env*", "secret"] });
    expect(await found(place, "**", {}, sandbox)).toEqual(["a", "a/ok"]);
  });

  test("searches the narrowed part of a root only", async () => {
    const place = scratch({ "a/f": "", "b/f": "" });
    const sandbox = (await place.sandbox()).narrowed([place.at("a")]);
    await expect(searchFiles(sandbox, place.root, { pattern: "**" })).rejects.toMatchObject({ code: "denied" });
    expect((await searchFiles(sandbox, place.at("a"), { pattern: "**" })).paths).toEqual([place.at("a/f")]);
  });

  test("keeps a name with a newline on its line, and keeps names that are not UTF-8", async () => {
    const place = scratch({ "x\nNo matches found": "", ok: "" });
    const odd = (name: string) => Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from(name, "latin1")]);
    writeFileSync(odd("caf\xe9"), "");
    mkdirSync(odd("d\xff"));
    const result = await searchFiles(await place.sandbox(), place.root, { pattern: "**" });
    expect(result.paths).toEqual(["caf\\xE9", "d\\xFF", "ok", "x\nNo matches found"].map(place.at));
    expect(searchText(result).split("\n")).toEqual(["caf\\xE9", "d\\xFF", "ok", "x\\nNo matches found"].map(place.at));
    expect(result.walked.unreadablePaths).toEqual([place.at("d\\xFF")]);
  });

  test("lists every odd name on exactly one page", async () => {
    const place = scratch({ ok: "", né: "", "\u{1f600}": "", "\uff5e": "", caf: "" });
    for (const name of ["caf\xe9", "caf\xe9z", "\xff", "\x80/".slice(0, 1)]) {
      writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from(name, "latin1")]), "");
    }
    const sandbox = await place.sandbox();
    const all = (await searchFiles(sandbox, place.root, { pattern: "**" })).paths;
    expect(all).toHaveLength(9);
    expect(await paged(sandbox, place.root, { pattern: "**", limit: 1 })).toEqual(all);
  });
});

async function paged(sandbox: Sandbox, path: string, options: SearchOptions): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 200; page++) {
    const result = await searchFiles(sandbox, path, { ...options, cursor });
    all.push(...result.paths);
    if (result.nextCursor === undefined) {
      expect(result.truncated).toBe(false);
      return all;
    }
    expect(result.truncated).toBe(true);
    cursor = result.nextCursor;
  }
  throw new Error("the pages never end");
}

describe("pages of names", () => {
  const files = Object.fromEntries(
    ["a", "b/1", "b/2/x", "b/2/y", "b/3", "b.txt", "c/deep/er/f", "c/g", "d"].map((name) => [name, ""] as const),
  );

  test.each([1, 2, 3, 5, 100])("of %i hold the same as one whole reply", async (limit) => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    for (const pattern of ["**", "**/*", "b/**", "**/?"]) {
      const { paths } = await searchFiles(sandbox, place.root, { pattern });
      expect(await paged(sandbox, place.root, { pattern, limit })).toEqual(paths);
    }
  });

  test("end at a limit of visited entries, and continue there", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    const { paths } = await searchFiles(sandbox, place.root, { pattern: "**" });
    expect(await paged(sandbox, place.root, { pattern: "**", maxEntries: 6 })).toEqual(paths);
  });

  test("end at a size limit, and are never empty for it", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    const { paths } = await searchFiles(sandbox, place.root, { pattern: "**" });
    expect(await paged(sandbox, place.root, { pattern: "**", maxBytes: 1 })).toEqual(paths);
  });

  test("continue after an entry or folder that has disappeared", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    const first = await searchFiles(sandbox, place.root, { pattern: "**", limit: 4 });
    expect(first.paths.at(-1)).toBe(place.at("b/2"));
    rmSync(place.at("b/2"), { recursive: true });
    const second = await searchFiles(sandbox, place.root, { pattern: "**", cursor: first.nextCursor });
    expect(second.paths[0]).toBe(place.at("b/3"));
    const deep = await searchFiles(sandbox, place.root, { pattern: "**/f", limit: 1, maxEntries: 10 });
    rmSync(place.at("c"), { recursive: true });
    symlinkSync(place.out, place.at("c"));
    const after = await searchFiles(sandbox, place.root, { pattern: "**/f", limit: 1, cursor: deep.nextCursor });
    expect(after.paths).toEqual([]);
  });

  test("name the cut in their text", async () => {
    const place = scratch(files);
    const result = await searchFiles(await place.sandbox(), place.root, { pattern: "**", limit: 1 });
    expect(searchText(result)).toMatch(/^\(there is more: pass the cursor \S+ to go on\)\n\S+\/a$/);
  });

  test("refuse a cursor of another search", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    const { nextCursor: cursor } = await searchFiles(sandbox, place.root, { pattern: "**", limit: 1 });
    const again = (options: Partial<SearchOptions>, path = place.root) =>
      searchFiles(sandbox, path, { pattern: "**", limit: 1, cursor, ...options });
    await expect(again({})).resolves.toMatchObject({ truncated: true });
    await expect(again({ pattern: "*" })).rejects.toMatchObject({ code: "invalid" });
    await expect(again({ excludePatterns: ["b"] })).rejects.toMatchObject({ code: "invalid" });
    await expect(again({ type: "file" })).rejects.toMatchObject({ code: "invalid" });
    await expect(again({}, place.at("b"))).rejects.toMatchObject({ code: "invalid" });
    await expect(again({ cursor: "xyz" })).rejects.toMatchObject({ code: "invalid" });
  });
});

test("counts the links behind which there may be matches", async () => {
  const place = scratch({ "src/a.ts": "", "src/b": { link: "a.ts" }, web: { link: "src" } });
  const covered = async (pattern: string) => {
    const result = await searchFiles(await place.sandbox(), place.root, { pattern });
    return coverageText(result, false, undefined);
  };
  expect(await covered("**/*.js")).toBe("[4 entries looked at, 2 links not followed]");
  expect(await covered("web/*.ts")).toBe("[2 entries looked at, 1 link not followed]");
  expect(await covered("*.js")).toBe("[2 entries looked at]");
});

test("report entries below the depth limit as left out", async () => {
  const place = scratch({ [`${"d/".repeat(300)}leaf`]: "" });
  const sandbox = await place.sandbox();
  for (const search of [searchFiles, searchMeasured]) {
    const found = await search(sandbox, place.root, { pattern: "**/leaf", sortBy: "time", showsFacts: false });
    expect(found).toMatchObject({ paths: [], truncated: true });
    expect(found.nextCursor).toBeUndefined();
    expect(searchText(found)).toMatch(/^\(nothing in 257 entries so far; 1 directory is too deep or too large .*: search in them\)$/);
  }
  expect(await searchFiles(sandbox, place.at("d/".repeat(200)), { pattern: "**/leaf" })).toMatchObject({ truncated: false });
});
