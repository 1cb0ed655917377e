// Each file and folder of a git directory in turn replaced by something else: nothing runs, nothing outside is read or written, and the
// server answers.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { needs, tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { worldOf, type World } from "../support/world.ts";

const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ["git_status", {}],
  ["git_log", { max_count: 5 }],
  ["git_branch", {}],
  ["git_add", { files: ["a.txt"] }],
  ["git_create_branch", { branch_name: "made" }],
];

let at: World;
let before: readonly string[];
const gitDir = (name: string): string => at.folder.at("all/project/.git", name);
const outside = (name: string): string => at.folder.at("out/project/.git", name);

beforeAll(async () => {
  const folder = tempFolder({ all: {}, out: {} });
  const repository = makeRepository(folder.at("all/project"), { "a.txt": "a\n", "b.txt": "b\n" });
  repository.git("pack-refs", "--all");
  repository.git("branch", "loose");
  repository.write({ ".git/hooks/pre-commit": "", ".git/info/exclude": "x\n" });
  const secret = makeRepository(folder.at("out/project"), { "a.txt": "CANARY\n" });
  secret.git("branch", "CANARY");
  secret.git("config", "alias.status", `!touch '${folder.at("mark")}'`);
  secret.git("config", "filter.x.clean", `touch '${folder.at("mark")}'`);
  secret.git("config", "core.fsmonitor", `touch '${folder.at("mark")}'`);
  at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  cpSync(gitDir(""), outside("../../same"), { recursive: true });
  before = filesBelow(folder.at("out"));
});
afterAll(() => at[Symbol.asyncDispose]());

const filesBelow = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

type Replacement = (path: string, name: string, isFolder: boolean) => void;

const LINKS: Readonly<Record<string, Replacement>> = {
  "a link inside": (path, name, isFolder) => {
    const copy = at.folder.at("all/copy", name);
    mkdirSync(isFolder ? copy : dirname(copy), { recursive: true });
    if (!isFolder) writeFileSync(copy, "");
    symlinkSync(copy, path);
  },
  "a link outside": (path, name) => symlinkSync(outside(name), path),
  "a dangling link": (path) => symlinkSync(at.folder.at("out/created"), path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a link in two hops": (path, name) => {
    const hop = at.folder.at("all/hop");
    rmSync(hop, { force: true });
    symlinkSync(outside(name), hop);
    symlinkSync(hop, path);
  },
};

const OTHERS: Readonly<Record<string, Replacement>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  ...(process.getuid?.() === 0 && { "a device": (path: string) => execFileSync("mknod", [path, "c", "1", "5"]) }),
  "a huge file": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 8 * 1024 ** 3);
  },
  "an empty file": (path) => writeFileSync(path, ""),
  garbage: (path) => writeFileSync(path, Buffer.from(Array.from({ length: 997 }, (_, n) => (n * 7919) % 256))),
};

/** Calls the tools with each entry of the git directory replaced in turn; `check` gets each answer. */
async function withEach(replace: Replacement, check: (name: string, text: string) => void): Promise<void> {
  const kept = at.folder.at("kept");
  for (const name of filesBelow(gitDir(""))) {
    if (/^(?:hooks|objects)\/./.test(name) && !/^objects\/(?:..|info|pack)$/.test(name)) continue;
    const isFolder = lstatSync(gitDir(name)).isDirectory();
    renameSync(gitDir(name), kept);
    try {
      replace(gitDir(name), name, isFolder);
      for (const [tool, args] of CALLS) {
        const answer = await at.client.call(tool, { ...args, repo_path: at.folder.at("all/project") });
        check(name, `${tool}: ${JSON.stringify(answer.content)}`);
      }
    } finally {
      rmSync(gitDir(name), { recursive: true, force: true });
      renameSync(kept, gitDir(name));
      rmSync(gitDir("refs/heads/made"), { force: true });
      rmSync(gitDir("index.lock"), { force: true });
    }
    expect(existsSync(at.folder.at("mark")), name).toBe(false);
    expect(filesBelow(at.folder.at("out")), name).toEqual(before);
  }
}

test.each(Object.entries(LINKS))("V1 V3 refuses %s in place of each entry and names the entry", needs("Linux"), async (_what, replace) => {
  await withEach(replace, (name, text) => {
    expect(text, name).not.toContain("CANARY");
    if (name !== "hooks") expect(text, name).toMatch(/holds the symbolic link/);
  });
});

test.each(Object.entries(OTHERS))("V3 V5 answers with %s in place of each entry", needs("Linux"), async (_what, replace) => {
  await withEach(replace, (name, text) => expect(text, name).not.toContain("CANARY"));
});
