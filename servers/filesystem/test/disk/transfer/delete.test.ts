// Deleting: a look first, which changes nothing, and what may not go.
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { deletePath, planDeletion } from "../../../src/disk/transfer/delete.ts";
import { refusal, refuses, world } from "../support/world.ts";

const look = (sandbox: Sandbox, path: string, recursive = false) => planDeletion(sandbox, path, { recursive, maxBytes: 1_000_000 });

function tree(root: string): void {
  mkdirSync(join(root, "t/sub"), { recursive: true });
  writeFileSync(join(root, "t/a"), "alpha");
  writeFileSync(join(root, "t/sub/b"), "beta");
  symlinkSync("../a", join(root, "t/sub/link"));
}

test("counts and names in a preview what would be deleted, and changes nothing", async () => {
  const { root, open } = world();
  tree(root);
  const sandbox = await open();
  expect(await look(sandbox, "t", true)).toEqual({
    path: join(root, "t"),
    type: "directory",
    entries: 5,
    bytes: 9,
    isProtected: false,
    paths: ["t", "t/a", "t/sub", "t/sub/b", "t/sub/link"].map((name) => join(root, name)),
  });
  expect(await look(sandbox, "t/a")).toMatchObject({ type: "file", entries: 1, bytes: 5 });
  expect(existsSync(join(root, "t/sub/b"))).toBe(true);
});

test("deletes files, links and directories, and keeps the targets of links", async () => {
  const { root, open } = world();
  tree(root);
  const sandbox = await open();
  expect(await deletePath(sandbox, "t/sub/link", {})).toEqual({ entries: 1 });
  expect(readFileSync(join(root, "t/a"), "utf8")).toBe("alpha");
  symlinkSync("t", join(root, "link-to-t"));
  expect(await deletePath(sandbox, "link-to-t", { recursive: true })).toEqual({ entries: 1 });
  mkdirSync(join(root, "quiet"));
  writeFileSync(join(root, "quiet/f"), "");
  expect(await deletePath(sandbox, "quiet", { recursive: true })).toEqual({ entries: 2 });
  const received: number[] = [];
  expect(await deletePath(sandbox, "t", { recursive: true, progress: (gone) => received.push(gone) })).toEqual({ entries: 4 });
  expect(received).toEqual([1, 2, 3]);
  expect(readdirSync(root)).toEqual([]);
});

test("refuses a protected entry in preview and deletion, and keeps it", async () => {
  const { root, out, open } = world();
  tree(root);
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  mkdirSync(join(root, "holds/ro"), { recursive: true });
  writeFileSync(join(root, "holds/ro/f"), "");
  mkdirSync(join(root, "hides/below"), { recursive: true });
  writeFileSync(join(root, "hides/below/.env"), "canary-hidden");
  symlinkSync(join(out, "secret.txt"), join(root, "leak"));
  symlinkSync(out, join(root, "leak-folder"));
  const sandbox = await open({
    deny: ["**/.env"],
    directories: [
      { path: root, readOnly: false },
      { path: join(root, "holds/ro"), readOnly: true },
    ],
  });
  const both = (path: string) => [() => look(sandbox, path, true), () => deletePath(sandbox, path, { recursive: true })];
  await refuses("invalid", ...both(root), ...both(join(root, "t/..")), ...both("holds"), ...both("holds/ro"));
  await refuses("read-only", ...both("holds/ro/f"));
  await refuses("not-found", ...both("none"));
  await refuses("not-a-folder", ...both("t/a/"));
  await refuses(
    "not-a-file",
    () => look(sandbox, "t"),
    () => deletePath(sandbox, "t", {}),
  );
  await refuses("denied", ...both("leak"), ...both("leak-folder"), ...both("leak-folder/secret.txt"), ...both(out));
  await refuses("denied", ...both("repo/.git"), ...both("repo"), ...both("hides"), ...both("hides/below/.env"));
  expect((await refusal(() => look(sandbox, "hides", true))).message).not.toContain(".env");
  expect(readdirSync(root).toSorted()).toEqual(["hides", "holds", "leak", "leak-folder", "repo", "t"]);
  expect(existsSync(join(root, "hides/below/.env"))).toBe(true);
});

test("limits the list of a preview, not its count", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "many"));
  for (let at = 0; at < 1500; at++) writeFileSync(join(root, "many", `f${at}`), "x");
  const sandbox = await open();
  const { entries, paths, bytes } = await look(sandbox, "many", true);
  expect([entries, paths.length, bytes]).toEqual([1501, 1000, 1500]);
  expect((await planDeletion(sandbox, "many", { recursive: true, maxBytes: 5000 })).paths.length).toBeLessThan(60);
});

test("stops a cancelled deletion at once and leaves the rest whole", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "many"));
  for (let at = 0; at < 500; at++) writeFileSync(join(root, "many", `f${at}`), "x");
  const cancel = new AbortController();
  const progress = (gone: number) => (gone === 10 ? cancel.abort(new Error("enough")) : undefined);
  await expect(deletePath(await open(), "many", { recursive: true, signal: cancel.signal, progress })).rejects.toThrow("enough");
  expect(readdirSync(join(root, "many"))).toHaveLength(490);
});
