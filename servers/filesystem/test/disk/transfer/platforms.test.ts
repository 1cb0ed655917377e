// Moves, copies, deletions and undo with the answers of Linux, macOS and Windows.
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TreeAttributes } from "../../../src/disk/attributes/tree-attributes.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { moveToTrash, planDeletion } from "../../../src/disk/transfer/delete.ts";
import { heldFolder, setMode, setModes } from "../../../src/disk/transfer/device-copy.ts";
import { linkType } from "../../../src/disk/transfer/link-copy.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { renameFolder } from "../../../src/disk/transfer/rename.ts";
import { Trash } from "../../../src/disk/trash/trash.ts";
import type { DiskCalls } from "../../../src/disk/write/disk-calls.ts";
import { contentAt, EVERY_PLATFORM, macCalls, onManyDevices, windowsCalls } from "../support/platform-calls.ts";
import { refusal, refuses, world } from "../support/world.ts";

/** A file, a directory `t` with a file and a directory, and links to both. */
async function setting(calls: DiskCalls) {
  const { base, root, open } = world();
  const trash = new Trash(join(base, "trash"), undefined, undefined, calls);
  const at = (...names: string[]): string => join(root, ...names);
  mkdirSync(at("t/sub"), { recursive: true });
  writeFileSync(at("f"), "file");
  writeFileSync(at("t/a"), "alpha");
  writeFileSync(at("t/sub/b"), "beta");
  symlinkSync(at("f"), at("to-file"));
  symlinkSync(at("t"), at("to-folder"));
  const sandbox = await open({ hidden: [trash.path] });
  const drop = async (path: string): Promise<string> => {
    const { bytes } = await planDeletion(sandbox, path, { recursive: true, maxBytes: 1000 });
    return (await moveToTrash(sandbox, path, trash, bytes, { recursive: true })).undo ?? "";
  };
  return { at, sandbox, trash, drop };
}

const both = EVERY_PLATFORM.flatMap((calls): [string, DiskCalls][] => [
  [`${calls.platform}, on one device`, calls],
  [`${calls.platform}, between devices`, onManyDevices(calls)],
]);

