import { writeFileSync } from "node:fs";
import { expect, describe, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { windowsPaths } from "../../../src/disk/access/path-syntax.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { suggestPaths } from "../../../src/disk/tree/path-completion.ts";
import { scratch } from "../support/scratch.ts";

const files = { "alpha.txt": "", "alps/peak": "", beta: "", ".env": "", link: { link: "alps" }, gone: { link: "OUT" } };

test("completes entries whose path begins as typed, folders with a slash", async () => {
  const place = scratch(files);
  const sandbox = await place.sandbox();
  const suggest = async (typed: string) => (await suggestPaths(sandbox, typed)).values;
  expect(await suggest(place.at("al"))).toEqual([place.at("alpha.txt"), `${place.at("alps")}/`]);
  expect(await suggest(place.at("alps/"))).toEqual([place.at("alps/peak")]);
  expect(await suggest(place.at("link/p"))).toEqual([place.at("link/peak")]);
  expect(await suggest(`${place.root}/`)).toHaveLength(6);
  expect(await suggest(place.at("beta/x"))).toEqual([]);
  expect(await suggest(place.at("nothing/x"))).toEqual([]);
});

test("keeps the typed text as typed", async () => {
  const place = scratch(files);
  const { values } = await suggestPaths(await place.sandbox(), `${place.root}//alps/../be`);
  expect(values).toEqual([`${place.root}//alps/../beta`]);
});

test("completes the roots while typed, and from nothing", async () => {
  const place = scratch(files);
  const sandbox = await place.sandbox();
  expect((await suggestPaths(sandbox, "")).values).toEqual([`${place.root}/`]);
  expect((await suggestPaths(sandbox, place.root.slice(0, -2))).values).toEqual([`${place.root}/`]);
  expect((await suggestPaths(sandbox, place.root)).values).toEqual([`${place.root}/`]);
  expect((await suggestPaths(sandbox, "/")).values).toEqual([`${place.root}/`]);
});

test("completes relative text in every root", async () => {
  const one = scratch({ "shared/a": "" });
  const two = scratch({ "shared/b": "", sheep: "" });
  const disk = await openDisk({ directories: [one, two].map(({ root }) => ({ path: root, readOnly: false })) });
  expect((await suggestPaths(disk.sandbox(), "sh")).values).toEqual(["shared/", "sheep"]);
  expect((await suggestPaths(disk.sandbox(), "shared/")).values).toEqual(["shared/a", "shared/b"]);
});

describe("completes nothing", () => {
  test("outside, whether it exists or not", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox();
    for (const typed of [
      `${place.out}/`,
      `${place.out}/se`,
      "/etc/",
      "/etc/pass",
      "/nowhere/x",
      `${place.root}/../out/`,
      place.at("gone/"),
      place.at("gone/se"),
      "../",
      "~/",
    ]) {
      expect(await suggestPaths(sandbox, typed)).toEqual({ values: [], more: false });
    }
  });

  test("denied", async () => {
    const place = scratch(files);
    const sandbox = await place.sandbox({ deny: [".env", "alps"] });
    expect((await suggestPaths(sandbox, `${place.root}/.`)).values).toEqual([]);
    expect((await suggestPaths(sandbox, place.at("al"))).values).toEqual([place.at("alpha.txt")]);
    expect((await suggestPaths(sandbox, place.at("alps/"))).values).toEqual([]);
  });

  test("for text that cannot be a path", async () => {
    const place = scratch();
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from("caf\xe9", "latin1")]), "");
    expect((await suggestPaths(await place.sandbox(), place.at("caf"))).values).toEqual([]);
  });
});

test("K1 for a megabyte of text, NUL and lone surrogates", async () => {
  const place = scratch(files);
  const sandbox = await place.sandbox();
  for (const typed of [
    `${place.root}/${"a".repeat(1_000_000)}`,
    "../".repeat(300_000),
    place.at("a\0b"),
    place.at("\ud800"),
    "/".repeat(4000),
  ]) {
    expect((await suggestPaths(sandbox, typed)).more).toBe(false);
  }
});

test("returns at most a hundred, and states that there are more", async () => {
  const place = scratch(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, ""])));
  const sandbox = await place.sandbox();
  const all = await suggestPaths(sandbox, place.at("f"));
  expect(all.values).toHaveLength(100);
  expect(all.more).toBe(true);
  expect(await suggestPaths(sandbox, place.at("f10"))).toMatchObject({ more: false, values: [place.at("f10"), place.at("f100")] });
});

describe("completes on Windows", () => {
  /** Folders that are known by their text. */
  const sandbox = (roots: string[], folders: Record<string, string[]>): Sandbox =>
    ({
      roots: roots.map((real) => ({ given: real, real, readOnly: false })),
      shows: () => true,
      folder(path: string) {
        const names = folders[path.replaceAll("/", "\\")];
        if (names === undefined) throw new DiskError("not-found", path);
        const place = scratch(Object.fromEntries(names.map((name) => [name, name.endsWith(".txt") ? "" : null])));
        return { path, self: place.root, stat: { size: 0n }, [Symbol.dispose]: () => undefined };
      },
    }) as unknown as Sandbox;
  const served = sandbox(["C:\\proj", "\\\\srv\\share"], { "C:\\proj\\": ["src", "a.txt"], "C:\\proj\\s": [], "\\\\srv\\share\\": ["x"] });
  const suggest = async (typed: string) => (await suggestPaths(served, typed, 100, windowsPaths)).values;

  test.each([
    ["", ["C:\\proj\\", "\\\\srv\\share\\"]],
    ["C:", ["C:\\proj\\"]],
    ["C:\\p", ["C:\\proj\\"]],
    ["c:/PR", ["c:/PRoj/"]],
    ["C:\\proj\\s", ["C:\\proj\\src\\"]],
    ["C:/proj/", ["C:/proj/a.txt", "C:/proj/src/"]],
    ["\\\\srv\\share\\", ["\\\\srv\\share\\x\\"]],
    ["//srv/", ["//srv/share/"]],
    ["s", ["src\\"]],
    ["D:\\", []],
  ])("the path %j", async (typed, values) => {
    expect([...(await suggest(typed))].toSorted()).toEqual(values.toSorted());
  });
});
