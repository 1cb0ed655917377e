// What git itself says, in the shape of the tools' answers.
import type { TestRepository } from "./repository.ts";

/** Records that end with NUL. */
export const fields = (bytes: Buffer): string[] => bytes.toString().split("\0").slice(0, -1);

/** `git diff --numstat` as files. */
export function numstat(
  repository: TestRepository,
  ...args: string[]
): { path: string; additions: number; deletions: number; binary: boolean }[] {
  return fields(repository.raw([...args, "--numstat", "--no-renames", "-z"])).map((record) => {
    const [added = "", deleted = "", path = ""] = record.split("\t");
    return { path, additions: Number(added) || 0, deletions: Number(deleted) || 0, binary: added === "-" };
  });
}

export const hashes = (repository: TestRepository, ...args: string[]): string[] =>
  repository
    .git("log", "--format=%H", ...args)
    .split("\n")
    .filter((line) => line !== "");
