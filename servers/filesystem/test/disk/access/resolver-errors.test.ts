// What the path resolver reports: for each kind of object, for missing parents, and with several roots.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { refusal, world } from "../support/world.ts";

test.each([
  ["file", "dir", "not-a-file", "Expected a file, but this is a directory: dir"],
  ["file", "pipe", "not-a-file", "Not a regular file: pipe"],
  ["folder", "f", "not-a-folder", "Expected a directory, but this is a file: f"],
  ["file", "f/x", "not-a-folder", "A part of the path is not a directory: f/x"],
  ["entry", "f/x", "not-a-folder", "A part of the path is not a directory: f/x"],
  ["file", "missing", "not-found", "No such file or directory: missing"],
  ["entry", "no/such/x", "not-found", "Parent directory does not exist: no/such. create_directory makes it."],
  ["entry", "no///x", "not-found", "Parent directory does not exist: no. create_directory makes it."],
  ["entry", "no//such//x", "not-found", "Parent directory does not exist: no//such. create_directory makes it."],
  ["entry", "loop/x", "invalid", "Too many symbolic links, or a loop of them: loop/x"],
  ["entry", ".", "invalid", "Expected a path that ends in a name below an allowed directory: ."],
  ["entry", "dir/..", "invalid", "Expected a path that ends in a name below an allowed directory: dir/.."],
] as const)("answers %s(%j) with %s", needs("named pipes"), async (method, path, code, message) => {
  const { root, open } = world();
  mkdirSync(join(root, "dir"));
  writeFileSync(join(root, "f"), "");
  execFileSync("mkfifo", [join(root, "pipe")]);
  symlinkSync("loop", join(root, "loop"));
  const sandbox = await open();
  expect(await refusal(() => sandbox[method](path))).toMatchObject({ code, message });
});

test("refuses only files with several names if configured", async () => {
  const { root, open } = world();
  for (const name of ["single", "double"]) writeFileSync(join(root, name), "x");
  linkSync(join(root, "double"), join(root, "other"));
  const sandbox = await open({ refuseHardLinks: true });
  expect(sandbox.fileRules.refuseHardLinks).toBe(true);
  expect((await readText(sandbox, "single")).content).toBe("x");
  expect(await refusal(() => sandbox.file("double"))).toMatchObject({
    code: "denied",
    message: "File has several names (hard links), which this server refuses: double",
  });
  expect((await readText(await open(), "double")).content).toBe("x");
});

test("changes only a path that is visible", async () => {
  const { root, out, open } = world();
  const sandbox = await open({ deny: ["secret"] });
  expect(() => sandbox.mustBeWritable(join(root, "x"))).not.toThrow();
  for (const path of [join(out, "x"), join(root, "secret"), join(root, "secret/x")])
    expect(() => sandbox.mustBeWritable(path), path).toThrow(expect.objectContaining({ code: "denied" }) as Error);
  expect([sandbox.hides, (await open()).hides]).toEqual([true, false]);
});

test("tells absolute paths of different roots apart", async () => {
  const { root, open } = world();
  for (const name of ["a", "b"]) mkdirSync(join(root, name));
  const sandbox = await open({ directories: ["a", "b"].map((name) => ({ path: join(root, name), readOnly: false })) });
  for (const name of ["a", "b"]) expect(await refusal(() => sandbox.entry(join(root, name)))).toMatchObject({ code: "invalid" });
});

test("ends a relative path at the first root where a part of it is a file", async () => {
  const { root, open } = world();
  for (const path of ["a/old", "b/x", "c/x"]) mkdirSync(join(root, path), { recursive: true });
  for (const path of ["a/x", "b/x/f", "c/x/f"]) writeFileSync(join(root, path), path);
  const sandboxOf = (...names: string[]) => open({ directories: names.map((name) => ({ path: join(root, name), readOnly: false })) });
  for (const act of ["file", "entry"] as const) {
    const sandbox = await sandboxOf("a", "b");
    expect(await refusal(() => sandbox[act]("x/f"))).toMatchObject({
      code: "not-a-folder",
      message: expect.stringContaining("x/f") as string,
    });
  }
  // A new name in the first root, and then a root where it cannot be: the handle on the first is closed.
  const sandbox = await sandboxOf("b", "a");
  expect(await refusal(() => sandbox.entry("x/new"))).toMatchObject({ code: "not-a-folder" });
  await writeText(await sandboxOf("b", "c"), "x/f", "changed");
  expect((await readText(await sandboxOf("b", "c"), "x/f")).content).toBe("changed");
});
