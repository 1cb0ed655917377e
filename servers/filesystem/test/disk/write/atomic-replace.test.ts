// Parts of an atomic replacement: when hard links are not to be had, and names that are taken.
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimName, isLinkUnsupported, syncFolder } from "../../../src/disk/write/atomic-replace.ts";
import { world } from "../support/world.ts";

test.each([
  ["EPERM", true],
  ["ENOTSUP", true],
  ["EOPNOTSUPP", true],
  ["ENOSYS", true],
  ["EMLINK", true],
  ["EACCES", true],
  ["EEXIST", false],
  ["ENOSPC", false],
  ["ENOENT", false],
  [undefined, false],
])("an error %s says that links are not possible: %s", (code, expected) => {
  expect(isLinkUnsupported(Object.assign(new Error("link"), { code }))).toBe(expected);
});

test("a free name is claimed by an empty file for the user alone, a taken one never", async () => {
  const { root, canary, out, open } = world();
  const area = await open();
  writeFileSync(join(root, "taken"), "content");
  symlinkSync(join(out, "secret.txt"), join(root, "link"));
  symlinkSync(join(out, "none"), join(root, "dangling"));
  using folder = area.folder(".");
  claimName(folder, "free");
  expect(statSync(join(root, "free"))).toMatchObject({ size: 0 });
  expect(statSync(join(root, "free")).mode & 0o777).toBe(0o600);
  for (const name of ["free", "taken", "link", "dangling"]) expect(() => claimName(folder, name)).toThrow("EEXIST");
  expect([readFileSync(join(root, "taken"), "utf8"), readFileSync(join(out, "secret.txt"), "utf8")]).toEqual(["content", canary]);
  await syncFolder(folder);
});
