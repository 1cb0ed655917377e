// What a git directory may lead to: links, pipes and alternate object stores, checked again whenever something has changed.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkTo, needs, tempFolder, type TempFolder, type Tree } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { GitDirectoryCheck } from "../../../../src/repo/safety/git-directory/git-directory-check.ts";
import { createSandbox } from "../../../../src/repo/safety/sandbox.ts";
import { settled } from "../../../support/settled.ts";

const GIT_DIR: Tree = {
  HEAD: "ref: refs/heads/main\n",
  "refs/heads/main": "x",
  "objects/pack/p": "",
  "objects/info/packs": "",
  "hooks/x": "",
};

const MODULE: Tree = { HEAD: "ref: refs/heads/main\n", "objects/x": "", "refs/x": "" };

/** A repository `in/top` inside the sandbox `in`, beside a folder `out`. */
const opened = (more: Tree = {}, gitDir: Tree = GIT_DIR): TempFolder =>
  tempFolder({ "in/top/.git": { ...gitDir, ...more }, "in/other/x": "", "out/x": "" });

function checkOf(folder: TempFolder, commonDir = folder.at("in/top/.git")): () => void {
  const sandbox = createSandbox([{ given: "in", real: folder.at("in"), kind: "root" }]);
  const check = new GitDirectoryCheck(sandbox, { top: folder.at("in/top"), gitDir: folder.at("in/top/.git"), commonDir, isBare: false });
  return () => check.run("top");
}

const refusal = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) as string }) as Error;
const linkAt = (name: string) => refusal("unsafe", `Refused: the git directory of top holds the symbolic link ${name}, `);
const PIPE = refusal("unsafe", "Refused: the git directory of top holds a pipe or device");

test.each<[what: string, more: Tree]>([
  ["as git makes it", {}],
  ["with a link for its hooks", { hooks: linkTo("../../../out") }],
  ["with a link in the hooks", { "hooks/x": "", "hooks/link": linkTo("../../../../out") }],
  ["with a link in the stores of other programs", { "lfs/link": linkTo("../../../../out"), "annex/a/link": linkTo("x") }],
  ["with a link for the hooks of a submodule", { "modules/m": { ...MODULE, hooks: linkTo("../../../../../out") } }],
])("accepts a git directory %s", async (_what, { hooks, ...more }) => {
  const { "hooks/x": _hook, ...gitDir } = GIT_DIR;
  await using folder = opened({ ...gitDir, ...(hooks !== undefined && { hooks }), ...more }, {});
  const run = checkOf(folder);
  expect(run).not.toThrow();
  expect(run).not.toThrow();
});

