// Checks the paths of an index. git takes them as they are: it shows, overwrites and removes the files that they lead to.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { platform } from "../../../platform.ts";
import { GitError } from "../../errors.ts";
import { entryAt } from "../file-entry.ts";
import { isGitDirectoryName } from "./directory-name.ts";
import { fileSignature, isSettled } from "./git-directory-check.ts";
import { IndexDamaged, indexPaths } from "./index-paths.ts";

const MAX_BYTES = 512 * 1024 * 1024;

/** A name that cannot be part of a path below the top. The last name of a folder in a sparse index is empty. */
const FORBIDDEN = /(?:^|\/)(?:\.|\.\.|\.git)(?:\/|$)|^\/|\/\//i;
const FORBIDDEN_ON_WINDOWS = /[\\:]/;

/** `path`: as Latin-1 text. */
export function leadsOut(path: string, of: NodeJS.Platform = platform): boolean {
  if (FORBIDDEN.test(path) || (of === "win32" && FORBIDDEN_ON_WINDOWS.test(path))) return true;
  const isOwnRule = of === "win32" || of === "darwin";
  return (
    isOwnRule &&
    Buffer.from(path, "latin1")
      .toString()
      .split("/")
      .some((name) => isGitDirectoryName(name, of))
  );
}

/** The check of one repository's index, repeated when the file has changed. */
export class IndexCheck {
  readonly #gitDir: string;
  readonly #idBytes: number;
  #checked = "";

  /** `idBytes`: the length of object ids, 20 for SHA-1. */
  constructor(gitDir: string, idBytes: number) {
    this.#gitDir = gitDir;
    this.#idBytes = idBytes;
  }

  /** Throws a {@link GitError} for a path that leads out of the work tree, and for an index that cannot be read. */
  run(given: string): void {
    // The first part of a split index lies in a file of its own, which may come later than the index that names it.
    const names = ["index", ...readdirSync(this.#gitDir).filter((name) => name.startsWith("sharedindex."))];
    const signature = names.map((name) => `${name} ${fileSignature(join(this.#gitDir, name))}`).join("/");
    if (signature === this.#checked) return;
    for (const name of names) this.#checkFile(name, given);
    this.#checked = names.every((name) => isSettled(entryAt(join(this.#gitDir, name)))) ? signature : "";
  }

  #checkFile(name: string, given: string): void {
    const path = join(this.#gitDir, name);
    const stat = entryAt(path);
    if (stat === undefined) return;
    if (!stat.isFile() || stat.size > MAX_BYTES) throw damaged(name, given);
    try {
      for (const file of indexPaths(readFileSync(path), this.#idBytes))
        if (leadsOut(file))
          throw new GitError(
            "denied",
            `Access denied - the index of ${clip(given)} holds a path outside its work tree: ${clip(file)}. Remove the file ${name} in the git directory, and stage again what is missing.`,
          );
    } catch (error) {
      throw error instanceof IndexDamaged ? damaged(name, given) : error;
    }
  }
}

const damaged = (name: string, given: string): GitError =>
  new GitError(
    "unsafe",
    `Refused: the file ${name} in the git directory of ${clip(given)} is not an index that can be read whole. Remove it, and stage again what is missing.`,
  );
