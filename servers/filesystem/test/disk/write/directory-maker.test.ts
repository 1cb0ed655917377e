// Creating directories with their parents: what is refused before the first one is created, and what is removed after a failure.
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, placeOf, withParents } from "../../../src/disk/write/directory-maker.ts";
import { refusal, world } from "../support/world.ts";

const LONG = "n".repeat(256);

test.each([
  [`new/${LONG}`, "invalid", `Path has a name that is too long: new/`],
  [`${LONG}/new`, "invalid", "Path too long, or one of its names"],
  ["new/../x", "invalid", "Cannot create a directory above one that does not exist: new/../x"],
  ["new/..", "invalid", "Cannot create a directory above one that does not exist: new/.."],
  ["new/..//", "invalid", "Cannot create a directory above one that does not exist: new/..//"],
  ["f/new", "not-a-folder", "A part of the path is not a directory: f/new"],
  ["f", "not-a-folder", "Expected a directory, but this is a file: f"],
  ["../out/new", "denied", "Access denied - path outside allowed directories: ../out/new"],
  ["away/a/b", "denied", "Access denied - path outside allowed directories: away/a/b"],
  [".git/new/x", "denied", ".git"],
  ["a\0b", "invalid", ""],
] as const)("makeFolder refuses %.20j: %s", async (path, code, message) => {
  const { root, out, open } = world();
  writeFileSync(join(root, "f"), "");
  symlinkSync(out, join(root, "away"));
  const before = readdirSync(root);
  const error = await refusal(async () => makeFolder(await open(), path));
  expect([error.message.includes(message), readdirSync(root)]).toEqual([true, before]);
  if (path !== ".git/new/x") expect(error.code).toBe(code);
});

test.each([
  ["a", "a", true],
  ["a/b/c", "a/b/c", true],
  ["./a//b/", "a/b", true],
  ["a..b/..c", "a..b/..c", true],
  ["x../y..", "x../y..", true],
  ["./././a", "a", true],
  [`a/${"n".repeat(255)}`, `a/${"n".repeat(255)}`, true],
  ["old", "old", false],
  ["old/deep/..", "old", false],
  ["old/deep/../new", "old/new", true],
])("makeFolder makes %.20j", async (path, folder, created) => {
  const { root, open } = world();
  mkdirSync(join(root, "old/deep"), { recursive: true });
  expect(await makeFolder(await open(), path)).toEqual({ path: join(root, folder), created });
  expect(statSync(join(root, folder)).isDirectory()).toBe(true);
});

test("withParents runs without new directories for a name in the root, and for no name", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const path of ["x", join(root, "x"), "./x", "new/..", "."]) expect(await withParents(sandbox, path, async () => path)).toBe(path);
  expect(readdirSync(root)).toEqual([]);
});

test("withParents checks the last name before it creates the directories above it", async () => {
  const { root, open } = world();
  const sandbox = await open({ deny: ["new/secret"] });
  const never = (): Promise<never> => Promise.reject(new Error("it ran"));
  expect(await refusal(() => withParents(sandbox, "new/secret", never))).toMatchObject({ code: "denied" });
  expect(await refusal(() => withParents(sandbox, `new/${LONG}`, never))).toMatchObject({
    message: expect.stringContaining("a name that is too long") as string,
  });
  expect(await refusal(() => withParents(sandbox, "../out/new/f", never))).toMatchObject({
    code: "denied",
    message: "Access denied - path outside allowed directories: ../out/new/f",
  });
  expect(readdirSync(root)).toEqual([]);
});

test("removes the new directories after a failure, and keeps older ones and those of other programs", async () => {
  const { root, open } = world();
  const sandbox = await open();
  mkdirSync(join(root, "old"));
  const failing = (also: () => void) => async () => {
    also();
    throw new Error("failed");
  };
  await expect(
    withParents(
      sandbox,
      "old/a/b/f",
      failing(() => undefined),
    ),
  ).rejects.toThrow("failed");
  expect(readdirSync(join(root, "old"))).toEqual([]);
  const other = failing(() => writeFileSync(join(root, "old/a/of-another"), ""));
  await expect(withParents(sandbox, "old/a/b/f", other)).rejects.toThrow("failed");
  expect([existsSync(join(root, "old/a/of-another")), existsSync(join(root, "old/a/b"))]).toEqual([true, false]);
});

test("accepts a directory that another program creates or removes meanwhile", async () => {
  const { root, open } = world();
  const sandbox = await open();
  // The first act makes what the second one wants.
  await withParents(sandbox, "a/f", async () => {
    expect(await makeFolder(sandbox, "a/b")).toEqual({ path: join(root, "a/b"), created: true });
    rmdirSync(join(root, "a/b"));
  });
  expect(readdirSync(root)).toEqual(["a"]);
});

test.each([
  ["x", "x"],
  ["a/b/x", "a/b/x"],
  ["a/b/", "a/b"],
  [".", ""],
])("placeOf(%j) returns the real path of the name, whether it exists or not", async (path, place) => {
  const { root, open } = world();
  expect(placeOf(await open(), path)).toBe(join(root, place));
});

test("placeOf follows links above the name, not at it", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "d"));
  symlinkSync("d", join(root, "link"));
  const sandbox = await open();
  expect([placeOf(sandbox, "link"), placeOf(sandbox, "link/x")]).toEqual([join(root, "link"), join(root, "d/x")]);
  expect(placeOf(await open({ directories: [{ path: "/", readOnly: true }] }), "/none-here/x")).toBe("/none-here/x");
});
