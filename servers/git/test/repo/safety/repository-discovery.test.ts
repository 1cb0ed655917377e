// The repository around a path: found by walking up, never out of the sandbox, and never one that came as a file of another.
import { rmSync, writeFileSync } from "node:fs";
import { linkTo, tempFolder, type TempFolder, type Tree } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { discoverRepository, looksBare } from "../../../src/repo/safety/repository-discovery.ts";
import { createSandbox, type SandboxFolder } from "../../../src/repo/safety/sandbox.ts";

const GIT_DIR: Tree = { HEAD: "ref: refs/heads/main\n", refs: {}, objects: {} };

const discover = (folder: TempFolder, path: string, { inside = "in", named = [] as string[] } = {}) => {
  const folders: SandboxFolder[] = [
    { given: inside, real: folder.at(inside), kind: "root" },
    ...named.map((name): SandboxFolder => ({ given: name, real: folder.at(name), kind: "repository" })),
  ];
  return discoverRepository(createSandbox(folders), folder.at(path), "given");
};
const refusal = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) as string }) as Error;
const OUTSIDE = (what: string) =>
  refusal("denied", `Access denied - the ${what} of given lies outside the allowed repositories. Name the repository that it belongs to`);
const NOWHERE = refusal("not-a-repository", "Not a git repository: the .git of given leads nowhere. Repair or recreate it.");
const DAMAGED = refusal("not-a-repository", "Not a git repository: HEAD, objects or refs in the .git of given is missing or damaged.");

test("finds the nearest repository above a path", async () => {
  await using folder = tempFolder({ "in/a/.git": GIT_DIR, "in/a/b/c/x": "", "in/a/sub/.git": GIT_DIR, "in/none/x": "", ".git": GIT_DIR });
  const found = (top: string) => ({
    top: folder.at(top),
    gitDir: folder.at(top, ".git"),
    commonDir: folder.at(top, ".git"),
    isBare: false,
  });
  expect(discover(folder, "in/a")).toEqual(found("in/a"));
  expect(discover(folder, "in/a/b/c")).toEqual(found("in/a"));
  expect(discover(folder, "in/a/sub")).toEqual(found("in/a/sub"));
  expect(discover(folder, "in/none")).toBeUndefined();
  expect(discover(folder, "elsewhere")).toBeUndefined();
  expect(discoverRepository(createSandbox([{ given: "/", real: "/", kind: "root" }]), "/", "given")).toBeUndefined();
});

describe("a .git", () => {
  test.each<[what: string, tree: Tree, error: Error]>([
    ["that is a dangling link", { "in/a/.git": linkTo("none") }, NOWHERE],
    ["that leads outside by a link", { "in/a/.git": linkTo("../../out"), out: GIT_DIR }, OUTSIDE("git directory")],
    ["that leads outside by its text", { "in/a/.git": "gitdir: ../../out\n", out: GIT_DIR }, OUTSIDE("git directory")],
    ["that leads nowhere by its text", { "in/a/.git": "gitdir: ../none\n" }, NOWHERE],
    ["without the words of git", { "in/a/.git": "somewhere: ../g\n", "in/g": GIT_DIR }, DAMAGED],
    ["with other words before those of git", { "in/a/.git": "x gitdir: ../g\n", "in/g": GIT_DIR }, DAMAGED],
    ["with an empty path", { "in/a/.git": "gitdir: \n" }, DAMAGED],
    ["without HEAD", { "in/a/.git": { refs: {}, objects: {} } }, DAMAGED],
    ["with a damaged HEAD", { "in/a/.git": { ...GIT_DIR, HEAD: "nothing" } }, DAMAGED],
    ["with text before the ref in HEAD", { "in/a/.git": { ...GIT_DIR, HEAD: "x ref: refs/heads/main" } }, DAMAGED],
    ["with a folder as HEAD", { "in/a/.git": { ...GIT_DIR, HEAD: {} } }, DAMAGED],
    ["without objects", { "in/a/.git": { HEAD: "ref: refs/x", refs: {} } }, DAMAGED],
    ["without refs", { "in/a/.git": { HEAD: "ref: refs/x", objects: {} } }, DAMAGED],
    ["with a file as refs", { "in/a/.git": { ...GIT_DIR, refs: "" } }, DAMAGED],
    [
      "with a common directory outside",
      { "in/a/.git": { ...GIT_DIR, commondir: "../../../out\n" }, out: GIT_DIR },
      OUTSIDE("common directory"),
    ],
    [
      "with a missing common directory",
      { "in/a/.git": { ...GIT_DIR, commondir: "none\n" } },
      refusal("not-a-repository", "Not a git repository: the common directory of given is missing. Repair the linked work tree."),
    ],
    [
      "with an empty name of its common directory",
      { "in/a/.git": { ...GIT_DIR, commondir: "\n" } },
      refusal("not-a-repository", "common directory"),
    ],
    ["with a folder as the name of it", { "in/a/.git": { ...GIT_DIR, commondir: {} } }, refusal("not-a-repository", "common directory")],
  ])("is refused when it is %s", async (_what, tree, error) => {
    await using folder = tempFolder(tree);
    expect(() => discover(folder, "in/a")).toThrow(error);
  });

  test.each([
    ["gitdir: ../../g\n", "in/g"],
    ["gitdir: ../../g", "in/g"],
    ["gitdir: ../../g\r\n\n", "in/g"],
    ["gitdir: ../../new\nline\n", "in/new\nline"],
  ])("leads from %j to its folder", async (text, gitDir) => {
    await using folder = tempFolder({ "in/a/w/.git": text, [gitDir]: GIT_DIR });
    expect(discover(folder, "in/a/w")).toMatchObject({ top: folder.at("in/a/w"), gitDir: folder.at(gitDir) });
  });

  test("leads from a linked work tree to the objects and refs of another repository", async () => {
    await using folder = tempFolder({
      "in/main/.git": { ...GIT_DIR, "worktrees/w": { HEAD: "a".repeat(40), commondir: "../..\r\n" } },
      "in/w/.git": "gitdir: ../main/.git/worktrees/w\n",
    });
    const commonDir = folder.at("in/main/.git");
    expect(discover(folder, "in/w")).toEqual({ top: folder.at("in/w"), gitDir: `${commonDir}/worktrees/w`, commonDir, isBare: false });
  });

  test("is read up to 64 KiB", async () => {
    await using folder = tempFolder({ "in/a/.git": "gitdir: ../g\n", "in/g": { ...GIT_DIR, commondir: ".\n" } });
    expect(discover(folder, "in/a")).toBeDefined();
    const pad = (name: string, text: string, length: number) => writeFileSync(folder.at(name), text.padEnd(length, "\n"));
    for (const [name, text] of [
      ["in/a/.git", "gitdir: ../g"],
      ["in/g/commondir", "."],
      ["in/g/HEAD", "ref: refs/x"],
    ] as const) {
      pad(name, text, 65_536);
      expect(discover(folder, "in/a"), name).toBeDefined();
      pad(name, text, 65_537);
      expect(() => discover(folder, "in/a"), name).toThrow("Not a git repository");
      pad(name, text, text.length);
    }
  });
});

