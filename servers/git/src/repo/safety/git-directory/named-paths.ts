// Files of a git directory that name other files by their paths: git opens what they name, and removes it when it is replaced.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { platform } from "../../../platform.ts";
import { GitError } from "../../errors.ts";
import { entryAt } from "../file-entry.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const MULTI_PACK_INDEX = /^multi-pack-index(?:-[0-9a-f]+\.midx)?$/;
const HEADER_BYTES = 12;
const CHUNK_BYTES = 12;

/** Whether git opens what the file names. `root`: the git directory. */
export function namesPaths(path: string, root: string, of: NodeJS.Platform = platform): boolean {
  const name = fold(path, of);
  return MULTI_PACK_INDEX.test(basename(name)) || isTableList(name) || isCommonDir(name, fold(root, of));
}

/** Where file systems ignore case, git finds its file `commondir` by the name `CommonDir`, too. */
const fold = (path: string, of: NodeJS.Platform = platform): string => (of === "win32" || of === "darwin" ? path.toLowerCase() : path);

const isTableList = (path: string): boolean => basename(path) === "tables.list" && basename(dirname(path)) === "reftable";

/** A linked work tree shares refs and objects with the repository that keeps its files. */
const isCommonDir = (path: string, root: string): boolean =>
  basename(path) === "commondir" && dirname(dirname(path)) === resolve(root, "worktrees");

/** Throws for a file that names one in another folder. `root`: the git directory; `name`: the path of the file from there. */
export function refusePathsElsewhere(path: string, root: string, name: string, given: string, of: NodeJS.Platform = platform): void {
  const folded = fold(path, of);
  if (MULTI_PACK_INDEX.test(basename(folded))) {
    const packs = packNames(path);
    // git goes on with a warning, but the files that this one names are unknown.
    if (packs === undefined)
      throw new GitError(
        "failed",
        `Damaged repository: the file ${name} in the git directory of ${clip(given)} cannot be read. Remove that file; packs have indexes of their own.`,
      );
    requirePlainNames(packs, name, given);
  }
  if (isTableList(folded)) requirePlainNames(textOf(path)?.split("\n"), name, given);
  if (isCommonDir(folded, fold(root, of))) {
    const common = textOf(path)?.replace(/[\r\n]+$/, "");
    if (common === undefined || resolve(dirname(path), common) !== root) throw refusal(name, given);
  }
}

function requirePlainNames(names: readonly string[] | undefined, name: string, given: string): void {
  if (names === undefined || names.some((one) => /[\\/]/.test(one))) throw refusal(name, given);
}

const refusal = (name: string, given: string): GitError =>
  new GitError(
    "unsafe",
    `Refused: the file ${name} in the git directory of ${clip(given)} names files of another folder, or cannot be read. Remove or repair it.`,
  );

const textOf = (path: string): string | undefined => ((entryAt(path)?.size ?? 0) > MAX_BYTES ? undefined : readFileSync(path, "latin1"));

/** The packs that a multi-pack index names (gitformat-pack): its chunk PNAM. Undefined where it has none. */
function packNames(path: string): string[] | undefined {
  const file = openSync(path, "r");
  try {
    const chunkCount = readBytes(file, 0, HEADER_BYTES).readUInt8(6);
    const chunks = readBytes(file, HEADER_BYTES, (chunkCount + 1) * CHUNK_BYTES);
    for (let at = 0; at < chunkCount * CHUNK_BYTES; at += CHUNK_BYTES) {
      if (chunks.toString("latin1", at, at + 4) !== "PNAM") continue;
      const start = Number(chunks.readBigUInt64BE(at + 4));
      const end = Number(chunks.readBigUInt64BE(at + CHUNK_BYTES + 4));
      return end - start > MAX_BYTES
        ? undefined
        : readBytes(file, start, end - start)
            .toString("latin1")
            .split("\0");
    }
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Throws a RangeError where the file is shorter. */
function readBytes(file: number, at: number, length: number): Buffer {
  if (length < 0 || !Number.isSafeInteger(at)) throw new RangeError("not in the file");
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, at) < length) throw new RangeError("not in the file");
  return bytes;
}
