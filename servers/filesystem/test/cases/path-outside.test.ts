// PATH-01 to PATH-12, PATH-15 and PATH-17: paths that lead out, tried on every way in; and paths that do not.
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { linkTo } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { tryAll } from "./entrances.ts";
import { startStress, type Stress } from "./stress.ts";

const form = (path: string): string => `Access denied - path outside allowed directories: ${path}`;

/** Refused by all, and by the tools in the form that does not reveal what exists. */
async function refusedByAll(stress: Stress, path: string, except: RegExp = /^$/): Promise<void> {
  for (const { entrance, text, refused } of await tryAll(stress, path)) {
    if (except.test(entrance)) continue;
    expect({ entrance, path, refused, text }).toMatchObject({ refused: true });
    if (entrance.startsWith("resources/")) expect(text, entrance).toMatch(/Resource not found|Expected a URI/);
    else if (!entrance.startsWith("completion"))
      expect(text, entrance).toBe(form(entrance === "create_directory below" ? `${path}/a/b` : path));
  }
}

test("PATH-01 RES-13 a relative climb", async () => {
  await using stress = await startStress({ a: {} });
  for (const path of ["../OUT/secret.txt", "a/../../OUT/secret.txt", "./../OUT", "..", "a/../..", "../ROOT/../OUT/sub"])
    await refusedByAll(stress, path);
  await stress.checkRules();
});

test("PATH-02 an absolute path: the same words whether it exists or not", async () => {
  await using stress = await startStress();
  for (const path of [join(stress.out, "secret.txt"), join(stress.out, "none.txt"), stress.out, "/etc/passwd", "/", "/nowhere/at/all"])
    await refusedByAll(stress, path);
  await stress.checkRules();
});

test("PATH-03 a climb inside an allowed absolute path", async () => {
  await using stress = await startStress({ x: {} });
  for (const path of [`${stress.root}/x/../../OUT/secret.txt`, `${stress.root}/y/../../OUT/secret.txt`]) await refusedByAll(stress, path);
  await stress.checkRules();
});

test("PATH-04 PATH-05 a sibling whose name begins like the root's", async () => {
  await using stress = await startStress({}, { beside: { "ROOT-secret": { f: "sibling" } } });
  for (const path of [`${stress.root}-secret/f`, `${stress.root}-secret`, "../ROOT-secret/f"]) await refusedByAll(stress, path);
  await stress.checkRules();
});

test("PATH-06 a link to a file outside; the link stays", async () => {
  await using stress = await startStress();
  symlinkSync(join(stress.out, "secret.txt"), stress.at("l"));
  symlinkSync("../OUT/secret.txt", stress.at("r"));
  symlinkSync("r", stress.at("s"));
  for (const name of ["l", "r", "s"]) await refusedByAll(stress, name);
  expect(readlinkSync(stress.at("l"))).toBe(join(stress.out, "secret.txt"));
  expect(readdirSync(stress.root).toSorted()).toEqual(["l", "plain.txt", "r", "s"]);
  await stress.checkRules();
});

test("PATH-07 a link to a directory outside: refused, and walks show it as a link and do not enter", async () => {
  await using stress = await startStress({ inner: { "in.txt": "" } });
  symlinkSync(stress.out, stress.at("d"));
  for (const path of ["d", "d/secret.txt", "d/sub", "d/sub/deep.txt", "d/none", "./d/../d/secret.txt"]) await refusedByAll(stress, path);
  const walks = [
    await stress.reply("list_directory", { path: "." }),
    await stress.reply("list_directory_with_sizes", { path: "." }),
    await stress.reply("directory_tree", { path: "." }),
    await stress.reply("search_files", { path: ".", pattern: "**" }),
    await stress.reply("search_files", { path: ".", pattern: "d/**" }),
  ];
  for (const { text } of walks) expect(text).not.toMatch(/secret|deep/);
  expect(walks[0]?.text).toBe("[LINK] d\n[DIR] inner\n[FILE] plain.txt");
  expect(walks[4]?.text).toBe("No matches found");
  await stress.checkRules();
});

test("PATH-08 chains of links of any length, and loops", async () => {
  await using stress = await startStress({
    sub: { c: linkTo("../../OUT") },
    b: linkTo("sub/c"),
    a: linkTo("b"),
    loop1: linkTo("loop2"),
    loop2: linkTo("loop1"),
    self: linkTo("self/x"),
  });
  symlinkSync(join(stress.out, "secret.txt"), stress.at("hop0"));
  for (let hop = 1; hop < 39; hop++) symlinkSync(hop % 2 === 0 ? `hop${hop - 1}` : stress.at(`hop${hop - 1}`), stress.at(`hop${hop}`));
  for (const path of ["a", "a/secret.txt", "b/secret.txt", "hop2", "hop38"]) await refusedByAll(stress, path);
  for (const path of ["loop1", "self"])
    for (const { entrance, refused } of await tryAll(
      stress,
      path,
      ({ name }) => !/^(move_file|copy_file|delete_file|resources\/subscribe)/.test(name),
    ))
      expect(refused, `${entrance} ${path}`).toBe(true);
  await stress.checkRules();
});

test("PATH-09 a dangling link in the place of a new file", async () => {
  await using stress = await startStress();
  symlinkSync(join(stress.out, "created.txt"), stress.at("new"));
  await refusedByAll(stress, "new");
  expect(readdirSync(stress.out).toSorted()).toEqual(["secret.txt", "sub"]);
  await stress.checkRules();
});