describe("a bare repository", () => {
  const bare = (folder: TempFolder, top: string) => ({
    top: folder.at(top),
    gitDir: folder.at(top),
    commonDir: folder.at(top),
    isBare: true,
  });
  const BURIED = refusal("unsafe", "Refused: given lies in a folder that looks like a git directory inside another repository.");

  test("is accepted outside any other repository", async () => {
    await using folder = tempFolder({ "in/b.git": GIT_DIR, ".git": GIT_DIR });
    expect(discover(folder, "in/b.git")).toEqual(bare(folder, "in/b.git"));
    expect(discover(folder, "in/b.git/refs")).toEqual(bare(folder, "in/b.git"));
  });

  test("is refused among the files of another repository, unless the operator named it", async () => {
    await using folder = tempFolder({ "in/a/.git": GIT_DIR, "in/a/deep/er/b": GIT_DIR });
    expect(() => discover(folder, "in/a/deep/er/b")).toThrow(BURIED);
    expect(() => discover(folder, "in/a/.git")).toThrow(BURIED);
    expect(() => discover(folder, "in/a/deep/er/b", { named: ["in/a"] })).toThrow(BURIED);
    expect(discover(folder, "in/a/deep/er/b", { named: ["in/a/deep/er/b"] })).toEqual(bare(folder, "in/a/deep/er/b"));
  });

  test("is refused when it is the git directory of a work tree outside the sandbox", async () => {
    await using folder = tempFolder({ "a/.git": GIT_DIR, "b/x.git": GIT_DIR });
    expect(() => discover(folder, "a/.git", { inside: "a/.git" })).toThrow(BURIED);
    expect(discover(folder, "b/x.git", { inside: "b/x.git" })).toEqual(bare(folder, "b/x.git"));
  });

  test("may have its objects and refs in a common directory inside", async () => {
    await using folder = tempFolder({ "in/b": { ...GIT_DIR, commondir: "../c" }, "in/c": GIT_DIR });
    expect(discover(folder, "in/b")).toEqual({ ...bare(folder, "in/b"), commonDir: folder.at("in/c") });
  });

  test.each(["ref: refs/heads/main", "ref:refs/x", "ref:\t refs/x", "0123456789abcdef0123456789ABCDEF01234567"])(
    "is recognized by the HEAD %j",
    async (head) => {
      await using folder = tempFolder({ b: { ...GIT_DIR, HEAD: head } });
      expect(looksBare(folder.at("b"))).toBe(true);
    },
  );

  test.each(["ref: heads/main", "0123456789abcdef", "g123456789abcdef0123456789abcdef01234567", ""])(
    "is not recognized by the HEAD %j",
    async (head) => {
      await using folder = tempFolder({ b: { ...GIT_DIR, HEAD: head } });
      expect(looksBare(folder.at("b"))).toBe(false);
    },
  );

  test("may have a link as HEAD, even a dangling one, and links as folders", async () => {
    await using folder = tempFolder({ b: { HEAD: linkTo("refs/heads/none"), refs: linkTo("../r"), objects: linkTo("../r") }, r: {} });
    expect(looksBare(folder.at("b"))).toBe(true);
    rmSync(folder.at("r"), { recursive: true });
    expect(looksBare(folder.at("b"))).toBe(false);
  });
});
