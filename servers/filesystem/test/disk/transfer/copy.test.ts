// Copying: files and trees, what is kept, what is refused, and that nothing is left of a copy that did not come to its end.
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { tempsIn, world, refuses } from "../support/world.ts";

/** a file, a directory with a file, an empty directory and a link. */
function tree(root: string): void {
  mkdirSync(join(root, "t/sub/empty"), { recursive: true });
  writeFileSync(join(root, "t/a"), "alpha");
  writeFileSync(join(root, "t/sub/b"), "beta");
  chmodSync(join(root, "t/sub/b"), 0o640);
  symlinkSync("../a", join(root, "t/sub/link"));
}

test("servers#519 servers#1581 copies a file with its mode and without its set-user-id bit", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "a"), "x".repeat(300_000));
  chmodSync(join(root, "a"), 0o4751);
  const received: number[] = [];
  const copied = await copy(await open(), "a", "b", { progress: (done) => received.push(done) });
  expect(copied).toMatchObject({ overwritten: false, entries: 1, bytes: 300_000 });
  expect(readFileSync(join(root, "b"), "utf8")).toBe("x".repeat(300_000));
  expect(lstatSync(join(root, "b")).mode & 0o7777).toBe(0o751);
  expect(received.at(-1)).toBe(300_000);
});

test.each([1024, 6 * 1024 * 1024])("copies a file of %i bytes exactly, with progress to its end", async (size) => {
  const { root, open } = world();
  const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
  writeFileSync(join(root, "a"), bytes);
  const received: number[] = [];
  await copy(await open(), "a", "b", { progress: (done, total) => received.push(done, total) });
  expect(readFileSync(join(root, "b")).equals(bytes)).toBe(true);
  expect(received.slice(-2)).toEqual([size, size]);
});

test("copies a directory with modes, empty directories and links as links", async () => {
  const { root, open } = world();
  tree(root);
  chmodSync(join(root, "t/sub"), 0o500);
  expect(await copy(await open(), "t", "u", { recursive: true })).toMatchObject({ entries: 6, bytes: 9 });
  expect(readFileSync(join(root, "u/a"), "utf8")).toBe("alpha");
  expect(readdirSync(join(root, "u/sub"))).toEqual(["b", "empty", "link"]);
  expect(readlinkSync(join(root, "u/sub/link"))).toBe("../a");
  expect([statSync(join(root, "u/sub")).mode & 0o777, statSync(join(root, "u/sub/b")).mode & 0o777]).toEqual([0o500, 0o640]);
  for (const name of ["t", "u"]) chmodSync(join(root, name, "sub"), 0o700);
});

test("refuses an invalid copy and leaves nothing behind", async () => {
  const { root, out, open } = world();
  tree(root);
  symlinkSync(join(out, "secret.txt"), join(root, "leak"));
  symlinkSync(out, join(root, "leak-folder"));
  writeFileSync(join(root, "there"), "old");
  mkdirSync(join(root, "ro"));
  mkdirSync(join(root, "full"));
  const sandbox = await open({
    directories: [
      { path: root, readOnly: false },
      { path: join(root, "ro"), readOnly: true },
    ],
  });
  await refuses("not-a-file", () => copy(sandbox, "t", "u"));
  await refuses("invalid", () => copy(sandbox, "t", "t/sub/u", { recursive: true }));
  await refuses("exists", () => copy(sandbox, "t", "full", { recursive: true, overwrite: true }));
  await refuses("exists", () => copy(sandbox, "t/a", "there"));
  await refuses("exists", () => copy(sandbox, "there", "there", { overwrite: true }));
  await refuses("exists", () => copy(sandbox, "there", "full", { overwrite: true }));
  await refuses(
    "not-found",
    () => copy(sandbox, "none", "u"),
    () => copy(sandbox, "t/none", "new/u"),
  );
  await refuses("not-a-folder", () => copy(sandbox, "t/a", "u/"));
  await refuses(
    "read-only",
    () => copy(sandbox, "t/a", "ro/u"),
    () => copy(sandbox, "t", "ro/u", { recursive: true }),
  );
  await refuses(
    "denied",
    () => copy(sandbox, "leak", "u"),
    () => copy(sandbox, "leak-folder/secret.txt", "u"),
    () => copy(sandbox, "t/a", "leak", { overwrite: true }),
    () => copy(sandbox, "t/a", "leak-folder/u"),
    () => copy(sandbox, "t/a", join(out, "u")),
    () => copy(sandbox, join(out, "secret.txt"), "u"),
    () => copy(sandbox, "t/a", ".git"),
    () => copy(sandbox, "t", ".git", { recursive: true }),
  );
  await refuses("invalid", () => copy(sandbox, root, "u", { recursive: true }));
  expect(readdirSync(root).toSorted()).toEqual(["full", "leak", "leak-folder", "ro", "t", "there"]);
});

