// Mode bits, as chmod changes them.
import { chmodSync, linkSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { changeMode, parseMode } from "../../../src/disk/rights/mode-change.ts";
import { refuses, world } from "../support/world.ts";

test.each([
  ["755", 0o644, 0o755],
  ["0600", 0o644, 0o600],
  ["+x", 0o644, 0o755],
  ["+w", 0o444, 0o644],
  ["-w", 0o666, 0o466],
  ["a-x", 0o755, 0o644],
  ["u+x,go-rwx", 0o644, 0o700],
  ["u=rw,go=r", 0o777, 0o644],
  ["ug=", 0o777, 0o007],
  ["g+w-x", 0o755, 0o765],
  ["a+X", 0o644, 0o644],
  ["a+X", 0o744, 0o755],
])("makes of %s and %o the mode %o", (text, before, after) => {
  expect(parseMode(text, before, false, 0o022)).toBe(after);
});

test("gives X to every directory", () => {
  expect(parseMode("a+X", 0o600, true, 0o022)).toBe(0o711);
});

test("changes a file without the right to read, and a directory, and drops set-id bits of a file", needs("file modes"), async () => {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "");
  mkdirSync(join(root, "d"));
  chmodSync(join(root, "f"), 0o4000);
  chmodSync(join(root, "d"), 0o1700);
  expect(changeMode(sandbox, "f", "u+rwx")).toEqual({ path: join(root, "f"), before: 0, after: 0o700 });
  expect(changeMode(sandbox, "d", "go+rx")).toMatchObject({ before: 0o700, after: 0o755 });
  expect([statSync(join(root, "f")).mode & 0o7777, statSync(join(root, "d")).mode & 0o7777]).toEqual([0o700, 0o1755]);
});

test.each(["", "7", "4755", "888", "rwx", "u+s", "+t", "x+r", "u+x,", "u + x"])("refuses the mode %j", async (mode) => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "");
  const sandbox = await open();
  await refuses("invalid", () => changeMode(sandbox, "f", mode));
});

test("refuses what may not be changed", needs("file modes"), async () => {
  const { root, out, open } = world();
  writeFileSync(join(root, "f"), "");
  mkdirSync(join(root, ".git"));
  const readOnly = await open({ readOnly: true });
  await refuses("read-only", () => changeMode(readOnly, "f", "755"));
  const sandbox = await open({ refuseHardLinks: true });
  linkSync(join(root, "f"), join(root, "g"));
  await refuses(
    "denied",
    () => changeMode(sandbox, join(out, "secret.txt"), "755"),
    () => changeMode(sandbox, ".git", "755"),
    () => changeMode(sandbox, "f", "755"),
  );
  await refuses("invalid", () => changeMode(sandbox, ".", "755"));
});
