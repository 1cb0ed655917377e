// PATH-01 to PATH-12, PATH-15 and PATH-17: paths that lead out, tried on every way in; and paths that do not.
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { linkTo } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { startAttack } from "./attack.ts";
import type { Attacked } from "./attacked.ts";
import { tryAll } from "./entrances.ts";

const form = (path: string): string => `Access denied - path outside allowed directories: ${path}`;

/** Refused by all, and by the tools in the form that does not reveal what exists. */
async function refusedByAll(attacked: Attacked, path: string, except: RegExp = /^$/): Promise<void> {
  for (const { entrance, text, refused } of await tryAll(attacked, path)) {
    if (except.test(entrance)) continue;
    expect({ entrance, path, refused, text }).toMatchObject({ refused: true });
    if (entrance.startsWith("resources/")) expect(text, entrance).toMatch(/Resource not found|Expected a URI/);
    else if (!entrance.startsWith("completion"))
      expect(text, entrance).toBe(form(entrance === "create_directory below" ? `${path}/a/b` : path));
  }
}

test("PATH-01 RES-13 refuses a relative climb", async () => {
  await using attacked = await startAttack({ a: {} });
  for (const path of ["../OUT/secret.txt", "a/../../OUT/secret.txt", "./../OUT", "..", "a/../..", "../ROOT/../OUT/sub"])
    await refusedByAll(attacked, path);
  await attacked.checkRules();
});

test("PATH-02 refuses an absolute path with the same message whether it exists or not", async () => {
  await using attacked = await startAttack();
  for (const path of [
    join(attacked.out, "secret.txt"),
    join(attacked.out, "none.txt"),
    attacked.out,
    "/etc/passwd",
    "/",
    "/nowhere/at/all",
  ])
    await refusedByAll(attacked, path);
  await attacked.checkRules();
});

test("PATH-03 refuses a climb inside an allowed absolute path", async () => {
  await using attacked = await startAttack({ x: {} });
  for (const path of [`${attacked.root}/x/../../OUT/secret.txt`, `${attacked.root}/y/../../OUT/secret.txt`])
    await refusedByAll(attacked, path);
  await attacked.checkRules();
});

test("PATH-04 PATH-05 refuses a sibling whose name begins like the root's name", async () => {
  await using attacked = await startAttack({}, { beside: { "ROOT-secret": { f: "sibling" } } });
  for (const path of [`${attacked.root}-secret/f`, `${attacked.root}-secret`, "../ROOT-secret/f"]) await refusedByAll(attacked, path);
  await attacked.checkRules();
});

test("PATH-06 refuses a link to a file outside and keeps the link", async () => {
  await using attacked = await startAttack();
  symlinkSync(join(attacked.out, "secret.txt"), attacked.at("l"));
  symlinkSync("../OUT/secret.txt", attacked.at("r"));
  symlinkSync("r", attacked.at("s"));
  for (const name of ["l", "r", "s"]) await refusedByAll(attacked, name);
  expect(readlinkSync(attacked.at("l"))).toBe(join(attacked.out, "secret.txt"));
  expect(readdirSync(attacked.root).toSorted()).toEqual(["l", "plain.txt", "r", "s"]);
  await attacked.checkRules();
});

test("PATH-07 refuses a link to a directory outside, which walks list as a link and do not enter", async () => {
  await using attacked = await startAttack({ inner: { "in.txt": "" } });
  symlinkSync(attacked.out, attacked.at("d"));
  for (const path of ["d", "d/secret.txt", "d/sub", "d/sub/deep.txt", "d/none", "./d/../d/secret.txt"]) await refusedByAll(attacked, path);
  const walks = [
    await attacked.reply("list_directory", { path: "." }),
    await attacked.reply("list_directory_with_sizes", { path: "." }),
    await attacked.reply("directory_tree", { path: "." }),
    await attacked.reply("search_files", { path: ".", pattern: "**" }),
    await attacked.reply("search_files", { path: ".", pattern: "d/**" }),
  ];
  for (const { text } of walks) expect(text).not.toMatch(/secret|deep/);
  expect(walks[0]?.text).toBe("[LINK] d (outside)\n[DIR] inner\n[FILE] plain.txt");
  expect(walks[4]?.text).toBe("No matches found");
  await attacked.checkRules();
});

