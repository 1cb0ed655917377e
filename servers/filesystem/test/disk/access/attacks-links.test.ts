/** PATH-01 to PATH-19: what a path leads to. Each case is judged by world.ts at its end. */
import { linkSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { allActs, changes, looks } from "../support/operations.ts";
import { refusal, refuses, world } from "../support/world.ts";

const outside = "Access denied - path outside allowed directories: ";

test("PATH-01 refuses a relative climb in the same form for every operation", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of ["../OUT/secret.txt", "a/../../OUT/secret.txt", "./../OUT", ".."]) {
    for (const act of allActs(sandbox, path)) expect((await refusal(act)).message).toMatch(outside);
  }
});

test("PATH-02 hides in the error whether an absolute path exists", async () => {
  const { out, root, open } = world();
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of [join(out, "secret.txt"), join(out, "missing.txt"), "/etc/passwd", "/nowhere/at/all"]) {
    for (const act of allActs(sandbox, path))
      expect((await refusal(act)).message).toBe(outside + (act.toString().includes("/new`") ? `${path}/new` : path));
  }
});

test("PATH-03 refuses a climb inside an allowed absolute path", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "x"));
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of [`${root}/x/../../OUT/secret.txt`, `${root}/y/../../OUT/secret.txt`])
    await refuses("denied", ...allActs(sandbox, path));
});

test("PATH-04 PATH-05 refuses a sibling with the root's name as prefix, in every spelling of the root", async () => {
  const { base, canary } = world();
  mkdirSync(join(base, "data"));
  mkdirSync(join(base, "x"));
  mkdirSync(join(base, "data-secret"));
  writeFileSync(join(base, "data", "f"), "fine");
  writeFileSync(join(base, "data-secret", "f"), canary);
  for (const spelling of [`${base}/data`, `${base}/data/`, `${base}//data`, `${base}/./data`, `${base}/x/../data`]) {
    const sandbox = (await openDisk({ directories: [{ path: spelling, readOnly: false }] })).sandbox();
    await refuses("denied", ...looks(sandbox, `${base}/data-secret/f`), ...looks(sandbox, "../data-secret/f"));
    await refuses(
      "denied",
      () => writeText(sandbox, `${base}/data-secret/new`, "x"),
      () => sandbox.folder(`${base}/data-secret`),
    );
    for (const path of ["f", `${base}/data/f`, `${base}//data/./f`, `${base}/x/../data/f`]) {
      expect((await readText(sandbox, path)).content).toBe("fine");
    }
    for (const path of ["g", `${base}/data/g`, `${base}//data/./g`, `${base}/x/../data/g`]) {
      await writeText(sandbox, path, "new");
      await move(sandbox, path, `${base}/x/../data/h`, { overwrite: true });
      expect(readFileSync(join(base, "data", "h"), "utf8")).toBe("new");
    }
  }
  expect(readdirSync(join(base, "data-secret"))).toEqual(["f"]);
});

test("PATH-06 refuses a link to a file outside and leaves the link", async () => {
  const { root, out, open } = world();
  symlinkSync(join(out, "secret.txt"), join(root, "l"));
  symlinkSync("../OUT/secret.txt", join(root, "r"));
  symlinkSync(join(out, "missing.txt"), join(root, "m"));
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const name of ["l", "r", "m"]) {
    const acts = [...looks(sandbox, name), ...changes(sandbox, name)].filter((act) => !act.toString().includes("/new"));
    for (const act of acts) expect((await refusal(act)).message).toBe(`${outside}${name}`);
  }
  expect(readlinkSync(join(root, "l"))).toBe(join(out, "secret.txt"));
  expect(readFileSync(join(root, "plain.txt"), "utf8")).toBe("plain");
});

test("PATH-08 refuses chains of links, and loops", async () => {
  const { root, out, open } = world();
  mkdirSync(join(root, "sub"));
  symlinkSync("b", join(root, "a"));
  symlinkSync("sub/c", join(root, "b"));
  symlinkSync("../../OUT", join(root, "sub", "c"));
  for (let hop = 0; hop < 39; hop += 1) symlinkSync(hop === 0 ? join(out, "secret.txt") : `hop${hop - 1}`, join(root, `hop${hop}`));
  for (let hop = 39; hop < 60; hop += 1) symlinkSync(`hop${hop - 1}`, join(root, `hop${hop}`));
  symlinkSync("loop2", join(root, "loop1"));
  symlinkSync("loop1", join(root, "loop2"));
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  await refuses("denied", ...looks(sandbox, "a"), ...looks(sandbox, "a/secret.txt"), ...looks(sandbox, "hop2"), ...looks(sandbox, "hop38"));
  for (const act of [...looks(sandbox, "loop1"), ...looks(sandbox, "hop59")])
    expect(["denied", "invalid"]).toContain((await refusal(act)).code);
});

