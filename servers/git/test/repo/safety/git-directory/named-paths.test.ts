// Files of a git directory that name other files: only names in their own folder.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { namesPaths, refusePathsElsewhere } from "../../../../src/repo/safety/git-directory/named-paths.ts";

const TABLES = "reftable/tables.list";

/** A multi-pack index with one chunk. */
function multiPackIndex(names: string, chunk = "PNAM", length = names.length): string {
  const bytes = Buffer.alloc(12 + 24);
  bytes.write("MIDX\u0001\u0001\u0001");
  bytes.write(chunk, 12);
  bytes.writeBigUInt64BE(36n, 16);
  bytes.writeBigUInt64BE(BigInt(36 + length), 28);
  return bytes.toString("latin1") + names;
}

async function refusalOf(name: string, text: string): Promise<string> {
  await using folder = tempFolder({ [name]: text });
  try {
    refusePathsElsewhere(folder.at(name), folder.path, name, "top");
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each<[name: string, text: string]>([
  [TABLES, "0x000000000001-0x000000000002-9d32be9d.ref\n0x000000000003-0x000000000003-0003a7c7.ref\n"],
  [TABLES, ""],
  ["worktrees/x/reftable/tables.list", "a.ref\n"],
  ["other/tables.list", "../a.ref\n"],
  ["worktrees/x/commondir", "../..\n"],
  ["refs/heads/commondir", "/out\n"],
  ["objects/pack/multi-pack-index", multiPackIndex("pack-a.idx\0pack-b.idx\0\0\0")],
  ["objects/pack/multi-pack-index.d/multi-pack-index-0a1b.midx", multiPackIndex("pack-a.idx\0")],
])("accepts %s with %j", async (name, text) => expect(await refusalOf(name, text)).toBe(""));

test.each<[name: string, text: string]>([
  [TABLES, "../../../out/.git/reftable/a.ref\n"],
  [TABLES, "a.ref\n/out/a.ref\n"],
  [TABLES, "..\\a.ref\n"],
  [TABLES, "x".repeat(4 * 1024 * 1024 + 1)],
  ["worktrees/x/reftable/tables.list", "../a.ref\n"],
  ["modules/x/reftable/tables.list", "../a.ref\n"],
  ["worktrees/x/commondir", "../../../out/.git\n"],
  ["worktrees/x/commondir", "/out/.git\n"],
  ["worktrees/x/commondir", "\n"],
  ["objects/pack/multi-pack-index", multiPackIndex("pack-a.idx\0../b.idx\0")],
  ["objects/pack/multi-pack-index.d/multi-pack-index-0a1b.midx", multiPackIndex("../a.idx\0")],
])("refuses %s with %j", async (name, text) =>
  expect(await refusalOf(name, text)).toContain(`Refused: the file ${name} in the git directory of top names files of another folder`),
);

test.each<[name: string, text: string]>([
  ["objects/pack/multi-pack-index", multiPackIndex("pack-a.idx\0", "XXXX")],
  ["objects/pack/multi-pack-index", multiPackIndex("pack-a.idx\0", "PNAM", 100)],
  ["objects/pack/multi-pack-index", multiPackIndex("pack-a.idx\0", "PNAM", 2 ** 52)],
  ["objects/pack/multi-pack-index", multiPackIndex("pack-a.idx\0", "PNAM", -1)],
  ["objects/pack/multi-pack-index", "MIDX"],
])("refuses %s with %j as damaged, and says that it can be removed", async (name, text) =>
  expect(await refusalOf(name, text)).toBe(
    `Damaged repository: the file ${name} in the git directory of top cannot be read. Remove that file; packs have indexes of their own.`,
  ),
);

test.each(["Worktrees/x/CommonDir", "RefTable/Tables.List", "objects/pack/Multi-Pack-Index"])(
  "finds %s on a file system that ignores case, as git does",
  async (name) => {
    await using folder = tempFolder({ [name]: "../../../other" });
    const path = folder.at(name);
    const isNamed = (of: NodeJS.Platform) => namesPaths(path, folder.path, of);
    expect((["win32", "darwin", "linux"] as const).map(isNamed)).toEqual([true, true, false]);
    for (const of of ["win32", "darwin"] as const)
      expect(() => refusePathsElsewhere(path, folder.path, name, "top", of)).toThrow(/names files of another folder|cannot be read/);
    expect(() => refusePathsElsewhere(path, folder.path, name, "top", "linux")).not.toThrow();
  },
);
