// One open repository: the door through which every command goes. What is passed to git comes from code, from checks, or through a
// pipe; a failure becomes words that say what to do.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Batch, BatchEnded, type Answer, type ObjectInfo, type ObjectRead } from "./process/object-reader.ts";
import { eachRef } from "./refs/ref-list.ts";
import { environmentOf, type Environment, type Setting } from "./process/environment.ts";
import { GitError, clip } from "./errors.ts";
import type { Facts } from "./safety/repository-state.ts";
import { failure } from "./process/git-failure.ts";
import { checkRevision, isFullId, nearestNames } from "./refs/revision-syntax.ts";
import { stamp } from "./safety/git-directory-check.ts";
import { mayLookInto, Submodules } from "./safety/submodule-check.ts";
import { inTurn } from "./process/command-queue.ts";
import { runGit, type Ran, type Run, type Spawning } from "./process/git-process.ts";

/** Opens a repository that lies in this one, or refuses to. */
export type OpenOther = (folder: string, given: string) => Promise<Repository>;

export interface RunOptions extends Run {
  /** Settings beside the safe ones, from code. */
  readonly settings?: readonly Setting[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Looks, when it is its turn, whether it may go on. */
  readonly ready?: (() => void) | undefined;
  /** Exit codes that are no failure. Default only 0. */
  readonly allow?: readonly number[] | undefined;
}

interface Question {
  readonly name: string | Buffer;
  readonly keep: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly limit: AbortSignal;
  readonly either: AbortSignal;
}

/** Commands that only look. */
const ALONE: ReadonlySet<string> = new Set([
  "status",
  "log",
  "diff",
  "show",
  "blame",
  "grep",
  "for-each-ref",
  "ls-files",
  "ls-tree",
  "rev-list",
  "rev-parse",
]);

/** One question to the object store may take so long. */
const RESOLVE_MS = 10_000;
const MOST_PACKED = 32 * 1024 * 1024;

export class Repository {
  readonly facts: Facts;
  /** How callers name it. */
  readonly name: string;
  readonly #git: string;
  readonly #env: Environment;
  /** Looked at before a command that may look into them. */
  readonly submodules: Submodules;
  readonly #openOther: OpenOther;
  #batch: Batch | undefined;
  #packedStamp = "";
  #packedText = "";

  constructor(git: string, facts: Facts, name: string, openOther: OpenOther) {
    this.#git = git;
    this.#openOther = openOther;
    this.submodules = new Submodules(this);
    this.facts = facts;
    this.name = name;
    this.#env = environmentOf(git, this.#place);
  }

  get #place() {
    const { gitDir, top, bare } = this.facts;
    return { gitDir, workTree: bare ? undefined : top };
  }

