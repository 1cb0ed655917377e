// Damaged and misleading repositories: each way in gives an answer or an error in words, nothing is made worse, and the next request
// is served. Nothing that lies in them is taken for an order.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestRepository } from "../support/repository.ts";
import { ENTRY_POINTS, tryAll, type EntryPoint } from "./entry-points.ts";
import { StressRun } from "./stress.ts";

type Damage = (repo: TestRepository, at: (name: string) => string, stress: StressRun) => void;

const write =
  (name: string, content: string | Buffer): Damage =>
  (_repo, at) => {
    mkdirSync(join(at(name), ".."), { recursive: true });
    rmSync(at(name), { recursive: true, force: true });
    writeFileSync(at(name), content);
  };

const noise = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 251));
const ID = "1234567890123456789012345678901234567890";

const DAMAGES: Readonly<Record<string, Damage>> = {
  "HEAD is noise": write(".git/HEAD", noise),
  "HEAD is empty": write(".git/HEAD", ""),
  "HEAD climbs": write(".git/HEAD", "ref: refs/heads/../../../../OUT/secret.txt\n"),
  "HEAD names the secret": write(".git/HEAD", "ref: ../../../OUT/secret.txt\n"),
  "HEAD is an object that is not there": write(".git/HEAD", `${ID}\n`),
  "HEAD is a folder": (_repo, at) => {
    rmSync(at(".git/HEAD"));
    mkdirSync(at(".git/HEAD"));
  },
  "HEAD is a symbolic loop": (_repo, at) => {
    writeFileSync(at(".git/HEAD"), "ref: refs/heads/loop\n");
    writeFileSync(at(".git/refs/heads/loop"), "ref: refs/heads/loop\n");
  },
  "the branch is noise": write(".git/refs/heads/main", noise),
  "the branch is gone": (_repo, at) => rmSync(at(".git/refs/heads/main")),
  "packed refs are noise": write(".git/packed-refs", noise),
  "the index is noise": write(".git/index", noise),
  "the index is cut": (_repo, at) => truncateSync(at(".git/index"), 20),
  "the index is a folder": (_repo, at) => {
    rmSync(at(".git/index"));
    mkdirSync(at(".git/index"));
  },
  "the configuration is noise": write(".git/config", noise),
  "the configuration is open-ended": write(".git/config", '[core\n\tbare = "'),
  "the configuration says bare": (repo) => repo.git("config", "core.bare", "true"),
  "an unknown extension": (repo) => repo.git("config", "extensions.unheardOf", "1"),
  "a repository of the future": (repo) => repo.git("config", "core.repositoryFormatVersion", "99"),
  "all objects are gone": (_repo, at) => {
    rmSync(at(".git/objects"), { recursive: true });
    mkdirSync(at(".git/objects"));
  },
  "the folder of objects is gone": (_repo, at) => rmSync(at(".git/objects"), { recursive: true }),
  "an object is cut": (repo, at) => {
    const id = repo.git("rev-parse", "HEAD:f.txt");
    const path = at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    chmodSync(path, 0o644);
    truncateSync(path, 5);
  },
  "an object is another one": (repo, at) => {
    const [one, two] = ["HEAD:f.txt", "HEAD"].map((name) => repo.git("rev-parse", name));
    const place = (id = ""): string => at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    const bytes = readFileSync(place(two));
    chmodSync(place(one), 0o644);
    writeFileSync(place(one), bytes);
  },
  "commondir climbs": write(".git/commondir", "../../../OUT/repo/.git\n"),
  "commondir is noise": write(".git/commondir", noise),
  ".git is noise": (_repo, at) => {
    renameSync(at(".git"), at("was"));
    writeFileSync(at(".git"), noise);
  },
  ".git names itself": (_repo, at) => {
    renameSync(at(".git"), at("was"));
    writeFileSync(at(".git"), "gitdir: .git\n");
  },
  ".git is a link to itself": (_repo, at) => {
    renameSync(at(".git"), at("was"));
    symlinkSync(".git", at(".git"));
  },
  "shallow is noise": write(".git/shallow", noise),
  "grafts make one up": write(".git/info/grafts", `${ID}\n`),
  "a merge of nothing": write(".git/MERGE_HEAD", `${ID}\n`),
  "a rebase that runs a command": (_repo, at, { executionMark: mark }) => {
    mkdirSync(at(".git/rebase-merge"));
    for (const [name, text] of Object.entries({
      interactive: "",
      "git-rebase-todo": `exec touch '${mark}'\n`,
      onto: ID,
      "head-name": "refs/heads/main",
      "orig-head": ID,
      end: "1",
      msgnum: "0",
      gpg_sign_opt: `-S\n`,
      strategy: "-s x",
    }))
      writeFileSync(at(`.git/rebase-merge/${name}`), text);
  },
  "a rebase of patches with options": (_repo, at, { executionMark: mark, out }) => {
    mkdirSync(at(".git/rebase-apply"));
    for (const [name, text] of Object.entries({
      next: "1",
      last: "1",
      rebasing: "",
      "head-name": "refs/heads/main",
      onto: ID,
      "apply-opt": ` --directory=${out} --exec=touch\\ ${mark}`,
      "0001": "From x\n",
    }))
      writeFileSync(at(`.git/rebase-apply/${name}`), text);
  },
  "a sequence of picks with options": (_repo, at) => {
    mkdirSync(at(".git/sequencer"));
    writeFileSync(at(".git/sequencer/todo"), `exec touch MARK\npick ${ID} x\n`);
    writeFileSync(at(".git/sequencer/opts"), '[options]\n\tstrategy = x\n\tgpg-sign = "--x"\n');
    writeFileSync(at(".git/sequencer/head"), ID);
  },
  "work trees that lead out": (_repo, at, { out }) => {
    mkdirSync(at(".git/worktrees/evil"), { recursive: true });
    writeFileSync(at(".git/worktrees/evil/gitdir"), `${out}/repo/.git\n`);
    writeFileSync(at(".git/worktrees/evil/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(at(".git/worktrees/evil/commondir"), "../..\n");
  },
  "branches and tags with names that look like options": (repo, at) => {
    const id = repo.git("rev-parse", "HEAD");
    for (const name of ["-x", "--output=x", "--upload-pack=x"]) {
      writeFileSync(at(`.git/refs/heads/${name}`), `${id}\n`);
      writeFileSync(at(`.git/refs/tags/${name}`), `${id}\n`);
    }
    repo.git("config", "branch.main.merge", "--output=x");
    repo.git("config", "branch.main.remote", "--upload-pack=x");
  },
};

let stress: StressRun;
const names = Object.keys(DAMAGES);

beforeAll(async () => {
  stress = new StressRun({ args: ["--timeout=4000"] });
  for (const [n, damage] of Object.values(DAMAGES).entries())
    damage(stress.repository(`r${n}`), (name) => stress.at(`r${n}`, name), stress);
  await stress.start();
});

afterAll(() => stress[Symbol.asyncDispose]());

/** All ways in where there is time; else each repository has its share of them, and the plainest always. */
const LONG = process.env["OARLOCK_LONG"] === "1";
const share = (n: number): ReadonlySet<EntryPoint> => new Set(ENTRY_POINTS.filter((_, at) => LONG || at === 0 || (at + n) % 6 === 0));

test.each(names.map((name, n) => [name, n] as const))("%s: answers every entry point, and runs or leaks nothing", async (_name, n) => {
  const entryPoints = share(n);
  for (const { entryPoint, text } of await tryAll(stress, stress.at(`r${n}`), (entryPoint) => entryPoints.has(entryPoint)))
    expect({ entryPoint, text }).toMatchObject({ text: expect.not.stringMatching(/Internal error/) });
  await stress.checkRules();
});