test("PATH-08 refuses chains of links of any length, and loops", async () => {
  await using attacked = await startAttack({
    sub: { c: linkTo("../../OUT") },
    b: linkTo("sub/c"),
    a: linkTo("b"),
    loop1: linkTo("loop2"),
    loop2: linkTo("loop1"),
    self: linkTo("self/x"),
  });
  symlinkSync(join(attacked.out, "secret.txt"), attacked.at("hop0"));
  for (let hop = 1; hop < 39; hop++) symlinkSync(hop % 2 === 0 ? `hop${hop - 1}` : attacked.at(`hop${hop - 1}`), attacked.at(`hop${hop}`));
  for (const path of ["a", "a/secret.txt", "b/secret.txt", "hop2", "hop38"]) await refusedByAll(attacked, path);
  for (const path of ["loop1", "self"])
    for (const { entrance, refused } of await tryAll(
      attacked,
      path,
      ({ name }) => !/^(move_file|copy_file|delete_file|resources\/subscribe)/.test(name),
    ))
      expect(refused, `${entrance} ${path}`).toBe(true);
  await attacked.checkRules();
});

test("PATH-09 refuses a dangling link in place of a new file", async () => {
  await using attacked = await startAttack();
  symlinkSync(join(attacked.out, "created.txt"), attacked.at("new"));
  await refusedByAll(attacked, "new");
  expect(readdirSync(attacked.out).toSorted()).toEqual(["secret.txt", "sub"]);
  await attacked.checkRules();
});

test("PATH-10 PATH-11 refuses new files and directories below a linked directory, and leaves no partial chain", async () => {
  await using attacked = await startAttack();
  symlinkSync(attacked.out, attacked.at("d"));
  for (const path of ["d/x.txt", "d/n1/n2/x.txt", "d/a/b/c", `${attacked.root}/d/n/x`]) await refusedByAll(attacked, path);
  for (const path of ["a/b/../../../OUT/x", "a/b/c/../../../../OUT"])
    for (const { refused } of await tryAll(attacked, path, ({ writes }) => writes)) expect(refused).toBe(true);
  expect(readdirSync(attacked.root).toSorted()).toEqual(["d", "plain.txt"]);
  await attacked.checkRules();
});

test("PATH-12 moves an inner link as a link and refuses one that leads outside", async () => {
  await using attacked = await startAttack({ "v.txt": "v", in: linkTo("v.txt") });
  symlinkSync(attacked.out, attacked.at("d"));
  symlinkSync(join(attacked.out, "new"), attacked.at("dangling"));
  for (const [source, destination] of [
    ["d/secret.txt", "x"],
    ["plain.txt", "d/x"],
    ["plain.txt", "dangling"],
    ["d", "e"],
    ["plain.txt", join(attacked.out, "x")],
    [join(attacked.out, "secret.txt"), "x"],
  ] as const) {
    for (const overwrite of [false, true])
      expect(await attacked.reply("move_file", { source, destination, overwrite }), `${source} → ${destination}`).toMatchObject({
        failed: true,
        text: expect.stringMatching(/^Access denied/),
      });
  }
  expect(await attacked.reply("move_file", { source: "in", destination: "moved" })).toMatchObject({ failed: false });
  expect(readlinkSync(attacked.at("moved"))).toBe("v.txt");
  expect(readdirSync(attacked.root).toSorted()).toEqual(["d", "dangling", "moved", "plain.txt", "v.txt"]);
  await attacked.checkRules();
});