  get spawning(): Spawning {
    return { git: this.#git, env: this.#env, cwd: this.facts.top };
  }

  /** Runs git and gives what it said, whatever its exit code. */
  async try({ settings, env, ready, ...run }: RunOptions): Promise<Ran> {
    if (mayLookInto(run.args[0])) await this.submodules.check(this.#openOther, run.signal);
    const whole = settings === undefined ? this.#env : environmentOf(this.#git, this.#place, settings);
    // Nothing of theirs starts a process, unless the operator lets the repository name one.
    const alone = !this.facts.trusted && ALONE.has(String(run.args[0]));
    const batch = this.#batch;
    batch?.hold();
    try {
      const spawning = { git: this.#git, env: env === undefined ? whole : { ...whole, ...env }, cwd: this.facts.top };
      return await inTurn(this.facts.commonDir, run.args, run.signal, async () => {
        ready?.();
        return await runGit(spawning, { ...run, alone });
      });
    } finally {
      batch?.release();
    }
  }

  /** Runs git, which must succeed. */
  async run(options: RunOptions): Promise<Ran> {
    const ran = await this.try(options);
    if (ran.cut || options.allow?.includes(ran.code ?? -1) === true || ran.code === 0) return ran;
    throw failure(this, ran, options.args);
  }

  /** Throws unless there are files to work with. */
  needsWorkTree(): void {
    if (this.facts.bare) throw new GitError("invalid", "This repository is bare: it has no work tree to do that in.");
  }

  /** What an object is, by any name that git knows; `keep` reads so many bytes of it. */
  async object(name: string | Buffer, keep?: number, signal?: AbortSignal): Promise<Answer<ObjectRead>> {
    const limit = AbortSignal.timeout(RESOLVE_MS);
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    // A search through messages may take long: others do not wait behind it.
    if (typeof name === "string" && /:\/|\^\{\/|@\{/.test(name)) {
      const own = new Batch(this.spawning);
      try {
        return await this.#asked(own, { name, keep, signal, limit, either });
      } finally {
        own.close();
      }
    }
    return await this.#asked((this.#batch ??= new Batch(this.spawning)), { name, keep, signal, limit, either });
  }

  async #asked(batch: Batch, { name, keep, signal, limit, either }: Question): Promise<Answer<ObjectRead>> {
    for (let round = 0; ; round++) {
      try {
        return await batch.ask(name, keep, either);
      } catch (error) {
        if (limit.aborted && signal?.aborted !== true)
          throw new GitError("invalid", `It takes too long to find out what this revision means: ${clip(name.toString())}`);
        if (!(error instanceof BatchEnded)) throw error;
        // Another question ended the process; or this one did, and is none that has an answer.
        if (!error.again) return "missing";
        if (round >= 20) throw error;
      }
    }
  }

  /** The object that a revision names. Throws words that help where there is none. */
  async resolve(revision: string, signal?: AbortSignal): Promise<ObjectInfo> {
    checkRevision(revision);
    const found = await this.object(revision, undefined, signal);
    if (typeof found !== "string") return found;
    throw await this.#unknown(revision, found, signal);
  }

  /** What a revision names, behind all tags. */
  async peeled(revision: string, signal?: AbortSignal): Promise<ObjectInfo> {
    const found = await this.resolve(revision, signal);
    const behind = found.type === "tag" ? await this.object(`${found.oid}^{}`, undefined, signal) : found;
    return typeof behind === "string" ? found : behind;
  }

  /** The commit that a revision names or leads to. */
  async commit(revision: string, signal?: AbortSignal): Promise<string> {
    if (revision === "HEAD") {
      const head = this.head();
      if (head.oid !== undefined) return head.oid;
    }
    const found = await this.peeled(revision, signal);
    if (found.type === "commit") return found.oid;
    throw new GitError("invalid", `"${clip(revision)}" is a ${found.type}, not a commit.`);
  }

  /** Where HEAD is, read as git reads it; without an id where that takes git (other ref stores, packed branches) or nothing is there. */
  head(): { readonly branch?: string; readonly oid?: string } {
    const { gitDir, commonDir, config } = this.facts;
    if (config.some(({ key, value }) => key === "extensions.refstorage" && value !== "files")) return {};
    const text = readSmall(join(gitDir, "HEAD"));
    if (text === undefined) return {};
    if (isFullId(text)) return { oid: text };
    const [, branch] = /^ref: refs\/heads\/(\S+)$/.exec(text) ?? [];
    if (branch === undefined) return {};
    const oid = readSmall(join(commonDir, "refs/heads", branch)) ?? this.#packed(`refs/heads/${branch}`);
    return oid !== undefined && isFullId(oid) ? { branch, oid } : { branch };
  }

  /** A reference in the one file that holds many; read again when it has changed. */
  #packed(ref: string): string | undefined {
    const path = join(this.facts.commonDir, "packed-refs");
    const now = stamp(path);
    if (now !== this.#packedStamp) {
      this.#packedStamp = now;
      const stat = lstatSync(path, { throwIfNoEntry: false });
      this.#packedText = stat?.isFile() === true && stat.size <= MOST_PACKED ? readFileSync(path, "latin1") : "";
    }
    const at = this.#packedText.indexOf(` ${Buffer.from(ref).toString("latin1")}\n`);
    return at === -1 ? undefined : this.#packedText.slice(this.#packedText.lastIndexOf("\n", at) + 1, at);
  }

  /** The commit at HEAD, or undefined before the first one. */
  async headCommit(signal?: AbortSignal): Promise<string | undefined> {
    const { oid } = this.head();
    if (oid !== undefined) return oid;
    const found = await this.object("HEAD", undefined, signal);
    return typeof found === "string" ? undefined : found.oid;
  }

  async #unknown(revision: string, why: "missing" | "ambiguous", signal?: AbortSignal): Promise<GitError> {
    if (why === "ambiguous") return new GitError("not-found", `"${clip(revision)}" could be several objects: give more of its id.`);
    if ((await this.headCommit(signal)) === undefined && /^(?:HEAD|@)\b/.test(revision))
      return new GitError("not-found", `Unknown revision "${clip(revision)}": there are no commits yet.`);
    const [, from = ""] = /^(.+?)(?:[~^]\d*)+$/.exec(revision) ?? [];
    const isBefore = from !== "" && typeof (await this.object(from, undefined, signal)) !== "string";
    if ((isBefore || isFullId(revision)) && existsSync(join(this.facts.commonDir, "shallow")))
      return new GitError(
        "not-found",
        `There is no "${clip(revision)}" here: the history of this repository is shallow, and may end before it. git fetch --unshallow, by git itself, brings the rest.`,
      );
    if (isBefore) return new GitError("not-found", `There is no "${clip(revision)}": "${clip(from)}" has no such parent or ancestor.`);
    const near = nearestNames(revision, ["HEAD", ...(await this.refNames(signal))]);
    const hint =
      near.length > 0 ? `did you mean ${near.map((name) => `"${name}"`).join(", ")}?` : "git_branch and git_tag list what there is.";
    return new GitError("not-found", `Unknown revision "${clip(revision)}": ${hint}`);
  }

  /** Short names of branches, remote branches and tags, newest first. */
  async refNames(signal?: AbortSignal, kinds: readonly string[] = ["refs/heads", "refs/remotes", "refs/tags"]): Promise<string[]> {
    const { lines } = await eachRef(this, ["--count=2000", "--sort=-creatordate", "--format=%(refname:strip=2)"], kinds, signal);
    return lines.filter((name) => !name.endsWith("/HEAD"));
  }

  close(): void {
    this.#batch?.close();
    this.#batch = undefined;
  }
}

/** A small file without its last newline. */
function readSmall(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size < 4096 ? readFileSync(path, "utf8").trimEnd() : undefined;
  } catch {
    return undefined;
  }
}
