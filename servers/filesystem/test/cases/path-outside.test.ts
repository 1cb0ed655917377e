// PATH-01 to PATH-12, PATH-15 and PATH-17: paths that lead out, tried on every way in; and paths that do not.
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { linkTo } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { tryAll } from "./entrances.ts";
import { besiege, type Siege } from "./stress.ts";

const form = (path: string): string => `Access denied - path outside allowed directories: ${path}`;

/** Refused by all, and by the tools in the one form that says nothing about what is there. */
async function refusedByAll(siege: Siege, path: string, except: RegExp = /^$/): Promise<void> {
  for (const { entrance, text, refused } of await tryAll(siege, path)) {
    if (except.test(entrance)) continue;
    expect({ entrance, path, refused, text }).toMatchObject({ refused: true });
    if (entrance.startsWith("resources/")) expect(text, entrance).toMatch(/Resource not found|Expected a URI/);
    else if (!entrance.startsWith("completion"))
      expect(text, entrance).toBe(form(entrance === "create_directory below" ? `${path}/a/b` : path));
  }
}

test("PATH-01 RES-13 a relative climb", async () => {
  await using siege = await besiege({ a: {} });
  for (const path of ["../OUT/secret.txt", "a/../../OUT/secret.txt", "./../OUT", "..", "a/../..", "../ROOT/../OUT/sub"])
    await refusedByAll(siege, path);
  await siege.judge();
});

test("PATH-02 an absolute path: the same words whether it exists or not", async () => {
  await using siege = await besiege();
  for (const path of [join(siege.out, "secret.txt"), join(siege.out, "none.txt"), siege.out, "/etc/passwd", "/", "/nowhere/at/all"])
    await refusedByAll(siege, path);
  await siege.judge();
});

test("PATH-03 a climb inside an allowed absolute path", async () => {
  await using siege = await besiege({ x: {} });
  for (const path of [`${siege.root}/x/../../OUT/secret.txt`, `${siege.root}/y/../../OUT/secret.txt`]) await refusedByAll(siege, path);
  await siege.judge();
});

test("PATH-04 PATH-05 a sibling whose name begins like the root's", async () => {
  await using siege = await besiege({}, { beside: { "ROOT-secret": { f: "sibling" } } });
  for (const path of [`${siege.root}-secret/f`, `${siege.root}-secret`, "../ROOT-secret/f"]) await refusedByAll(siege, path);
  await siege.judge();
});

test("PATH-06 a link to a file outside; the link stays", async () => {
  await using siege = await besiege();
  symlinkSync(join(siege.out, "secret.txt"), siege.at("l"));
  symlinkSync("../OUT/secret.txt", siege.at("r"));
  symlinkSync("r", siege.at("s"));
  for (const name of ["l", "r", "s"]) await refusedByAll(siege, name);
  expect(readlinkSync(siege.at("l"))).toBe(join(siege.out, "secret.txt"));
  expect(readdirSync(siege.root).toSorted()).toEqual(["l", "plain.txt", "r", "s"]);
  await siege.judge();
});

test("PATH-07 a link to a directory outside: refused, and walks show it as a link and do not enter", async () => {
  await using siege = await besiege({ inner: { "in.txt": "" } });
  symlinkSync(siege.out, siege.at("d"));
  for (const path of ["d", "d/secret.txt", "d/sub", "d/sub/deep.txt", "d/none", "./d/../d/secret.txt"]) await refusedByAll(siege, path);
  const walks = [
    await siege.says("list_directory", { path: "." }),
    await siege.says("list_directory_with_sizes", { path: "." }),
    await siege.says("directory_tree", { path: "." }),
    await siege.says("search_files", { path: ".", pattern: "**" }),
    await siege.says("search_files", { path: ".", pattern: "d/**" }),
  ];
  for (const { text } of walks) expect(text).not.toMatch(/secret|deep/);
  expect(walks[0]?.text).toBe("[LINK] d\n[DIR] inner\n[FILE] plain.txt");
  expect(walks[4]?.text).toBe("No matches found");
  await siege.judge();
});

test("PATH-08 chains of links of any length, and loops", async () => {
  await using siege = await besiege({
    sub: { c: linkTo("../../OUT") },
    b: linkTo("sub/c"),
    a: linkTo("b"),
    loop1: linkTo("loop2"),
    loop2: linkTo("loop1"),
    self: linkTo("self/x"),
  });
  symlinkSync(join(siege.out, "secret.txt"), siege.at("hop0"));
  for (let hop = 1; hop < 39; hop++) symlinkSync(hop % 2 === 0 ? `hop${hop - 1}` : siege.at(`hop${hop - 1}`), siege.at(`hop${hop}`));
  for (const path of ["a", "a/secret.txt", "b/secret.txt", "hop2", "hop38"]) await refusedByAll(siege, path);
  for (const path of ["loop1", "self"])
    for (const { entrance, refused } of await tryAll(
      siege,
      path,
      ({ name }) => !/^(move_file|copy_file|delete_file|resources\/subscribe)/.test(name),
    ))
      expect(refused, `${entrance} ${path}`).toBe(true);
  await siege.judge();
});

test("PATH-09 a dangling link in the place of a new file", async () => {
  await using siege = await besiege();
  symlinkSync(join(siege.out, "created.txt"), siege.at("new"));
  await refusedByAll(siege, "new");
  expect(readdirSync(siege.out).toSorted()).toEqual(["secret.txt", "sub"]);
  await siege.judge();
});