test("PATH-13 replaces one name of a hard link and keeps the content of the other", async () => {
  await using attacked = await startAttack();
  for (const name of ["h1", "h2", "h3"]) linkSync(join(attacked.out, "secret.txt"), attacked.at(name));
  expect((await attacked.reply("write_file", { path: "h1", content: "x" })).failed).toBe(false);
  expect((await attacked.reply("write_file", { path: "h2", content: "x" })).failed).toBe(false);
  expect((await attacked.reply("move_file", { source: "h3", destination: "h4" })).failed).toBe(false);
  rmSync(attacked.at("h4"));
  expect(readFileSync(join(attacked.out, "secret.txt"), "utf8")).toBe(attacked.secret);
  await attacked.checkRules();
});

test("PATH-14 ends tree and search at a loop inside, and shows each directory once", async () => {
  await using attacked = await startAttack({ a: { b: { up: linkTo("../.."), f: "" } } });
  expect(JSON.parse((await attacked.reply("directory_tree", { path: "a" })).text)).toEqual([
    {
      name: "b",
      type: "directory",
      children: [
        { name: "f", type: "file" },
        { name: "up", type: "symlink" },
      ],
    },
  ]);
  expect((await attacked.reply("search_files", { path: ".", pattern: "**/f" })).text).toBe("a/b/f");
  await attacked.checkRules();
});

test("PATH-15 follows a link that stays inside", async () => {
  await using attacked = await startAttack({ v2: { f: "two\n" }, cur: linkTo("v2") });
  expect(await attacked.reply("read_text_file", { path: "cur/f" })).toMatchObject({ text: "two\n", failed: false });
  expect(await attacked.reply("write_file", { path: "cur/f", content: "new\n" })).toMatchObject({ failed: false });
  expect(await attacked.reply("list_directory", { path: "cur" })).toMatchObject({ text: "[FILE] f", failed: false });
  expect(await attacked.reply("edit_file", { path: "cur/f", edits: [{ oldText: "new", newText: "newer" }] })).toMatchObject({
    failed: false,
  });
  expect(readFileSync(attacked.at("v2/f"), "utf8")).toBe("newer\n");
  expect(readlinkSync(attacked.at("cur"))).toBe("v2");
  await attacked.checkRules();
});

describe("PATH-17 PATH-18 a root that changes while the server runs", () => {
  test("refuses one that was swapped for a link, and reads nothing from its target", async () => {
    await using attacked = await startAttack(
      {},
      { beside: { other: { f: "other" } }, directories: (base) => [`${base}/ROOT`, `${base}/other`] },
    );
    renameSync(attacked.root, `${attacked.root}-away`);
    symlinkSync(attacked.out, attacked.root);
    // A subscription there is none to speak of: it hears nothing (and refusing it would not tell more).
    const fits = ({ name }: { name: string }): boolean => name !== "resources/subscribe" && name !== "read_multiple_files";
    for (const path of [attacked.at("secret.txt"), attacked.root, attacked.at("sub")])
      expect((await tryAll(attacked, path, fits)).filter(({ refused }) => !refused)).toEqual([]);
    expect(await attacked.reply("read_text_file", { path: join(attacked.base, "other/f") })).toMatchObject({
      text: "other",
      failed: false,
    });
    await attacked.checkRules({ plain: false });
  });

  test("reports a removed one clearly, and serves the others", async () => {
    await using attacked = await startAttack(
      {},
      { beside: { other: { f: "other" } }, directories: (base) => [`${base}/ROOT`, `${base}/other`] },
    );
    rmSync(attacked.root, { recursive: true });
    expect(await attacked.reply("read_text_file", { path: attacked.at("plain.txt") })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/removed or replaced/),
    });
    expect(await attacked.reply("list_directory", { path: attacked.root })).toMatchObject({ failed: true });
    expect(await attacked.reply("read_text_file", { path: join(attacked.base, "other/f") })).toMatchObject({
      text: "other",
      failed: false,
    });
    // Another directory of that name is another directory.
    mkdirSync(attacked.root);
    expect(await attacked.reply("write_file", { path: attacked.at("x"), content: "x" })).toMatchObject({ failed: true });
    expect(readdirSync(attacked.root)).toEqual([]);
    await attacked.checkRules({ plain: false });
  });
});