describe.each(both)("%s", (_, calls) => {
  test("moves a directory, and refuses an existing name", async () => {
    const { at, sandbox } = await setting(calls);
    mkdirSync(at("d"));
    await move(sandbox, "t", "d/u", { calls });
    expect([contentAt(at("t")), contentAt(at("d/u")), contentAt(at("d/u/sub/b"))]).toEqual([undefined, ["a", "sub"], "beta"]);
    for (const taken of ["f", "d", "to-file"]) await refuses("exists", () => move(sandbox, "d/u", taken, { calls }));
    expect([contentAt(at("f")), contentAt(at("d/u"))]).toEqual(["file", ["a", "sub"]]);
  });

  test("moves a directory over an empty one, and never over one with entries", async () => {
    const { at, sandbox } = await setting(calls);
    mkdirSync(at("d/empty"), { recursive: true });
    mkdirSync(at("d/full/x"), { recursive: true });
    await refuses("exists", () => move(sandbox, "t", "d/full", { overwrite: true, calls }));
    await move(sandbox, "t", "d/empty", { overwrite: true, calls });
    expect([contentAt(at("t")), contentAt(at("d/empty")), contentAt(at("d/full"))]).toEqual([undefined, ["a", "sub"], ["x"]]);
  });

  test("moves a file over a link to a directory", async () => {
    const { at, sandbox } = await setting(calls);
    await move(sandbox, "t/a", "to-folder", { overwrite: true, calls });
    expect([contentAt(at("to-folder")), contentAt(at("t"))]).toEqual(["alpha", ["sub"]]);
  });

  test("moves a file over another", async () => {
    const { at, sandbox } = await setting(calls);
    expect(await move(sandbox, "f", "t/a", { overwrite: true, calls })).toMatchObject({ overwritten: true });
    expect([contentAt(at("f")), contentAt(at("t/a"))]).toEqual([undefined, "file"]);
  });

  test("moves a link to a directory as a link", async () => {
    const { at, sandbox } = await setting(calls);
    await move(sandbox, "to-folder", "t/sub/moved", { calls });
    expect([contentAt(at("to-folder")), contentAt(at("t/sub/moved"))]).toEqual([undefined, `-> ${at("t")}`]);
    expect(contentAt(at("t"))).toEqual(["a", "sub"]);
  });

  test("moves a link over a file and over another link", async () => {
    const { at, sandbox } = await setting(calls);
    symlinkSync(at("t/sub"), at("t/other"));
    for (const old of ["t/a", "t/other"]) {
      await move(sandbox, "to-folder", old, { overwrite: true, calls });
      expect([contentAt(at("to-folder")), contentAt(at(old))]).toEqual([undefined, `-> ${at("t")}`]);
      symlinkSync(at("t"), at("to-folder"));
    }
    expect(contentAt(at("t/sub"))).toEqual(["b"]);
  });

  test("copies a directory with its entries", async () => {
    const { at, sandbox } = await setting(calls);
    symlinkSync(at("t/sub"), at("t/link"));
    expect(await copy(sandbox, "t", "u", { recursive: true, calls })).toMatchObject({ entries: 5, bytes: 9 });
    expect([contentAt(at("u")), contentAt(at("u/sub/b")), contentAt(at("u/link"))]).toEqual([
      ["a", "link", "sub"],
      "beta",
      `-> ${at("t/sub")}`,
    ]);
    await refuses("exists", () => copy(sandbox, "t", "u", { recursive: true, calls }));
  });

  test("copies a link over a file", async () => {
    const { at, sandbox } = await setting(calls);
    await copy(sandbox, "to-folder", "f", { overwrite: true, calls });
    expect([contentAt(at("to-folder")), contentAt(at("f"))]).toEqual([`-> ${at("t")}`, `-> ${at("t")}`]);
  });

  test("restores a deleted directory, file and link from the trash", async () => {
    const { at, sandbox, trash, drop } = await setting(calls);
    const ids = [await drop("to-folder"), await drop("t"), await drop("f")];
    expect(["to-folder", "t", "f"].map((name) => contentAt(at(name)))).toEqual([undefined, undefined, undefined]);
    for (const id of ids.toReversed()) await trash.restore(sandbox, id);
    expect(["to-folder", "t", "t/sub/b", "f"].map((name) => contentAt(at(name)))).toEqual([`-> ${at("t")}`, ["a", "sub"], "beta", "file"]);
  });

  test("restores an overwritten file and link, and undoes that too", async () => {
    const { at, sandbox, trash } = await setting(calls);
    const file = await move(sandbox, "t/a", "f", { overwrite: true, trash, calls });
    const link = await move(sandbox, "t/sub/b", "to-folder", { overwrite: true, trash, calls });
    expect([contentAt(at("f")), contentAt(at("to-folder"))]).toEqual(["alpha", "beta"]);
    const undone = await trash.restore(sandbox, file.undo ?? "");
    await trash.restore(sandbox, link.undo ?? "");
    expect([contentAt(at("f")), contentAt(at("to-folder"))]).toEqual(["file", `-> ${at("t")}`]);
    await trash.restore(sandbox, undone.undo ?? "");
    expect(contentAt(at("f"))).toBe("alpha");
  });
});

test("moves a link to a file as a link on macOS, where link(2) would make a second name of the file", async () => {
  const { at, sandbox, drop, trash } = await setting(macCalls);
  await move(sandbox, "to-file", "moved", { calls: macCalls });
  expect([contentAt(at("to-file")), contentAt(at("moved")), statSync(at("f")).nlink]).toEqual([undefined, `-> ${at("f")}`, 1]);
  await trash.restore(sandbox, await drop("moved"));
  expect([contentAt(at("moved")), statSync(at("f")).nlink]).toEqual([`-> ${at("f")}`, 1]);
});