test("PATH-10 PATH-11 new files and directories below a linked directory, and no partial chain", async () => {
  await using siege = await besiege();
  symlinkSync(siege.out, siege.at("d"));
  for (const path of ["d/x.txt", "d/n1/n2/x.txt", "d/a/b/c", `${siege.root}/d/n/x`]) await refusedByAll(siege, path);
  for (const path of ["a/b/../../../OUT/x", "a/b/c/../../../../OUT"])
    for (const { refused } of await tryAll(siege, path, ({ writes }) => writes)) expect(refused).toBe(true);
  expect(readdirSync(siege.root).toSorted()).toEqual(["d", "plain.txt"]);
  await siege.judge();
});

test("PATH-12 moves with links: what leads out is refused, what does not is moved as a link", async () => {
  await using siege = await besiege({ "v.txt": "v", in: linkTo("v.txt") });
  symlinkSync(siege.out, siege.at("d"));
  symlinkSync(join(siege.out, "new"), siege.at("dangling"));
  for (const [source, destination] of [
    ["d/secret.txt", "x"],
    ["plain.txt", "d/x"],
    ["plain.txt", "dangling"],
    ["d", "e"],
    ["plain.txt", join(siege.out, "x")],
    [join(siege.out, "secret.txt"), "x"],
  ] as const) {
    for (const overwrite of [false, true])
      expect(await siege.says("move_file", { source, destination, overwrite }), `${source} → ${destination}`).toMatchObject({
        failed: true,
        text: expect.stringMatching(/^Access denied/),
      });
  }
  expect(await siege.says("move_file", { source: "in", destination: "moved" })).toMatchObject({ failed: false });
  expect(readlinkSync(siege.at("moved"))).toBe("v.txt");
  expect(readdirSync(siege.root).toSorted()).toEqual(["d", "dangling", "moved", "plain.txt", "v.txt"]);
  await siege.judge();
});

test("PATH-13 a hard link: writes and edits replace the name and leave the other one alone", async () => {
  await using siege = await besiege();
  for (const name of ["h1", "h2", "h3"]) linkSync(join(siege.out, "secret.txt"), siege.at(name));
  expect((await siege.says("write_file", { path: "h1", content: "x" })).failed).toBe(false);
  expect((await siege.says("write_file", { path: "h2", content: "x" })).failed).toBe(false);
  expect((await siege.says("move_file", { source: "h3", destination: "h4" })).failed).toBe(false);
  rmSync(siege.at("h4"));
  expect(readFileSync(join(siege.out, "secret.txt"), "utf8")).toBe(siege.canary);
  await siege.judge();
});

test("PATH-14 a loop inside: tree and search end, and show each directory once", async () => {
  await using siege = await besiege({ a: { b: { up: linkTo("../.."), f: "" } } });
  expect(JSON.parse((await siege.says("directory_tree", { path: "a" })).text)).toEqual([
    {
      name: "b",
      type: "directory",
      children: [
        { name: "f", type: "file" },
        { name: "up", type: "symlink" },
      ],
    },
  ]);
  expect((await siege.says("search_files", { path: ".", pattern: "**/f" })).text).toBe(siege.at("a/b/f"));
  await siege.judge();
});

test("PATH-15 a link that stays inside works", async () => {
  await using siege = await besiege({ v2: { f: "two\n" }, cur: linkTo("v2") });
  expect(await siege.says("read_text_file", { path: "cur/f" })).toEqual({ text: "two\n", failed: false });
  expect(await siege.says("write_file", { path: "cur/f", content: "new\n" })).toMatchObject({ failed: false });
  expect(await siege.says("list_directory", { path: "cur" })).toEqual({ text: "[FILE] f", failed: false });
  expect(await siege.says("edit_file", { path: "cur/f", edits: [{ oldText: "new", newText: "newer" }] })).toMatchObject({ failed: false });
  expect(readFileSync(siege.at("v2/f"), "utf8")).toBe("newer\n");
  expect(readlinkSync(siege.at("cur"))).toBe("v2");
  await siege.judge();
});

describe("PATH-17 PATH-18 the root itself", () => {
  test("swapped for a link to OUT after the start: refused, nothing read from there", async () => {
    await using siege = await besiege({}, { beside: { other: { f: "other" } }, directories: (base) => [`${base}/ROOT`, `${base}/other`] });
    renameSync(siege.root, `${siege.root}-away`);
    symlinkSync(siege.out, siege.root);
    // A subscription there is none to speak of: it hears nothing (and refusing it would not tell more).
    const fits = ({ name }: { name: string }): boolean => name !== "resources/subscribe" && name !== "read_multiple_files";
    for (const path of [siege.at("secret.txt"), siege.root, siege.at("sub")])
      expect((await tryAll(siege, path, fits)).filter(({ refused }) => !refused)).toEqual([]);
    expect(await siege.says("read_text_file", { path: join(siege.base, "other/f") })).toEqual({ text: "other", failed: false });
    await siege.judge({ plain: false });
  });

  test("removed while running: a clear error, the others keep working", async () => {
    await using siege = await besiege({}, { beside: { other: { f: "other" } }, directories: (base) => [`${base}/ROOT`, `${base}/other`] });
    rmSync(siege.root, { recursive: true });
    expect(await siege.says("read_text_file", { path: siege.at("plain.txt") })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/removed or replaced/),
    });
    expect(await siege.says("list_directory", { path: siege.root })).toMatchObject({ failed: true });
    expect(await siege.says("read_text_file", { path: join(siege.base, "other/f") })).toEqual({ text: "other", failed: false });
    // Another directory of that name is another directory.
    mkdirSync(siege.root);
    expect(await siege.says("write_file", { path: siege.at("x"), content: "x" })).toMatchObject({ failed: true });
    expect(readdirSync(siege.root)).toEqual([]);
    await siege.judge({ plain: false });
  });
});
