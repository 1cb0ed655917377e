// git_grep: find lines in tracked files, or in the files of a revision.
import { tool } from "@oarlock/server-kit";
import { grepIn, type Match } from "../../repo/history/grep.ts";
import { shown } from "../../repo/text/file-names.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { count, cursor, flag, maybe, object, paths, repo_path, result, word, z } from "../../schema.ts";

const LIMIT = 200;

export const gitGrep = (parts: Parts) =>
  tool({
    name: "git_grep",
    title: "Search in files",
    description: "Find lines in tracked files, or in the files of a revision, by an extended regular expression.",
    input: () =>
      object({
        repo_path,
        pattern: word("What to find"),
        revision: maybe("Search this revision, not the work tree"),
        paths,
        literal: flag("pattern is plain text"),
        ignore_case: flag("Ignore case"),
        word: flag("Whole words only"),
        context_lines: z._default(z.int().check(z.minimum(0)), 0).check(z.describe("Lines around each match")),
        limit: count(`The most, ${LIMIT} unless given`),
        cursor,
      }),
    output: () =>
      result({
        matches: z.array(z.looseObject({ path: z.string(), line: z.int(), text: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: where, revision, ignore_case: ignoreCase, context_lines: contextLines, limit = LIMIT, ...wanted }, ctx) {
      const repository = await opened(parts, ctx, where);
      const commit = revision !== undefined || repository.facts.bare ? await repository.commit(revision ?? "HEAD", ctx.signal) : undefined;
      const { matches, nextCursor, clipped } = await grepIn(repository, {
        ...wanted,
        commit,
        ignoreCase,
        contextLines: Math.min(contextLines, 50),
        limit,
        maxWire: Math.floor(parts.maxResultBytes * 0.8),
        signal: ctx.signal,
      });
      const cut = clipped ? "\n[truncated: long lines are clipped]" : "";
      const more = cut + (nextCursor === undefined ? "" : `\n[more: go on with cursor ${nextCursor}]`);
      return {
        content: (matches.length === 0 ? "No matches" : matches.map(text).join("\n")) + more,
        structured: {
          matches: matches.map((match) => ({ ...match })),
          truncated: clipped || nextCursor !== undefined,
          ...(nextCursor !== undefined && { nextCursor }),
        },
      };
    },
  });

/** A line that stands behind one match and before the next is written once. */
function text(match: Match, index: number, all: readonly Match[]): string {
  const { path, line, text: found, before = [], after = [] } = match;
  const name = shown(path);
  const last = index === 0 ? undefined : all[index - 1];
  const told = last?.path === path ? last.line + (last.after?.length ?? 0) : 0;
  const first = line - before.length;
  return [
    ...before.flatMap((one, at) => (first + at > told ? `${name}-${first + at}- ${one}` : [])),
    `${name}:${line}: ${found}`,
    ...after.map((one, at) => `${name}-${line + 1 + at}- ${one}`),
  ].join("\n");
}
