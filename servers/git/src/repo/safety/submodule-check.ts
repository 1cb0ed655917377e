// Checks submodules that are checked out. Commands that change things start a git of their own in them, which reads their configuration,
// so that configuration is checked first. Options keep read-only commands out of submodules.
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { RepositoryPaths, WithPaths } from "../process/repository-paths.ts";
import { isByteName, nameFromText, nameToText } from "../text/file-names.ts";
import { enterableEntryAt } from "./file-entry.ts";
import { fileSignature } from "./git-directory/git-directory-check.ts";
import { absolutePath } from "./path-resolver.ts";

const GITLINK_MODE_IN_INDEX = Buffer.from([0, 0, 0xe0, 0]);
const GITLINK_MODE = "160000 ";
const GIT_ENTRY = Buffer.from("/.git");
const MAX_DEPTH = 8;
const MAX_INDEX_BYTES = 512 * 1024 * 1024;

/** Opens a repository inside another one, which refuses an unsafe one. `given`: its path for messages. */
export type OpenSubmodule = (folder: string, given: string) => Promise<{ readonly submodules: SubmoduleCheck }>;

export class SubmoduleCheck implements WithPaths {
  readonly state: RepositoryPaths;
  readonly #listIndex: (maxBytes: number, signal?: AbortSignal) => Promise<Buffer>;
  #indexSignature = "";
  #paths: readonly string[] = [];

  /** `listIndex` runs `git ls-files --stage -z`. */
  constructor(state: RepositoryPaths, listIndex: (maxBytes: number, signal?: AbortSignal) => Promise<Buffer>) {
    this.state = state;
    this.#listIndex = listIndex;
  }

  /** Opens each submodule and those inside it. Throws a {@link GitError} when one is unsafe. */
  async run(open: OpenSubmodule, signal?: AbortSignal, depth = 0): Promise<void> {
    for (const path of await this.checkedOut(signal)) {
      if (isByteName(path))
        throw new GitError("unsafe", `Refused: the name of submodule ${clip(path)} is not UTF-8, so it cannot be checked. Rename it.`);
      if (depth >= MAX_DEPTH)
        throw new GitError("unsafe", `Refused: submodules are nested too deep: ${clip(path)}. Check fewer of them out.`);
      const { submodules } = await open(join(this.state.top, path), path);
      await submodules.run(open, signal, depth + 1);
    }
  }

  /** The paths of submodules that are checked out. */
  async checkedOut(signal?: AbortSignal): Promise<string[]> {
    return this.state.isBare ? [] : (await this.#submodulePaths(signal)).filter((path) => this.#isCheckedOut(path));
  }

  #isCheckedOut(path: string): boolean {
    const entry = absolutePath(this, Buffer.concat([nameFromText(path), GIT_ENTRY]));
    // A file may be in the place of the folder.
    return enterableEntryAt(entry) !== undefined;
  }

  /** Paths in the index that stand for commits of other repositories. */
  async #submodulePaths(signal?: AbortSignal): Promise<readonly string[]> {
    const { gitDir } = this.state;
    const indexes = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
    const signature = indexes.map((name) => name + fileSignature(join(gitDir, name))).join(" ");
    if (signature === this.#indexSignature) return this.#paths;
    // Most repositories have no submodule: searching the bytes of the index saves them a process.
    const mayHaveSome = indexes.some((name) => mayHoldGitlink(join(gitDir, name)));
    this.#paths = mayHaveSome ? gitlinksIn(await this.#listIndex(MAX_INDEX_BYTES, signal)) : [];
    this.#indexSignature = signature;
    return this.#paths;
  }
}

function gitlinksIn(stage: Buffer): string[] {
  const links = splitRecords(stage).filter((record) => record.toString("latin1", 0, GITLINK_MODE.length) === GITLINK_MODE);
  return [...new Set(links.map((record) => nameToText(record.subarray(record.indexOf(9) + 1))))];
}

/** False positives happen: the bytes of the mode may be part of something else. */
function mayHoldGitlink(index: string): boolean {
  const stat = lstatSync(index);
  return !stat.isFile() || stat.size > MAX_INDEX_BYTES || readFileSync(index).includes(GITLINK_MODE_IN_INDEX);
}
