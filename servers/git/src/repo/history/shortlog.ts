// How many commits each author has in a range.
import { checkDate } from "../refs/date-check.ts";
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

export interface ShortlogOptions {
  readonly revision: string;
  readonly paths: readonly string[];
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Most commits first. `.mailmap` joins the names of a person, as in git. */
export async function countByAuthor(repository: Repository, options: ShortlogOptions): Promise<AuthorCount[]> {
  const { revision, paths, since, until, signal } = options;
  for (const date of [since, until]) if (date !== undefined) await checkDate(repository.context, date, signal);
  const tips = await tipsOf(repository, revision, signal);
  if (tips.length === 0) return [];
  const dates = [...(since === undefined ? [] : [`--since=${since}`]), ...(until === undefined ? [] : [`--until=${until}`])];
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