test("PATH-09 refuses a dangling link as a new file", async () => {
  const { root, out, open } = world();
  symlinkSync(join(out, "created.txt"), join(root, "new"));
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  await refuses(
    "denied",
    () => writeText(sandbox, "new", "x"),
    () => writeText(sandbox, "new", "x", { mode: "append" }),
    () => writeText(sandbox, "new", "x", { mode: "create" }),
    () => makeFolder(sandbox, "new"),
    () => makeFolder(sandbox, "new/a/b"),
    () => move(sandbox, "plain.txt", "new"),
    () => move(sandbox, "plain.txt", "new", { overwrite: true }),
    () => editText(sandbox, "new", [{ oldText: "a", newText: "b" }]),
  );
  symlinkSync("not-there", join(root, "inside"));
  await refuses("invalid", () => writeText(sandbox, "inside", "x"));
  await refuses(
    "exists",
    () => makeFolder(sandbox, "inside"),
    () => move(sandbox, "plain.txt", "inside"),
  );
  expect(readdirSync(root).toSorted()).toEqual(["inside", "new", "plain.txt"]);
});

test("PATH-10 PATH-11 refuses a new file and new directories below a linked directory", async () => {
  const { root, out, open } = world();
  symlinkSync(out, join(root, "d"));
  const sandbox = await open();
  await refuses(
    "denied",
    () => writeText(sandbox, "d/x.txt", "x"),
    () => writeText(sandbox, "d/n1/n2/x.txt", "x", { createDirectories: true }),
    () => makeFolder(sandbox, "d/a/b/c"),
    () => makeFolder(sandbox, `${root}/d/a`),
  );
});

test("PATH-11 leaves no partial chain when a part is refused", async () => {
  const { root, open } = world();
  const sandbox = await open();
  await refuses(
    "denied",
    () => makeFolder(sandbox, "a/b/.git/hooks"),
    () => makeFolder(sandbox, "a/b/../../../OUT/c"),
  );
  await refuses(
    "invalid",
    () => makeFolder(sandbox, `a/b/${"n".repeat(256)}/c`),
    () => makeFolder(sandbox, "a/b/../c"),
  );
  writeFileSync(join(root, "file"), "");
  await refuses("not-a-folder", () => makeFolder(sandbox, "file/a/b"));
  expect(readdirSync(root)).toEqual(["file"]);
});

test("PATH-12 moves links only inside", async () => {
  const { root, out, open } = world();
  symlinkSync(out, join(root, "d"));
  symlinkSync(join(out, "secret.txt"), join(root, "l"));
  symlinkSync(join(out, "gone.txt"), join(root, "dangling"));
  symlinkSync("plain.txt", join(root, "inner"));
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  await refuses(
    "denied",
    () => move(sandbox, "d/secret.txt", "stolen.txt"),
    () => move(sandbox, "plain.txt", "d/plain.txt"),
    () => move(sandbox, "plain.txt", "dangling"),
    () => move(sandbox, "plain.txt", "dangling", { overwrite: true }),
    () => move(sandbox, "l", "l2"),
    () => move(sandbox, "d", "d2"),
  );
  await move(sandbox, "inner", "inner2");
  expect(readlinkSync(join(root, "inner2"))).toBe("plain.txt");
  expect(readFileSync(join(root, "plain.txt"), "utf8")).toBe("plain");
});

test("PATH-13 replaces a hard link instead of overwriting its file", async () => {
  const { root, out, canary, open } = world();
  const sandbox = await open();
  for (const [name, act] of [
    ["h1", () => writeText(sandbox, "h1", "new")],
    ["h2", () => writeText(sandbox, "h2", "more", { mode: "append" })],
    ["h3", () => editText(sandbox, "h3", [{ oldText: canary, newText: "new" }])],
  ] as const) {
    linkSync(join(out, "secret.txt"), join(root, name));
    await act();
    expect(readFileSync(join(root, name), "utf8")).toContain(name === "h2" ? "more" : "new");
    expect(readFileSync(join(out, "secret.txt"), "utf8")).toBe(canary);
  }
  linkSync(join(out, "secret.txt"), join(root, "h"));
  const strict = await open({ refuseHardLinks: true });
  await refuses("denied", ...looks(strict, "h").slice(0, 4), () => editText(strict, "h", [{ oldText: "c", newText: "d" }]));
  expect((await readText(sandbox, "h")).content).toBe(canary);
  rmSync(join(root, "h"));
});