test("copies from a read-only directory", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "ro"));
  writeFileSync(join(root, "ro/a"), "alpha");
  const sandbox = await open({
    directories: [
      { path: root, readOnly: false },
      { path: join(root, "ro"), readOnly: true },
    ],
  });
  await copy(sandbox, "ro/a", "b");
  expect(readFileSync(join(root, "b"), "utf8")).toBe("alpha");
});

test("replaces an existing file only with overwrite, and keeps the content of its other names", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "a"), "new");
  writeFileSync(join(root, "b"), "old");
  linkSync(join(root, "b"), join(root, "other"));
  expect(await copy(await open(), "a", "b", { overwrite: true })).toMatchObject({ overwritten: true });
  expect([readFileSync(join(root, "b"), "utf8"), readFileSync(join(root, "other"), "utf8")]).toEqual(["new", "old"]);
});

test("copies nothing that --deny hides, and nothing to a hidden path", async () => {
  const { root, open } = world();
  tree(root);
  writeFileSync(join(root, "t/.env"), "canary-hidden");
  mkdirSync(join(root, "w"));
  const sandbox = await open({ deny: ["**/.env", "w/u/sub"] });
  await copy(sandbox, "t", "u", { recursive: true });
  expect(readdirSync(join(root, "u"))).toEqual(["a", "sub"]);
  await refuses(
    "denied",
    () => copy(sandbox, "t/.env", "x"),
    () => copy(sandbox, "t/a", "t/.env", { overwrite: true }),
  );
  await refuses("denied", () => copy(sandbox, "t", "w/u", { recursive: true }));
  expect(readdirSync(join(root, "w"))).toEqual([]);
});

test("copies no part of a tree with .git, a pipe or a refused second name", async () => {
  const { root, open } = world();
  tree(root);
  mkdirSync(join(root, "t/sub/.git"));
  await refuses("denied", async () => copy(await open(), "t", "u", { recursive: true }));
  mkdirSync(join(root, "v"));
  writeFileSync(join(root, "v/a"), "1");
  linkSync(join(root, "v/a"), join(root, "v/b"));
  await refuses("denied", async () => copy(await open({ refuseHardLinks: true }), "v", "u", { recursive: true }));
  expect(readdirSync(root).toSorted()).toEqual(["t", "v"]);
});

test("leaves nothing behind after a cancelled copy", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "t"));
  for (let at = 0; at < 50; at++) writeFileSync(join(root, "t", `f${at}`), "x".repeat(1000));
  const big = openSync(join(root, "big"), "w");
  writeSync(big, "x");
  closeSync(big);
  truncateSync(join(root, "big"), 64 * 1024 * 1024);
  const sandbox = await open();
  for (const from of ["t", "big"]) {
    const cancel = new AbortController();
    const progress = () => cancel.abort(new Error("enough"));
    // A file system that shares blocks is done before anybody can stop it.
    await copy(sandbox, from, "u", { recursive: true, signal: cancel.signal, progress }).then(
      () => expect(from).toBe("big"),
      (error: unknown) => expect(error).toMatchObject({ message: "enough" }),
    );
    expect(tempsIn(root)).toEqual([]);
    expect(readdirSync(root).includes("u")).toBe(false);
  }
});
