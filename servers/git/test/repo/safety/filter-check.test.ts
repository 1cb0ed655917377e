// Which files a command would store or write without their filter.
import { truncateSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Repository } from "../../../src/repo/repository.ts";
import {
  describeUnfiltered,
  refuseUnfilteredFiles,
  refuseUnfilteredWrites,
  unfilteredNotice,
  unfilteredWrites,
  wholeTree,
  type TreeWrite,
} from "../../../src/repo/safety/filter-check.ts";
import { nameFromText } from "../../../src/repo/text/file-names.ts";
import { openRepository } from "../../support/open-repository.ts";
import { makeRepository, type TestRepository } from "../../support/repository.ts";

const folder = tempFolder();
let repository: Repository;
let own: TestRepository;
/** `plain` has no attributes, `main` has `*.bin` and files with it, `other` changes and adds some. */
let [plain, main, other] = ["", "", ""];

beforeAll(async () => {
  own = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  plain = own.git("rev-parse", "HEAD");
  own.git("checkout", "--quiet", "-b", "other");
  own.write({ "new.raw": "new\n", "a.txt": "b\n" });
  own.git("add", "-A");
  own.write({ "d/.gitattributes": "*.dat filter=lfs\n", "d/x.dat": "x\n" });
  own.git("-c", "filter.lfs.clean=cat", "add", "-A");
  own.git("commit", "--quiet", "-m", "other");
  other = own.git("rev-parse", "HEAD");
  own.git("checkout", "--quiet", "main");
  own.write({
    ".gitattributes": "*.bin filter=lfs\n*.raw filter=raw\n*.set filter\n*.unset -filter\n",
    "big.bin": "big\n",
    "gone.bin": "gone\n",
  });
  own.git("-c", "filter.lfs.clean=cat", "add", "-A");
  own.git("commit", "--quiet", "-m", "main");
  main = own.git("rev-parse", "HEAD");
  repository = await openRepository(own);
});
afterAll(async () => {
  repository.close();
  await folder[Symbol.asyncDispose]();
});

const REMEDY = "Start the server with --filters to run the filters of your own git configuration, or use git itself.";

test("refuses any number of files with a filter, and accepts others", async () => {
  const storing = (...names: string[]) => refuseUnfilteredFiles(repository, names.map(nameFromText));
  await expect(storing("big.bin", "x.raw")).rejects.toThrow(
    expect.objectContaining({
      code: "unsafe",
      message: `Refused: big.bin, x.raw have the filter lfs, raw, which does not run here: the content would be stored unconverted. ${REMEDY}`,
    }),
  );
  await expect(storing("a.txt", "e/caf\\xE9.bin")).rejects.toThrow("Refused: e/caf\\xE9.bin has the filter lfs, which does not run here");
  await expect(storing("a\nb.bin")).rejects.toThrow("Refused: a\\nb.bin has the filter lfs");
  await storing("a.txt", "x.set", "x.unset", "big.bin.txt", "d/y.dat");
  await storing();
});

test("names at most five files and filters", () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `${at}.bin`, filter: `f${at}` }));
  expect(describeUnfiltered(files(1))).toBe("0.bin has the filter f0");
  expect(describeUnfiltered(files(5))).toBe("0.bin, 1.bin, 2.bin, 3.bin, 4.bin have the filter f0, f1, f2, f3, f4");
  expect(describeUnfiltered(files(7))).toBe("0.bin, 1.bin, 2.bin, 3.bin, 4.bin and 2 more have the filter f0, f1, f2, f3, f4");
  expect(describeUnfiltered([...files(1), { path: "b", filter: "f0" }])).toBe("0.bin, b have the filter f0");
  expect(describeUnfiltered([{ path: "b", filter: "long ".repeat(99) }]).length).toBeLessThan(70);
});