describe("refuses a link", () => {
  const NAMES = [
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "index",
    "packed-refs",
    "shallow",
    "info",
    "lfs",
    "refs/heads/link",
    "refs/heads/hooks",
    "refs/deep/er/link",
    "logs/link",
    "worktrees/w",
    "worktrees/w/link",
    "modules/m/objects/link",
    "modules/hooks",
    "info/link",
    "info/exclude",
    "rebase-merge",
    "rebase-merge/link",
    "rebase-apply/link",
    "sequencer/link",
    "objects/ab",
    "objects/ab/link",
    "objects/info/alternates",
    "objects/pack/link",
    "rr-cache/link",
    "remotes/origin",
    "other/deep/link",
  ];

  test.each(NAMES)("refuses %s that leads outside", async (name) => {
    await using folder = opened({ [name]: linkTo(`${"../".repeat(name.split("/").length + 2)}out`) });
    expect(checkOf(folder)).toThrow(linkAt(name));
  });

  test.each(NAMES)("refuses %s that stays inside", async (name) => {
    await using folder = opened({ [name]: linkTo(`${"../".repeat(name.split("/").length + 1)}other`) });
    expect(checkOf(folder)).toThrow(linkAt(name));
  });

  test.each([
    ["to a missing file", "../../../out/none"],
    ["to its neighbour", "main"],
    ["to itself", "link"],
    ["to a file of the git directory", "../../HEAD"],
    ["by an absolute path", "/etc/hosts"],
  ])("refuses one %s", async (_what, target) => {
    await using folder = opened({ "refs/heads/link": linkTo(target) });
    expect(checkOf(folder)).toThrow(linkAt("refs/heads/link"));
  });

  test.each(["HEAD", "refs", "objects"])("refuses one in place of %s", async (name) => {
    const kept = Object.entries(GIT_DIR).filter(([path]) => path.split("/")[0] !== name);
    await using folder = opened({ ...Object.fromEntries(kept), [name]: linkTo("../../other") }, {});
    expect(checkOf(folder)).toThrow(linkAt(name));
  });

  test("refuses one to a folder inside whose own link leads outside", async () => {
    const { "refs/heads/main": _main, ...more } = GIT_DIR;
    await using folder = opened({ ...more, "refs/heads": linkTo("../../../other") }, {});
    folder.write({ "in/other/w": linkTo("../../out") });
    expect(checkOf(folder)).toThrow(linkAt("refs/heads"));
  });

  test("refuses one in a folder or with a name that is not UTF-8", needs("names of any bytes"), async () => {
    for (const at of ["refs", "refs/heads"]) {
      await using folder = opened();
      const name = Buffer.concat([Buffer.from(`${folder.at("in/top/.git", at)}/`), Buffer.of(0xff)]);
      expect(checkOf(folder)).not.toThrow();
      mkdirSync(name);
      writeFileSync(Buffer.concat([name, Buffer.from("/plain")]), "");
      expect(checkOf(folder)).not.toThrow();
      symlinkSync(folder.at("in/other"), Buffer.concat([name, Buffer.from("/link")]));
      expect(checkOf(folder)).toThrow(linkAt(`${at}/\ufffd/link`));
      rmSync(name, { recursive: true });
      symlinkSync(folder.at("out/none"), name);
      expect(checkOf(folder)).toThrow(linkAt(`${at}/\ufffd`));
    }
  });

  test("refuses one in the common directory of a linked work tree", async () => {
    await using folder = opened();
    folder.write({ "in/common": { ...GIT_DIR, "refs/link": linkTo("../../../out") } });
    expect(checkOf(folder)).not.toThrow();
    expect(checkOf(folder, folder.at("in/common"))).toThrow(linkAt("refs/link"));
  });
});

test.each([
  ["HEAD", 65_536],
  ["head", 65_536],
  ["Orig_Head", 65_536],
  ["MERGE_HEAD", 65_536],
  ["commondir", 65_536],
  ["refs/heads/main", 65_536],
  ["info/exclude", 16 * 1024 * 1024],
  ["packed-refs", 1024 ** 3],
])("refuses %s of more than %i bytes, also when it grows later", async (name, bytes) => {
  await using folder = opened({ [name]: "" });
  await settled(folder.at("in/top/.git", dirname(name)));
  const run = checkOf(folder);
  truncateSync(folder.at("in/top/.git", name), bytes);
  expect(run).not.toThrow();
  truncateSync(folder.at("in/top/.git", name), bytes + 1);
  for (const check of [run, checkOf(folder)])
    expect(check).toThrow(refusal("unsafe", `Refused: the file ${name} in the git directory of top is larger than ${bytes} bytes.`));
});

test("refuses a ref that comes to lead outside refs/, though its folder stays as it was", async () => {
  await using folder = opened();
  await settled(folder.at("in/top/.git/refs/heads"));
  const run = checkOf(folder);
  expect(run).not.toThrow();
  writeFileSync(folder.at("in/top/.git/refs/heads/main"), "ref: config\n");
  expect(run).toThrow(refusal("unsafe", "Refused: the file refs/heads/main in the git directory of top leads to a file outside refs/"));
});

test.each(["pipe", "refs/pipe", "objects/pipe", "objects/info/pipe"])("refuses the pipe %s", needs("Linux"), async (name) => {
  await using folder = opened();
  execFileSync("mkfifo", [folder.at("in/top/.git", name)]);
  expect(checkOf(folder)).toThrow(PIPE);
});

