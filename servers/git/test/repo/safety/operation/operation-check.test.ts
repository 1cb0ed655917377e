// Which files of an operation in progress git may go on with: words that git knows, in files that can be read whole.
import { truncateSync } from "node:fs";
import { tempFolder, type Tree } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { refuseUnknownOperation } from "../../../../src/repo/safety/operation/operation-check.ts";

const ID = "1234567890123456789012345678901234567890";

type Kind = "merge" | "rebase" | "cherry-pick" | "revert";

/** The operation that a file of its state belongs to. */
const kindOf = (file = ""): Kind => (file.startsWith("rebase-") ? "rebase" : file.startsWith("sequencer/") ? "cherry-pick" : "merge");

async function refusalOf(
  files: Tree,
  { kind = kindOf(Object.keys(files)[0]), step = "continue" as "continue" | "skip" | "abort", isTrusted = false } = {},
): Promise<string> {
  await using folder = tempFolder({ ".git": { x: "", ...files } });
  const gitDir = folder.at(".git");
  const state = {
    top: folder.path,
    gitDir,
    commonDir: gitDir,
    isBare: false,
    config: [],
    networkSettings: [],
    changeSettings: [],
    mergeSettings: [],
    isTrusted,
  };
  return await refuseUnknownOperation("git", state, { kind, step }).then(
    () => "",
    (error: Error & { code?: string }) => (error.code === "unsafe" ? error.message : `not a refusal: ${String(error)}`),
  );
}

const PLAN = `# a remark\n\npick ${ID} one\n\tp ${ID}\nrevert ${ID}\nedit ${ID}\ne ${ID}\nreword ${ID}\nr ${ID}\nfixup -C ${ID}\nf ${ID}\nsquash ${ID}\r
s ${ID}\nbreak\nb\nlabel onto\nl x\nreset onto\nt x\nmerge -C ${ID} x\nm x\nupdate-ref refs/heads/x\nu refs/heads/y\nnoop\ndrop ${ID}\nd ${ID}\n\r\n`;

test.each<[what: string, files: Tree]>([
  ["none", {}],
  ["a merge", { MERGE_HEAD: `${ID}\n`, MERGE_MODE: "no-ff", MERGE_AUTOSTASH: `${ID}\n` }],
  ["a merge that may go forward", { MERGE_MODE: "" }],
  [
    "a rebase with every command",
    {
      "rebase-merge/git-rebase-todo": PLAN,
      "rebase-merge/strategy": "ort\n",
      "rebase-merge/strategy_opts": " --ours --find-renames=50% --subtree=a/b\n",
      "rebase-merge/gpg_sign_opt": "-Sada\n",
      "rebase-merge/allow_rerere_autoupdate": "--no-rerere-autoupdate\n",
      "rebase-merge/autostash": `${ID}\n`,
      "rebase-merge/head-name": "refs/heads/a/b\n",
      "rebase-merge/onto": `${ID}\n`,
      "rebase-merge/orig-head": `${ID}\n`,
      "rebase-merge/update-refs": `refs/heads/x\n${ID}\n${ID}\n`,
      "rebase-merge/refs-to-delete": "refs/rewritten/onto\n",
    },
  ],
  ["a rebase with options in quotes", { "rebase-merge/strategy_opts": ` '--theirs' "--patience"\n` }],
  [
    "a rebase of patches",
    {
      "rebase-apply/head-name": "detached HEAD\n",
      "rebase-apply/apply-opt": " '--whitespace=fix' '-C3' '-p1' '--directory=a/b c' '--ignore-whitespace'",
      "rebase-apply/gpg_sign_opt": "\n",
    },
  ],
  [
    "picks",
    {
      "sequencer/todo": `pick ${ID} x\np ${ID}\nrevert ${ID}\n`,
      "sequencer/head": `${ID}\n`,
      "sequencer/opts": "[options]\n\tedit\n\tmainline = 1\n\tstrategy = resolve\n\tstrategy-option = ours\n\tgpg-sign = ada\n",
    },
  ],
])("continues %s", async (_what, files) => {
  for (const step of ["continue", "skip", "abort"] as const) expect(await refusalOf(files, { step })).toBe("");
});

