// How many commits each author has in a range.
import { dateArguments, type DateRange } from "../refs/date-range.ts";
import { noticeHistoryLimits } from "../limits/history-limits.ts";
import type { Repository } from "../repository.ts";
import { pathArguments } from "../safety/path-resolver.ts";
import { decodeText } from "../text/file-names.ts";
import { truncateLine } from "./commit-record.ts";
import { tipsOf } from "./log-tips.ts";

export interface AuthorCount {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

export interface ShortlogOptions extends DateRange {
  readonly revision: string;
  readonly paths: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Most commits first. `.mailmap` joins the names of a person, as in git. */
export async function countByAuthor(repository: Repository, options: ShortlogOptions): Promise<AuthorCount[]> {
  const { revision, paths, signal } = options;
  const dates = await dateArguments(repository.context, options, signal);
  const tips = await tipsOf(repository, revision, signal);
  if (tips.length === 0) return [];
  const args = ["shortlog", "--summary", "--numbered", "--email", ...dates, ...tips, ...pathArguments(repository, paths)];
  const { stdout } = await repository.read({ args, signal });
  await noticeHistoryLimits(repository, { signal });
  return decodeText(stdout)
    .split("\n")
    .flatMap((line) => {
      const [, commits, name = "", email = ""] = /^\s*(\d+)\t(.*?) ?<([^<>]*)>$/.exec(line) ?? [];
      return commits === undefined ? [] : [{ name: truncateLine(name), email: truncateLine(email), commits: Number(commits) }];
    });
}
