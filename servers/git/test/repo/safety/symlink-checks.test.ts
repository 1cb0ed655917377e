// Paths of a work tree that lead through a link.
import { mkdirSync, symlinkSync } from "node:fs";
import { linkTo, needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { nameToText } from "../../../src/repo/text/file-names.ts";
import { crossesSymlink, refuseSymlinkCrossing } from "../../../src/repo/safety/symlink-checks.ts";

const repositoryAt = (top: string) => ({ state: { top, gitDir: `${top}/.git`, commonDir: `${top}/.git`, isBare: false } });

test.each([
  ["link", false],
  ["d/file", false],
  ["d/e/none", false],
  ["none/x", false],
  ["link/x", true],
  ["link/deep/x", true],
  ["d/e/link/x", true],
  ["d/e/link", false],
  ["d/dangling/x", true],
])("detects a link before %s: %s", async (path, expected) => {
  await using folder = tempFolder({ "d/file": "", "d/e/link": linkTo("../.."), link: linkTo("d"), "d/dangling": linkTo("none") });
  const repository = repositoryAt(folder.path);
  expect(crossesSymlink(repository, path)).toBe(expected);
  const refuse = () => refuseSymlinkCrossing(repository, path, "given");
  if (expected)
    expect(refuse).toThrow(
      expect.objectContaining({ code: "denied", message: "Access denied - path beyond a symbolic link: given" }) as Error,
    );
  else expect(refuse).not.toThrow();
});

test("remembers folders for the paths of one call", async () => {
  await using folder = tempFolder({ "d/e/f": "" });
  const repository = repositoryAt(folder.path);
  const cache = new Map<string, boolean>();
  expect(crossesSymlink(repository, "d/e/f", cache)).toBe(false);
  expect([...cache]).toEqual([
    ["d", false],
    ["d/e", false],
  ]);
  cache.set("d/e", true);
  expect([crossesSymlink(repository, "d/e/g", cache), crossesSymlink(repository, "d/e/g")]).toEqual([true, false]);
});

test("follows names that are not UTF-8 by their bytes", needs("names of any bytes"), async () => {
  await using folder = tempFolder({ d: {} });
  const at = (name: Buffer) => Buffer.concat([Buffer.from(`${folder.path}/`), name]);
  mkdirSync(at(Buffer.of(0xfe)));
  symlinkSync("d", at(Buffer.of(0xff)));
  const repository = repositoryAt(folder.path);
  const crosses = (byte: number) => crossesSymlink(repository, nameToText(Buffer.of(byte, 0x2f, 0x78)));
  expect([crosses(0xfe), crosses(0xff)]).toEqual([false, true]);
});
