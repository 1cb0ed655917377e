// What a git directory may lead to: links, pipes and alternate object stores, checked again whenever something has changed.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkTo, tempFolder, type TempFolder, type Tree } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { GitDirectoryCheck } from "../../../src/repo/safety/git-directory-check.ts";
import { createSandbox } from "../../../src/repo/safety/sandbox.ts";

const GIT_DIR: Tree = {
  HEAD: "ref: refs/heads/main\n",
  "refs/heads/main": "x",
  "objects/pack/p": "",
  "objects/info/packs": "",
  "hooks/x": "",
};

/** A repository `in/top` inside the sandbox `in`, beside a folder `out`. */
const opened = (more: Tree = {}): TempFolder => tempFolder({ "in/top/.git": { ...GIT_DIR, ...more }, "in/other/x": "", "out/x": "" });

function checkOf(folder: TempFolder, commonDir = folder.at("in/top/.git")): () => void {
  const sandbox = createSandbox([{ given: "in", real: folder.at("in"), kind: "root" }]);
  const check = new GitDirectoryCheck(sandbox, { top: folder.at("in/top"), gitDir: folder.at("in/top/.git"), commonDir, isBare: false });
  return () => check.run("top");
}

const refusal = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) as string }) as Error;
const LINK = refusal("denied", "Access denied - a link in its git directory leads outside the allowed repositories: top");
const PIPE = refusal("unsafe", "Refused: the git directory of top holds a pipe or device");

test.each<[what: string, more: Tree]>([
  ["as git makes it", {}],
  ["with a link inside the sandbox", { "refs/heads/link": linkTo("main"), "logs/other": linkTo("../../../other") }],
  ["with an old form of HEAD", { HEAD: linkTo("refs/heads/none") }],
  ["with a link for its hooks", { hooks: linkTo("../../../out") }],
  ["with a dangling link inside the sandbox", { "refs/none": linkTo("gone/deeper/x") }],
  ["with a link in the hooks", { "hooks/link": linkTo("../../../../out") }],
])("a git directory %s is accepted", async (_what, more) => {
  const { hooks, HEAD } = more;
  await using folder = tempFolder({
    "in/top/.git": {
      ...(hooks === undefined ? { "hooks/x": "" } : {}),
      ...(HEAD === undefined ? { HEAD: "x" } : {}),
      "refs/heads/main": "",
      ...more,
    },
    "in/other/x": "",
    "out/x": "",
  });
  expect(checkOf(folder)).not.toThrow();
  expect(checkOf(folder)).not.toThrow();
});

describe("a link that leads outside is refused", () => {
  test.each([
    "config",
    "HEAD2",
    "refs/heads/link",
    "refs/deep/er/link",
    "logs/link",
    "worktrees/w/link",
    "modules/m/objects/link",
    "info/link",
    "rebase-merge/link",
    "rebase-apply/link",
    "sequencer/link",
    "objects/ab/link",
    "objects/pack/link",
  ])("%s", async (name) => {
    await using folder = opened({ [name]: linkTo(`${"../".repeat(name.split("/").length + 2)}out`) });
    expect(checkOf(folder)).toThrow(LINK);
  });

  test.each([
    ["to a missing file", "../../../out/none"],
    ["to a missing folder", "../../../out/none/deeper"],
    ["through another link", "refs/step"],
    ["in a circle", "circle"],
    ["by an absolute path", "/etc/hosts"],
  ])("%s", async (_what, target) => {
    await using folder = opened({ circle: linkTo(target), "refs/step": linkTo("../../../../out/none") });
    expect(checkOf(folder)).toThrow(LINK);
  });

  test.each(["../../../out/x", "refs/../../../../out/x"])("HEAD with the target %s", async (target) => {
    await using folder = tempFolder({ "in/top/.git": { "refs/x": "", HEAD: linkTo(target) }, "out/x": "" });
    expect(checkOf(folder)).toThrow(LINK);
  });

  test("through a linked folder inside", async () => {
    await using folder = opened({ "refs/link": linkTo("folder/second"), "refs/folder": linkTo("../../../other/deep") });
    folder.write({ "in/other/deep/second": linkTo("../../../out/none") });
    expect(checkOf(folder)).toThrow(LINK);
  });

  test.runIf(process.platform === "linux")("in a folder whose name is not UTF-8, or with such a name", async () => {
    for (const [at, target] of [
      ["refs", "out"],
      ["refs/heads", "out"],
    ] as const) {
      await using folder = opened();
      const name = Buffer.concat([Buffer.from(`${folder.at("in/top/.git", at)}/`), Buffer.of(0xff)]);
      expect(checkOf(folder)).not.toThrow();
      mkdirSync(name);
      writeFileSync(Buffer.concat([name, Buffer.from("/plain")]), "");
      expect(checkOf(folder)).not.toThrow();
      symlinkSync(folder.at(target), Buffer.concat([name, Buffer.from("/link")]));
      expect(checkOf(folder)).toThrow(LINK);
      rmSync(name, { recursive: true });
      symlinkSync(folder.at("in/other"), name);
      expect(checkOf(folder)).not.toThrow();
      rmSync(name);
      symlinkSync(folder.at("out/none"), name);
      expect(checkOf(folder)).toThrow(LINK);
    }
  });

  test("in the common directory of a linked work tree", async () => {
    await using folder = opened();
    folder.write({ "in/common": { ...GIT_DIR, "refs/link": linkTo("../../../out") } });
    expect(checkOf(folder)).not.toThrow();
    expect(checkOf(folder, folder.at("in/common"))).toThrow(LINK);
  });
});

