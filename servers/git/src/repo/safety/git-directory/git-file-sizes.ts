// Bounds for the files of a git directory that git reads whole into memory.
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../../errors.ts";
import { entryAt } from "../file-entry.ts";

export const MAX_REF_BYTES = 65_536;
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const MAX_PACKED_REFS_BYTES = 1024 ** 3;

/** HEAD, and files beside it that name a commit while an operation is in progress. */
export const HEAD_NAMES: readonly string[] = [
  "HEAD",
  "ORIG_HEAD",
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "BISECT_HEAD",
  "AUTO_MERGE",
];
const TEXTS = ["FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "shallow", "info/attributes", "info/exclude", "info/sparse-checkout"];

const MAX_BYTES: readonly (readonly [name: string, maxBytes: number])[] = [
  ["commondir", MAX_REF_BYTES],
  ["gitdir", MAX_REF_BYTES],
  ...TEXTS.map((name) => [name, MAX_TEXT_BYTES] as const),
  ["packed-refs", MAX_PACKED_REFS_BYTES],
];

/** Throws for a file that is too large to be what its name says. Heads are checked with what they lead to. */
export function refuseHugeFiles(gitDir: string, given: string): void {
  for (const [name, maxBytes] of MAX_BYTES) refuseLarger(join(gitDir, name), name, maxBytes, given);
}

export function refuseLarger(path: string | Buffer, name: string, maxBytes: number, given: string): void {
  const stat = entryAt(path);
  if (stat === undefined || stat.isDirectory() || stat.size <= maxBytes) return;
  throw new GitError(
    "unsafe",
    `Refused: the file ${name} in the git directory of ${clip(given)} is larger than ${maxBytes} bytes. Repair or remove it.`,
  );
}