test.each(EVERY_PLATFORM)("moves a dangling link on $platform", async (calls) => {
  const { at, sandbox } = await setting(calls);
  symlinkSync(at("none"), at("dangling"));
  await move(sandbox, "dangling", "moved", { calls });
  expect([contentAt(at("dangling")), contentAt(at("moved"))]).toEqual([undefined, `-> ${at("none")}`]);
});

test("refuses on Windows a directory name that was created at the last moment", async () => {
  const { at } = await setting(windowsCalls);
  const rename = (from: string, to: string): void => {
    mkdirSync(to);
    windowsCalls.rename(from, to);
  };
  await expect(renameFolder(at("t"), at("new"), { ...windowsCalls, rename })).rejects.toMatchObject({ code: "EEXIST" });
  expect([contentAt(at("t")), contentAt(at("new"))]).toEqual([["a", "sub"], []]);
});

test("restores the replaced file on Windows when the rename fails", async () => {
  const { at, sandbox } = await setting(windowsCalls);
  mkdirSync(at("empty"));
  const rename = (from: string, to: string): void => {
    if (["/t", "/to-folder"].some((name) => from.endsWith(name))) throw Object.assign(new Error("EIO"), { code: "EIO" });
    windowsCalls.rename(from, to);
  };
  const calls = { ...windowsCalls, rename };
  await refuses(
    "io",
    () => move(sandbox, "t", "empty", { overwrite: true, calls }),
    () => move(sandbox, "to-folder", "f", { overwrite: true, calls }),
  );
  expect(["t", "empty", "f"].map((name) => contentAt(at(name)))).toEqual([["a", "sub"], [], "file"]);
});

test("skips a link that needs a privilege on Windows, and names it in the error", async () => {
  const { at, sandbox } = await setting(windowsCalls);
  symlinkSync("a", at("t/relative"));
  const calls = windowsCalls;
  const words =
    "Link not copied: Windows lets only administrators create it (EPERM): relative. Turn on the developer mode of Windows, or leave the link out.";
  expect((await refusal(() => copy(sandbox, "t", "u", { recursive: true, calls }))).message).toBe(words);
  mkdirSync(at("d"));
  expect((await refusal(() => move(sandbox, "t", "d/u", { calls: onManyDevices(calls) }))).message).toBe(words);
  expect(["t", "u", "d"].map((name) => contentAt(at(name)))).toEqual([["a", "relative", "sub"], undefined, []]);
});

// Junctions: learn.microsoft.com, "Hard Links and Junctions": directories of local volumes, by absolute paths.
test.each([
  [String.raw`C:\p\node_modules\.pnpm\a`, "directory", "junction"],
  [String.raw`C:\p\removed`, "nothing", "junction"],
  [String.raw`\\?\Volume{11111111-0000-0000-0000-100000000000}\p`, "directory", "junction"],
  [String.raw`C:\p\file.txt`, "file", "file"],
  [String.raw`\\server\share\p`, "directory", "dir"],
  [String.raw`..\p`, "directory", "dir"],
  [String.raw`..\file.txt`, "file", "file"],
  [String.raw`..\removed`, "nothing", "file"],
] as const)("copies a link to %s, which leads to a %s, as a %s", (target, behind, type) => {
  expect(linkType(target, behind)).toBe(type);
});

test.each([
  ["win32", 0o700],
  ["linux", 0o750],
  ["darwin", 0o750],
] as const)("sets the mode of a copied directory on %s only if directories have one", async (platform, mode) => {
  const { at, sandbox } = await setting(windowsCalls);
  for (const name of ["t", "t/sub"]) chmodSync(at(name), 0o750);
  for (const name of ["u", "u/sub"]) mkdirSync(at(name), { mode: 0o700 });
  using root = sandbox.folder(".");
  using from = heldFolder(root, "t");
  using to = heldFolder(root, "u");
  const attributes = await TreeAttributes.of(from, root);
  setModes(from, to, attributes, platform);
  setMode(to, from.stat, attributes, platform);
  expect(["u", "u/sub"].map((name) => statSync(at(name)).mode & 0o777)).toEqual([mode, mode]);
});
