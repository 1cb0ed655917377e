// git_log: the history in pages that stay where they are while commits land.
import { tool } from "@oarlock/server-kit";
import { commitText } from "../../repo/history/commit-record.ts";
import { logOf, type Logged } from "../../repo/history/log.ts";
import { shown } from "../../repo/text/file-names.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { cursor, flag, maybe, object, paths, repo_path, result, z } from "../../schema.ts";

const MOST = 5000;

export const gitLog = (parts: Parts) =>
  tool({
    name: "git_log",
    title: "History",
    description: "List commits, newest first. Dates: ISO 8601 or words such as '2 weeks ago'.",
    input: () =>
      object({
        repo_path,
        max_count: z._default(z.int().check(z.minimum(1)), 10).check(z.describe("How many")),
        start_timestamp: maybe("Not before"),
        end_timestamp: maybe("Not after"),
        revision: maybe("Branch, commit or a..b; HEAD unless given"),
        paths,
        author: maybe("Part of name or email, a pattern"),
        grep: maybe("Pattern in the message"),
        pickaxe: maybe("Text whose number of occurrences changed"),
        follow: flag("Follow one path through renames"),
        first_parent: flag("Only the main line"),
        stat: flag("With changed lines a file"),
        cursor,
      }),
    output: () =>
      result({
        commits: z.array(z.looseObject({ hash: z.string(), author: z.string(), date: z.string(), subject: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run(
      { repo_path: path, max_count: maxCount, start_timestamp: since, end_timestamp: until, first_parent: firstParent, ...wanted },
      ctx,
    ) {
      const repository = await opened(parts, ctx, path);
      const { commits, nextCursor } = await logOf(repository, {
        ...wanted,
        maxCount: Math.min(maxCount, MOST),
        since,
        until,
        firstParent,
        maxWire: Math.floor(parts.maxResultBytes * 0.8),
        signal: ctx.signal,
      });
      const clipped = commits.some((commit) => commit.clipped === true);
      const cut = clipped ? "\n[truncated: long messages are clipped]" : "";
      const more = cut + (nextCursor === undefined ? "" : `\n[more: go on with cursor ${nextCursor}]`);
      return {
        content: `Commit history:\n${commits.map(entry).join("\n")}${more}`,
        structured: {
          commits: commits.map((commit) => ({ ...commit })),
          truncated: clipped || nextCursor !== undefined,
          ...(nextCursor !== undefined && { nextCursor }),
        },
      };
    },
  });

function entry(commit: Logged): string {
  const lines =
    commit.stats?.map(
      ({ path, additions, deletions, binary }) => ` ${shown(path)} | ${binary ? "binary" : `+${additions} -${deletions}`}\n`,
    ) ?? [];
  return commitText(commit) + lines.join("");
}