test("checks a folder again when it changes, and its subfolders in any case", async () => {
  await using folder = opened({ "refs/a/b/x": "", "objects/ab/x": "" });
  const run = checkOf(folder);
  run();
  const link = folder.at("in/top/.git/refs/a/b/link");
  symlinkSync(folder.at("out"), link);
  expect(run).toThrow(linkAt("refs/a/b/link"));
  expect(run).toThrow(linkAt("refs/a/b/link"));
  rmSync(link);
  expect(run).not.toThrow();
  for (const name of ["config", "objects/pack/link", "objects/info/link", "objects/ab/link"]) {
    symlinkSync(folder.at("out"), folder.at("in/top/.git", name));
    expect(run, name).toThrow(linkAt(name));
    rmSync(folder.at("in/top/.git", name));
    expect(run, name).not.toThrow();
  }
});

test("finds a link that appears in one of many folders of loose objects within sixteen calls", async () => {
  const names = Array.from({ length: 256 }, (_, n) => `objects/${n.toString(16).padStart(2, "0")}/x`);
  await using folder = opened(Object.fromEntries(names.map((name) => [name, ""])));
  await settled(folder.at("in/top/.git/objects"));
  const run = checkOf(folder);
  run();
  run();
  symlinkSync(folder.at("out"), folder.at("in/top/.git/objects/fe/link"));
  const calls = () => Array.from({ length: 17 }, run);
  expect(calls).toThrow(linkAt("objects/fe/link"));
  expect(checkOf(folder)).toThrow(linkAt("objects/fe/link"));
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

  test("accepts them inside the sandbox, by relative and absolute paths", async () => {
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
  ])("refuses %s", async (_what, text) => {
    await using folder = withAlternates(text);
    expect(checkOf(folder)).toThrow(ALTERNATE);
  });

  test("checks an alternate object store and its contents", async () => {
    await using outside = withAlternates("../../../store\n", { "in/store/info/alternates": "/\n" });
    expect(checkOf(outside)).toThrow(ALTERNATE);
    await using linked = withAlternates("../../../store\n", { "in/store/ab/link": linkTo("../../../out") });
    expect(checkOf(linked)).toThrow(linkAt("ab/link"));
  });

  test("accepts at most sixteen, each once, as git reads those in a circle", async () => {
    const stores = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `s${at}`);
      const tree = Object.fromEntries(names.map((name) => [`in/stores/${name}/x`, ""]));
      return withAlternates(names.map((name) => `../../../stores/${name}\n`).join(""), tree);
    };
    await using many = stores(16);
    expect(checkOf(many)).not.toThrow();
    await using tooMany = stores(17);
    expect(checkOf(tooMany)).toThrow(refusal("unsafe", "Refused: top borrows from more than 16 object stores."));
    await using circle = withAlternates("../../../store\n", { "in/store/info/alternates": "../store\n../top/.git/objects\n" });
    expect(checkOf(circle)).not.toThrow();
    await using twice = withAlternates("../../../store\n".repeat(17));
    expect(checkOf(twice)).not.toThrow();
  });

  test("reads their list from a plain file of at most 1 MiB", async () => {
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

  test("follows no link that a checkout can change, and no .. behind a link", async () => {
    await using link = withAlternates("../../../top/link\n", { "in/top/link": linkTo("../store") });
    expect(checkOf(link)).toThrow(
      refusal("unsafe", "Refused: the alternate object store ../../../top/link (objects/info/alternates) goes "),
    );
    await using climb = withAlternates("../../../step/../store\n", {
      "in/step": linkTo("../out/deep"),
      "out/deep/x": "",
      "out/store/x": "",
    });
    expect(checkOf(climb)).toThrow(ALTERNATE);
  });

  test("checks those of an alternate object store again when its list changes", async () => {
    await using folder = withAlternates("../../../store\n");
    const run = checkOf(folder);
    run();
    folder.write({ "in/store/info/alternates": `${folder.at("out")}\n` });
    expect(run).toThrow(ALTERNATE);
  });

  test("checks them again when their list changes", async () => {
    await using folder = withAlternates("../../../store\n");
    const run = checkOf(folder);
    run();
    writeFileSync(folder.at("in/top/.git/objects/info/alternates"), `${join(folder.path, "out")}\n`);
    expect(run).toThrow(ALTERNATE);
    expect(run).toThrow(ALTERNATE);
  });
});