test.runIf(process.platform === "linux").each(["pipe", "refs/pipe", "objects/pipe", "objects/info/pipe"])(
  "the pipe %s is refused",
  async (name) => {
    await using folder = opened();
    execFileSync("mkfifo", [folder.at("in/top/.git", name)]);
    expect(checkOf(folder)).toThrow(PIPE);
  },
);

test("a folder is checked again when it has changed, and its subfolders in any case", async () => {
  await using folder = opened({ "refs/a/b/x": "" });
  const run = checkOf(folder);
  run();
  const link = folder.at("in/top/.git/refs/a/b/link");
  symlinkSync(folder.at("out"), link);
  expect(run).toThrow(LINK);
  expect(run).toThrow(LINK);
  rmSync(link);
  expect(run).not.toThrow();
  for (const name of ["config", "objects/pack/link", "objects/info/link"]) {
    symlinkSync(folder.at("out"), folder.at("in/top/.git", name));
    expect(run, name).toThrow(LINK);
    rmSync(folder.at("in/top/.git", name));
    expect(run, name).not.toThrow();
  }
});

describe("alternate object stores", () => {
  const STORE: Tree = { "in/store/info/packs": "", "in/store/ab/x": "", "in/second/info/packs": "" };
  const withAlternates = (text: string, more: Tree = {}): TempFolder => {
    const folder = opened({ "objects/info/alternates": "" });
    folder.write({ ...STORE, ...more });
    writeFileSync(folder.at("in/top/.git/objects/info/alternates"), text.replaceAll("ROOT", folder.path));
    return folder;
  };
  const ALTERNATE = refusal(
    "denied",
    "an alternate object store of it (objects/info/alternates) leads outside the allowed repositories: top",
  );

  test("inside the sandbox are accepted, by relative and absolute paths", async () => {
    await using folder = withAlternates('# a remark /out\n\n../../../store\nROOT/in/second\n../../../quote"\n', {
      'in/quote"/x': "",

      "in/store/info/alternates": "../second\n",
    });
    expect(checkOf(folder)).not.toThrow();
  });

  test.each([
    ["outside", "ROOT/out\n"],
    ["that are missing", "../../../none\n"],
    ["with a path in quotes", '"ROOT/in/store"\n'],
    ["after an accepted one", "../../../store\nROOT/out\n"],
  ])("%s are refused", async (_what, text) => {
    await using folder = withAlternates(text);
    expect(checkOf(folder)).toThrow(ALTERNATE);
  });

  test("of an alternate object store are checked, too, and what is in it", async () => {
    await using outside = withAlternates("../../../store\n", { "in/store/info/alternates": "/\n" });
    expect(checkOf(outside)).toThrow(ALTERNATE);
    await using linked = withAlternates("../../../store\n", { "in/store/ab/link": linkTo("../../../out") });
    expect(checkOf(linked)).toThrow(LINK);
  });

  test("are at most sixteen, those in a circle included", async () => {
    await using many = withAlternates("../../../store\n".repeat(16));
    expect(checkOf(many)).not.toThrow();
    await using circle = withAlternates("../../../store\n", { "in/store/info/alternates": "../store\n" });
    expect(checkOf(circle)).toThrow(refusal("unsafe", "Refused: top borrows from more than 16 object stores."));
    await using tooMany = withAlternates("../../../store\n".repeat(17));
    expect(checkOf(tooMany)).toThrow("borrows from more than 16 object stores");
  });

  test("are listed in a plain file of at most 1 MiB", async () => {
    const message = refusal("unsafe", "Refused: the list of alternate object stores of top is not a plain file.");
    await using folder = withAlternates("");
    const list = folder.at("in/top/.git/objects/info/alternates");
    writeFileSync(list, `#${"x".repeat(1024 * 1024 - 1)}`);
    expect(checkOf(folder)).not.toThrow();
    truncateSync(list, 1024 * 1024 + 1);
    expect(checkOf(folder)).toThrow(message);
    rmSync(list);
    mkdirSync(list);
    expect(checkOf(folder)).toThrow(message);
  });

  test("are checked again when their list has changed", async () => {
    await using folder = withAlternates("../../../store\n");
    const run = checkOf(folder);
    run();
    writeFileSync(folder.at("in/top/.git/objects/info/alternates"), `${join(folder.path, "out")}\n`);
    expect(run).toThrow(ALTERNATE);
    expect(run).toThrow(ALTERNATE);
  });
});
