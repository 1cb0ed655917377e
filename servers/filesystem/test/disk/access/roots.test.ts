// The operator's directories at start: which can be served, how they are spelled, and what happens when they are replaced.
import { mkdirSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openDisk } from "../../../src/disk/disk.ts";
import { refusal, world } from "../support/world.ts";

const directory = (path: string, readOnly = false) => ({ path, readOnly });

test.each([
  ["", "blank"],
  ["  ", "blank"],
  ["ROOT/none", "missing"],
  ["ROOT/f", "not-a-folder"],
  ["ROOT/f/x", "not-a-folder"],
  ["ROOT/loop", "no-access"],
  ["/proc/self", "no-access"],
])("skips %j: %s", async (name, why) => {
  const { base, root } = world();
  writeFileSync(join(root, "f"), "");
  symlinkSync("loop", join(root, "loop"));
  const path = name.replace("ROOT", join(base, "ROOT"));
  expect(await openDisk({ directories: [directory(path), directory(root)] })).toMatchObject({
    skipped: [{ path, why }],
    roots: [{ given: root, real: root, readOnly: false }],
  });
});

test("skips a directory whose name is not UTF-8", needs("names of any bytes"), async () => {
  const { root } = world();
  const odd = (folder: string) => Buffer.concat([Buffer.from(folder), Buffer.of(0xff)]);
  mkdirSync(odd(`${root}/`));
  symlinkSync(odd(""), join(root, "link"));
  const { skipped } = await openDisk({ directories: [directory(join(root, "link"))] });
  rmdirSync(odd(`${root}/`));
  expect(skipped).toEqual([{ path: join(root, "link"), why: "no-access" }]);
});

test.each<[given: [string, boolean?][], served: [given: string, readOnly: boolean][]]>([
  [[["real"]], [["real", false]]],
  [[["real"], ["real"]], [["real", false]]],
  [[["real"], ["real", true]], [["real", true]]],
  [[["real", true], ["./real//"]], [["real", true]]],
  [[["link"]], [["link", false]]],
  [[["link"], ["real"]], [["link", false]]],
  [[["link"], ["real", true]], [["link", true]]],
  [
    [["real"], ["link"]],
    [
      ["real", false],
      ["link", false],
    ],
  ],
  [
    [["real"], ["link", true]],
    [
      ["real", true],
      ["link", true],
    ],
  ],
  [
    [["real", true], ["link"]],
    [
      ["real", true],
      ["link", true],
    ],
  ],
  [
    [["link"], ["other"]],
    [
      ["link", false],
      ["other", false],
    ],
  ],
  // `to/..` is the directory that holds the target of the link, not the one that holds the link.
  [[["to/../real"]], [["away/real", false]]],
])("serves %j as %j", async (given, served) => {
  const { root } = world();
  for (const name of ["real", "away/x", "away/real"]) mkdirSync(join(root, name), { recursive: true });
  for (const name of ["link", "other"]) symlinkSync("real", join(root, name));
  symlinkSync("away/x", join(root, "to"));
  const { roots, skipped } = await openDisk({ directories: given.map(([name, readOnly]) => directory(`${root}/${name}`, readOnly)) });
  expect(skipped).toEqual([]);
  expect(roots.map(({ given, readOnly }) => [given.slice(root.length + 1), readOnly])).toEqual(served);
});

test.each(["removed", "replaced by a directory", "replaced by a file"])("stops serving a directory that is %s", async (change) => {
  const { root, open } = world();
  for (const name of ["a", "b"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "b/f"), "x");
  const sandbox = await open({ directories: [directory(join(root, "a")), directory(join(root, "b"))] });
  // The old directory stays, so that its inode is not used again.
  if (change === "removed") rmdirSync(join(root, "a"));
  else renameSync(join(root, "a"), join(root, "old"));
  if (change === "replaced by a directory") mkdirSync(join(root, "a"));
  if (change === "replaced by a file") writeFileSync(join(root, "a"), "");
  expect(await refusal(() => sandbox.file(join(root, "a/f")))).toMatchObject({
    code: "not-found",
    message: `The allowed directory ${join(root, "a")} was removed or replaced since the server started. Other allowed directories still work; put it back or restart the server.`,
  });
  using file = sandbox.file(join(root, "b/f"));
  expect(file.path).toBe(join(root, "b/f"));
});
