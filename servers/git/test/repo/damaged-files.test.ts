// Files of git that are damaged or too new: the reply names the file and the next step, whatever tool is called.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeGitFile } from "../forms/form-builder.ts";
import type { TestRepository } from "../support/repository.ts";
import { world } from "../support/world.ts";

const flip = (file: string, at: number): void => {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  rmSync(file);
  writeFileSync(file, bytes);
};

interface Damage {
  readonly title: string;
  readonly damage: (repository: TestRepository, gitDir: string) => void;
  readonly calls: readonly (readonly [tool: string, args?: Record<string, unknown>])[];
  readonly reply: RegExp;
}

const DAMAGES: readonly Damage[] = [
  {
    title: "a multi-pack index of an unknown version",
    damage(repository, gitDir) {
      repository.git("repack", "-adq");
      repository.git("multi-pack-index", "write");
      flip(join(gitDir, "objects/pack/multi-pack-index"), 4);
    },
    calls: [["git_status"], ["git_log"], ["git_reflog", { ref: "main" }]],
    reply: /^Damaged repository: \.git\/objects\/pack\/multi-pack-index cannot be read\. Remove that file/,
  },
  {
    title: "an index of a pack",
    damage(repository, gitDir) {
      repository.git("repack", "-adq");
      const [name = ""] = readdirSync(join(gitDir, "objects/pack")).filter((file) => file.endsWith(".idx"));
      flip(join(gitDir, "objects/pack", name), 8);
    },
    calls: [["git_status"], ["git_show", { revision: "HEAD", path: "." }]],
    reply: /^Damaged repository: the index of a pack is damaged\. Remove that \.idx file/,
  },
  {
    title: "a line of .git/shallow",
    damage: (repository) => writeGitFile(repository, "shallow", "garbage\n"),
    calls: [["git_status"], ["git_log"]],
    reply: /^Damaged repository: \.git\/shallow has a line that names no commit\. Remove that line/,
  },
  {
    title: "a ref of notes",
    damage: (repository) => writeGitFile(repository, "refs/notes/commits", `${"1".repeat(40)}\n`),
    calls: [["git_show", { revision: "HEAD" }], ["git_log"]],
    reply: /^Damaged repository: a ref below refs\/notes names no tree of notes\. Delete that ref/,
  },
  {
    title: "a version of the format that this git does not know",
    damage: (repository) => repository.git("config", "core.repositoryFormatVersion", "99"),
    calls: [["git_status"], ["git_diff_unstaged"], ["git_diff_staged"], ["git_grep", { pattern: "a" }]],
    reply:
      /^The git of this machine is too old for the format of this repository\. Install a newer git\. git says: [^\n]*found 99(?:\nNot a git .*|\nunknown option .*)?$/,
  },
];

test.each(DAMAGES)("names $title and the next step", async ({ damage, calls, reply }) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  damage(at.repository, join(at.repository.path, ".git"));
  for (const [tool, args = {}] of calls) expect(await at.failure(tool, args), tool).toMatch(reply);
});

test.each([
  ["git_reflog", { ref: "side" }],
  ["git_branch", { action: "delete", name: "side" }],
  ["git_tag", { action: "delete", name: "side" }],
] as const)("%s does not say that a ref is unknown whose object is missing", async (tool, args) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  mkdirSync(join(at.repository.path, ".git/refs/tags"), { recursive: true });
  for (const folder of ["heads", "tags"]) writeGitFile(at.repository, `refs/${folder}/side`, `${"1".repeat(40)}\n`);
  expect(await at.failure(tool, args)).toMatch(/^Damaged repository: an object is missing .* names\.$/);
});
