// Real repositories by the real git, with fixed people and dates, so that ids are the same in every run. Nothing of the machine's or
// the user's configuration gets in.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeTree, type Tree } from "@oarlock/testing";
import { runGit } from "./run-git.ts";

/** Seconds of the first commit; each further one is a minute later. */
const FIRST = 1_700_000_000;

export interface GitOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes other than 0 are an answer too. */
  readonly loose?: boolean;
}

/** A name such as `branch.main.remote`, and its value. */
export type Setting = readonly [name: string, value: string];

/** Lines of a configuration file, in place of a start of git for each. */
export const settingLines = (settings: readonly Setting[]): string =>
  settings
    .map(([name, value]) => {
      const [, section = "", subsection, key = ""] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(name) ?? [];
      const head = subsection === undefined ? section : `${section} ${JSON.stringify(subsection)}`;
      return `[${head}]\n\t${key} = ${JSON.stringify(value)}\n`;
    })
    .join("");

export class TestRepository {
  readonly path: string;
  #ticks = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** The bytes that git says. Arguments need not be UTF-8. */
  raw(args: readonly (string | Buffer)[], { input, env, loose = false }: GitOptions = {}): Buffer {
    const date = `${FIRST + this.#ticks * 60} +0000`;
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const { status, stdout, stderr } = runGit({ args, cwd: this.path, env: { ...dates, ...env }, input });
    if (status !== 0 && !loose) throw Object.assign(new Error(`git ${args.join(" ")}: ${stderr.toString()}`), { status });
    return stdout;
  }

  /** What git says, without its last newline: `git("log", "-1")`. */
  git(...args: string[]): string {
    return this.raw(args).toString().replace(/\n$/, "");
  }

  /** The same, whatever the exit code. */
  loosely(...args: string[]): string {
    return this.raw(args, { loose: true }).toString().replace(/\n$/, "");
  }

  write(tree: Tree): this {
    writeTree(this.path, tree);
    return this;
  }

  /** Adds settings to its configuration. */
  configure(...settings: readonly Setting[]): this {
    appendFileSync(join(this.path, ".git/config"), settingLines(settings));
    return this;
  }

  /** Writes, stages everything and commits; gives the id. Dates go up by a minute. */
  commit(message: string, tree: Tree = {}, env: Readonly<Record<string, string>> = {}): string {
    this.write(tree);
    this.raw(["add", "-A"]);
    this.raw(["-c", "maintenance.auto=false", "commit", "--quiet", "--allow-empty", "--no-verify", "-F", "-"], { input: message, env });
    this.#ticks++;
    return this.#head();
  }

  /** The id of HEAD after a commit: read from its file, as a start of git costs more. */
  #head(): string {
    const read = (name: string): string => readFileSync(join(this.path, ".git", name), "utf8").trim();
    try {
      const head = read("HEAD");
      return head.startsWith("ref: ") ? read(head.slice("ref: ".length)) : head;
    } catch {
      return this.git("rev-parse", "HEAD"); // a linked work tree, whose `.git` is a file
    }
  }

  /** New refs to one commit as `git pack-refs` stores them, where there are no packed ones yet: a file of each would cost seconds. */
  packedRefs(id: string, names: readonly string[]): this {
    const lines = names.toSorted().map((name) => `${id} ${name}\n`);
    writeFileSync(join(this.path, ".git/packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${lines.join("")}`);
    return this;
  }

  /** Many commits quickly, by fast-import: the n-th changes `file-<n % files>.txt`. */
  fill(commits: number, files: number, branch = "main"): this {
    const parts: string[] = [];
    for (let n = 0; n < commits; n++) {
      const at = `${FIRST + n * 60} +0000`;
      const content = `file ${n % files}\nrevision ${n}\n`;
      const message = `commit ${n}\n`;
      parts.push(
        `commit refs/heads/${branch}\ncommitter Grace Hopper <grace@example.org> ${at}\ndata ${message.length}\n${message}` +
          `M 100644 inline file-${n % files}.txt\ndata ${content.length}\n${content}\n`,
      );
    }
    this.raw(["fast-import", "--quiet"], { input: parts.join("") });
    this.#ticks = commits;
    if (this.git("rev-parse", "--is-bare-repository") === "false") this.git("reset", "--hard", "--quiet", branch);
    return this;
  }
}

/** The files that `git init` writes. */
const emptyRepositories: { plain?: EmptyRepository; bare?: EmptyRepository } = {};

type EmptyRepository = readonly [head: string, config: string];

function initialize(repository: TestRepository, gitDir: string, bare: boolean): EmptyRepository {
  repository.git("init", "--quiet", "--initial-branch=main", "--template=", ...(bare ? ["--bare"] : []));
  return [readFileSync(join(gitDir, "HEAD"), "utf8"), readFileSync(join(gitDir, "config"), "utf8")];
}

/** A new repository on branch `main`, whose own configuration says who commits. */
export function makeRepository(path: string, tree?: Tree, { bare = false } = {}): TestRepository {
  const gitDir = bare ? path : join(path, ".git");
  for (const folder of ["info", "objects/info", "objects/pack", "refs/heads", "refs/tags"])
    mkdirSync(join(gitDir, folder), { recursive: true });
  const repository = new TestRepository(path);
  // As git writes them, without the samples of hooks; only the first repository of a process starts git for them.
  const [head, config] = (emptyRepositories[bare ? "bare" : "plain"] ??= initialize(repository, gitDir, bare));
  writeFileSync(join(gitDir, "HEAD"), head);
  writeFileSync(join(gitDir, "config"), config);
  appendFileSync(join(gitDir, "config"), "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n");
  if (tree !== undefined) repository.commit("first", tree);
  return repository;
}

/** A clone by the file protocol, with options such as `--depth=1`. */
export function cloneOf(from: TestRepository, path: string, ...options: string[]): TestRepository {
  new TestRepository(from.path).git("clone", "--quiet", "--no-local", ...options, `file://${from.path}`, path);
  return new TestRepository(path);
}