test("PATH-10 PATH-11 new files and directories below a linked directory, and no partial chain", async () => {
  await using stress = await startStress();
  symlinkSync(stress.out, stress.at("d"));
  for (const path of ["d/x.txt", "d/n1/n2/x.txt", "d/a/b/c", `${stress.root}/d/n/x`]) await refusedByAll(stress, path);
  for (const path of ["a/b/../../../OUT/x", "a/b/c/../../../../OUT"])
    for (const { refused } of await tryAll(stress, path, ({ writes }) => writes)) expect(refused).toBe(true);
  expect(readdirSync(stress.root).toSorted()).toEqual(["d", "plain.txt"]);
  await stress.checkRules();
});

test("PATH-12 moves with links: what leads out is refused, what does not is moved as a link", async () => {
  await using stress = await startStress({ "v.txt": "v", in: linkTo("v.txt") });
  symlinkSync(stress.out, stress.at("d"));
  symlinkSync(join(stress.out, "new"), stress.at("dangling"));
  for (const [source, destination] of [
    ["d/secret.txt", "x"],
    ["plain.txt", "d/x"],
    ["plain.txt", "dangling"],
    ["d", "e"],
    ["plain.txt", join(stress.out, "x")],
    [join(stress.out, "secret.txt"), "x"],
  ] as const) {
    for (const overwrite of [false, true])
      expect(await stress.reply("move_file", { source, destination, overwrite }), `${source} → ${destination}`).toMatchObject({
        failed: true,
        text: expect.stringMatching(/^Access denied/),
      });
  }
  expect(await stress.reply("move_file", { source: "in", destination: "moved" })).toMatchObject({ failed: false });
  expect(readlinkSync(stress.at("moved"))).toBe("v.txt");
  expect(readdirSync(stress.root).toSorted()).toEqual(["d", "dangling", "moved", "plain.txt", "v.txt"]);
  await stress.checkRules();
});

test("PATH-13 a hard link: writes and edits replace the name and keep the content of the other one", async () => {
  await using stress = await startStress();
  for (const name of ["h1", "h2", "h3"]) linkSync(join(stress.out, "secret.txt"), stress.at(name));
  expect((await stress.reply("write_file", { path: "h1", content: "x" })).failed).toBe(false);
  expect((await stress.reply("write_file", { path: "h2", content: "x" })).failed).toBe(false);
  expect((await stress.reply("move_file", { source: "h3", destination: "h4" })).failed).toBe(false);
  rmSync(stress.at("h4"));
  expect(readFileSync(join(stress.out, "secret.txt"), "utf8")).toBe(stress.secret);
  await stress.checkRules();
});

test("PATH-14 a loop inside: tree and search end, and show each directory once", async () => {
  await using stress = await startStress({ a: { b: { up: linkTo("../.."), f: "" } } });
  expect(JSON.parse((await stress.reply("directory_tree", { path: "a" })).text)).toEqual([
    {
      name: "b",
      type: "directory",
      children: [
        { name: "f", type: "file" },
        { name: "up", type: "symlink" },
      ],
    },
  ]);
  expect((await stress.reply("search_files", { path: ".", pattern: "**/f" })).text).toBe(stress.at("a/b/f"));
  await stress.checkRules();
});

test("PATH-15 a link that stays inside works", async () => {
  await using stress = await startStress({ v2: { f: "two\n" }, cur: linkTo("v2") });
  expect(await stress.reply("read_text_file", { path: "cur/f" })).toMatchObject({ text: "two\n", failed: false });
  expect(await stress.reply("write_file", { path: "cur/f", content: "new\n" })).toMatchObject({ failed: false });
  expect(await stress.reply("list_directory", { path: "cur" })).toMatchObject({ text: "[FILE] f", failed: false });
  expect(await stress.reply("edit_file", { path: "cur/f", edits: [{ oldText: "new", newText: "newer" }] })).toMatchObject({
    failed: false,
  });
  expect(readFileSync(stress.at("v2/f"), "utf8")).toBe("newer\n");
  expect(readlinkSync(stress.at("cur"))).toBe("v2");
  await stress.checkRules();
});

describe("PATH-17 PATH-18 the root itself", () => {
  test("swapped for a link to OUT after the start: refused, nothing read from there", async () => {
    await using stress = await startStress(
      {},
      { beside: { other: { f: "other" } }, directories: (base) => [`${base}/ROOT`, `${base}/other`] },
    );
    renameSync(stress.root, `${stress.root}-away`);
    symlinkSync(stress.out, stress.root);
    // A subscription there is none to speak of: it hears nothing (and refusing it would not tell more).
    const fits = ({ name }: { name: string }): boolean => name !== "resources/subscribe" && name !== "read_multiple_files";
    for (const path of [stress.at("secret.txt"), stress.root, stress.at("sub")])
      expect((await tryAll(stress, path, fits)).filter(({ refused }) => !refused)).toEqual([]);
    expect(await stress.reply("read_text_file", { path: join(stress.base, "other/f") })).toMatchObject({ text: "other", failed: false });
    await stress.checkRules({ plain: false });
  });

  test("removed while running: a clear error, the others keep working", async () => {
    await using stress = await startStress(
      {},
      { beside: { other: { f: "other" } }, directories: (base) => [`${base}/ROOT`, `${base}/other`] },
    );
    rmSync(stress.root, { recursive: true });
    expect(await stress.reply("read_text_file", { path: stress.at("plain.txt") })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/removed or replaced/),
    });
    expect(await stress.reply("list_directory", { path: stress.root })).toMatchObject({ failed: true });
    expect(await stress.reply("read_text_file", { path: join(stress.base, "other/f") })).toMatchObject({ text: "other", failed: false });
    // Another directory of that name is another directory.
    mkdirSync(stress.root);
    expect(await stress.reply("write_file", { path: stress.at("x"), content: "x" })).toMatchObject({ failed: true });
    expect(readdirSync(stress.root)).toEqual([]);
    await stress.checkRules({ plain: false });
  });
});
