// The history of a path ends where its file was renamed: a notice names the old path.
import { clip } from "@oarlock/domain-kit";
import { addNotice } from "../messages/notices.ts";
import type { Repository } from "../repository.ts";
import { relativePath } from "../safety/path-resolver.ts";
import { nameToText } from "../text/file-names.ts";
import { splitRecords } from "../process/nul-records.ts";

/** In a commit with more files that came or went, git looks only for files of the same content. */
const RENAME_LIMIT = 500;
const OPTIONS = ["--format=", "--name-status", "-z", "--diff-merges=first-parent", "--find-renames", `-l${RENAME_LIMIT}`];
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=all", "--diff-filter=R"];
const DIGITS = 7;

/** @param oldest The first commit of the paths. */
export async function noticeRename(
  repository: Repository,
  { oldest, paths }: { readonly oldest: string; readonly paths: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  const { exitCode, stdout, isTruncated } = await repository.tryRead({ args: ["show", ...OPTIONS, ...PLAIN, oldest, "--"], signal });
  if (exitCode !== 0 || isTruncated) return;
  const wanted = paths.map((path) => relativePath(repository, path));
  const isWanted = (name: string): boolean => wanted.some((path) => path === "." || name === path || name.startsWith(`${path}/`));
  const names = splitRecords(stdout).map(nameToText);
  const renames: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at + 2 < names.length; at += 3) {
    const [from = "", to = ""] = names.slice(at + 1, at + 3);
    if (isWanted(to) && !isWanted(from)) renames.push([from, to]);
  }
  const [first] = renames;
  if (first === undefined) return;
  const more = renames.length > 1 ? `, one of ${renames.length},` : "";
  addNotice(
    `[${clip(first[1])}${more} was renamed from ${clip(first[0])} in ${oldest.slice(0, DIGITS)}: give that as paths, or ${follow(paths)}, for what was before.]`,
  );
}

const follow = (paths: readonly string[]): string => (paths.length === 1 ? "follow" : "one path with follow");