test("PATH-15 follows and keeps a link that stays inside", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "v2"));
  writeFileSync(join(root, "v2", "f"), "two");
  symlinkSync("v2", join(root, "cur"));
  symlinkSync("v2/f", join(root, "leaf"));
  const sandbox = await open();
  expect((await readText(sandbox, "cur/f")).content).toBe("two");
  expect((await readText(sandbox, `${root}/leaf`)).content).toBe("two");
  await writeText(sandbox, "cur/g", "g");
  await writeText(sandbox, "leaf", "three");
  await editText(sandbox, "leaf", [{ oldText: "three", newText: "four" }]);
  await makeFolder(sandbox, "cur/sub/deep");
  expect(readFileSync(join(root, "v2", "f"), "utf8")).toBe("four");
  expect(readlinkSync(join(root, "leaf"))).toBe("v2/f");
  expect(readdirSync(join(root, "v2")).toSorted()).toEqual(["f", "g", "sub"]);
});

test("PATH-16 serves both spellings of a root reached by a link", async () => {
  const { base, root, out, canary } = world();
  writeFileSync(join(root, "f"), "fine");
  symlinkSync(root, join(base, "alias"));
  const sandbox = (await openDisk({ directories: [{ path: join(base, "alias"), readOnly: false }] })).sandbox();
  for (const path of ["f", `${root}/f`, `${base}/alias/f`, `${base}/alias/../ROOT/f`])
    expect((await readText(sandbox, path)).content).toBe("fine");
  await writeText(sandbox, `${base}/alias/g`, "g");
  expect(readFileSync(join(root, "g"), "utf8")).toBe("g");
  // The link may be turned round later; the root stays what it was.
  rmSync(join(base, "alias"));
  symlinkSync(out, join(base, "alias"));
  expect((await readText(sandbox, `${base}/alias/f`)).content).toBe("fine");
  expect((await refusal(() => readText(sandbox, `${base}/alias/secret.txt`))).message).not.toContain(canary);
});

test("PATH-17 refuses a root that was swapped after the start until it is back", async () => {
  const { base, root, out, open } = world();
  writeFileSync(join(root, "f"), "fine");
  const sandbox = await open();
  renameSync(root, join(base, "away"));
  symlinkSync(out, root);
  const acts = () => [
    ...looks(sandbox, "secret.txt"),
    ...looks(sandbox, `${root}/secret.txt`),
    () => writeText(sandbox, "x", "x"),
    () => sandbox.folder("."),
  ];
  await refuses("not-found", ...acts());
  rmSync(root);
  // A real directory in its place, with the same name for a file.
  mkdirSync(root);
  writeFileSync(join(root, "secret.txt"), "canary-of-another");
  await refuses("not-found", ...acts());
  rmSync(root, { recursive: true });
  renameSync(join(base, "away"), root);
  expect((await readText(sandbox, "f")).content).toBe("fine");
});

test("PATH-18 reports a root that was removed while running, and serves the others", async () => {
  const { base, root } = world();
  mkdirSync(join(base, "other"));
  writeFileSync(join(root, "f"), "fine");
  const sandbox = (await openDisk({ directories: [join(base, "other"), root].map((path) => ({ path, readOnly: false })) })).sandbox();
  rmSync(join(base, "other"), { recursive: true });
  expect((await refusal(() => readText(sandbox, `${base}/other/f`))).message).toMatch(/was removed or replaced/);
  expect((await refusal(() => writeText(sandbox, `${base}/other/f`, "x"))).message).toMatch(/was removed or replaced/);
  expect((await readText(sandbox, "f")).content).toBe("fine");
  expect((await readText(sandbox, `${root}/f`)).content).toBe("fine");
});

test("PATH-19 denies everything without roots, the working directory too", async () => {
  const { base } = world();
  for (const paths of [[], [""], ["  ", "\t"], [join(base, "missing")]]) {
    const disk = await openDisk({ directories: paths.map((path) => ({ path, readOnly: false })) });
    expect(disk.roots).toEqual([]);
    expect(disk.skipped.length).toBe(paths.length);
    for (const path of [".", "package.json", "/", process.cwd(), "/etc/passwd"]) await refuses("denied", ...looks(disk.sandbox(), path));
  }
});