test.each<[file: string, word: string, text: string]>([
  ["rebase-merge/git-rebase-todo", "run", "pick x\nrun x\n"],
  ["rebase-merge/git-rebase-todo", "PICK", "PICK x\n"],
  ["rebase-merge/git-rebase-todo", "pickx", "pickx\n"],
  ["rebase-merge/git-rebase-todo", ";", "; a remark\n"],
  ["rebase-merge/git-rebase-todo", "noop\u000b", "noop\u000bx\n"],
  ["rebase-merge/strategy", "foo", "foo\n"],
  ["rebase-merge/strategy", "", "\n"],
  ["rebase-merge/strategy", "ort", " ort\n"],
  ["rebase-merge/strategy", "ort", "ort\n\n"],
  ["rebase-apply/strategy", "-s x", "-s x"],
  ["rebase-merge/strategy_opts", "--index-output=/x", " --ours --index-output=/x\n"],
  ["rebase-merge/strategy_opts", "ours", "ours"],
  ["rebase-merge/strategy_opts", "'--ours", "'--ours"],
  ["rebase-merge/strategy_opts", "--ou'r's", "'--ou'r's'"],
  ["rebase-merge/gpg_sign_opt", "--interactive", "--interactive\n"],
  ["rebase-apply/gpg_sign_opt", "-Sx", "-Sx\n--interactive\n"],
  ["rebase-merge/allow_rerere_autoupdate", "--x", "--x\n"],
  ["rebase-merge/autostash", "--index", "--index\n"],
  ["rebase-merge/head-name", "../../x", "../../x\n"],
  ["rebase-merge/head-name", "refs/../../x", "refs/../../x\n"],
  ["rebase-merge/onto", "HEAD", "HEAD\n"],
  ["rebase-merge/update-refs", "../x", `refs/heads/x\n${ID}\n${ID}\n../x\n`],
  ["rebase-merge/refs-to-delete", "HEAD", "HEAD\n"],
  ["rebase-apply/apply-opt", "--build-fake-ancestor=/x", " '-p1' '--build-fake-ancestor=/x'"],
  ["rebase-apply/apply-opt", "--unsafe-paths", "'--unsafe-paths'"],
  ["rebase-apply/apply-opt", "--directory=../x", "'--directory=../x'"],
  ["rebase-apply/apply-opt", "--directory=/x", "'--directory=/x'"],
  ["sequencer/todo", "exec", `pick ${ID}\nexec x\n`],
  ["sequencer/todo", "label", "label x\n"],
  ["sequencer/head", "--x", "--x\n"],
  ["sequencer/opts", "foo", "[options]\n\tstrategy = foo\n"],
  ["sequencer/opts", "", "[options]\n\tstrategy =\n"],
  ["sequencer/opts", "options.strategy", "[options]\n\tstrategy\n"],
  ["sequencer/opts", "index-output=/x", "[options]\n\tstrategy-option = index-output=/x\n"],
  ["sequencer/opts", "options.command", "[options]\n\tcommand = x\n"],
  ["sequencer/opts", "include.path", "[include]\n\tpath = x\n"],
  ["MERGE_MODE", "x", "x"],
  ["MERGE_AUTOSTASH", "--index", "--index\n"],
])("refuses %s and quotes %j", async (file, word, text) => {
  for (const step of ["continue", "skip"] as const)
    expect((await refusalOf({ [file]: text }, { step })).replaceAll("\\x0b", "\u000b")).toMatch(
      `Refused: ${file} of the operation in progress holds "${word}`,
    );
  expect(await refusalOf({ [file]: text }, { isTrusted: true })).toBe("");
});

test.each<[file: string, text: string]>([
  ["MERGE_AUTOSTASH", "--index\n"],
  ["sequencer/todo", "exec x\n"],
  ["sequencer/head", "--x\n"],
  ["rebase-merge/head-name", "../../x\n"],
  ["rebase-merge/onto", "HEAD\n"],
  ["rebase-merge/orig-head", "HEAD\n"],
  ["rebase-merge/autostash", "--index\n"],
  ["rebase-merge/refs-to-delete", "HEAD\n"],
  ["rebase-merge/strategy", "foo\n"],
  ["rebase-apply/strategy_opts", "ours"],
])("refuses to go back by an unknown word in %s", async (file, text) => {
  expect(await refusalOf({ [file]: text }, { step: "abort" })).toMatch(`Refused: ${file} of the operation in progress holds`);
});

test.each<[kind: Kind, file: string]>([
  ["merge", "MERGE_MODE"],
  ["merge", "sequencer/opts"],
  ["merge", "rebase-merge/strategy"],
  ["cherry-pick", "sequencer/opts"],
  ["revert", "sequencer/opts"],
  ["revert", "MERGE_MODE"],
  ["rebase", "rebase-merge/git-rebase-todo"],
  ["rebase", "rebase-merge/update-refs"],
  ["rebase", "rebase-apply/apply-opt"],
  ["rebase", "sequencer/todo"],
])("goes back in a %s whatever stands in %s, which is not read then", async (kind, file) => {
  for (const text of ["run --x\n", {}]) expect(await refusalOf({ [file]: text }, { kind, step: "abort" })).toBe("");
});

describe("a plan that runs commands", () => {
  test.each(["exec", "x"])("stops continue and skip, and lets abort end it: %s", async (word) => {
    const files = { "rebase-merge/git-rebase-todo": `pick ${ID}\n \t${word} touch x\n` };
    const message = `Refused: the plan of this rebase runs commands (${word}) in rebase-merge/git-rebase-todo.`;
    expect(await refusalOf(files)).toContain(message);
    expect(await refusalOf(files, { step: "skip" })).toContain(message);
    expect(await refusalOf(files, { step: "abort" })).toBe("");
    expect(await refusalOf(files, { isTrusted: true })).toBe("");
  });
});

test.each(["rebase-merge/git-rebase-todo", "rebase-merge/strategy", "sequencer/todo", "sequencer/opts", "rebase-apply/apply-opt"])(
  "refuses %s that cannot be read whole",
  async (name) => {
    const message = `Refused: ${name} of the operation in progress is not a plain file of at most 4194304 bytes.`;
    expect(await refusalOf({ [name]: {} })).toContain(message);
    await using folder = tempFolder({ ".git": { [name]: "" } });
    truncateSync(folder.at(".git", name), 4 * 1024 * 1024 + 1);
    const gitDir = folder.at(".git");
    const state = {
      top: folder.path,
      gitDir,
      commonDir: gitDir,
      isBare: false,
      config: [],
      networkSettings: [],
      changeSettings: [],
      mergeSettings: [],
      isTrusted: false,
    };
    await expect(refuseUnknownOperation("git", state, { kind: kindOf(name), step: "continue" })).rejects.toThrow(message);
  },
);

test("refuses sequencer/opts that git cannot read", async () => {
  expect(await refusalOf({ "sequencer/opts": "[options\n" })).toContain(
    "The file sequencer/opts of the operation in progress cannot be read: ",
  );
});