describe("refuses every write that would leave out a filter", () => {
  const written = async (write: TreeWrite): Promise<string[]> =>
    (await unfilteredWrites(repository, write)).map(({ path, filter }) => `${path} ${filter}`);

  test("refuses files of a commit with current attributes", async () => {
    expect(await written(wholeTree(main))).toEqual(["big.bin lfs", "gone.bin lfs"]);
    expect(await written({ operands: [plain, main] })).toEqual(["big.bin lfs", "gone.bin lfs"]);
    expect(await written({ operands: [plain, main], paths: ["a.txt", "gone.bin"] })).toEqual(["gone.bin lfs"]);
    expect(await written({ operands: [main, plain] })).toEqual([]);
    expect(await written({ operands: [plain, other], commit: other })).toEqual(["new.raw raw"]);
  });

  test("refuses files of a commit whose own attributes change them", async () => {
    const both = { operands: [`${other}~1`, other], commit: other, paths: ["d", "a.txt"] };
    expect(await written(both)).toEqual(["d/x.dat lfs"]);
    expect(await written({ ...both, commit: undefined })).toEqual([]);
    expect(await written({ ...both, paths: ["d/x.dat"] })).toEqual([]);
    expect(await written({ ...both, paths: ["a.txt"] })).toEqual([]);
  });

  test("refuses files of the work tree that it would restore", async () => {
    own.write({ "big.bin": "edited\n" });
    expect(await written({ operands: ["-R"], paths: ["."] })).toEqual(["big.bin lfs"]);
    expect(await written({ operands: ["-R"], paths: ["a.txt"] })).toEqual([]);
    own.write({ "big.bin": "big\n" });
    own.git("update-index", "-q", "--refresh");
  });

  test("refuses each of its writes", async () => {
    const ok = { operands: [main, plain] };
    await refuseUnfilteredWrites(repository, [ok, ok]);
    await refuseUnfilteredWrites(repository, []);
    await expect(refuseUnfilteredWrites(repository, [ok, { operands: [plain, main], paths: ["big.bin"] }])).rejects.toThrow(
      expect.objectContaining({
        code: "unsafe",
        message: `Refused: big.bin has the filter lfs, which does not run here: it would be written unconverted, with Git LFS as a pointer. ${REMEDY}`,
      }),
    );
  });

  test("compares the first commit, and one that lacks a parent, with nothing", async () => {
    expect(await written({ operands: [`${plain}~1`, plain], commit: plain })).toEqual([]);
    expect(await written({ operands: ["1".repeat(40), main], commit: main })).toEqual(["big.bin lfs", "gone.bin lfs"]);
    await expect(written({ operands: ["1".repeat(40), "2".repeat(40)] })).rejects.toThrow(expect.objectContaining({ name: "GitError" }));
  });
});

describe("files that were compared without their filter", () => {
  const noticed = (...paths: string[]) => unfilteredNotice(repository, paths);

  test("names them in a notice, wherever the attributes are", async () => {
    expect(await noticed("a.txt", "big.bin")).toBe(`[compared unconverted, may be unchanged: big.bin has the filter lfs. ${REMEDY}]`);
    expect(await noticed("a.txt")).toBeUndefined();
    expect(await noticed()).toBeUndefined();
    own.write({ ".gitattributes": "", "deep/er/.gitattributes": "*.x filter=x\n" });
    expect(await noticed("big.bin")).toBeUndefined();
    expect(await noticed("deep/er/f.x")).toContain("deep/er/f.x has the filter x");
    expect(await noticed("deep/f.x")).toBeUndefined();
    own.write({ ".git/info/attributes": "*.txt filter=info\n" });
    expect(await noticed("a.txt")).toContain("a.txt has the filter info");
    own.write({ ".git/info/attributes": "" });
    own.git("checkout", "--quiet", "--", ".gitattributes");
  });

  test("ignores a file of attributes that is not a file or too large to be handwritten", async () => {
    own.write({ "big/.gitattributes": "*.x filter=x\n" });
    own.git("mv", "-k", ".gitattributes", "kept");
    truncateSync(`${own.path}/big/.gitattributes`, 1024 * 1024);
    expect(await noticed("big/f.x")).toContain("filter x");
    truncateSync(`${own.path}/big/.gitattributes`, 1024 * 1024 + 1);
    expect(await noticed("big/f.x")).toBeUndefined();
    own.git("reset", "--hard", "--quiet");
  });
});
