// Path traversal: links, `..`, and changes by another program between two of its steps.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linuxHandles, portableHandles, type HandleProvider, type RawHandle } from "@oarlock/domain-kit";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { resolveRoute } from "../../../src/disk/access/path-traversal.ts";
import { pinRoots } from "../../../src/disk/access/roots.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { refuses, world } from "../support/world.ts";

test("follows forty links and refuses one more", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "l0"), "found");
  for (let at = 1; at <= 41; at += 1) symlinkSync(`l${at - 1}`, join(root, `l${at}`));
  const sandbox = await open();
  expect((await readText(sandbox, "l40")).content).toBe("found");
  await refuses("invalid", () => readText(sandbox, "l41"));
});

test.each([
  ["absolute/f", "d/f"],
  ["absolute/../g", "g"],
  ["relative/f", "d/f"],
  ["d/../d/./f", "d/f"],
  ["d/e/../../g", "g"],
  ["d/e/../f", "d/f"],
  ["d/e/up/g", "g"],
  ["inner/h", "inner/h"],
  ["top/h", "inner/h"],
])("resolves %s to %s", async (path, target) => {
  const { root, open } = world();
  for (const name of ["d/e", "inner"]) mkdirSync(join(root, name), { recursive: true });
  for (const name of ["d/f", "g", "inner/h"]) writeFileSync(join(root, name), name);
  symlinkSync(join(root, "d"), join(root, "absolute"));
  symlinkSync("d", join(root, "relative"));
  symlinkSync("../..", join(root, "d/e/up"));
  symlinkSync(join(root, "inner"), join(root, "top"));
  const directories = [root, join(root, "inner"), root].map((one) => ({ path: one, readOnly: false }));
  for (const handles of [undefined, portableHandles])
    expect((await readText(await open({ directories, ...(handles && { handles }) }), join(root, path))).content).toBe(target);
});

test("lets a path below the root of the file system climb above it", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "found");
  const sandbox = await open({ directories: [{ path: "/", readOnly: true }] });
  symlinkSync(`${"../".repeat(30)}${root.slice(1)}/f`, join(root, "climbing"));
  expect((await readText(sandbox, join(root, "climbing"))).content).toBe("found");
  // Links in /proc lead to whatever a process has open.
  await refuses(
    "denied",
    () => readText(sandbox, "/proc/self/status"),
    () => readText(sandbox, "/proc/self/cwd/package.json"),
  );
});

/** Real handles, and another program that acts around each step. */
const watched = (before: (name: string) => void, after: (name: string, handle: RawHandle) => void): HandleProvider => ({
  ...linuxHandles,
  step(from, name) {
    before(name);
    const handle = linuxHandles.step(from, name);
    after(name, handle);
    return handle;
  },
});

function traverse(root: string, handles: HandleProvider, path: string): string {
  const { pinnedRoots } = pinRoots([{ path: root, readOnly: false }], linuxHandles);
  const { handle, path: real } = resolveRoute({ pinnedRoots, handles }, { root: pinnedRoots[0]!, names: path.split("/") });
  handle.release();
  return real;
}

const nothing = (): void => undefined;

test("refuses a directory that is moved while a path leads through it and up again", needs("Linux"), () => {
  const { root, out } = world();
  mkdirSync(join(root, "a/b"), { recursive: true });
  mkdirSync(join(out, "x"));
  writeFileSync(join(root, "a/f"), "");
  let isMoved = false;
  const move = (name: string): void => {
    if (name !== ".." || isMoved) return;
    isMoved = true;
    renameSync(join(root, "a/b"), join(out, "x/b"));
  };
  try {
    expect(() => traverse(root, watched(move, nothing), "a/b/../f")).toThrow(
      expect.objectContaining({ code: "conflict", message: "Path changed: a directory in it was just moved. Try again." }) as Error,
    );
  } finally {
    rmSync(join(out, "x"), { recursive: true });
  }
});

test("follows a link again that is replaced while it is followed", needs("Linux"), () => {
  const { root } = world();
  symlinkSync("gone", join(root, "x"));
  const replace = (_name: string, handle: RawHandle): void => {
    if (!handle.stat.isSymbolicLink()) return;
    rmSync(join(root, "x"));
    writeFileSync(join(root, "x"), "a file now");
  };
  expect(traverse(root, watched(nothing, replace), "x")).toBe(join(root, "x"));
  expect(readFileSync(join(root, "x"), "utf8")).toBe("a file now");
});

test("gives up on a link that is replaced again and again", needs("Linux"), () => {
  const { root } = world();
  let steps = 0;
  const makeLink = (): void => {
    steps += 1;
    rmSync(join(root, "x"), { force: true });
    symlinkSync("gone", join(root, "x"));
  };
  const removeLink = (): void => rmSync(join(root, "x"));
  expect(() => traverse(root, watched(makeLink, removeLink), "x")).toThrow(
    expect.objectContaining({ code: "conflict", message: expect.stringContaining("is being replaced repeatedly") as string }) as Error,
  );
  expect(steps).toBe(1000);
});
