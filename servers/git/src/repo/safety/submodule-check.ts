// Submodules that are checked out: commands that change things look into them with a git of their own, which reads their configuration.
// So that is judged before, like the repository's. Reading commands are told not to look.
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GitError, clip } from "../errors.ts";
import { records } from "../process/nul-records.ts";
import { bytesOf, isOdd, nameOf } from "../text/file-names.ts";
import { placeOf } from "./path-resolver.ts";
import type { Repository } from "../repository.ts";
import { stamp } from "./git-directory-check.ts";

/** Commands that may look into submodules. */
const LOOKING: ReadonlySet<string> = new Set([
  "add",
  "commit",
  "stash",
  "checkout",
  "reset",
  "restore",
  "worktree",
  "merge",
  "rebase",
  "cherry-pick",
  "revert",
  "pull",
]);

const GITLINK_MODE = Buffer.from([0, 0, 0xe0, 0]);
const GIT_ENTRY = Buffer.from("/.git");
const DEEPEST = 8;
const LARGEST = 512 * 1024 * 1024;

export const mayLookInto = (command: unknown): boolean => typeof command === "string" && LOOKING.has(command);

export class Submodules {
  readonly #repository: Repository;
  #signature = "";
  #paths: readonly string[] = [];

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** Opens each of them, which refuses what is a danger. */
  async check(open: (folder: string, given: string) => Promise<Repository>, signal?: AbortSignal, depth = 0): Promise<void> {
    const { facts } = this.#repository;
    if (facts.bare) return;
    for (const path of await this.#gitlinks(signal)) {
      if (isOdd(path)) {
        // What cannot be named as text cannot be looked at either, and git would enter it.
        if (lstatSync(placeOf(this.#repository, Buffer.concat([bytesOf(path), GIT_ENTRY])), { throwIfNoEntry: false }) === undefined)
          continue;
        throw new GitError("unsafe", `Refused: the name of a submodule is not UTF-8, so it cannot be looked into: ${clip(path)}`);
      }
      const folder = join(facts.top, path);
      if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) === undefined) continue;
      if (depth >= DEEPEST) throw new GitError("unsafe", `Refused: submodules lie too deep in each other: ${clip(path)}`);
      const below = await open(folder, path);
      await below.submodules.check(open, signal, depth + 1);
    }
  }

  /** Paths in the index that stand for commits of other repositories. */
  async #gitlinks(signal?: AbortSignal): Promise<readonly string[]> {
    const { gitDir } = this.#repository.facts;
    const indexes = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
    const signature = indexes.map((name) => name + stamp(join(gitDir, name))).join(" ");
    if (signature === this.#signature) return this.#paths;
    const any = indexes.some((name) => holdsMode(join(gitDir, name)));
    this.#paths = any ? await this.#listed(signal) : [];
    this.#signature = signature;
    return this.#paths;
  }

  async #listed(signal?: AbortSignal): Promise<string[]> {
    const { stdout } = await this.#repository.run({ args: ["ls-files", "--stage", "-z"], maxBytes: LARGEST, signal });
    const links = records(stdout).filter((record) => record.toString("latin1", 0, 7) === "160000 ");
    return [...new Set(links.map((record) => nameOf(record.subarray(record.indexOf(9) + 1))))];
  }
}

/** Whether the bytes of such an entry's mode stand anywhere in the file; they may by chance. */
function holdsMode(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() && stat.size <= LARGEST ? readFileSync(path).includes(GITLINK_MODE) : true;
}
